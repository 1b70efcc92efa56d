// Products: every element of C is a sum along K, compared with one in doubles.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/text.h"
#include "lab/analysis/prediction.h"
#include "lab/measure/product_bench.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/operation/table.h"
#include "lab/product/product.h"

namespace lanewise {

namespace {

constexpr uint64_t kSampledOfProduct = 4;
constexpr int64_t kShortSum = 128, kLongSum = 256;  // and what is left over from tiles of 64

// What the blocks ask for grows with K as between two short ways along it.
Traffic extrapolated_traffic(const PreparedKernel& prepared, const Job& job, int64_t rest) {
    Job shorter = job, longer = job;
    shorter.inner = kShortSum + rest;
    longer.inner = kLongSum + rest;
    Traffic at_long = traffic_of_blocks(prepared, longer, kSampledOfProduct);
    Traffic traffic =
        extrapolated(traffic_of_blocks(prepared, shorter, kSampledOfProduct), at_long,
                     static_cast<double>(shorter.inner), static_cast<double>(longer.inner),
                     static_cast<double>(job.inner));
    traffic.sectors_in_use = at_long.load_sectors_once;
    return traffic;
}

class ProductCode final : public OperationCode {
  public:
    std::vector<KernelBuffer> buffers(const Job& job) const override {
        using Role = KernelBuffer::Role;
        return {{"A", job.rows, job.inner, job.type, Role::input},
                {"B", job.inner, job.cols, job.type, Role::input},
                {"C", job.rows, job.cols, "f32", Role::output}};
    }

    std::vector<Scalar> scalars(const Job& job) const override {
        return {{"M", job.rows}, {"N", job.cols}, {"K", job.inner}};
    }

    std::string parameters(const Stage&) const override {
        return "(const T* A, const T* B, float* C, int M, int N, int K)";
    }

    void check(const Job& job) const override {
        check_inner(job.inner);
        if (is_product_input(job.input)) return;
        throw Error(Status::bad_input,
                    fmt::format("there is no input \"{}\"; choose one of {}, or zeros:90 for a "
                                "matrix A with so many percent zeros",
                                job.input, fmt::join(product_inputs(), ", ")));
    }

    uint64_t most_instructions_of_block(const Job& job, uint64_t blocks) const override {
        return lanewise::most_instructions_of_block(job.rows, job.cols, job.inner, blocks);
    }

    uint64_t host_bytes(const Job& job) const override {
        Product product = product_of(job);
        return product.a_bytes() + product.b_bytes() + product.c_bytes() +
               product_reference_bytes(product);
    }

    std::string too_large(const Job& job, uint64_t bytes, uint64_t available) const override {
        return fmt::format(
            "matrices for M = {}, N = {}, K = {} need {} of memory, and this "
            "machine has {} free; choose smaller ones",
            job.rows, job.cols, job.inner, in_bytes(bytes), in_bytes(available));
    }

    void fill(StageLaunch& launch, const Job& job, int threads,
              const CancelFlag* cancel) const override {
        Product product = product_of(job);
        fill_a(launch.buffer(0), product, threads, cancel);
        fill_b(launch.buffer(1), product, threads, cancel);
        poison_product(launch.output());
    }

    void judge(StageLaunch& launch, const Job& job, int threads, const CancelFlag* cancel,
               Analysis& analysis) const override {
        Product product = product_of(job);
        analysis.mismatch =
            judge_product(launch.output(), product_reference(product, threads, cancel),
                          bound_of(product), product.n, analysis.error);
        conclude(analysis, product);
    }

    std::string cannot_map(const Job& job) const override { return too_long_to_interpret(job); }

    MismatchMap map(StageLaunch& launch, const Job& job, int threads,
                    const CancelFlag* cancel) const override {
        Product product = product_of(job);
        return map_product(launch.output(), product_reference(product, threads, cancel),
                           bound_of(product), product.m, product.n, cancel);
    }

    Traffic traffic(const PreparedKernel& prepared, const Job& job) const override {
        int64_t rest = job.inner % 64;
        Traffic traffic;
        if (job.inner <= kLongSum + rest) {
            traffic = traffic_of_blocks(prepared, job, kSampledOfProduct);
            traffic.sectors_in_use = traffic.load_sectors_once;
        } else {
            traffic = extrapolated_traffic(prepared, job, rest);
        }
        traffic.operations = flops_of(job.rows, job.cols, job.inner) / traffic.blocks;
        tell_bytes(job, traffic);
        return traffic;
    }

    bool are_comparable(const Job& a, const Job& b) const override {
        return OperationCode::are_comparable(a, b) && product_of(a).input == product_of(b).input;
    }

    std::vector<Measurement> measure(std::vector<Job> jobs, const MeasureOptions& options,
                                     const Progress& progress,
                                     const CancelFlag* cancel) const override {
        return measure_products(std::move(jobs), options, progress, cancel);
    }

    CounterReading count(const Job& job, double time_limit_s,
                         const CancelFlag* cancel) const override {
        return count_product_launch(job, time_limit_s, cancel);
    }
};

}  // namespace

const OperationCode& product_code() {
    static const ProductCode code;
    return code;
}

}  // namespace lanewise
