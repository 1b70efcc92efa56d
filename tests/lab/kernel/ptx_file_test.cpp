// PTX that others wrote as a kernel of the user's own: real files of Triton and Numba
// (tests/golden/h200/ptx, whose counts golden_own_test.cpp compares), and what cannot be used.
#include "lab/kernel/ptx_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "../../has.h"
#include "../own_job.h"
#include "base/error.h"
#include "base/files.h"
#include "lab/analysis/analysis.h"
#include "lab/kernel/ptx_parameters.h"
#include "ptx/parser.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

const fs::path kReal = TESTS_FOLDER "/golden/h200/ptx";
const std::string kTranspose =
    "triton_transpose.ptx --kernel transpose --grid 5,3 --block 128 --dynamic-shared 8192 "
    "--arg f32[30720] --arg f32[30720] --arg i32:192 --arg i32:160";

// A copy whose kernel, parameters and lines are as given.
std::string copy_ptx(const std::string& name = "copy", const std::string& location = "") {
    return ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry " + name +
           "(.param .u64 p0, .param .u64 p1, .param .u32 p2)\n{\n.reg .pred %p<2>;\n"
           ".reg .b32 %r<4>;\n.reg .b64 %rd<6>;\n" +
           location +
           "ld.param.u64 %rd1, [p0];\nld.param.u64 %rd2, [p1];\nld.param.u32 %r1, [p2];\n"
           "mov.u32 %r2, %tid.x;\nsetp.ge.s32 %p1, %r2, %r1;\n@%p1 bra $done;\n"
           "mul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
           "ld.global.u32 %r3, [%rd4];\nst.global.u32 [%rd5], %r3;\n$done:\nret;\n}\n";
}

class PtxFiles : public testing::Test {
  protected:
    PtxFiles() { fs::create_directories(folder_); }
    ~PtxFiles() override { fs::remove_all(folder_); }
    fs::path with(const std::string& text, const std::string& name = "given.ptx") {
        write_file(folder_ / name, text);
        return folder_ / name;
    }
    std::string refusal(const std::string& text) {
        try {
            PtxFile file = read_ptx_file(with(text));
            ptx_stage(file, kernel_called(file, ""), {});
        } catch (const Error& error) {
            EXPECT_EQ(Status::bad_input, error.status());
            return error.what();
        }
        return "no error";
    }
    Job job_of(const std::string& text, std::vector<std::string> arguments,
               std::vector<std::string> folders = {}) {
        PtxFile file = read_ptx_file(with(text));
        Job job;
        job.stage = ptx_stage(file, file.kernels[0], folders);
        take_ptx(file, file.kernels[0], job.own);
        job.own.shape.block = {64};
        job.own.arguments = std::move(arguments);
        return job;
    }
    std::string launch_refusal(const Job& job) {
        try {
            analyse(job, 1);
        } catch (const Error& error) {
            EXPECT_EQ(Status::bad_input, error.status());
            return error.what();
        }
        return "no error";
    }

    fs::path folder_ =
        fs::path(testing::TempDir()) / ("lanewise-ptx-" + std::to_string(::getpid()));
};

#define EXPECT_HAS(text, part) EXPECT_TRUE(has(text, part)) << (text)

// "f32 float* x" … of each parameter; unread ones as "-".
std::string seen(const fs::path& path) {
    PtxFile file = read_ptx_file(path);
    const PtxKernel& kernel = file.kernels.at(0);
    std::string text;
    for (const KernelParameter& p : parameters_of(file, kernel, ptx_stage(file, kernel, {})))
        text += (text.empty() ? "" : ", ") + (p.is_read ? p.type : "-") +
                (p.name.empty() ? "" : " " + p.name);
    return text;
}

}  // namespace

// ---- what others wrote

TEST_F(PtxFiles, KernelsOfTritonAndNumbaAreCalledAsTheirFunctions) {
    EXPECT_EQ("transpose", read_ptx_file(kReal / "triton_transpose.ptx").kernels.at(0).name);
    PtxFile numba = read_ptx_file(kReal / "numba_saxpy.ptx");
    EXPECT_EQ("saxpy", numba.kernels.at(0).name);
    EXPECT_TRUE(numba.kernels.at(0).entry.starts_with("_ZN13numba_kernels5saxpyB2v1"));
    EXPECT_EQ(&numba.kernels[0], &kernel_called(numba, "saxpy"));
    EXPECT_EQ(&numba.kernels[0], &kernel_called(numba, numba.kernels[0].entry));
    EXPECT_EQ(&numba.kernels[0], &kernel_called(numba, ""));
    EXPECT_EQ(128u, read_ptx_file(kReal / "triton_add.ptx").kernels.at(0).required_block.x);
    EXPECT_EQ(0u, numba.kernels[0].required_block.x);
}

