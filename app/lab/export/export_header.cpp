#include "lab/export/export_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "course/kernel_signature.h"

namespace lanewise {

namespace {

[[noreturn]] void refuse(const Stage& stage, const std::string& why) {
    throw Error(Status::bad_input, stage.id + " cannot be exported: " + why);
}

// The stage's source without its head: includes apart, the rest as it stands.
struct Body {
    std::string includes, code;
};
Body body_of(const Stage& stage) {
    constexpr std::string_view kClose = "---*/";
    std::string_view text = stage.source;
    if (size_t close = text.find(kClose); close != text.npos)
        text.remove_prefix(close + kClose.size());
    Body body;
    for (std::string_view line : lines_of(trimmed(text))) {
        bool is_include = trimmed(line).starts_with("#include");
        (is_include ? body.includes : body.code) += std::string(line) + "\n";
    }
    return body;
}

// "constexpr long long TILE = 32, ROWS = 8;", as the launch's expressions name them.
std::string knob_lines(const Job& job) {
    std::string text;
    for (const Knob& knob : job.stage.knobs) {
        auto given = job.knobs.find(knob.name);
        int64_t value = given == job.knobs.end() ? knob.value : given->second;
        text +=
            fmt::format("    [[maybe_unused]] constexpr long long {} = {};\n", knob.name, value);
    }
    return text;
}

// "<T, 32, 8>": the template's parameters in their order.
std::string template_arguments(const Job& job, const std::string& type) {
    std::vector<std::string> arguments;
    for (const TemplateParameter& parameter : kernel_signature(job.stage.source).parameters) {
        bool is_type = parameter.kind == "typename" || parameter.kind == "class";
        auto given = job.knobs.find(parameter.name);
        arguments.push_back(is_type                    ? type
                            : given == job.knobs.end() ? parameter.default_value
                                                       : std::to_string(given->second));
    }
    return arguments.empty() ? "" : fmt::format("<{}>", fmt::join(arguments, ", "));
}

std::string sides(const std::vector<std::string>& expressions) {
    std::vector<std::string> parts;
    for (const std::string& expression : expressions)
        parts.push_back("detail::side(" + expression + ")");
    return fmt::format("dim3({})", fmt::join(parts, ",\n                    "));
}

// What is the same in every header: arithmetic of the launch's expressions.
constexpr const char* kDetail = R"(#ifndef LANEWISE_EXPORT_DETAIL
#define LANEWISE_EXPORT_DETAIL
namespace lanewise::detail {
constexpr long long ceil_div(long long a, long long b) { return (a + b - 1) / b; }
constexpr long long min(long long a, long long b) { return a < b ? a : b; }
constexpr long long max(long long a, long long b) { return a < b ? b : a; }
// A side of a grid or a block; 0, which every launch refuses, where there is no such side.
inline unsigned side(long long value) {
    return value < 1 || value > 2147483647 ? 0u : static_cast<unsigned>(value);
}
// Whatever T is, elements of its size are moved.
template <int BYTES> struct Carrier;
template <> struct Carrier<1> { using Type = unsigned char; };
template <> struct Carrier<2> { using Type = unsigned short; };
template <> struct Carrier<4> { using Type = float; };
template <> struct Carrier<8> { using Type = double; };
template <> struct Carrier<16> { using Type = float4; };
template <typename T> using Carried = typename Carrier<int(sizeof(T))>::Type;
}  // namespace lanewise::detail
#endif
)";

// "sizeof(T) == 4 || sizeof(T) == 8"
std::string sizes_offered(const Stage& stage) {
    std::vector<std::string> sizes;
    for (const std::string& type : stage.types)
        sizes.push_back(fmt::format("sizeof(T) == {}", element_bytes(type)));
    return fmt::format("{}", fmt::join(sizes, " || "));
}

std::string kernel_space(const Stage& stage) { return export_name(stage) + "_kernel"; }

// What stands at the top: what it is, what stands below it.
std::string opening(const std::string& what, const std::string& stages) {
    return fmt::format(
        "// {}\n// From Lanewise, {}. MIT licence: see LICENSE.\n"
        "#pragma once\n#include <cuda_runtime.h>\n\n#include <cstddef>\n",
        what, stages);
}

std::string kernel_text(const Stage& stage, const Body& body) {
    return fmt::format("\nnamespace lanewise::{} {{\n{}}}  // namespace lanewise::{}\n",
                       kernel_space(stage), body.code, kernel_space(stage));
}

// The launch itself: knobs, shape, kernel.
std::string launch_lines(const Job& job, const std::string& kernel_type,
                         const std::string& arguments) {
    const Stage& stage = job.stage;
    std::string shared =
        stage.dynamic_shared.empty() ? "0" : "static_cast<size_t>(" + stage.dynamic_shared + ")";
    return fmt::format(
        "    using detail::ceil_div;\n    using detail::max;\n    using detail::min;\n"
        "    [[maybe_unused]] constexpr long long element_bytes = sizeof(T), batch = 1;\n{}"
        "    const dim3 grid = {};\n    const dim3 block = {};\n"
        "    auto* kernel = {}::{}{};\n"
        "    const size_t shared = {};\n"
        "    if (shared > 48 * 1024) {{\n"
        "        cudaError_t error = cudaFuncSetAttribute(\n"
        "            kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared));\n"
        "        if (error != cudaSuccess) return error;\n    }}\n"
        "    kernel<<<grid, block, shared, stream>>>({});\n"
        "    return cudaGetLastError();\n}}\n",
        knob_lines(job), sides(stage.grid), sides(stage.block), kernel_space(stage), stage.kernel,
        template_arguments(job, kernel_type), shared, arguments);
}

std::string transpose_launcher(const Job& job, bool is_copy) {
    const Stage& stage = job.stage;
    const std::string shape = is_copy ? "rows x cols" : "cols x rows";
    std::string arguments =
        "reinterpret_cast<const Moved*>(in), reinterpret_cast<Moved*>(out), "
        "int(rows), int(cols)";
    if (takes_batch(stage)) arguments += ", 1";
    return fmt::format(
        "\nnamespace lanewise {{\n"
        "// {} in device memory: out ({}) from in (rows x cols), row after row, both\n"
        "// beginning at a multiple of 16 bytes, as cudaMalloc gives them. T is any type of a "
        "size\n"
        "// below that can be copied byte by byte. Nothing is launched for an empty matrix.\n"
        "template <typename T>\n"
        "cudaError_t {}(T* out, const T* in, int height, int width,\n"
        "    cudaStream_t stream = nullptr) {{\n"
        "    static_assert({}, \"this kernel moves elements of these sizes\");\n"
        "    if (height == 0 || width == 0) return cudaSuccess;\n"
        "    if (height < 0 || width < 0) return cudaErrorInvalidValue;\n"
        "    using Moved = detail::Carried<T>;\n"
        "    const long long rows = height, cols = width;\n{}"
        "}}  // namespace lanewise\n",
        is_copy ? "Copies" : "Transposes", shape, export_name(stage), sizes_offered(stage),
        launch_lines(job, "Moved", arguments));
}

std::string product_launcher(const Job& job) {
    return fmt::format(
        "\nnamespace lanewise {{\n"
        "// C (M x N, float) = A (M x K) times B (K x N), row after row, in device memory. T is "
        "what\n"
        "// A and B hold. Nothing is launched where C is empty.\n"
        "template <typename T>\n"
        "cudaError_t {}(float* C, const T* A, const T* B, int height, int width, int inner,\n"
        "    cudaStream_t stream = nullptr) {{\n"
        "    static_assert({}, \"this kernel takes elements of these sizes\");\n"
        "    if (height == 0 || width == 0) return cudaSuccess;\n"
        "    if (height < 0 || width < 0 || inner < 0) return cudaErrorInvalidValue;\n"
        "    [[maybe_unused]] const long long M = height, N = width, K = inner;\n"
        "    [[maybe_unused]] const long long rows = M, cols = N;\n{}"
        "}}  // namespace lanewise\n",
        export_name(job.stage), sizes_offered(job.stage),
        launch_lines(job, "T", "A, B, C, int(M), int(N), int(K)"));
}

std::string sums_launcher(const Job& job) {
    const Stage& stage = job.stage;
    return fmt::format(
        "\nnamespace lanewise {{\n"
        "// How many sums {0}() writes for n elements: they add up to the whole sum.\n"
        "template <typename T>\n"
        "long long {0}_outputs(long long n) {{\n"
        "    using detail::ceil_div;\n    using detail::max;\n    using detail::min;\n"
        "    [[maybe_unused]] constexpr long long element_bytes = sizeof(T), batch = 1;\n"
        "    [[maybe_unused]] const long long rows = 1, cols = n;\n{1}"
        "    return n < 1 ? 0 : {2};\n}}\n\n"
        "// Sums of in's n elements, each of a part of them, into sums, in device memory. What "
        "sums\n"
        "// holds before must be 0.\n"
        "template <typename T>\n"
        "cudaError_t {0}(float* sums, const T* in, int count, cudaStream_t stream = nullptr) {{\n"
        "    static_assert({3}, \"this kernel takes elements of these sizes\");\n"
        "    if (count == 0) return cudaSuccess;\n"
        "    if (count < 0) return cudaErrorInvalidValue;\n"
        "    const long long n = count;\n"
        "    [[maybe_unused]] const long long rows = 1, cols = n;\n{4}"
        "}}  // namespace lanewise\n",
        export_name(stage), knob_lines(job), stage.reference == "sum" ? "1" : stage.grid.front(),
        sizes_offered(stage), launch_lines(job, "T", "in, sums, int(n)"));
}

std::string of_stage(const Job& job) { return "stage " + job.stage.id; }

}  // namespace

