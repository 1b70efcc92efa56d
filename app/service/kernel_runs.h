// Jobs that launch kernels, by way of the worker. Whatever a kernel does to it becomes an answer
// that says what happened, and on which line where interpreting the same launch shows it.
#pragma once
#include <nlohmann/json.hpp>

#include "lab/job/measurement.h"
#include "service/gpu_worker.h"

namespace lanewise {

// After so many crashes in a row of one kernel the interpreter is offered instead.
inline constexpr int kCrashesUntilOffer = 3;

// "measure" {job, options} -> Measurement, "measure_own" {job, options} -> own_run_json(), for a
// kernel from outside the catalogue, "race" {job, beside, options} -> {measurements}, job's first and
// those of the jobs `beside` in the same rounds, or "bench" {stages, sizes, options} -> {measurements,
// crashes}; where kernels printed, "printed": {text, bytes} is added: the first 64 KiB, and how
// many in all. Throws what the job throws; Cancelled; and for a worker lost, DetailedError with
//   details.crash = {kind, finding, printed, in_a_row, offer_interpreter}
// kind: illegal_access, misaligned, launch_failure, … (Gpu::fault), endless, or killed; finding: a
// Finding or null, from the interpreter; in_a_row: crashes of this kernel without a success
// between.
// In a bench the stages that fail cost no other its result: "crashes", only there where some did,
// lists {stage, title, rows, cols, message, crash}, crash as above or null where the worker lived.
nlohmann::json run_in_worker(GpuWorker& worker, const std::string& method,
                             const nlohmann::json& params, const Progress& progress,
                             const CancelFlag* cancel);

}  // namespace lanewise