TEST_F(PtxFiles, ParametersAreNamedBySourceAndGuessedByWhatTheCodeDoes) {
    EXPECT_EQ("float* x, float* y, float* out, int n, - global_scratch, - profile_scratch",
              seen(kReal / "triton_add.ptx"));
    EXPECT_EQ("float* x, float* out, int cols, - global_scratch, - profile_scratch",
              seen(kReal / "triton_softmax.ptx"));
    // Nothing in it computes with the halves: the tensor cores take them from shared memory.
    EXPECT_EQ("void* a, void* b, float* c, - M, int N, int K, - global_scratch, - profile_scratch",
              seen(kReal / "triton_product.ptx"));
    EXPECT_EQ(
        "float a, - x_meminfo, - x_parent, - x_items, - x_itemsize, float* x_data, "
        "long long x_shape0, - x_stride0, - y_meminfo, - y_parent, - y_items, - y_itemsize, "
        "float* y_data, long long y_shape0, - y_stride0",
        seen(kReal / "numba_saxpy.ptx"));
}

TEST_F(PtxFiles, TheLinesAreThoseOfThePythonBesideThem) {
    Job job = own_job_of(kTranspose, kReal);
    EXPECT_EQ("triton_kernels.py", job.stage.file);
    EXPECT_EQ(kReal / "triton_transpose.ptx", job.stage.path);
    Analysis analysis = analyse(job, 1);
    ASSERT_EQ(2u, analysis.report.lines.size());  // the load, and the store with what trans() moves
    const LineReport &load = analysis.report.lines[0], &store = analysis.report.lines[1];
    EXPECT_EQ("triton_kernels.py", load.file);
    auto text = [&](int line) {
        return std::string(lines_of(job.stage.source).at(static_cast<size_t>(line - 1)));
    };
    EXPECT_HAS(text(load.line), "tile = tl.load(source");
    EXPECT_HAS(text(store.line), "tl.store(out");
    EXPECT_EQ(240u, load.counts.global_load.requests);
    EXPECT_EQ(240u, store.counts.global_store.requests);
    EXPECT_EQ(960u, store.counts.shared_load.wavefronts);
}

// tl.sum and tl.max are Triton's own, in a file of its own.
TEST_F(PtxFiles, InlinedLibraryCodeIsToldOfWhereItIsCalled) {
    Job job = own_job_of(
        "triton_softmax.ptx --kernel softmax --grid 2 --block 128 --dynamic-shared 16 "
        "--arg f32[2000] --arg f32[2000] --arg i32:1000",
        kReal);
    Analysis analysis = analyse(job, 1);
    for (const LineReport& line : analysis.report.lines) EXPECT_EQ("triton_kernels.py", line.file);
    auto of = [&](const std::string& part) {
        for (const LineReport& line : analysis.report.lines)
            if (has(std::string(lines_of(job.stage.source)[static_cast<size_t>(line.line - 1)]),
                    part))
                return line.counts.shared_store.instructions;
        return uint64_t{0};
    };
    EXPECT_GT(of("tl.max(values"), 0u);
    EXPECT_GT(of("tl.sum(powers"), 0u);
}

TEST_F(PtxFiles, WithoutItsSourceThePtxItselfIsShown) {
    fs::copy_file(kReal / "triton_transpose.ptx", folder_ / "triton_transpose.ptx");
    Job job = own_job_of(kTranspose, folder_);
    EXPECT_EQ("triton_transpose.ptx", job.stage.file);
    Analysis analysis = analyse(job, 1);
    EXPECT_EQ(4u + 16 + 16 + 4, analysis.report.lines.size());
    for (const LineReport& line : analysis.report.lines) {
        EXPECT_EQ("triton_transpose.ptx", line.file);
        std::string text(lines_of(job.stage.source)[static_cast<size_t>(line.line - 1)]);
        EXPECT_TRUE(has(text, "global.v4") || has(text, ".shared.")) << text;
    }
    auto says = [&](const std::string& part) {
        return std::any_of(analysis.notes.begin(), analysis.notes.end(),
                           [&](const std::string& note) { return has(note, part); });
    };
    EXPECT_TRUE(says("It was compiled from triton_kernels.py, which was not found beside it"));
    PtxFile file = read_ptx_file(folder_ / "triton_transpose.ptx");
    EXPECT_EQ("triton_kernels.py", ptx_stage(file, file.kernels[0], {kReal.string()}).file);
    // A file of that name that has too few lines is another's, or another version.
    write_file(folder_ / "triton_kernels.py", "import triton\n");
    EXPECT_EQ("triton_transpose.ptx", ptx_stage(file, file.kernels[0], {}).file);
}

