// A product's operands and reference on the GPU; see product_bench.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/threads.h"
#include "lab/job/needs.h"
#include "lab/machine/stage_tensors.h"
#include "lab/measure/pack.h"
#include "lab/measure/product_bench.h"
#include "lab/mismatch/mismatch_map.h"
#include "lab/product/product_kernel.h"
#include "sim/warp/small_float.h"

namespace lanewise {

namespace {

constexpr double kReferenceLimitS = 120;  // of the largest products on the slowest cards
constexpr uint32_t kJudgeBlocks = 1024;

// The driver has no buffer of nothing, which A and B are where K is 0.
GpuBuffer allocate(Gpu& gpu, uint64_t bytes) { return gpu.allocate(std::max<uint64_t>(bytes, 16)); }

GpuModule load(Gpu& gpu, const std::string& name_expression) {
    Program program = compile_product_kernel(name_expression, gpu.description().arch);
    return gpu.load(program.gpu_code(), program.entry);
}

uint64_t index_count(const Product& p) { return Product::elements(p.m, p.n); }

// The same numbers as floats, which hold every half.
std::vector<std::byte> as_floats(std::span<const std::byte> bytes, const Product& product) {
    if (product.type != "f16") return {bytes.begin(), bytes.end()};
    std::vector<std::byte> floats(2 * bytes.size());
    constexpr uint64_t kGrain = uint64_t{1} << 18;
    in_ranges(bytes.size() / 2, kGrain, core_count(), [&](int, uint64_t begin, uint64_t end) {
        for (uint64_t i = begin; i < end; ++i) {
            uint16_t half;
            std::memcpy(&half, &bytes[2 * i], sizeof half);
            auto value = static_cast<float>(from_small(half, kHalf));
            std::memcpy(&floats[4 * i], &value, sizeof value);
        }
    });
    return floats;
}

}  // namespace

ProductRig::ProductRig(Rig& rig, const Product& product, const CancelFlag* cancel)
    : rig_(rig), product_(product) {
    Gpu& gpu = rig.gpu();
    a_ = allocate(gpu, product.a_bytes());
    b_ = allocate(gpu, product.b_bytes());
    c_ = allocate(gpu, product.c_bytes());
    kept_a_ = allocate(gpu, product.a_bytes());
    kept_b_ = allocate(gpu, product.b_bytes());
    value_ = allocate(gpu, 8 * index_count(product));
    magnitude_ = allocate(gpu, 8 * index_count(product));
    found_ = allocate(gpu, sizeof(JudgedProduct));
    judge_ = load(gpu, judge_kernel());
    std::vector<std::byte> a(kept_a_.bytes()), b(kept_b_.bytes());
    fill_a(a, product, core_count(), cancel);
    fill_b(b, product, core_count(), cancel);
    gpu.upload(kept_a_, a);
    gpu.upload(kept_b_, b);
    compute_reference(as_floats(a, product), as_floats(b, product));
}

void ProductRig::compute_reference(std::span<const std::byte> floats_of_a,
                                   std::span<const std::byte> floats_of_b) {
    Gpu& gpu = rig_.gpu();
    GpuBuffer a = allocate(gpu, floats_of_a.size()), b = allocate(gpu, floats_of_b.size());
    gpu.upload(a, floats_of_a);
    gpu.upload(b, floats_of_b);
    GpuModule kernel = load(gpu, reference_kernel());
    std::vector<std::byte> arguments;
    for (const GpuBuffer* buffer : {&a, &b, &value_, &magnitude_})
        pack(arguments, buffer->address());
    for (int64_t side : {product_.m, product_.n, product_.k})
        pack(arguments, static_cast<uint64_t>(side));
    auto tiles = [](int64_t side) {
        return static_cast<uint32_t>((side + kReferenceTile - 1) / kReferenceTile);
    };
    LaunchShape shape;
    shape.grid = {tiles(product_.n), tiles(product_.m), 1};
    shape.block.x = kReferenceThreads;
    gpu.launch(kernel, shape, arguments);
    rig_.wait(kReferenceLimitS);  // before a and b are given back
}

Rig::Arguments ProductRig::arguments(const Job& job) const {
    struct alignas(64) Map {  // as the kernel declares it
        TensorMapBytes bytes;
    };
    Rig::Arguments all;
    auto add = [&](const auto& value) {
        pack(all.bytes, value);
        all.offsets.push_back(all.bytes.size() - sizeof value);
    };
    std::vector<uint64_t> buffers = {a_.address(), b_.address(), c_.address()};
    for (uint64_t buffer : buffers) add(buffer);
    for (int64_t side : {product_.m, product_.n, product_.k}) add(static_cast<int32_t>(side));
    std::vector<StageTensor> tensors = stage_tensors(job, buffers);
    for (const StageTensor& tensor : tensors)
        add(Map{tensor.map ? rig_.gpu().describe(*tensor.map, tensor.type) : TensorMapBytes{}});
    if (tensors.empty()) all.offsets.clear();  // the bytes are laid out as the kernel takes them
    return all;
}

void ProductRig::multiply(Cublas& cublas, bool tf32) {
    cublas.gemm(c_, a_, b_, {product_.m, product_.n, product_.k, product_.type == "f16", tf32});
}

std::unique_ptr<SparseProduct> ProductRig::sparse_product() {
    std::vector<int32_t> offsets = {0}, columns;
    std::vector<float> values;
    for (int64_t row = 0; row < product_.m; ++row) {
        for (int64_t col = 0; col < product_.k; ++col) {
            double value = a_element(product_, row, col);
            if (value == 0) continue;
            columns.push_back(static_cast<int32_t>(col));
            values.push_back(static_cast<float>(value));
        }
        offsets.push_back(static_cast<int32_t>(columns.size()));
    }
    Gpu& gpu = rig_.gpu();
    auto upload = [&](const auto& list) {
        GpuBuffer buffer = allocate(gpu, list.size() * sizeof list[0]);
        if (!list.empty()) gpu.upload(buffer, std::as_bytes(std::span(list)));
        return buffer;
    };
    CsrMatrix a{product_.m, product_.k, static_cast<int64_t>(values.size()), {}, {}, {}};
    a.offsets = upload(offsets);
    a.columns = upload(columns);
    a.values = upload(values);
    return std::make_unique<SparseProduct>(gpu, toolkit_library_folder(), std::move(a), b_, c_,
                                           product_.n);
}

Mismatch ProductRig::check(const std::function<void()>& launch, const ProductBound& bound,
                           double limit_s, ProductError& error) {
    Gpu& gpu = rig_.gpu();
    JudgedProduct found{0, ~0ull, ~0ull, 0, 0, 0};
    gpu.upload(found_, std::as_bytes(std::span(&found, 1)));
    gpu.copy_on_device(a_, kept_a_, a_.bytes());
    gpu.copy_on_device(b_, kept_b_, b_.bytes());
    gpu.fill_words(c_, kProductPoison);
    launch();
    std::vector<std::byte> arguments;
    for (const GpuBuffer* buffer : {&c_, &value_, &magnitude_}) pack(arguments, buffer->address());
    pack(arguments, index_count(product_));
    pack(arguments, bound.per_sum);
    pack(arguments, bound.absolute);
    pack(arguments, found_.address());
    LaunchShape shape;
    shape.grid.x = kJudgeBlocks;
    shape.block.x = kReferenceThreads;
    gpu.launch(judge_, shape, arguments);
    rig_.wait(limit_s);
    gpu.download(std::as_writable_bytes(std::span(&found, 1)), found_);
    error = {found.all > 0 ? std::sqrt(found.off / found.all) : 0, bound.norm, found.worst,
             bound.per_sum};
    Mismatch mismatch;
    mismatch.count = found.wrong;
    if (found.wrong == 0) return mismatch;
    uint64_t told = found.no_number != ~0ull ? found.no_number : found.first;
    mismatch.row = static_cast<int64_t>(told) / product_.n;
    mismatch.col = static_cast<int64_t>(told) % product_.n;
    float actual = 0;
    double value = 0;
    gpu.download(std::as_writable_bytes(std::span(&actual, 1)), c_, 4 * told);
    gpu.download(std::as_writable_bytes(std::span(&value, 1)), value_, 8 * told);
    mismatch.expected = fmt::format("{:.9g}", value);
    mismatch.actual = fmt::format("{:.9g}", actual);
    return mismatch;
}

std::shared_ptr<const MismatchMap> ProductRig::map(const ProductBound& bound) {
    uint64_t count = index_count(product_);
    Gpu& gpu = rig_.gpu();
    ProductReference whole;
    const bool holds_all = count <= kMostHeldProduct;
    if (holds_all) {
        whole = {std::vector<double>(count), std::vector<double>(count)};
        gpu.download(std::as_writable_bytes(std::span(whole.value)), value_);
        gpu.download(std::as_writable_bytes(std::span(whole.magnitude)), magnitude_);
    }
    std::vector<float> c;
    std::vector<double> value, magnitude;
    auto fetch = [&](int64_t row, int64_t rows) -> ProductRows {
        uint64_t first = Product::elements(row, product_.n);
        uint64_t elements = Product::elements(rows, product_.n);
        c.resize(elements);
        gpu.download(std::as_writable_bytes(std::span(c)), c_, 4 * first);
        if (holds_all)
            return {c, std::span(whole.value).subspan(first, elements),
                    std::span(whole.magnitude).subspan(first, elements)};
        value.resize(elements);
        magnitude.resize(elements);
        gpu.download(std::as_writable_bytes(std::span(value)), value_, 8 * first);
        gpu.download(std::as_writable_bytes(std::span(magnitude)), magnitude_, 8 * first);
        return {c, value, magnitude};
    };
    MismatchMap made = map_product(fetch, bound, product_.m, product_.n,
                                   holds_all ? &whole : nullptr, core_count(), rig_.cancel());
    made.on_gpu = true;
    return std::make_shared<MismatchMap>(std::move(made));
}

}  // namespace lanewise
