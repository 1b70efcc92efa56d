// "Open kernel…": by keyboard, its fields, what goes wrong, and a file that changes.
#include <gtest/gtest.h>
#include <unistd.h>

#include "../needs.h"
#include "base/files.h"
#include "frames.h"
#include "lab/analysis/analysis.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

// The stride makes each warp's load touch 32 sectors where 4 would do.
const char* kStrided =
    "__global__ void strided(const float* in, float* out, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) out[i] = in[(i * 8) % n];\n"
    "}\n"
    "__global__ void reversed(const float* in, float* out, int n) {\n"
    "    __shared__ float s[256];\n"
    "    s[255 - threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];\n"
    "    __syncthreads();\n"
    "    out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x];\n"
    "}\n";

class Opened : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_NVRTC();
        fs::remove_all(folder);
        fs::create_directories(folder / "more");
        write_file(file, kStrided);
        write_file(folder / "notes.txt", "no kernel");
        choose_shape(app, 128, 128);
        frames.answer();
        frames.frame(3);
    }
    void TearDown() override { fs::remove_all(folder); }
    void open() {
        open_kernel(app, file);
        frames.answer();
        frames.frame(3);
    }
    bool says(const std::string& words) const { return frames.says(words); }
    // The same of a text that is broken into lines, which are drawn one after another; where it breaks is the font's.
    bool says_in_lines(const std::string& words) const {
        std::string all;
        for (const TextRecord& text : audit().texts) all += text.text + " ";
        return all.find(words) != std::string::npos;
    }
    fs::path folder = fs::path(testing::TempDir()) / ("lanewise-own-" + std::to_string(::getpid()));
    fs::path file = folder / "strided.cu";
    Frames frames;
    App& app = frames.app;
};

TEST_F(Opened, ByKeyboardAlone) {
    app.open.chooser.folder = folder.parent_path();
    frames.press(Key::o, true);
    ASSERT_TRUE(app.open.chooser.open);
    frames.frame(2);
    frames.type(folder.filename().string() + "/str");
    ASSERT_EQ(1u, app.open.chooser.entries.size());
    EXPECT_EQ("strided.cu", app.open.chooser.entries[0].name);
    frames.press(Key::enter);
    ASSERT_TRUE(app.own.has_value());
    EXPECT_FALSE(app.open.chooser.open);
    frames.answer();
    frames.frame(2);
    EXPECT_EQ("", app.said.error);
    ASSERT_TRUE(app.arrived.analysis);
    // 65,536 threads, 2,048 warps, each with a load of 32 sectors and a store of 4.
    EXPECT_EQ(2048u * 32, app.arrived.analysis->report.totals.global_load.sectors);
    EXPECT_EQ(2048u * 4, app.arrived.analysis->report.totals.global_store.sectors);
    EXPECT_FALSE(app.arrived.analysis->has_reference);
    EXPECT_TRUE(says("not verified"));
    EXPECT_FALSE(says("wrong result"));
}

TEST_F(Opened, TheChooserListsFoldersAndKernelsOnly) {
    app.open.chooser.folder = folder;
    open_chooser(app);
    ASSERT_EQ(3u, app.open.chooser.entries.size());
    EXPECT_EQ("strided.cu", app.open.chooser.entries[0].name);
    EXPECT_EQ("more/", app.open.chooser.entries[1].name);
    EXPECT_EQ("..", app.open.chooser.entries[2].name);
    frames.frame(3);
    frames.press(Key::down);
    frames.press(Key::enter);
    EXPECT_EQ(folder / "more", app.open.chooser.folder);
    frames.press(Key::escape);
    EXPECT_FALSE(app.open.chooser.open);
    EXPECT_FALSE(app.own.has_value());
}

