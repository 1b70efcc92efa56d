#include "lab/export/export_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "course/operation.h"
#include "lab/export/export_programs.h"

namespace lanewise {

namespace {

constexpr const char* kLicence = R"(MIT License

Copyright (c) 2026 The Lanewise authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
)";

// As the header takes them.
std::string cpp_type(const std::string& type, ExportKind kind) {
    const bool reads = kind == ExportKind::product || kind == ExportKind::sums;
    if (type == "f16") return reads ? "__half" : "unsigned short";
    if (type == "f64") return "double";
    if (type == "u8") return "unsigned char";
    return type == "f32x4" ? "float4" : "float";
}

// For the card at hand: nvcc's default is older than some stages take.
constexpr const char* kArch = "-arch=native ";

std::string shape_of(int64_t rows, int64_t cols, int64_t inner, const std::string& type) {
    std::string shape = fmt::format("{} x {}", rows, cols);
    if (inner != kNoInner) shape += fmt::format(" x {}", inner);
    return shape + " " + type;
}

// One row of the table of counts.
std::string row(const char* name, uint64_t requests, uint64_t cost, const char* unit,
                uint64_t ideal) {
    if (requests == 0) return "";
    return fmt::format("| {} | {} | {} {} | {} |\n", name, with_thousands(requests),
                       with_thousands(cost), unit, with_thousands(ideal));
}

std::string counted_text(const ExportedStage& stage) {
    const Analysis& a = stage.counted;
    const Counts& c = a.report.totals;
    std::string text = fmt::format(
        "\n### {}\n\nAt {}, compiled by {}, {}:\n\n"
        "| access | warp instructions | cost | the least possible |\n|---|--:|--:|--:|\n",
        export_name(stage.job.stage), shape_of(a.rows, a.cols, a.inner, a.type), a.compiler,
        in_words(a.occupancy));
    text += row("global loads", c.global_load.instructions, c.global_load.sectors, "sectors",
                c.global_load.sectors_ideal);
    text += row("global stores", c.global_store.instructions, c.global_store.sectors, "sectors",
                c.global_store.sectors_ideal);
    text += row("shared loads", c.shared_load.instructions, c.shared_load.wavefronts, "wavefronts",
                c.shared_load.wavefronts_ideal);
    text += row("shared stores", c.shared_store.instructions, c.shared_store.wavefronts,
                "wavefronts", c.shared_store.wavefronts_ideal);
    text += row("asynchronous copies", c.async_copy.instructions, c.async_copy.sectors, "sectors",
                c.async_copy.sectors_ideal);
    return text + fmt::format("\n{}.\n", a.report.findings.empty()
                                             ? "The machine found nothing wrong"
                                             : counted(a.report.findings.size(), "finding"));
}

// The rows of a stage with these knobs, whatever the shape.
std::string measured_rows(const Job& job, const Recording& recording) {
    std::string rows;
    for (const Measurement& m : recording.measurements) {
        if (m.stage != job.stage.id || m.knobs != job.knobs || !m.correct || m.batch != 1) continue;
        const bool computes = m.inner != kNoInner;
        const std::string speed = computes ? fmt::format("{:.0f} GFLOP/s", gflop_per_s(m))
                                           : fmt::format("{:.0f} GB/s", m.gb_per_s);
        const std::string share =
            m.yardstick.ratio.median > 0 ? fmt::format("{:.1f} %", 100 * m.yardstick.ratio.median) : "";
        rows +=
            fmt::format("| {} | {} | {:.1f} us | {} | {} |\n", export_name(job.stage),
                        shape_of(m.rows, m.cols, m.inner, m.type), m.time_us.median, speed, share);
    }
    return rows;
}

std::string measured_text(const std::vector<ExportedStage>& stages,
                          const std::vector<Recording>& recordings) {
    std::string text;
    for (const Recording& recording : recordings) {
        std::string rows;
        for (const ExportedStage& stage : stages) rows += measured_rows(stage.job, recording);
        if (rows.empty()) continue;
        const bool computes = operation_of(stages.front().job.stage).computes;
        text += fmt::format(
            "\nOn {}, {}:\n\n| kernel | shape | time | speed | of {} in the same run |\n"
            "|---|---|--:|--:|--:|\n{}",
            recording.card, recording.date.substr(0, 10), computes ? "cuBLAS" : "the best copy",
            rows);
    }
    return text.empty() ? "\nNothing is recorded of this setting. bench.cu tells.\n" : text;
}

std::string settings_text(const std::vector<ExportedStage>& stages) {
    std::string text;
    for (const ExportedStage& stage : stages) {
        std::vector<std::string> knobs;
        for (const auto& [name, value] : stage.job.knobs)
            knobs.push_back(fmt::format("{}={}", name, value));
        text +=
            fmt::format("* `{}` is stage {} of Lanewise{}{}.\n", export_name(stage.job.stage),
                        stage.job.stage.id, knobs.empty() ? "" : " with ", fmt::join(knobs, ", "));
    }
    return text;
}

std::string readme(const std::vector<ExportedStage>& stages, const std::string& call,
                   const std::string& header, const std::vector<Recording>& recordings) {
    std::string counted;
    for (const ExportedStage& stage : stages) counted += counted_text(stage);
    const std::string arch = kArch;
    return fmt::format(
        "# {0}\n\n`lanewise::{0}()` in `{1}`, which needs nothing but CUDA. The comment above it "
        "says "
        "what it\ntakes.\n\n{2}\n```\nnvcc {3}-o test test.cu && ./test\nnvcc {3}-O3 -o bench "
        "bench.cu && "
        "./bench\n```\n\n## Counted\n\nBy Lanewise's machine, which counts as the hardware "
        "does.\n{4}"
        "\n## Measured\n{5}\n## Licence\n\nMIT, see LICENSE.\n",
        call, header, settings_text(stages), arch, counted, measured_text(stages, recordings));
}

}  // namespace

std::vector<ExportFile> export_files(const std::vector<ExportedStage>& stages,
                                     const std::vector<Recording>& recordings) {
    const Job& job = stages.front().job;
    const ExportKind kind = export_kind(job.stage);
    const bool both = stages.size() == 2;
    const std::string call = both ? "transpose" : export_name(job.stage);
    const std::string header = "lanewise_" + call + ".cuh", arch = kArch;
    std::vector<std::string> types;
    for (const std::string& type : job.stage.types) types.push_back(cpp_type(type, kind));
    auto with_arch = [&](std::string text) {
        constexpr std::string_view kMark = "@ARCH@";
        for (size_t at = 0; (at = text.find(kMark, at)) != text.npos; at += arch.size())
            text.replace(at, kMark.size(), arch);
        return text;
    };
    return {{header, both ? export_transpose_header(job, stages[1].job) : export_header(job)},
            {"test.cu", with_arch(export_test(kind, call, header, types))},
            {"bench.cu", with_arch(export_bench(kind, call, header, cpp_type(job.type, kind)))},
            {"README.md", readme(stages, call, header, recordings)},
            {"LICENSE", kLicence}};
}

}  // namespace lanewise
