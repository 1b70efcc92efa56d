// Kernels whose blocks wait for each other, and kernels with textures, from their source to what is
// said of them: with NVRTC and the toolkit's own cooperative_groups, and with clang and ours.
#include "lab/machine/cooperative.h"

#include <gtest/gtest.h>

#include <cstring>

#include "../../needs.h"
#include "../own_job.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "lab/analysis/analysis.h"
#include "lab/kernel/own_kernel.h"
#include "lab/kernel/texture_argument.h"
#include "lab/machine/saved_buffer.h"
#include "lab/step/launch_recording.h"

namespace lanewise {
namespace {

// The floats that the launch leaves in a buffer.
struct RanFloats {
    Analysis analysis;
    std::vector<float> floats;
};
RanFloats ran_floats(const std::string& command, const std::string& buffer, int threads = 2) {
    RanFloats result;
    Job job = own_job_of(command, kProgramFixtures);
    result.analysis = analyse(job, threads, nullptr, 0, [&](const StageLaunch& stage) {
        for (const Memory::Buffer& each : stage.memory.buffers()) {
            if (each.name != buffer) continue;
            result.floats.resize(each.bytes / 4);
            std::memcpy(result.floats.data(), each.storage, each.bytes);
        }
    });
    return result;
}

std::string finding(const Analysis& analysis, const std::string& kind) {
    for (const Finding& each : analysis.report.findings)
        if (each.kind == kind) return std::to_string(each.line) + ": " + each.message;
    return "none";
}

class Cooperative : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_NVRTC();
        NEEDS_CUDA_HEADERS();
    }
};

