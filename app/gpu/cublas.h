// cuBLAS's transpose, geam, from the library loaded at run time: libcublas.so.13 or .12, where the
// dynamic loader or the CUDA toolkit has it; $LANEWISE_CUBLAS (a path, for tests) goes before both.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/device.h"

namespace lanewise {

struct CublasStatus {
    bool found = false;
    std::string library;  // as it was loaded
    std::string advice;   // what to do where not found
};
// Loads it at the first call; never throws. toolkit_folder: where the toolkit's libraries lie; may
// be empty.
const CublasStatus& cublas_status(const std::string& toolkit_folder);

// What out = transpose(in) takes, of matrices that lie row by row.
struct GeamCall {
    int64_t rows = 0, cols = 0;  // of in
    int element_bytes = 4;       // 4: float, cublasSgeam; 8: double, cublasDgeam
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

  private:
    explicit Cublas(Gpu& gpu);
    void* handle_ = nullptr;  // for the life of the process
};

}  // namespace lanewise
