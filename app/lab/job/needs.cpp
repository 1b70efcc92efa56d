#include "lab/job/needs.h"

#include <filesystem>

#include "gpu/cublas.h"
#include "gpu/cusparse.h"
#include "gpu/device.h"
#include "lab/job/devices.h"

namespace lanewise {

std::string toolkit_library_folder() {
    return std::filesystem::path(compiler_status().library).parent_path().string();
}

CompileOptions compile_options(const Stage& stage, const KnobValues& knobs, const std::string& type,
                               const std::string& arch) {
    CompileOptions options;
    options.kernel = name_expression(stage, knobs, type);
    options.arch = arch_for(stage, arch);
    options.headers = stage.headers;
    return options;
}

std::string cannot_interpret(const Stage& stage, const std::string& type, const std::string& arch) {
    if (is_library_call(stage)) return nothing_to_interpret(stage);
    if (!stage.error.empty() || stage.types.empty()) return stage.error;
    return cannot_compile(
        {stage.file, stage.source},
        compile_options(stage, default_knobs(stage), type.empty() ? stage.types.front() : type,
                        arch.empty() ? default_arch() : arch));
}

std::string cannot_launch(const Stage& stage) {
    const GpuStatus& status = gpu_status();
    if (!status.found) return "";
    if (stage.library == "cusparse_spmm") {
        const CusparseStatus& cusparse = cusparse_status(toolkit_library_folder());
        return cusparse.found ? "" : stage.id + " is a call of cuSPARSE, and " + cusparse.advice;
    }
    if (is_library_call(stage)) {
        const CublasStatus& cublas = cublas_status(toolkit_library_folder());
        return cublas.found ? "" : stage.id + " is a call of cuBLAS, and " + cublas.advice;
    }
    if (!runs_on(stage, status.gpu.arch))
        return stage.id + " uses what " + stage.arch + " brought, and " + status.gpu.name + " is " +
               status.gpu.arch +
               ": interpreting it shows what it does, and the recordings how fast it is";
    return "";
}

}  // namespace lanewise