ExportKind export_kind(const Stage& stage) {
    if (!stage.error.empty()) refuse(stage, stage.error);
    if (is_library_call(stage))
        refuse(stage, "it is a library's call, which needs no header of ours");
    if (!stage.tensors.empty())
        refuse(stage, "its kernel takes tensor maps, which the host has to encode");
    if (!stage.headers.empty())
        refuse(stage, "its kernel needs the headers of " + stage.headers + " beside it");
    if (is_in_place(stage)) refuse(stage, "it works in its matrix's own place, on squares alone");
    if (!is_rung(stage)) refuse(stage, "it is an exercise, no rung of a ladder");
    if (stage.operation == "matmul") return ExportKind::product;
    if (stage.operation == "reduction") return ExportKind::sums;
    return stage.reference == "copy" ? ExportKind::copy : ExportKind::transpose;
}

std::string export_name(const Stage& stage) { return stage.kernel; }

std::string export_header(const Job& job) {
    const Body body = body_of(job.stage);
    const ExportKind kind = export_kind(job.stage);
    std::string launcher = kind == ExportKind::product ? product_launcher(job)
                           : kind == ExportKind::sums
                               ? sums_launcher(job)
                               : transpose_launcher(job, kind == ExportKind::copy);
    return opening(job.stage.title, of_stage(job)) + body.includes + "\n" + kDetail +
           kernel_text(job.stage, body) + launcher;
}

