#include "lab/export/export_programs.h"

#include "base/text.h"

namespace lanewise {

namespace {

// In place of @CALL@, @INCLUDE@ and so on.
std::string with(std::string text, const std::string& mark, const std::string& value) {
    for (size_t at = 0; (at = text.find(mark, at)) != text.npos; at += value.size())
        text.replace(at, mark.size(), value);
    return text;
}

constexpr const char* kTestBegins = R"(// Whether @CALL@() is right, at shapes that are awkward:
//   nvcc @ARCH@-o test test.cu && ./test
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

@INCLUDE@

#define CHECK(call)                                                                   \
    do {                                                                              \
        cudaError_t error = (call);                                                   \
        if (error != cudaSuccess) {                                                   \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(2);                                                             \
        }                                                                             \
    } while (0)

static int failures = 0;

// Device memory with a guard of 256 bytes on both sides that nothing may write.
template <typename T>
struct Guarded {
    static constexpr size_t kGuard = 256;
    size_t count;
    unsigned char* memory = nullptr;
    explicit Guarded(size_t n) : count(n) {
        CHECK(cudaMalloc(&memory, bytes()));
        CHECK(cudaMemset(memory, 0xa5, bytes()));
    }
    ~Guarded() { cudaFree(memory); }
    size_t bytes() const { return count * sizeof(T) + 2 * kGuard; }
    T* data() { return reinterpret_cast<T*>(memory + kGuard); }
    void fill(const std::vector<T>& values) {
        CHECK(cudaMemcpy(data(), values.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> read() {
        std::vector<T> values(count);
        if (count > 0)
            CHECK(cudaMemcpy(values.data(), data(), count * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }
    bool is_guarded() {
        std::vector<unsigned char> all(bytes());
        CHECK(cudaMemcpy(all.data(), memory, bytes(), cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < kGuard; ++i)
            if (all[i] != 0xa5 || all[all.size() - 1 - i] != 0xa5) return false;
        return true;
    }
};

static void say(bool is_right, bool is_guarded, const char* what) {
    if (is_right && is_guarded) return;
    ++failures;
    std::printf("%s: %s\n", what, is_right ? "memory beside the output was written" : "wrong");
}
)";

constexpr const char* kTestTransposes = R"(
// Every byte of every element is different from its neighbours'.
template <typename T>
static T element(size_t index) {
    unsigned char bytes[sizeof(T)];
    unsigned word = unsigned(index) * 2654435761u + 12345u;
    for (size_t i = 0; i < sizeof(T); ++i) bytes[i] = (unsigned char)(word >> (8 * (i % 4))) + i;
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

template <typename T>
static void test(int rows, int cols) {
    const size_t count = size_t(rows) * cols;
    std::vector<T> in(count);
    for (size_t i = 0; i < count; ++i) in[i] = element<T>(i);
    Guarded<T> from(count), to(count);
    from.fill(in);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(lanewise::@CALL@(to.data(), from.data(), rows, cols, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    const std::vector<T> out = to.read();
    bool is_right = true;
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) {
            const T* got = &out[@PLACE@];
            is_right = is_right && std::memcmp(got, &in[size_t(row) * cols + col], sizeof(T)) == 0;
        }
    char what[80];
    std::snprintf(what, sizeof what, "%d x %d of %d bytes", rows, cols, int(sizeof(T)));
    say(is_right, to.is_guarded(), what);
}

template <typename T>
static void test_all() {
    const int shapes[][2] = {{1, 1},   {1, 33},  {33, 1},   {31, 65},    {64, 64},   {128, 96},
                             {50, 1000}, {1000, 50}, {255, 257}, {1023, 1025}, {2048, 512}};
    for (const auto& shape : shapes) test<T>(shape[0], shape[1]);
    CHECK(lanewise::@CALL@<T>(nullptr, nullptr, 0, 7));
}

int main() {
@TYPES@    std::printf("%s\n", failures == 0 ? "right at every shape" : "wrong");
    return failures == 0 ? 0 : 1;
}
)";

constexpr const char* kTestProduct = R"(
// Small whole numbers, so that sums of floats are exact in any order.
static int a_at(size_t i) { return int(i * 7 % 5) - 2; }
static int b_at(size_t i) { return int(i * 11 % 7) - 3; }

template <typename T>
static void test(int M, int N, int K) {
    std::vector<T> a(size_t(M) * K), b(size_t(K) * N);
    for (size_t i = 0; i < a.size(); ++i) a[i] = T(float(a_at(i)));
    for (size_t i = 0; i < b.size(); ++i) b[i] = T(float(b_at(i)));
    Guarded<T> A(a.size()), B(b.size());
    Guarded<float> C(size_t(M) * N);
    A.fill(a);
    B.fill(b);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(lanewise::@CALL@(C.data(), A.data(), B.data(), M, N, K, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    const std::vector<float> c = C.read();
    bool is_right = true;
    for (int row = 0; row < M; ++row)
        for (int col = 0; col < N; ++col) {
            long long sum = 0;
            for (int k = 0; k < K; ++k)
                sum += a_at(size_t(row) * K + k) * b_at(size_t(k) * N + col);
            is_right = is_right && c[size_t(row) * N + col] == float(sum);
        }
    char what[80];
    std::snprintf(what, sizeof what, "%d x %d x %d of %d bytes", M, N, K, int(sizeof(T)));
    say(is_right, C.is_guarded(), what);
}

template <typename T>
static void test_all() {
    const int shapes[][3] = {{1, 1, 1},    {33, 17, 65},  {64, 64, 64},
                             {100, 60, 40}, {128, 256, 32}, {257, 129, 100}};
    for (const auto& shape : shapes) test<T>(shape[0], shape[1], shape[2]);
}

int main() {
@TYPES@    std::printf("%s\n", failures == 0 ? "right at every shape" : "wrong");
    return failures == 0 ? 0 : 1;
}
)";

constexpr const char* kTestSums = R"(
// Small whole numbers, so that sums of floats are exact in any order.
template <typename T>
static void test(int n) {
    std::vector<T> in(n);
    double wanted = 0;
    for (int i = 0; i < n; ++i) in[i] = T(float(i * 7 % 5 - 1)), wanted += i * 7 % 5 - 1;
    Guarded<T> from(n);
    from.fill(in);
    const size_t outputs = lanewise::@CALL@_outputs<T>(n);
    Guarded<float> sums(outputs);
    CHECK(cudaMemset(sums.data(), 0, outputs * sizeof(float)));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(lanewise::@CALL@(sums.data(), from.data(), n, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaStreamDestroy(stream));
    double sum = 0;
    for (float part : sums.read()) sum += part;
    char what[80];
    std::snprintf(what, sizeof what, "%d elements of %d bytes", n, int(sizeof(T)));
    say(sum == wanted, sums.is_guarded(), what);
}

template <typename T>
static void test_all() {
    for (int n : {1, 31, 33, 1000, 4096, 100003, 1 << 20}) test<T>(n);
}

int main() {
@TYPES@    std::printf("%s\n", failures == 0 ? "right at every size" : "wrong");
    return failures == 0 ? 0 : 1;
}
)";

constexpr const char* kBenchBegins = R"(// How fast @CALL@() is on this card:
//   nvcc @ARCH@-O3 -o bench bench.cu && ./bench@ARGUMENTS@
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

@INCLUDE@

#define CHECK(call)                                                                   \
    do {                                                                              \
        cudaError_t error = (call);                                                   \
        if (error != cudaSuccess) {                                                   \
            std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(2);                                                             \
        }                                                                             \
    } while (0)

// The median of 25 samples, each of ten launches, in microseconds a launch.
template <typename Launch>
static double median_us(Launch launch) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    std::vector<float> samples;
    for (int sample = -3; sample < 25; ++sample) {  // the first three warm up
        CHECK(cudaEventRecord(begin));
        for (int i = 0; i < 10; ++i) launch();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (sample >= 0) samples.push_back(ms * 100);
    }
    std::sort(samples.begin(), samples.end());
    return samples[samples.size() / 2];
}
)";

constexpr const char* kBenchTransposes = R"(
int main(int argc, char** argv) {
    using T = @TYPE@;
    const int rows = argc > 2 ? std::atoi(argv[1]) : 8192;
    const int cols = argc > 2 ? std::atoi(argv[2]) : 8192;
    if (rows < 1 || cols < 1) return std::printf("two sides, please: ./bench 8192 8192\n"), 2;
    const size_t bytes = size_t(rows) * cols * sizeof(T);
    T *in = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 1, bytes));
    const double us = median_us([&] { CHECK(lanewise::@CALL@(out, in, rows, cols)); });
    const double copy = median_us(
        [&] { CHECK(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); });
    std::printf("%d x %d: %.1f us, %.0f GB/s; cudaMemcpy %.1f us, %.0f GB/s; %.1f %% of it\n", rows,
                cols, us, 2e-3 * bytes / us, copy, 2e-3 * bytes / copy, 100 * copy / us);
}
)";

constexpr const char* kBenchProduct = R"(
int main(int argc, char** argv) {
    using T = @TYPE@;
    const int n = argc > 1 ? std::atoi(argv[1]) : 4096;
    if (n < 1) return std::printf("a side, please: ./bench 4096\n"), 2;
    T *A = nullptr, *B = nullptr;
    float* C = nullptr;
    CHECK(cudaMalloc(&A, size_t(n) * n * sizeof(T)));
    CHECK(cudaMalloc(&B, size_t(n) * n * sizeof(T)));
    CHECK(cudaMalloc(&C, size_t(n) * n * sizeof(float)));
    CHECK(cudaMemset(A, 0, size_t(n) * n * sizeof(T)));
    CHECK(cudaMemset(B, 0, size_t(n) * n * sizeof(T)));
    const double us = median_us([&] { CHECK(lanewise::@CALL@(C, A, B, n, n, n)); });
    std::printf("%d x %d x %d: %.1f us, %.0f GFLOP/s\n", n, n, n, us, 2e-3 * n * n * n / us);
}
)";

constexpr const char* kBenchSums = R"(
int main(int argc, char** argv) {
    using T = @TYPE@;
    const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 28;
    if (n < 1) return std::printf("a number of elements, please: ./bench 268435456\n"), 2;
    T* in = nullptr;
    float* sums = nullptr;
    CHECK(cudaMalloc(&in, n * sizeof(T)));
    CHECK(cudaMalloc(&sums, lanewise::@CALL@_outputs<T>(n) * sizeof(float)));
    CHECK(cudaMemset(in, 0, n * sizeof(T)));
    CHECK(cudaMemset(sums, 0, lanewise::@CALL@_outputs<T>(n) * sizeof(float)));
    const double us = median_us([&] { CHECK(lanewise::@CALL@(sums, in, n)); });
    std::printf("%d elements: %.1f us, %.0f GB/s\n", n, us, 1e-3 * n * sizeof(T) / us);
}
)";

std::string lines_for(const std::vector<std::string>& types) {
    std::string lines;
    for (const std::string& type : types) lines += "    test_all<" + type + ">();\n";
    return lines;
}

}  // namespace

std::string export_test(ExportKind kind, const std::string& call, const std::string& header,
                        const std::vector<std::string>& types) {
    std::string text = std::string(kTestBegins) + (kind == ExportKind::product ? kTestProduct
                                                   : kind == ExportKind::sums  ? kTestSums
                                                                               : kTestTransposes);
    text = with(text, "@PLACE@",
                kind == ExportKind::copy ? "size_t(row) * cols + col" : "size_t(col) * rows + row");
    return with(with(with(text, "@TYPES@", lines_for(types)), "@CALL@", call), "@INCLUDE@",
                "#include \"" + header + "\"");
}

std::string export_bench(ExportKind kind, const std::string& call, const std::string& header,
                         const std::string& type) {
    std::string text = std::string(kBenchBegins) + (kind == ExportKind::product ? kBenchProduct
                                                    : kind == ExportKind::sums  ? kBenchSums
                                                                                : kBenchTransposes);
    const bool has_sides = kind == ExportKind::transpose || kind == ExportKind::copy;
    text = with(text, "@ARGUMENTS@", has_sides ? " 8192 8192" : "");
    return with(with(with(text, "@TYPE@", type), "@CALL@", call), "@INCLUDE@",
                "#include \"" + header + "\"");
}

}  // namespace lanewise
