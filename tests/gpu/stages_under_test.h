// Stages that are right, and stages that are wrong in ways that benchmarks have missed. The fake
// GPU knows them by name (fake_kernels.cpp); a real one runs these sources.
#pragma once
#include <string>

#include "course/catalogue.h"
#include "lab/job/job.h"

namespace lanewise {

struct StageUnderTest {
    const char* name;
    const char* reference;
    const char* body;  // for element (row, col) of the input, inside the matrix
};

inline constexpr StageUnderTest kRight = {
    "right", "transpose", "out[size_t(col) * rows + row] = in[size_t(row) * cols + col];"};
inline constexpr StageUnderTest kAsCopy = {
    "as_copy", "copy", "out[size_t(row) * cols + col] = in[size_t(row) * cols + col];"};
inline constexpr StageUnderTest kQuarter = {
    "quarter", "transpose",
    "if (row < rows / 4) out[size_t(col) * rows + row] = in[size_t(row) * cols + col];"};
inline constexpr StageUnderTest kWritesNothing = {
    "writes_nothing", "transpose", "if (rows < 0) out[0] = in[size_t(row) * cols + col];"};
// Its input is spoilt for whoever comes after it.
inline constexpr StageUnderTest kSpoilsInput = {
    "spoils_input", "transpose",
    "const_cast<T*>(in)[size_t(row) * cols + col] = T(0); out[size_t(col) * rows + row] = T(0);"};
// Right at its first launch, when it is looked at, and never again.
inline constexpr StageUnderTest kOnlyOnce = {
    "only_once", "transpose",
    "static unsigned written;"
    "if (atomicAdd(&written, 1u) < unsigned(rows) * unsigned(cols))"
    "    out[size_t(col) * rows + row] = in[size_t(row) * cols + col];"};
// Right, and fast two times of three.
inline constexpr StageUnderTest kEveryThird = {
    "every_third", "transpose",
    "out[size_t(col) * rows + row] = in[size_t(row) * cols + col];"
    "static unsigned launches;"
    "if (row == 0 && col == 0 && atomicAdd(&launches, 1u) % 3 == 2) {"
    "    unsigned long long start, now;"
    "    asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(start));"
    "    do { asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(now)); }"
    "    while (now - start < 1000000ull);"
    "}"};
// Five seconds stand for ever: a real GPU must become free again.
inline constexpr StageUnderTest kEndless = {
    "endless", "transpose",
    "unsigned long long start, now;"
    "asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(start));"
    "do { asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(now)); }"
    "while (now - start < 5000000000ull);"
    "out[0] = in[0];"};
inline constexpr StageUnderTest kIllegal = {"illegal", "transpose",
                                            "out[(size_t(1) << 44) + row] = in[0];"};

inline Stage make_stage(const StageUnderTest& what) {
    std::string name = what.name;
    Stage like;
    like.id = "transpose/" + name;
    like.operation = "transpose";
    like.file = name + ".cu";
    Stage stage = parse_stage(
        "/*---\ntitle = \"" + name +
            "\"\ntypes = [\"f32\", \"f64\", \"f16\", \"u8\"]\nreference = \"" + what.reference +
            "\"\nblock = [\"32\", \"8\"]\n"
            "grid = [\"ceil_div(cols, 32)\", \"ceil_div(rows, 8)\"]\n---*/\n"
            "template <typename T = float>\n__global__ void " +
            name +
            "(const T* in, T* out, int rows, int cols) {\n"
            "    int col = blockIdx.x * 32 + threadIdx.x;\n"
            "    int row = blockIdx.y * 8 + threadIdx.y;\n"
            "    if (row < rows && col < cols) {\n        " +
            what.body + "\n    }\n}\n",
        like);
    return stage;
}

inline Job make_job(const StageUnderTest& what, int64_t rows, int64_t cols,
                    const std::string& type = "f32") {
    Job job;
    job.stage = make_stage(what);
    job.type = type;
    job.rows = rows;
    job.cols = cols;
    return job;
}

}  // namespace lanewise
