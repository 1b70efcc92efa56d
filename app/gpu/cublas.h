// cuBLAS's transpose, geam, and product, gemm, from the library loaded at run time: libcublas.so.13
// or .12, where the dynamic loader or the CUDA toolkit has it; $LANEWISE_CUBLAS (a path, for tests)
// goes before both.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/device.h"
#include "gpu/math_library.h"

namespace lanewise {

using CublasStatus = LibraryStatus;
// Loads it at the first call; never throws. toolkit_folder: where the toolkit's libraries lie; may
// be empty.
const CublasStatus& cublas_status(const std::string& toolkit_folder);

// What out = transpose(in) takes, of matrices that lie row by row.
struct GeamCall {
    int64_t rows = 0, cols = 0;  // of in
    int element_bytes = 4;       // 4: float, cublasSgeam; 8: double, cublasDgeam
};

// What C = A * B takes, of matrices that lie row by row: A is m x k, B is k x n, C is m x n floats.
struct GemmCall {
    int64_t m = 0, n = 0, k = 0;
    bool halves = false;  // A and B: cublasGemmEx with sums in float; else cublasSgemm
    bool tf32 = false;    // floats may be cut to TF32 for the tensor cores
};

// A cuBLAS handle on the GPU's stream. Calls go where launches go: into the stream, or into the
// graph that is being captured.
class Cublas {
  public:
    // The process's one. Throws Error(bad_input) with advice where there is no cuBLAS, and
    // Error(failed_check) where it does not start.
    static Cublas& open(Gpu& gpu, const std::string& toolkit_folder);

    std::string version() const;  // "13.0.2"
    // The numbers are multiplied by one, so that only bits that are a finite number come through
    // unchanged.
    void geam(GpuBuffer& out, const GpuBuffer& in, const GeamCall& call);
    void gemm(GpuBuffer& c, const GpuBuffer& a, const GpuBuffer& b, const GemmCall& call);

  private:
    explicit Cublas(Gpu& gpu);
    void* handle_ = nullptr;  // for the life of the process
};

}  // namespace lanewise