// ---- the launch

TEST_F(PtxFiles, WhatIsNeverReadMayBeLeftOutOrNull) {
    Job job = own_job_of(kTranspose, kReal);
    Analysis without = analyse(job, 1);
    for (const char* scratch : {"u64:0", "i64:0"}) job.own.arguments.emplace_back(scratch);
    Analysis with = analyse(job, 1);
    EXPECT_EQ(without.report.totals.global_load.sectors, with.report.totals.global_load.sectors);
    job.own.arguments.emplace_back("u64:0");
    EXPECT_HAS(launch_refusal(job), "transpose takes 6 arguments, not 7");
    job.own.arguments.resize(3);
    std::string list = launch_refusal(job);
    EXPECT_HAS(list, "8 bytes source, looks like float*");
    EXPECT_HAS(list, "--arg f32[COUNT]");
    EXPECT_HAS(list, "4 bytes cols, looks like int ");
    EXPECT_HAS(list, "8 bytes global_scratch, never read");
    EXPECT_HAS(list, "--arg u64:0");
}

TEST_F(PtxFiles, AGuessRefusesNoTypeButSizesAreHeld) {
    std::string text = copy_ptx();
    EXPECT_EQ("no error", launch_refusal(job_of(text, {"i32[64]", "f32[64]", "i32:64"})));
    EXPECT_EQ("no error", launch_refusal(job_of(text, {"f16[128]", "u8[256]", "f32:1"})));
    EXPECT_HAS(launch_refusal(job_of(text, {"i32[64]", "f32[64]", "i64:64"})), "that has 4 bytes");
    EXPECT_HAS(launch_refusal(job_of(text, {"i32[64]", "i32[64]", "i32[64]"})),
               "that is no pointer");
    // A null pointer is one that may be given; what reads through it is found.
    Analysis analysis = analyse(job_of(text, {"u64:0", "i32[64]", "i32:64"}), 1);
    ASSERT_FALSE(analysis.report.findings.empty());
    EXPECT_EQ("out_of_bounds", analysis.report.findings[0].kind);
}

TEST_F(PtxFiles, TheKernelSaysWhichBlockItTakes) {
    Job job = own_job_of(kTranspose, kReal);
    job.own.shape.block = {64};
    EXPECT_HAS(launch_refusal(job), "blocks of 128x1x1 threads and no others: say --block 128,1,1");
    std::string text = copy_ptx();
    text.insert(text.find("\n{"), "\n.maxntid 32, 1, 1");
    EXPECT_HAS(launch_refusal(job_of(text, {"i32[64]", "i32[64]", "i32:64"})),
               "blocks of at most 32 threads, not 64");
    job = own_job_of(kTranspose, kReal);
    job.own.shape.dynamic_shared_bytes = 0;
    EXPECT_HAS(launch_refusal(job), "(global_smem): say --dynamic-shared BYTES");
}

// ---- what cannot be used

TEST_F(PtxFiles, WithTwoKernelsOneIsAskedFor) {
    std::string second = copy_ptx("_Z4copyIfEvPKT_PS0_i");
    std::string both = copy_ptx("other") + second.substr(second.find(".visible"));
    std::string list = refusal(both);
    EXPECT_HAS(list, "given.ptx: say which kernel with --kernel NAME\n");
    EXPECT_HAS(list, "\n    other   line 4");
    EXPECT_HAS(list, "\n    copy<float>   line ");
    PtxFile file = read_ptx_file(with(both));
    EXPECT_EQ(&file.kernels[1], &kernel_called(file, "copy"));
    EXPECT_EQ(&file.kernels[1], &kernel_called(file, "copy<float>"));
    EXPECT_EQ(&file.kernels[0], &kernel_called(file, "oth"));
    EXPECT_THROW(kernel_called(file, "copz"), Error);
    // Each with its own body: what the other has wrong does not matter.
    Job job;
    job.stage = ptx_stage(file, file.kernels[1], {});
    take_ptx(file, file.kernels[1], job.own);
    EXPECT_EQ("_Z4copyIfEvPKT_PS0_i", ptx_program(job.own).entry);
}