TEST_F(Opened, EveryFieldIsCheckedWhileItIsTyped) {
    open();
    uint64_t sectors = app.arrived.analysis->report.totals.global_load.sectors;
    ASSERT_TRUE(frames.click("own:grid"));
    frames.type("x");
    EXPECT_EQ(1u, app.own->problems.count("grid"));
    EXPECT_FALSE(app.stale.picture);  // nothing is asked with a field that cannot be read
    EXPECT_TRUE(says("wants X, X,Y or X,Y,Z"));
    frames.press(Key::enter);  // leaves the field, whose text is the user's until then
    app.own->form.grid = "128";
    form_changed(app);
    EXPECT_TRUE(app.own->problems.empty());
    EXPECT_TRUE(app.stale.picture);
    frames.answer();
    EXPECT_EQ(sectors / 2, app.arrived.analysis->report.totals.global_load.sectors);
    EXPECT_EQ("128", app.saved.kernels.at(file.string()).grid);
    // The next time the file is as it was left.
    close_kernel(app);
    EXPECT_FALSE(app.own.has_value());
    open();
    EXPECT_EQ("128", app.own->form.grid);
}

// Without a compiler: a field says what is wrong before anything is compiled.
TEST(OwnKernelFields, TheSizeOfClustersStandsBesideGridAndBlock) {
    const fs::path file =
        fs::path(testing::TempDir()) / ("lanewise-clusters-" + std::to_string(::getpid()) + ".cu");
    write_file(file, kStrided);
    Frames frames;
    App& app = frames.app;
    open_kernel(app, file);
    frames.frame(3);
    EXPECT_TRUE(frames.says("Cluster"));
    EXPECT_TRUE(app.own->problems.empty());
    EXPECT_TRUE(app.own->launch.variables.empty());
    ASSERT_TRUE(frames.click("own:cluster"));
    frames.type("2,");
    EXPECT_EQ("cluster 2,: a cluster is X[,Y[,Z]] blocks, 1 to 8 in all, and on some cards 16",
              app.own->problems["cluster"]);
    EXPECT_TRUE(frames.says("a cluster is X[,Y[,Z]] blocks"));
    // As it was when all fields were right: after the first of the two characters.
    EXPECT_EQ(std::vector<std::string>{"$cluster=2,1,1"}, app.own->launch.variables);
    frames.type("2");
    EXPECT_TRUE(app.own->problems.empty());
    EXPECT_FALSE(frames.says("a cluster is X[,Y[,Z]] blocks"));
    EXPECT_EQ(std::vector<std::string>{"$cluster=2,2,1"}, app.own->launch.variables);
    EXPECT_EQ(std::vector<std::string>{"$cluster=2,2,1"}, job_of(app).own.variables);
    EXPECT_EQ("2,2", app.saved.kernels.at(file.string()).cluster);
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
    frames.press(Key::enter);
    for (int i = 0; i < 3; ++i) app.own->form.cluster.pop_back();
    form_changed(app);
    EXPECT_TRUE(app.own->launch.variables.empty());
    close_kernel(app);
    fs::remove(file);
}

TEST_F(Opened, ABadKernelNameIsSaidAtItsField) {
    open();
    app.own->form.kernel = "stridet";
    form_changed(app);
    frames.frame(2);
    EXPECT_TRUE(says_in_lines("did you mean strided?"));
    EXPECT_FALSE(app.stale.picture);
    ASSERT_TRUE(frames.click("kernel:reversed"));
    frames.answer();
    EXPECT_EQ("reversed", app.own->launch.kernel);
    EXPECT_EQ("", app.said.error);
    // A block's shared memory, two kinds of access, conflict-free.
    choose_view(app, "banks");
    frames.frame(3);
    EXPECT_EQ(2u, app.derived.rows_of[1].size());
    EXPECT_EQ(app.arrived.analysis->report.totals.shared_store.wavefronts,
              app.arrived.analysis->report.totals.shared_store.wavefronts_ideal);
}

