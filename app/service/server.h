// `lanewise-engine serve`: answers requests on stdin/stdout until stdin closes.
// Methods: "picture" {job, block} -> Picture · "analyse" {job, sample} -> Analysis ·
// "check" {job} -> {} where its source compiles ·
// "product" {job, block, warp, product, reuse} -> ProductPictures ·
// "pads" {job, block} -> PadTable · "swizzle" {job, block, trial} -> SwizzleResult ·
// "fixes" {job} -> FixTable · "causes" {job} -> CauseTable · "step" {job, from, breaks, watches, command} -> StepShown ·
// "walk" {job, blocks} -> BlockWalk · "mismatch" {job} -> MismatchMap ·
// "measure" {job, options} -> Measurement · "count" {job, options} -> CounterReading ·
// "staircase" {job?, options} -> Staircase · "status" {} -> what doctor shows · "ping" {} -> {}
// (lab/json/json.h, product_pictures.h, hardware_counts.h, and the other headers of lab/json say how each looks). They
// are listed in service/jobs.h.
#pragma once
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "service/jobs.h"

namespace lanewise {

// How the server ends, beside 0 when stdin closes and 2 when the stream cannot be understood.
inline constexpr int kExitGpuLost =
    70;                                // a kernel broke the GPU's context; a new process repairs it
inline constexpr int kExitStuck = 71;  // a job neither finished nor heeded its cancellation
inline constexpr int kExitUnheard = 72;  // the client shows no more signs of life

// Returns the exit status; does not return where it ends with one of the two above.
// Five lanes work at the same time, each on one request after the other: one for pictures, so that
// they come at once even during a measurement, one for what the compiler says of a source that is
// being typed, so that it comes at once even while a product is compiled whole, one for the
// debugger, whose runs may take seconds, one for the model of launches, which may take as long and
// holds nobody up, and one for the rest. A picture begins behind the checks before it, and drops older
// pictures that have not started (they get an error that says "superseded", status 0). Cancel works
// at any moment. A job's Error becomes an error answer with its status.
// Whatever a job prints to stdout goes to stderr: descriptor 1 is re-pointed before the first job.
int serve(int input_descriptor, int output_descriptor);

// The same with methods of the caller's choice. silence_limit: of a client that sends beats.
int serve(int input_descriptor, int output_descriptor, const Service& service,
          std::chrono::milliseconds silence_limit = std::chrono::seconds(10));

}  // namespace lanewise