std::string export_transpose_header(const Job& whole_vectors, const Job& any_shape) {
    std::string text = opening("Transposes any matrix, with the kernel that its shape wants",
                               "stages " + whole_vectors.stage.id + " and " + any_shape.stage.id);
    const Body first = body_of(whole_vectors.stage), second = body_of(any_shape.stage);
    text += first.includes + second.includes + "\n" + kDetail;
    text += kernel_text(whole_vectors.stage, first) + transpose_launcher(whole_vectors, false);
    text += kernel_text(any_shape.stage, second) + transpose_launcher(any_shape, false);
    return text +
           fmt::format(
               "\nnamespace lanewise {{\n"
               "// out (cols x rows) = in (rows x cols) transposed, row after row, in device\n"
               "// memory, both beginning at a multiple of 16 bytes. T: any type of 1, 2, 4, 8\n"
               "// or 16 bytes that can be copied byte by byte. Where both sides are whole\n"
               "// vectors, {0}() has fewer loads; else\n"
               "// {1}() writes whole sectors nevertheless.\n"
               "template <typename T>\n"
               "cudaError_t transpose(T* out, const T* in, int rows, int cols,\n"
               "                      cudaStream_t stream = nullptr) {{\n"
               "    if constexpr (sizeof(T) < 16) {{\n"
               "        constexpr int vector = sizeof(T) == 1 ? 8 : 16 / int(sizeof(T));\n"
               "        if (rows % vector != 0 || cols % vector != 0)\n"
               "            return {1}(out, in, rows, cols, stream);\n"
               "    }}\n"
               "    return {0}(out, in, rows, cols, stream);\n}}\n"
               "}}  // namespace lanewise\n",
               export_name(whole_vectors.stage), export_name(any_shape.stage));
}

}  // namespace lanewise