TEST_F(Opened, ACompileErrorStandsAtItsLine) {
    write_file(file, "__global__ void strided(float* out) {\n    out[0] = tyle;\n}\n");
    open();
    EXPECT_EQ("code", app.chosen().tab);
    EXPECT_EQ(2, app.chosen().line);
    ASSERT_EQ(1u, app.arrived.diagnostics.count(2));
    EXPECT_TRUE(says("\"tyle\" is undefined"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
    write_file(file, kStrided);
    reload_kernel(app);
    frames.answer();
    EXPECT_TRUE(app.arrived.diagnostics.empty());
}

TEST_F(Opened, AChangedFileIsReloadedAndSaid) {
    open();
    app.own->form.grid = "64";
    form_changed(app);
    std::string source = kStrided;
    source.replace(source.find("i * 8"), 5, "i * 1");
    write_file(file, source);
    reload_kernel(app);
    frames.answer();
    frames.frame(2);
    EXPECT_EQ("strided.cu reloaded", app.said.toast.text);
    EXPECT_EQ("64", app.own->form.grid);
    EXPECT_EQ(64u * 8 * 4, app.arrived.analysis->report.totals.global_load.sectors);
    EXPECT_NE(std::string::npos, app.derived.source.lines[2].find("i * 1"));
    frames.frame(300);  // almost five seconds
    EXPECT_EQ("", app.said.toast.text);
}

TEST_F(Opened, AFileThatDisappearsLosesNothing) {
    open();
    fs::remove(file);
    reload_kernel(app);
    frames.frame(2);
    EXPECT_NE(std::string::npos, app.said.error.find("strided.cu")) << app.said.error;
    EXPECT_TRUE(app.arrived.analysis);
    EXPECT_EQ(10u, app.derived.source.lines.size());
    // Nor does one that is not there change what is shown.
    std::string before = app.own->stage.id;
    open_kernel(app, folder / "never.cu");
    EXPECT_NE(std::string::npos, app.said.error.find("never.cu"));
    EXPECT_EQ(before, app.own->stage.id);
}

TEST_F(Opened, HeadersBesideTheFileAreFound) {
    write_file(folder / "beside.h", "#define FACTOR 2\n");
    write_file(folder / "more" / "below.h", "#define OTHER 3\n");
    write_file(file,
               "#include \"beside.h\"\n#include \"below.h\"\n"
               "__global__ void f(float* out) { out[threadIdx.x] = FACTOR * OTHER; }\n");
    KernelForm form;
    form.kernel = "f";
    form.arguments = {"f32[256]"};
    form.include_folders = "more";
    open_kernel(app, file, &form);
    Job job = job_of(app);
    // As it is after the wire, which leaves the file's own place out.
    job.stage.path.clear();
    EXPECT_EQ(8u, trace_block(job, 0).report.totals.global_store.requests);
}

TEST_F(Opened, TheMembersOfAStructAreFilledIn) {
    write_file(file,
               "struct Params { float* out; int n; };\n"
               "__global__ void past(Params p) {\n"
               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    if (i < p.n) p.out[i + 1] = 1.0f;\n"
               "}\n");
    open();
    EXPECT_EQ(std::vector<std::string>{"{f32[65536],i32:65536}"}, app.own->form.arguments);
    ASSERT_TRUE(app.arrived.analysis);
    ASSERT_EQ(1u, app.arrived.analysis->report.findings.size());
    EXPECT_EQ("out-of-bounds store: p.out + 262144 bytes, buffer p.out has 262144 bytes",
              app.arrived.analysis->report.findings[0].message);
    app.own->form.arguments[0] = "{f32[65536]}";
    form_changed(app);
    frames.answer();
    frames.frame(3);
    EXPECT_TRUE(says("has 16 bytes, and this struct 8")) << app.said.error;
}

TEST_F(Opened, AFindingLeadsToItsLine) {
    write_file(file,
               "__global__ void past(float* out) {\n"
               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "    out[i + 1] = 1.0f;\n"
               "}\n");
    open();
    ASSERT_EQ(1u, app.arrived.analysis->report.findings.size());
    choose_view(app, "access");
    frames.resize(1920, 1600);
    frames.frame(3);
    ASSERT_TRUE(frames.click("finding:0"));
    EXPECT_EQ("code", app.chosen().tab);
    EXPECT_EQ(3, app.chosen().line);
}

TEST_F(Opened, EveryTextIsWhole) {
    open();
    app.own->form.block = "2048";
    form_changed(app);
    for (auto [width, height] : {std::pair{1280, 720}, std::pair{1920, 1080}})
        for (float scale : {1.f, 2.f})
            for (const char* view : {"access", "banks", "code"}) {
                frames.resize(width, height);
                set_scale(scale);
                set_theme(next_theme(look().theme));
                choose_view(app, view);
                frames.frame(3);
                for (const std::string& fault : text_faults(audit()))
                    ADD_FAILURE() << width << " at " << scale << ", " << view << ": " << fault;
            }
    set_scale(1);
    frames.resize(1280, 720);
    open_chooser(app);
    frames.frame(3);
    for (const std::string& fault : text_faults(audit()))
        if (fault.find("lies over") == std::string::npos) ADD_FAILURE() << fault;
}

// PTX of Triton and Numba: nothing is compiled.
class OpenedPtx : public testing::Test {
  protected:
    void SetUp() override {
        fs::remove_all(folder);
        fs::create_directories(folder);
        for (const char* name : {"triton_transpose.ptx", "triton_softmax.ptx", "numba_saxpy.ptx",
                                 "triton_kernels.py", "numba_kernels.py"})
            fs::copy_file(fs::path(CONTENT_FOLDER "/tests/golden/h200/ptx") / name, folder / name);
    }
    void TearDown() override { fs::remove_all(folder); }
    void open(const std::string& name) {
        open_kernel(app, folder / name);
        frames.answer();
        frames.frame(3);
    }
    fs::path folder = fs::path(testing::TempDir()) / ("lanewise-ptx-" + std::to_string(::getpid()));
    Frames frames;
    App& app = frames.app;
};

TEST_F(OpenedPtx, IsListedAndFilledIn) {
    app.open.chooser.folder = folder;
    open_chooser(app);
    ASSERT_EQ(4u, app.open.chooser.entries.size());  // the Python sources are none
    EXPECT_EQ("numba_saxpy.ptx", app.open.chooser.entries[0].name);
    open("triton_transpose.ptx");
    ASSERT_TRUE(app.own.has_value()) << app.said.error;
    EXPECT_EQ("", app.said.error);
    EXPECT_TRUE(app.own->problems.empty());
    EXPECT_EQ("128,1,1", app.own->form.block);
    std::vector<std::string> wanted = {"f32[65536]", "f32[65536]", "i32:256",
                                       "i32:256",    "u64:0",      "u64:0"};
    EXPECT_EQ(wanted, app.own->form.arguments);
    EXPECT_TRUE(frames.says("triton_transpose.ptx"));
    EXPECT_TRUE(frames.says("global_s"));  // cut where the column is narrow, not everywhere alike
    ASSERT_TRUE(app.arrived.analysis);
    // Of the suggested grid those tiles that lie in a matrix of 256 x 256, each 64 x 32.
    EXPECT_GT(app.arrived.analysis->report.totals.global_load.requests, 0u);
    EXPECT_EQ("triton_kernels.py", app.stage().file);
}

TEST_F(OpenedPtx, NumbasArraysFitTogether) {
    open("numba_saxpy.ptx");
    ASSERT_TRUE(app.arrived.analysis) << app.said.error;
    EXPECT_EQ("", app.said.error);
    EXPECT_TRUE(app.arrived.analysis->report.findings.empty());
    EXPECT_EQ(2u * 2048, app.arrived.analysis->report.totals.global_load.requests);
    EXPECT_EQ("f32:1", app.own->form.arguments[0]);
    EXPECT_EQ("i64:65536", app.own->form.arguments[6]);  // x_shape0
}

TEST_F(OpenedPtx, ItsCodeIsThePythonOrThePtx) {
    open("triton_softmax.ptx");
    choose_view(app, "code");
    frames.resize(1600, 1200);
    frames.frame(3);
    EXPECT_TRUE(frames.says("softmax(x, out, cols, BLOCK"));
    for (const std::string& fault : text_faults(audit())) ADD_FAILURE() << fault;
    fs::remove(folder / "triton_kernels.py");
    reload_kernel(app);
    frames.answer();
    frames.frame(3);
    EXPECT_EQ("triton_softmax.ptx reloaded", app.said.toast.text);
    EXPECT_EQ("triton_softmax.ptx", app.stage().file);
    EXPECT_TRUE(frames.says(".reqntid"));
    // Another kernel in the same file.
    fs::copy_file(folder / "triton_transpose.ptx", folder / "triton_softmax.ptx",
                  fs::copy_options::overwrite_existing);
    reload_kernel(app);
    frames.frame(2);
    EXPECT_NE(std::string::npos, app.own->problems["kernel"].find("no kernel \"softmax\""))
        << app.own->problems["kernel"];
    write_file(folder / "triton_softmax.ptx", ".version 8.7\n.target");
    reload_kernel(app);
    EXPECT_NE(std::string::npos, app.said.error.find("triton_softmax.ptx")) << app.said.error;
}

}  // namespace
}  // namespace lanewise::ui
