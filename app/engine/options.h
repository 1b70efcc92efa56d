// The options that trace, check and run share, and the printing that every command shares.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "course/catalogue.h"
#include "engine/engine_command.h"
#include "engine/own_options.h"
#include "lab/job/job.h"
#include "lab/record/recording.h"

namespace lanewise {

// STAGE|FILE.cu|FILE.ptx with its setting, as typed.
struct JobOptions : MatrixSize {
    JobOptions() : MatrixSize{4096, 4096, 256} {}
    std::string stage, type, arch;
    bool is_timed = false;  // a size that is not given is Operation::timed_at, else begins_at
    std::string input = "random";
    std::vector<std::string> settings;  // NAME=VALUE
    OwnOptions own;
    double time_limit_s = 300;
    bool json = false;

    void add_to(EngineCommand& command);
    // The job, validated. Throws Error(bad_input) for whatever cannot be used.
    Job job() const;

  private:
    Job own_job() const;
    Job ptx_job() const;
    Job launch_file_job() const;
    void refuse_stage_options() const;
    void take_sides(Job& job) const;
    const EngineCommand* command_ = nullptr;  // which options were given
};

// An option that takes a whole number of any size that fits; `count` holds its default and must
// outlive the command. Ranges are the job's matter, so that every program says the same of them.
void add_count(EngineCommand& command, const std::string& name, int64_t& count,
               const std::string& help);

// --blocks: a number, or all, which is 0. `blocks` must outlive the command.
void add_blocks(EngineCommand& command, uint64_t& blocks);

// --gpu; "" where it is not given. See choose_gpu (gpu/device.h).
std::shared_ptr<const std::string> add_gpu_choice(EngineCommand& command);

// --compiler, for this process and those that it starts. See choose_compiler
// (compile/compiler_kind.h).
void add_compiler_choice(EngineCommand& command);

Catalogue load_catalogue();

// What comes along; a file that cannot be read is named on stderr and left out.
std::vector<Recording> known_recordings(const Catalogue& catalogue);

// A stage of the catalogue, or of a .cu file with a stage head. Throws Error(bad_input).
Stage find_stage(const std::string& name);

// 4096x1024 -> {4096, 1024, kNoInner}, 64x32x16 -> {64, 32, 16}. Throws Error(bad_input).
void size_of_option(const std::string& text, int64_t& rows, int64_t& cols, int64_t& inner);

void print_json(const nlohmann::json& json);

}  // namespace lanewise
