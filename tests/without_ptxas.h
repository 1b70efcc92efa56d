// A compiler that makes no machine code, for tests: clang's place is taken by what NVRTC made,
// without its cubin. Everything that asks for a program gets one of those that were put there, and
// nothing else.
#pragma once
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "compile/program_store.h"
#include "lab/job/devices.h"
#include "lab/job/needs.h"

namespace lanewise {

class WithoutPtxas {
  public:
    WithoutPtxas()
        : folder_(std::filesystem::temp_directory_path() /
                  ("lanewise-no-ptxas-" + std::to_string(::getpid()))) {
        const char* cache = ::getenv("XDG_CACHE_HOME");
        if (cache) cache_before_ = cache;
        ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
        ::setenv("LANEWISE_NO_CLANG", "1", 1);
    }
    ~WithoutPtxas() {
        choose_compiler("");
        ::unsetenv("LANEWISE_NO_CLANG");
        cache_before_.empty() ? ::unsetenv("XDG_CACHE_HOME")
                              : ::setenv("XDG_CACHE_HOME", cache_before_.c_str(), 1);
        std::filesystem::remove_all(folder_);
    }
    WithoutPtxas(const WithoutPtxas&) = delete;
    WithoutPtxas& operator=(const WithoutPtxas&) = delete;

    static constexpr const char* kName = "clang 19.1.7";

    // From now on compile() has this alone for the source, and nothing for any other.
    void put(const Source& source, const CompileOptions& options) {
        choose_compiler("");
        Program program = compile(source, options);
        program.cubin.clear();
        program.compiler = kName;
        ProgramStore(folder_ / "lanewise/programs-clang")
            .store(program, program_key(source, options), "clang-19.1.7");
        choose_compiler("clang");
    }
    void put(const Stage& stage, const KnobValues& knobs, const std::string& type) {
        KnobValues all = default_knobs(stage);
        for (const auto& [name, value] : knobs) all[name] = value;
        put({stage.file, stage.source}, compile_options(stage, all, type, default_arch()));
    }
    std::filesystem::path cache() const { return folder_; }

  private:
    std::filesystem::path folder_;
    std::string cache_before_;
};

}  // namespace lanewise