// 1,000 numbers 0, 1, 2, … add up to 499,500; block 3 of 8 has those that are 192 to 255 more than a
// multiple of 512: 192..255 and 704..767, which add up to 14,304 + 47,072.
TEST_F(Cooperative, AddsUpInTwoPhases) {
    const std::string command =
        "grid_sync.cu --kernel sum --grid 8 --block 64 --arg f32[1000]=0+1 --arg f32[8]=0 "
        "--arg f32[1]=0 --arg i32:1000";
    RanFloats out = ran_floats(command, "out"), parts = ran_floats(command, "parts", 1);
    ASSERT_EQ(1u, out.floats.size());
    EXPECT_EQ(499'500.0f, out.floats[0]);
    EXPECT_EQ(61'376.0f, parts.floats.at(3));
    EXPECT_TRUE(out.analysis.report.findings.empty());
    // By hand: 1,000 numbers in 32 warp loads (the last of 8 lanes), 8 looks at the barrier, and the
    // first block's load of 8 parts. Each block's atomic at the barrier, and its part; then the sum.
    EXPECT_EQ(32u + 8 + 1, out.analysis.report.totals.global_load.requests);
    EXPECT_EQ(125u + 8 + 1, out.analysis.report.totals.global_load.sectors);
    EXPECT_EQ(8u, out.analysis.report.totals.global_atomic.requests);
    EXPECT_EQ(8u + 1, out.analysis.report.totals.global_store.requests);
    EXPECT_EQ(out.analysis.report.warp_instructions, parts.analysis.report.warp_instructions);
    bool is_noted = false;
    for (const std::string& note : out.analysis.notes)
        is_noted |= note.find("load the barrier once") != note.npos;
    EXPECT_TRUE(is_noted);
}

// 8 0 0 0 8 -> 8 4 0 4 8 -> 8 4 4 4 8 -> 8 6 4 6 8: the third step's result is in b.
TEST_F(Cooperative, IteratesOverTwoBuffers) {
    const std::string file = testing::TempDir() + "/jacobi.bin";
    const float begin[] = {8, 0, 0, 0, 8};
    write_file(file, std::string(reinterpret_cast<const char*>(begin), sizeof begin));
    RanFloats b = ran_floats("grid_sync.cu --kernel jacobi --grid 3 --block 2 --arg f32[5]=@" + file +
                    " --arg f32[5]=0 --arg i32:5 --arg i32:3",
                             "b");
    EXPECT_EQ((std::vector<float>{8, 6, 4, 6, 8}), b.floats);
    EXPECT_TRUE(b.analysis.report.findings.empty());
}

TEST_F(Cooperative, SaysWhereABarrierIsMissing) {
    RanFloats one = ran_floats("grid_sync.cu --kernel jacobi_unordered --grid 3 --block 32 --arg f32[90]=0..1 "
                               "--arg f32[90]=0 --arg i32:90 --arg i32:4",
                               "b");
    std::string said = finding(one.analysis, "block_order");
    EXPECT_NE(std::string::npos, said.find("with no grid.sync() between")) << said;
}

TEST_F(Cooperative, SaysWhoDoesNotCome) {
    RanFloats one = ran_floats("grid_sync.cu --kernel leaves_early --grid 4 --block 32 --arg f32[90]=1 --arg i32:90",
                               "a");
    std::string said = finding(one.analysis, "deadlock");
    EXPECT_NE(std::string::npos, said.find("block (3) has ended without it")) << said;
    EXPECT_EQ(1u, one.analysis.report.findings.size());
    std::string source = read_file(kProgramFixtures + "/grid_sync.cu");
    size_t line = std::stoul(said);
    EXPECT_NE(std::string::npos, lines_of(source).at(line - 1).find("sync()"));
}

TEST_F(Cooperative, KnowsWhereAThreadStands) {
    Job job = own_job_of("grid_sync.cu --kernel ranks --grid 2,3 --block 8 --arg u32[192]", kProgramFixtures);
    analyse(job, 2, nullptr, 0, [](const StageLaunch& stage) {
        uint32_t words[192];
        std::memcpy(words, stage.memory.buffers()[0].storage, sizeof words);
        for (uint32_t at = 0; at < 48; ++at) {
            EXPECT_EQ(at, words[4 * at]);
            EXPECT_EQ(at / 8 * 100 + 6, words[4 * at + 1]);
            EXPECT_EQ(48u, words[4 * at + 2]);
            EXPECT_EQ(231u, words[4 * at + 3]);
        }
    });
}

// An H200, or an H100, holds 32 blocks of 64 threads on each of 132 multiprocessors.
TEST_F(Cooperative, RefusesMoreThanTheCardHolds) {
    try {
        ran_floats("grid_sync.cu --kernel sum --grid 4225 --block 64 --arg f32[1000]=0+1 --arg f32[4225]=0 "
                   "--arg f32[1]=0 --arg i32:1000",
                   "out");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        EXPECT_NE(std::string::npos, std::string(error.what()).find(" holds 4,224 at once. That is "
                                                                    "32 on each of 132 multiprocessors"))
            << error.what();
    }
}

TEST_F(Cooperative, OneBlockIsPicturedWithAllOthersThere) {
    Job job = own_job_of(
        "grid_sync.cu --kernel sum --grid 8 --block 64 --arg f32[1000]=0+1 --arg f32[8]=0 "
        "--arg f32[1]=0 --arg i32:1000",
        kProgramFixtures);
    Picture picture = trace_block(job, 0, nullptr);
    EXPECT_TRUE(picture.report.findings.empty());
    // 2 warps, of 1,000 numbers those that begin at 0 and 512: 4 loads; the barrier; the parts.
    EXPECT_EQ(4u + 1 + 1, picture.report.totals.global_load.requests);
}

// The first block steps over its barrier, and finds what the others have stored; so does the last
// block, for which the launch begins again.
TEST_F(Cooperative, IsSteppedThroughForwardAndBack) {
    Job job = own_job_of(
        "grid_sync.cu --kernel jacobi --grid 3 --block 2 --arg f32[5]=0+2 --arg f32[5]=0 --arg i32:5 "
        "--arg i32:2",
        kProgramFixtures);
    LaunchRecording recording(job, {});
    auto word = [&](size_t buffer, size_t index) {
        float value;
        std::memcpy(&value, recording.launch().memory.buffers()[buffer].storage + 4 * index, 4);
        return value;
    };
    recording.run(~0ull);
    EXPECT_TRUE(recording.stepper().has_ended());
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(2.0f * static_cast<float>(i), word(0, i)) << i;
    const uint64_t all = recording.now().step;
    recording.go_to({0, all / 2});
    recording.go_to({0, 3});
    EXPECT_EQ(0.0f, word(1, 1)) << "nobody has stored yet";
    recording.go_to({2, ~0ull});
    EXPECT_EQ(2u, recording.now().block);
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(2.0f * static_cast<float>(i), word(0, i)) << i;
    recording.go_to({0, ~0ull});
    EXPECT_EQ(all, recording.now().step);
    // Another block stored b[2] last.
    StepWrite write;
    const Memory::Buffer& b = recording.launch().memory.buffers()[1];
    ASSERT_TRUE(recording.last_write(Space::global, b.address + 8, 4, write));
    EXPECT_EQ(1u, write.at.block);
}

// ---- textures

class Textures : public Cooperative {};

// 6 x 8 numbers 0, 1, 2, …; each thread (x, y) of 4 x 3 takes the mean of 2 x 2 by one filtered read
// between their middles.
TEST_F(Textures, ShrinkAnImageByTheirFilter) {
    RanFloats one = ran_floats("textures.cu --kernel shrink --grid 1 --block 4,3 "
                               "--arg tex:f32:6x8:filter=linear:data=0+1 --arg f32[12]=0 --arg i32:4 --arg i32:3",
                               "out");
    ASSERT_EQ(12u, one.floats.size());
    EXPECT_EQ(4.5f, one.floats[0]);         // (0 + 1 + 8 + 9) / 4
    EXPECT_EQ(4.5f + 2 * 3, one.floats[3]);
    EXPECT_EQ(4.5f + 16 * 2 + 2, one.floats[9]);
    EXPECT_TRUE(one.analysis.report.findings.empty());
    EXPECT_EQ(0u, one.analysis.report.totals.global_load.requests) << "textures are not counted";
}

TEST_F(Textures, LieInABufferThatIsThereAlready) {
    RanFloats one = ran_floats("textures.cu --kernel gather --grid 1 --block 32 --arg i32[40]=39+-1 "
                               "--arg tex:table:f32:40 --arg f32[32]=0 --arg f32[40]=0+3",
                               "out");
    ASSERT_EQ(32u, one.floats.size());
    for (int i = 0; i < 32; ++i) EXPECT_EQ(3.0f * static_cast<float>(39 - i), one.floats[i]);
}

TEST_F(Textures, OfSurfacesAreSaved) {
    RanFloats one = ran_floats("textures.cu --kernel paint --grid 1 --block 8,4 --arg surf:f32:3x5:data=7 "
                               "--arg f32:0.5",
                               "canvas");
    ASSERT_EQ(15u, one.floats.size());
    for (size_t y = 0; y < 3; ++y)
        for (size_t x = 0; x < 5; ++x)
            EXPECT_EQ(7 + 0.5f * static_cast<float>(10 * y + x), one.floats[5 * y + x]);
    EXPECT_TRUE(one.analysis.report.findings.empty());
}

TEST_F(Textures, AreRefusedInASentence) {
    auto why = [](const std::string& texture) {
        try {
            ran_floats("textures.cu --kernel shrink --grid 1 --block 4,3 --arg " + texture +
                    " --arg f32[12]=0 --arg i32:4 --arg i32:3",
                       "out");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("taken");
    };
    EXPECT_NE(std::string::npos, why("tex:f32").find("tex:TYPE:ROWSxCOLS"));
    EXPECT_NE(std::string::npos, why("tex:f64:6x8").find("no type of a texture's elements"));
    EXPECT_NE(std::string::npos, why("tex:f32:6x8x2").find("no size of a texture"));
    EXPECT_NE(std::string::npos, why("tex:i32:6x8:filter=linear").find("needs floats"));
    EXPECT_NE(std::string::npos, why("tex:f32:6x8:address=wrap").find("coordinates=normalized"));
    EXPECT_NE(std::string::npos, why("tex:f32:6x8:filter=cubic").find("point or linear"));
    EXPECT_NE(std::string::npos, why("tex:f32:6x8:colour=red").find("is none of filter=…"));
    EXPECT_NE(std::string::npos, why("tex:f32:6x8:memory=rows:pitch=5").find("at least a row's"));
    EXPECT_NE(std::string::npos, why("tex:f32:6x9:memory=rows").find("say pitch=16"));
    EXPECT_NE(std::string::npos, why("tex:none:f32:6x8").find("there is no buffer \"none\""));
    EXPECT_NE(std::string::npos, why("tex:out:f32:6x8").find("the buffer out has 48 B"));
    EXPECT_NE(std::string::npos, why("surf:f32:6x8").find("is given as tex:…"));
    EXPECT_NE(std::string::npos, why("f32[48]").find("is given as tex:TYPE:SIZE"));
    EXPECT_NE(std::string::npos, why("u64:0").find("taken"));
}

TEST(TextureSuggestions, FollowHowTheSourceReads) {
    const std::string source =
        "a = tex1Dfetch<int2>(pairs, i); b = tex2D<float>(image, x, y); c = tex1D<uchar4>(row, x);\n"
        "surf2Dread(&v, canvas, 4 * x, y); surf1Dwrite(v, line, 4 * x);";
    EXPECT_EQ("tex:i32x2:1024", suggested_texture("cudaTextureObject_t pairs", source));
    EXPECT_EQ("tex:f32:64x64", suggested_texture("const cudaTextureObject_t image", source));
    EXPECT_EQ("tex:u8x4:1024:memory=array", suggested_texture("cudaTextureObject_t row", source));
    EXPECT_EQ("surf:f32:64x64", suggested_texture("cudaSurfaceObject_t canvas", source));
    EXPECT_EQ("surf:f32:1024", suggested_texture("cudaSurfaceObject_t line", source));
    EXPECT_EQ("", suggested_texture("const float* image", source));
    EXPECT_EQ("", suggested_texture("cudaTextureObject_t* all", source));
}

// The same from clang, where that is installed, by our own headers.
TEST_F(Cooperative, IsTheSameByClang) {
    choose_compiler("clang");
    bool is_there = !compiler_in_use().empty();
    choose_compiler("");
    if (!is_there) GTEST_SKIP() << "there is no clang 16 or newer here";
    const std::string sum =
        "grid_sync.cu --kernel sum --grid 5 --block 64 --arg f32[777]=0+1 --arg f32[5]=0 "
        "--arg f32[1]=0 --arg i32:777";
    const std::string mark =
        "textures.cu --kernel mark --grid 1 --block 64 --arg surf:i32:40:data=0+1 --arg i32[64]=-1 "
        "--arg i32:64";
    RanFloats nvrtc[] = {ran_floats(sum, "out"), ran_floats(mark, "read")};
    choose_compiler("clang");
    RanFloats clang[] = {ran_floats(sum, "out"), ran_floats(mark, "read")};
    choose_compiler("");
    for (size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(0, std::memcmp(nvrtc[i].floats.data(), clang[i].floats.data(),
                                 4 * nvrtc[i].floats.size()));
        EXPECT_EQ(nvrtc[i].analysis.report.totals.global_load.sectors,
                  clang[i].analysis.report.totals.global_load.sectors);
        EXPECT_EQ(nvrtc[i].analysis.report.totals.global_atomic.requests,
                  clang[i].analysis.report.totals.global_atomic.requests);
    }
}

}  // namespace
}  // namespace lanewise
