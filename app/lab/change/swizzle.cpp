#include "lab/change/swizzle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "lab/analysis/analysis.h"
#include "lab/change/swizzle_source.h"
#include "lab/job/devices.h"
#include "lab/job/needs.h"
#include "lab/product/product.h"
#include "ptx/parser.h"

namespace lanewise {

namespace {

constexpr const char* kOwnRemedies[] = {"PAD", "MASK"};  // knobs; 0 is without
constexpr int kVerifiedTiles = 4;                        // in each direction

void stop_where(const CancelFlag* cancel) {
    if (cancel && *cancel) throw Cancelled{};
}

void take_out_remedies(Job& job) {
    for (Knob& knob : job.stage.knobs)
        for (const char* name : kOwnRemedies) {
            if (knob.name != name) continue;
            if (std::find(knob.choices.begin(), knob.choices.end(), 0) == knob.choices.end())
                knob.choices.insert(knob.choices.begin(), 0);
            job.knobs[knob.name] = 0;
        }
}

// The expression's own error, where the compiler names its place in it; else the first.
void take_errors(SwizzleResult& result, const CompileError& error) {
    result.problem = error.what();
    for (const Diagnostic& each : error.diagnostics()) {
        if (!each.is_error || each.file != kSwizzleFile || each.line < kSwizzleLine) continue;
        result.problem = each.text;
        // What is missing at its end, the compiler misses at the begin of the next line.
        auto end = static_cast<int>(result.trial.expression.size()) + 1;
        result.problem_column = each.line == kSwizzleLine ? std::min(each.column, end) : end;
        return;
    }
}

struct NoObserver : Observer {};

// What the compiled expression makes of every element, as the machine computes it.
std::vector<int> columns_of(const Job& job, int rows, int cols) {
    Program program = compile({job.stage.file, job.stage.source}, column_map_options(job));
    ptx::Kernel kernel = ptx::parse(program.ptx, program.entry);
    Machine machine(kernel);
    Memory memory;
    std::vector<int> columns(static_cast<size_t>(rows * cols));
    struct {
        uint64_t columns;
        int rows, cols;
    } arguments{memory.allocate(columns.size() * sizeof(int), "columns"), rows, cols};
    NoObserver observer;
    machine.run({}, std::as_bytes(std::span(&arguments, 1)), memory, 0, 1, observer);
    std::memcpy(columns.data(), memory.buffers()[0].storage, columns.size() * sizeof(int));
    return columns;
}

std::vector<TileAccess> shared_accesses(const Picture& picture) {
    std::vector<TileAccess> accesses;
    for (const TracedAccess& traced : picture.block.accesses) {
        const InstructionReport& instruction = picture.report.instructions[traced.instruction];
        if (instruction.space != Space::shared) continue;
        TileAccess access;
        access.warp = traced.warp;
        access.mask = traced.mask;
        access.is_store = instruction.is_store;
        access.line = instruction.line;
        access.bytes_per_lane = instruction.bytes_per_lane;
        access.wavefronts = traced.wavefronts;
        access.wavefronts_ideal = traced.wavefronts_ideal;
        access.addresses = traced.addresses;
        access.elements.assign(32, -1);
        accesses.push_back(std::move(access));
    }
    return accesses;
}

// Which elements the lanes mean: where they lie in the same kernel without the mapping.
void name_elements(std::vector<TileAccess>& accesses, const std::vector<TileAccess>& plain,
                   const ColumnMap& map, int element_bytes) {
    if (accesses.size() != plain.size()) return;
    uint64_t count = map.columns.size();
    for (size_t i = 0; i < accesses.size(); ++i) {
        if (accesses[i].mask != plain[i].mask || accesses[i].is_store != plain[i].is_store ||
            accesses[i].warp != plain[i].warp)
            continue;
        for (size_t lane = 0; lane < 32; ++lane) {
            uint64_t element = plain[i].addresses[lane] / static_cast<uint64_t>(element_bytes);
            if (plain[i].mask >> lane & 1 && element < count)
                accesses[i].elements[lane] = static_cast<int>(element);
        }
    }
}

// A matrix of a few tiles says whether the kernel is right: every block does the same.
void verify(SwizzleResult& result, Job job, const CancelFlag* cancel) {
    job.rows = std::min<int64_t>(job.rows, kVerifiedTiles * result.map.rows);
    job.cols = std::min<int64_t>(job.cols, kVerifiedTiles * result.map.cols);
    Analysis analysis = analyse(job, 1, cancel);
    result.verified_rows = job.rows;
    result.verified_cols = job.cols;
    result.correct = analysis.correct;
    result.wrong = analysis.mismatch.count;
    if (!analysis.report.findings.empty())
        result.findings = analysis.report.findings.front().message;
}

}  // namespace

const std::vector<SwizzlePreset>& swizzle_presets() {
    static const std::vector<SwizzlePreset> all = {
        {"forge:none", "none", "Each element in its own column", {"col", 0}},
        {"forge:padded",
         "padded",
         "Each element in its own column, rows one element longer",
         {"col", 1}},
        {"forge:xor", "col ^ row", "The row's number mixed into the column", {"col ^ row", 0}},
        {"forge:sum",
         "(col + row) % TILE",
         "Each row turned by one more",
         {"(col + row) % TILE", 0}},
        {"forge:half",
         "col ^ (row >> 2)",
         "Only some bits of the row mixed in",
         {"col ^ (row >> 2)", 0}},
        {"forge:and", "col & row", "One that fails: find out why", {"col & row", 0}},
    };
    return all;
}

CompileOptions column_map_options(const Job& job) {
    std::string arch = job.arch.empty() ? arch_for(job.stage, default_arch()) : job.arch;
    CompileOptions options = compile_options(job.stage, job.knobs, job.type, arch);
    options.kernel = kSwizzleMapKernel;
    return options;
}

bool SwizzleResult::reaches_goal() const {
    return problem.empty() && correct && findings.empty() && extra_bytes() == 0 &&
           first_fault(map).kind == ColumnFault::Kind::none && store.instructions > 0 &&
           load.instructions > 0 && store.wavefronts == store.wavefronts_ideal &&
           load.wavefronts == load.wavefronts_ideal;
}

std::string cannot_swizzle(const Stage& stage) {
    if (!stage.error.empty()) return stage.error;
    if (is_product(stage)) return "A product has a tile of each matrix; the forge turns one.";
    if (!stage.has_tile || stage.source.empty())
        return stage.title + ": there is no tile in shared memory.";
    return tile_uses(stage).problem;
}

Job swizzled_job(const Job& given, const SwizzleTrial& trial, int& column) {
    std::string problem = expression_problem(trial.expression, column);
    if (!problem.empty()) throw Error(Status::bad_input, problem);
    if (trial.pad < 0 || trial.pad > kMostSwizzlePad)
        throw Error(Status::bad_input, fmt::format("pad a row by 0 to {} elements, not {}",
                                                   kMostSwizzlePad, trial.pad));
    Job job = given;
    for (const auto& [name, value] : default_knobs(job.stage)) job.knobs.try_emplace(name, value);
    take_out_remedies(job);
    int64_t cols = tile_shape(job.stage, job.knobs, job.type).cols, pitch = cols + trial.pad;
    KnobValues names = job.knobs;
    names.try_emplace("TILE", cols);
    job.stage.source =
        swizzled_source(job.stage, tile_uses(job.stage), trial.expression, names, pitch);
    job.stage.tile.pitch = std::to_string(pitch);
    return job;
}

SwizzleResult try_swizzle(const Job& given, uint64_t block, const SwizzleTrial& trial,
                          const CancelFlag* cancel) {
    if (std::string why = cannot_swizzle(given.stage); given.own.is_used() || !why.empty())
        throw Error(Status::bad_input, why.empty() ? "only a stage's tile can be forged" : why);
    Job valid = given;
    validate(valid);
    SwizzleResult result;
    result.stage = given.stage.id;
    result.trial = trial;
    Job job;
    try {
        job = swizzled_job(valid, trial, result.problem_column);
        Picture picture = trace_block(job, block);
        result.element_bytes = picture.element_bytes;
        result.accesses = shared_accesses(picture);
        result.store = picture.report.totals.shared_store;
        result.load = picture.report.totals.shared_load;
        result.map = {picture.tile.rows, picture.tile.cols, picture.tile.pitch, {}};
    } catch (const CompileError& error) {
        take_errors(result, error);
        return result;
    } catch (const Error& error) {
        if (result.problem_column == 0) throw;
        result.problem = error.what();
        return result;
    }
    stop_where(cancel);
    result.source = job.stage.source;
    result.map.columns = columns_of(job, result.map.rows, result.map.cols);
    int unused = 0;
    Picture plain = trace_block(swizzled_job(valid, {}, unused), block);
    name_elements(result.accesses, shared_accesses(plain), result.map, result.element_bytes);
    stop_where(cancel);
    verify(result, std::move(job), cancel);
    return result;
}

}  // namespace lanewise
