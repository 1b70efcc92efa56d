// Whether a source passes its stage's gate: judged at the gate's hidden cases (course/gate_cases.h),
// in order, until one fails. Needs no GPU.
#pragma once
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "course/lesson.h"
#include "lab/job/job.h"
#include "lab/job/results.h"

namespace lanewise {

// What a source is held to. As data, so that an engine elsewhere needs no lessons.
struct GateTask {
    std::string stage;               // the catalogue's name of it
    std::string reference, library;  // what its head says, which nobody may change
    std::vector<std::string> types;  // likewise: what the catalogue's source offers
    std::string expect;              // of a library's call, whose settings alone are judged
    std::vector<GateCase> cases = {};
};
GateTask task_of(const Gate& gate, const Stage& original);

struct Judgement : MatrixSize {  // of the case that failed
    // What failed, in the order in which it is looked for. `launch`: the case cannot be launched
    // or compiled; `head`: what the head must not change; `setting`: of a library's call.
    enum class Why : uint8_t { none, head, launch, result, finding, count, setting };
    Why why = Why::none;
    bool passed() const { return why == Why::none; }
    // "Right at 256 x 256, wrong at 96 x 160: 7 elements, the first at (1, 2)."
    std::string sentence;
    uint64_t cases = 0, held = 0;  // how many there are, and how many held before one failed
    // ---- of the case that failed; where there is one it can be opened
    bool has_case = false;
    KnobValues knobs = {};
    std::string type = {}, input = {};
    Mismatch mismatch = {};
    std::vector<Finding> findings = {};
};

// The job of one case: what the case names, and the rest from `submitted`, whose size, batch and
// input are never looked at.
Job job_at(const Job& submitted, const GateCase& one);

// Judges job.stage's source with the job's knobs and type. `heard` is told before each case how
// many are done. Throws CompileError or NoCompiler where nothing can be judged, Error(bad_input)
// for a setting that there is not, and Cancelled.
using HeardCase = std::function<void(uint64_t done, uint64_t cases)>;
Judgement judge(const Job& submitted, const GateTask& task, const CancelFlag* cancel = nullptr,
                const HeardCase& heard = {});

// json/judgement_json.cpp
void to_json(nlohmann::json&, const GateTask&);
void from_json(const nlohmann::json&, GateTask&);
void to_json(nlohmann::json&, const Judgement&);
void from_json(const nlohmann::json&, Judgement&);

}  // namespace lanewise
