// Products on the hardware: the operands of one shape on the GPU, the honest check of a launch, and
// the timing of stages beside cuBLAS. bench.h is where the rest of the program comes in.
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "gpu/cublas.h"
#include "gpu/cupti_counters.h"
#include "gpu/cusparse.h"
#include "lab/job/measurement.h"
#include "lab/measure/rig.h"
#include "lab/product/product.h"

namespace lanewise {

// A, B and C of one shape, type and input, and what C must be.
class ProductRig {
  public:
    // Fills A and B and computes the reference on the GPU, which may take a second or two. Throws
    // Error(bad_input) where the card has too little memory.
    ProductRig(Rig& rig, const Product& product, const CancelFlag* cancel);

    const Product& product() const { return product_; }
    // (A, B, C, M, N, K), packed, and the maps of the stage's head behind them.
    Rig::Arguments arguments(const Job& job) const;
    void multiply(Cublas& cublas, bool tf32);  // by cuBLAS, into C
    // By cuSPARSE, with A's numbers that are not zero; it must not outlive this. Throws as
    // SparseProduct does.
    std::unique_ptr<SparseProduct> sparse_product();

    // Fills A and B anew, makes every element of C wrong, launches, and compares all of them with
    // the reference within `bound`. Waits at most limit_s.
    Mismatch check(const std::function<void()>& launch, const ProductBound& bound, double limit_s,
                   ProductError& error);

    // What the last check's launch has left in C, against the reference.
    std::shared_ptr<const MismatchMap> map(const ProductBound& bound);

  private:
    void compute_reference(std::span<const std::byte> floats_of_a,
                           std::span<const std::byte> floats_of_b);

    Rig& rig_;
    Product product_;
    GpuBuffer a_, b_, c_, kept_a_, kept_b_;
    GpuBuffer value_, magnitude_, found_;
    GpuModule judge_;
};

// As measure_together(), of jobs that are products of one shape, type and input. cuBLAS is timed in
// every round where there is one.
std::vector<Measurement> measure_products(std::vector<Job> jobs, const MeasureOptions& options,
                                          const Progress& progress, const CancelFlag* cancel);

// As count_stage_launch().
CounterReading count_product_launch(const Job& job, double time_limit_s, const CancelFlag* cancel);

}  // namespace lanewise
