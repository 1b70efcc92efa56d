// Jobs of kernels from outside the catalogue, for tests.
#pragma once
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "lab/job/job.h"
#include "lab/kernel/cluster_option.h"
#include "lab/kernel/ptx_file.h"

namespace lanewise {

// Programs of the tests: "x.cu" in a command is a file of this folder.
inline const std::string kProgramFixtures = TESTS_FOLDER "/programs/fixtures";

inline Job own_job(const std::string& source, const std::string& kernel, Dim3 grid, Dim3 block,
                   std::vector<std::string> arguments) {
    Job job;
    job.stage.file = job.stage.id = "own.cu";
    job.stage.source = source;
    job.own.kernel = kernel;
    job.own.shape = {grid, block, 0};
    job.own.arguments = std::move(arguments);
    job.arch = "sm_90";
    return job;
}

// The words of a command; only double quotes, around whole words.
inline std::vector<std::string> words_of(const std::string& command) {
    std::vector<std::string> words;
    std::istringstream in(command);
    for (std::string word; in >> word;) {
        while (word.front() == '"' && word.back() != '"') {
            std::string more;
            if (!(in >> more)) break;
            word += " " + more;
        }
        words.push_back(word.front() == '"' ? word.substr(1, word.size() - 2) : word);
    }
    return words;
}

// Of a .cu or a .ptx: "kernels/x.cu --kernel k --grid 2,2 --block 32 --arg f32[64]", the file within `folder`.
inline Job own_job_of(const std::string& command, const std::filesystem::path& folder) {
    std::vector<std::string> words = words_of(command);
    Job job;
    bool is_ptx = is_ptx_file(words.at(0));
    if (!is_ptx) job.stage = own_stage(folder / words.at(0));
    job.arch = "sm_90";
    for (size_t i = 1; i + 1 < words.size(); i += 2) {
        const std::string &option = words[i], &value = words[i + 1];
        int64_t bytes = 0;
        if (option == "--kernel")
            job.own.kernel = value;
        else if (option == "--grid")
            job.own.shape.grid = parse_grid(value);
        else if (option == "--block")
            job.own.shape.block = parse_block(value);
        else if (option == "--arg")
            job.own.arguments.push_back(value);
        else if (option == "--cluster")
            job.own.variables.push_back(cluster_variable(value));
        else if (option == "--dynamic-shared" && parse_integer(value, bytes))
            job.own.shape.dynamic_shared_bytes = static_cast<uint32_t>(bytes);
    }
    if (is_ptx) {
        PtxFile file = read_ptx_file(folder / words[0]);
        const PtxKernel& kernel = kernel_called(file, job.own.kernel);
        job.stage = ptx_stage(file, kernel, {});
        take_ptx(file, kernel, job.own);
    }
    return job;
}

}  // namespace lanewise
