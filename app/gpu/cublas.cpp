#include "gpu/cublas.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "gpu/driver_call.h"

namespace lanewise {

namespace {

// The functions that we call, with the signatures of NVIDIA's cublas_api.h.
struct BlasApi {
    using Code = int;  // cublasStatus_t; 0 is success
    Code (*Create)(void** handle) = nullptr;
    Code (*SetStream)(void* handle, void* stream) = nullptr;
    Code (*GetVersion)(void* handle, int* version) = nullptr;
    const char* (*GetStatusName)(Code) = nullptr;
    Code (*Sgeam)(void* handle, int op_a, int op_b, int m, int n, const float* alpha,
                  const float* a, int lda, const float* beta, const float* b, int ldb, float* c,
                  int ldc) = nullptr;
    Code (*SetMathMode)(void* handle, int mode) = nullptr;
    Code (*Sgemm)(void* handle, int op_a, int op_b, int m, int n, int k, const float* alpha,
                  const float* a, int lda, const float* b, int ldb, const float* beta, float* c,
                  int ldc) = nullptr;
    Code (*GemmEx)(void* handle, int op_a, int op_b, int m, int n, int k, const void* alpha,
                   const void* a, int type_a, int lda, const void* b, int type_b, int ldb,
                   const void* beta, void* c, int type_c, int ldc, int compute,
                   int algorithm) = nullptr;
    Code (*Dgeam)(void* handle, int op_a, int op_b, int m, int n, const double* alpha,
                  const double* a, int lda, const double* beta, const double* b, int ldb, double* c,
                  int ldc) = nullptr;
};

// Of cublas_api.h and library_types.h.
constexpr int kPlain = 0, kTransposed = 1;      // CUBLAS_OP_N, CUBLAS_OP_T
constexpr int kDefaultMath = 0, kTf32Math = 3;  // CUBLAS_DEFAULT_MATH, …_TF32_TENSOR_OP_MATH
constexpr int kHalf = 2, kSumsInFloat = 68;     // CUDA_R_16F, CUBLAS_COMPUTE_32F
constexpr int kDefaultAlgorithm = -1;           // CUBLAS_GEMM_DEFAULT

struct LoadedBlas {
    BlasApi api;
    CublasStatus status;
};

LoadedBlas find_cublas(const std::string& toolkit_folder) {
    LoadedBlas loaded;
    BlasApi& api = loaded.api;
    const LibraryFunction functions[] = {
        {"cublasCreate_v2", api.Create},
        {"cublasSetStream_v2", api.SetStream},
        {"cublasGetVersion_v2", api.GetVersion},
        {"cublasGetStatusName", api.GetStatusName},
        {"cublasSgeam", api.Sgeam},
        {"cublasDgeam", api.Dgeam},
        {"cublasSetMathMode", api.SetMathMode},
        {"cublasSgemm_v2", api.Sgemm},
        {"cublasGemmEx", api.GemmEx},
    };
    loaded.status = load_library(
        {"cuBLAS",
         "LANEWISE_CUBLAS",
         {"libcublas.so.13", "libcublas.so.12"},
         "install it from CUDA 12 or 13 (NVIDIA's package libcublas-13-0, or "
         "nvidia-cuda-toolkit on Debian or Ubuntu); until then the recorded times are shown"},
        toolkit_folder, functions);
    return loaded;
}

const LoadedBlas& loaded_cublas(const std::string& toolkit_folder) {
    static const LoadedBlas found = find_cublas(toolkit_folder);
    return found;
}

const BlasApi& blas_api() { return loaded_cublas("").api; }  // once it was found

void check_blas(BlasApi::Code code, const std::string& what) {
    if (code != 0)
        throw Error(Status::failed_check,
                    fmt::format("cuBLAS refused {}: {}", what, blas_api().GetStatusName(code)));
}

}  // namespace

const CublasStatus& cublas_status(const std::string& toolkit_folder) {
    return loaded_cublas(toolkit_folder).status;
}

Cublas& Cublas::open(Gpu& gpu, const std::string& toolkit_folder) {
    const CublasStatus& status = cublas_status(toolkit_folder);
    if (!status.found) throw Error(Status::bad_input, status.advice);
    static Cublas cublas(gpu);
    return cublas;
}

Cublas::Cublas(Gpu& gpu) {
    DriverCall call(DriverCall::kWakingLimitS);  // it loads its kernels
    check_blas(blas_api().Create(&handle_), "to start");
    check_blas(blas_api().SetStream(handle_, gpu.stream()), "our stream");
}

std::string Cublas::version() const {
    int number = 0;  // 130002: 13.0.2
    check_blas(blas_api().GetVersion(handle_, &number), "to tell its version");
    return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

// cuBLAS counts along columns first, so our rows of `cols` elements are its columns: in is a matrix
// of cols x rows for it, with `cols` elements from one column to the next, and out one of rows x
// cols. beta is 0, so out is not read.
void Cublas::geam(GpuBuffer& out, const GpuBuffer& in, const GeamCall& call) {
    DriverCall driver_call;
    auto rows = static_cast<int>(call.rows), cols = static_cast<int>(call.cols);
    auto turn = [&]<typename T>(auto function, T one) {
        const T zero = 0;
        auto from = reinterpret_cast<const T*>(in.address());
        auto to = reinterpret_cast<T*>(out.address());
        check_blas(function(handle_, kTransposed, kPlain, rows, cols, &one, from, cols, &zero, to,
                            rows, to, rows),
                   fmt::format("a matrix of {} x {}", rows, cols));
    };
    if (call.element_bytes == 8)
        turn(blas_api().Dgeam, 1.0);
    else
        turn(blas_api().Sgeam, 1.0f);
}

// Rows are columns to cuBLAS, so that it takes A for its transpose, B and C likewise: C^T = B^T
// A^T.
void Cublas::gemm(GpuBuffer& c, const GpuBuffer& a, const GpuBuffer& b, const GemmCall& call) {
    DriverCall driver_call;
    auto m = static_cast<int>(call.m), n = static_cast<int>(call.n), k = static_cast<int>(call.k);
    const int ld_a = std::max(k, 1), ld = std::max(n, 1);  // it refuses 0
    const float one = 1, zero = 0;
    auto pointer = [](const GpuBuffer& buffer) {
        return reinterpret_cast<float*>(buffer.address());
    };
    check_blas(blas_api().SetMathMode(handle_, call.tf32 ? kTf32Math : kDefaultMath),
               "this math mode");
    std::string what = fmt::format("a product of {} x {}, K = {}", m, n, k);
    if (call.halves)
        check_blas(blas_api().GemmEx(handle_, kPlain, kPlain, n, m, k, &one, pointer(b), kHalf, ld,
                                     pointer(a), kHalf, ld_a, &zero, pointer(c), kFloatType, ld,
                                     kSumsInFloat, kDefaultAlgorithm),
                   what);
    else
        check_blas(blas_api().Sgemm(handle_, kPlain, kPlain, n, m, k, &one, pointer(b), ld,
                                    pointer(a), ld_a, &zero, pointer(c), ld),
                   what);
}

}  // namespace lanewise
