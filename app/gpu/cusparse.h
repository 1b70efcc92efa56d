// cuSPARSE's product of a sparse and a dense matrix, SpMM, from the library loaded at run time:
// libcusparse.so.12, where the dynamic loader or the CUDA toolkit has it; $LANEWISE_CUSPARSE (a
// path, for tests) goes before both.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "gpu/device.h"
#include "gpu/math_library.h"

namespace lanewise {

using CusparseStatus = LibraryStatus;
// Loads it at the first call; never throws. toolkit_folder: where the toolkit's libraries lie; may
// be empty.
const CusparseStatus& cusparse_status(const std::string& toolkit_folder);

// A matrix of floats in compressed rows (CSR), on the GPU. Row r's numbers are values[offsets[r]]
// to values[offsets[r + 1] - 1], in the columns that `columns` says; 32-bit indices from 0.
struct CsrMatrix {
    int64_t rows = 0, cols = 0, nonzeros = 0;
    GpuBuffer offsets, columns, values;  // rows + 1, nonzeros, nonzeros
};

// C = A * B, where A is sparse, and B and C lie row by row. Calls go where launches go: into the
// stream, or into the graph that is being captured.
class SparseProduct {
  public:
    // Keeps A; b and c must outlive it: A.cols x n and A.rows x n floats. Throws Error(bad_input)
    // with advice where there is no cuSPARSE, Error(failed_check) where it refuses.
    SparseProduct(Gpu& gpu, const std::string& toolkit_folder, CsrMatrix a, const GpuBuffer& b,
                  GpuBuffer& c, int64_t n);
    ~SparseProduct();
    SparseProduct(const SparseProduct&) = delete;
    SparseProduct& operator=(const SparseProduct&) = delete;

    std::string version() const;  // "12.6.3"
    void multiply();

  private:
    CsrMatrix a_;
    GpuBuffer workspace_;
    void *of_a_ = nullptr, *of_b_ = nullptr, *of_c_ = nullptr;  // its descriptors
};

}  // namespace lanewise