TEST_F(PtxFiles, BadFilesAreOneSentenceEach) {
    EXPECT_HAS(refusal(""), "given.ptx is empty");
    EXPECT_HAS(refusal("\177ELF\2\1\1"), "holds machine code and no PTX");
    EXPECT_HAS(refusal(std::string("some\0bytes", 10)), "is no text");
    EXPECT_HAS(refusal("int main() {}\n"), "does not say which .version it is");
    EXPECT_HAS(refusal(".version 8.7\n.target sm_90\n.address_size 64\n"),
               "has no kernel (.entry)");
    EXPECT_HAS(refusal(".version 8.7\n.target sm_90\n.address_size 32\n"), "64-bit addresses");
    std::string text = copy_ptx();
    for (size_t end : {text.size() - 3, text.find("bra") + 1, text.find("p1, .param") + 3})
        EXPECT_HAS(refusal(text.substr(0, end)), "given.ptx is cut off, write it once more: ");
    EXPECT_EQ(std::string::npos, refusal(text.substr(0, 40)).find('\n'));
    std::string wrong = text;
    wrong.replace(wrong.find("%r3, [%rd4]"), 3, "%x9");
    EXPECT_HAS(refusal(wrong), "given.ptx: PTX line ");
}

TEST_F(PtxFiles, ANewerVersionIsReadAsFarAsItIsKnown) {
    std::string text = copy_ptx();
    text.replace(text.find("8.7"), 3, "9.7");
    Analysis analysis = analyse(job_of(text, {"i32[64]", "i32[64]", "i32:64"}), 1);
    auto note = std::find_if(analysis.notes.begin(), analysis.notes.end(),
                             [](const std::string& n) { return has(n, "is PTX 9.7"); });
    EXPECT_NE(analysis.notes.end(), note);
    text.replace(text.find("mul.wide.u32"), 12, "mul.next.u32");
    std::string why = launch_refusal(job_of(text, {"i32[64]", "i32[64]", "i32:64"}));
    EXPECT_HAS(why, "given.ptx: ");
    EXPECT_HAS(why, "it is PTX 9.7, and 9.0 is the newest that is known here");
}

TEST_F(PtxFiles, WithoutLocThereIsANote) {
    Job job = job_of(copy_ptx(), {"i32[64]", "i32[64]", "i32:64"});
    EXPECT_EQ("given.ptx", job.stage.file);
    Analysis analysis = analyse(job, 1);
    EXPECT_EQ(2u, analysis.report.lines.size());
    EXPECT_EQ(2u, analysis.report.totals.global_load.requests);
    EXPECT_TRUE(std::any_of(analysis.notes.begin(), analysis.notes.end(), [](auto& note) {
        return has(note, "given.ptx names no source lines (.loc)");
    }));
    EXPECT_HAS(analysis.notes.back(), "Not verified");
}

// Of another compiler than these two: a C++ name and a source that is no Python.
TEST_F(PtxFiles, ACudaSourceGivesItsTypesAndNames) {
    write_file(folder_ / "own.cu",
               "template <typename T>\n__global__ void copy(const T* in, T* out, int n) {\n"
               "    int i = threadIdx.x;\n    if (i < n) out[i] = in[i];\n}\n");
    std::string text = copy_ptx("_Z4copyIfEvPKT_PS0_i", ".loc 1 4 5\n") + ".file 1 \"own.cu\"\n";
    Job job = job_of(text, {"f32[64]", "f32[64]", "i32:64"});
    EXPECT_EQ("own.cu", job.stage.file);
    EXPECT_EQ("copy<float>", job.own.kernel);
    EXPECT_EQ("float const* in, float* out, int n", seen(folder_ / "given.ptx"));
    Analysis analysis = analyse(job, 1);
    ASSERT_EQ(1u, analysis.report.lines.size());
    EXPECT_EQ(4, analysis.report.lines[0].line);
    job.own.arguments[0] = "f64[64]";
    EXPECT_HAS(launch_refusal(job), "that points to f32");
}

TEST_F(PtxFiles, PythonsParametersAreThoseThatAreNotTaken) {
    using List = std::vector<std::string>;
    EXPECT_EQ(
        (List{"a", "b"}),
        python_parameters("@jit\ndef f(a, b: int = (1, 2),  # c\n  N: tl.constexpr = 4):\n", "f"));
    EXPECT_EQ(List{}, python_parameters("def f(a):\n  pass\ndef f(b):\n  pass\n", "f"));
    EXPECT_EQ(List{}, python_parameters("def ff(a):\n  pass\n", "f"));
    EXPECT_EQ(List{}, python_parameters("def f(a", "g"));
}

}  // namespace lanewise
