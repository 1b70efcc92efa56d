// Kernels in clusters, from their source to what is said of them: with NVRTC and the toolkit's own
// cooperative_groups, and with clang and ours.
#include <gtest/gtest.h>

#include <cstring>

#include "../../needs.h"
#include "../own_job.h"
#include "base/files.h"
#include "compile/compiler.h"
#include "lab/analysis/analysis.h"
#include "lab/kernel/cluster_option.h"
#include "lab/kernel/launch_file.h"
#include "lab/kernel/own_kernel.h"
#include "lab/machine/prepared.h"
#include "lab/step/launch_recording.h"

namespace lanewise {
namespace {

// file_and_options: of clusters.cu, where they begin with "--".
Job job_of(const std::string& file_and_options, const std::string& cluster) {
    bool is_usual = file_and_options.starts_with("--");
    Job job = own_job_of((is_usual ? "clusters.cu " : "") + file_and_options, kProgramFixtures);
    if (!cluster.empty()) job.own.variables.push_back(cluster_variable(cluster));
    return job;
}

struct Ran {
    Analysis analysis;
    std::vector<uint32_t> out;  // the launch's last buffer
};
Ran ran(const std::string& options, const std::string& cluster = "", int threads = 2) {
    Ran result;
    result.analysis =
        analyse(job_of(options, cluster), threads, nullptr, 0, [&](const StageLaunch& stage) {
            const Memory::Buffer& last = stage.memory.buffers().back();
            result.out.resize(last.bytes / 4);
            std::memcpy(result.out.data(), last.storage, last.bytes);
        });
    return result;
}

std::string findings(const Analysis& analysis) {
    std::string text;
    for (const Finding& each : analysis.report.findings)
        text += each.kind + ": " + each.message + "\n";
    return text;
}

std::string refusal(const std::string& options, const std::string& cluster) {
    try {
        ran(options, cluster);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "";
}

class ClusterLaunches : public testing::Test {
  protected:
    void SetUp() override {
        NEEDS_NVRTC();
        NEEDS_CUDA_HEADERS();
    }
};

// Of 0, 1, 2, …: (i - 1) + 2 i + (i + 1) = 4 i, but at the ends of the clusters' 512 elements.
TEST_F(ClusterLaunches, ExchangeHalos) {
    for (int threads : {1, 3}) {
        Ran one = ran("--kernel halo --grid 8 --block 128 --arg i32[1024]=0+1 --arg i32[1024]=0",
                      "", threads);
        EXPECT_EQ("", findings(one.analysis));
        ASSERT_EQ(1024u, one.out.size());
        EXPECT_EQ(1u, one.out[0]);
        EXPECT_EQ(4u, one.out[1]);
        EXPECT_EQ(4u * 127, one.out[127]);
        EXPECT_EQ(4u * 128, one.out[128]);
        EXPECT_EQ(510u + 2 * 511, one.out[511]);
        EXPECT_EQ(2u * 512 + 513, one.out[512]);
        EXPECT_EQ(1022u + 2 * 1023, one.out[1023]);
        // 8 blocks of 4 warps, one store each to shared memory and one of 4 sectors to out.
        EXPECT_EQ(32u, one.analysis.report.totals.shared_store.instructions);
        EXPECT_EQ(32u, one.analysis.report.totals.global_store.requests);
        EXPECT_EQ(128u, one.analysis.report.totals.global_store.sectors);
        bool is_noted = false;
        for (const std::string& note : one.analysis.notes)
            is_noted |= note.find("other blocks of the cluster are not counted") != note.npos;
        EXPECT_TRUE(is_noted);
    }
}

// 1,000 = 7 * 128 + 104: of 128 bins the first 104 have 8, the others 7.
TEST_F(ClusterLaunches, CountIntoEachOthersBins) {
    Ran one =
        ran("--kernel histogram --grid 4 --block 64 --arg u32[1000]=0+1 --arg u32[128]=0 --arg "
            "i32:1000",
            "2");
    EXPECT_EQ("", findings(one.analysis));
    ASSERT_EQ(128u, one.out.size());
    for (size_t bin = 0; bin < 128; ++bin) EXPECT_EQ(bin < 104 ? 8u : 7u, one.out[bin]) << bin;
}

// Two clusters of 4 blocks of 64: the first has 0..255 and 512..767, which add up to 196,352, of
// 499,500 in all.
TEST_F(ClusterLaunches, AddUp) {
    Ran one = ran(
        "--kernel sum --grid 8 --block 64 --arg i32[1000]=0+1 --arg i32[2]=0 --arg i32:1000", "4");
    EXPECT_EQ("", findings(one.analysis));
    EXPECT_EQ((std::vector<uint32_t>{196'352, 499'500 - 196'352}), one.out);
}

// The table is 5, 8, 11, …: block 6 (of rank 2) turns it round, and adds its rank.
TEST_F(ClusterLaunches, Broadcast) {
    Ran one = ran("--kernel broadcast --grid 8 --block 64 --arg i32[64]=5+3 --arg i32[512]=0", "4");
    EXPECT_EQ("", findings(one.analysis));
    ASSERT_EQ(512u, one.out.size());
    EXPECT_EQ(5u + 3 * 63 + 2, one.out[6 * 64]);
    EXPECT_EQ(5u + 2, one.out[6 * 64 + 63]);
    EXPECT_EQ(5u + 3 * 63, one.out[4 * 64]);
}

// 1 + … + 32 = 528; the largest of 100 * rank + 1 … 32 of the block across, 3 - rank.
TEST_F(ClusterLaunches, ReachAcrossByMapa) {
    Ran one = ran("--kernel across --grid 2,2 --block 32 --arg i32[8]=0");
    EXPECT_EQ("", findings(one.analysis));
    EXPECT_EQ((std::vector<uint32_t>{528, 332, 528, 232, 528, 132, 528, 32}), one.out);
}

// Block (4, 3) is (1, 1) in its cluster of 3 x 2, of rank 4 of 6.
TEST_F(ClusterLaunches, KnowTheirPlaces) {
    Ran one = ran("--kernel places --grid 6,4 --block 32 --arg u32[24]=0", "3,2");
    EXPECT_EQ("", findings(one.analysis));
    EXPECT_EQ(4u * 100'000 + 60'000 + 1'000 + 100 + 30 + 2, one.out[4 + 6 * 3]);
    EXPECT_EQ(60'032u, one.out[0]);
    // Without clusters each block is one.
    one = ran("--kernel places --grid 6,4 --block 32 --arg u32[24]=0");
    EXPECT_EQ(10'011u, one.out[22]);
}

TEST_F(ClusterLaunches, SayWhatIsMissing) {
    const std::string launch = " --grid 8 --block 32 --arg i32[8]=0";
    Ran one = ran("--kernel leaves_early" + launch, "4");
    ASSERT_EQ(1u, one.analysis.report.findings.size()) << findings(one.analysis);
    EXPECT_EQ("out_of_bounds", one.analysis.report.findings[0].kind);
    EXPECT_NE(std::string::npos, findings(one.analysis).find("cluster.sync() at the end"));
    std::string source = read_file(kProgramFixtures + "/clusters.cu");
    auto line = static_cast<size_t>(one.analysis.report.findings[0].line);
    EXPECT_NE(std::string::npos,
              lines_of(source).at(line - 1).find("map_shared_rank(&word, next)"));
    one = ran("--kernel no_sync" + launch, "4");
    ASSERT_EQ(1u, one.analysis.report.findings.size()) << findings(one.analysis);
    EXPECT_EQ("race", one.analysis.report.findings[0].kind);
    EXPECT_NE(std::string::npos,
              findings(one.analysis).find("no cluster.sync() or mbarrier between"));
    one = ran("--kernel beyond" + launch, "2");
    EXPECT_NE(std::string::npos,
              findings(one.analysis).find("block 2 of the cluster, which has 2 blocks, 0 to 1"))
        << findings(one.analysis);
}

TEST_F(ClusterLaunches, AreRefusedInASentence) {
    const std::string halo = "--kernel halo --grid 8 --block 128 --arg i32[1024] --arg i32[1024]";
    const std::string places = "--kernel places --grid 6,4 --block 32 --arg u32[24]";
    EXPECT_NE(std::string::npos,
              refusal(halo, "2").find("the kernel itself says 4,1,1 (__cluster_dims__)"));
    EXPECT_EQ("", refusal(halo, "4"));
    EXPECT_NE(std::string::npos,
              refusal(places, "4").find("each side of the grid must be a multiple"));
    for (const char* wrong :
         {"17", "0", "-1", "two", "4,5", "1,1,1,1", "2,", "99999999999999999999"}) {
        try {
            cluster_variable(wrong);
            ADD_FAILURE() << wrong;
        } catch (const Error& error) {
            EXPECT_NE(std::string::npos, std::string(error.what()).find("--cluster"))
                << error.what();
        }
    }
}

TEST_F(ClusterLaunches, OneBlockIsPicturedWithItsCluster) {
    Picture picture = trace_block(
        job_of("--kernel halo --grid 8 --block 128 --arg i32[1024]=0+1 --arg i32[1024]=0", ""), 5,
        nullptr);
    EXPECT_TRUE(picture.report.findings.empty());
    EXPECT_EQ(4u, picture.report.totals.shared_store.instructions);
    EXPECT_EQ(4u, picture.report.totals.global_load.requests);
}

TEST_F(ClusterLaunches, AreSteppedThrough) {
    Job job = job_of("--kernel halo --grid 8 --block 32 --arg i32[256]=0+1 --arg i32[256]=0", "");
    LaunchRecording recording(job, {});
    auto word = [&](size_t index) {
        int32_t value;
        std::memcpy(&value, recording.launch().memory.buffers()[1].storage + 4 * index, 4);
        return value;
    };
    recording.run(~0ull);
    EXPECT_TRUE(recording.stepper().has_ended());
    EXPECT_EQ(4 * 31, word(31));  // with what block 1 has
    const uint64_t all = recording.now().step;
    recording.go_to({0, 3});
    EXPECT_EQ(0, word(31));
    recording.go_to({2, ~0ull});
    EXPECT_EQ(4 * 64, word(64));
    recording.go_to({0, ~0ull});
    EXPECT_EQ(all, recording.now().step);
}

// In a .launch file, there and back.
TEST_F(ClusterLaunches, StandInALaunchFile) {
    const std::string file = testing::TempDir() + "/clusters.launch";
    write_file(file,
               "file = \"" + kProgramFixtures +
                   "/clusters.cu\"\n[[launch]]\nkernel = \"places\"\ngrid = [6, 4]\nblock = [32]\n"
                   "cluster = [3, 2]\nargs = [\"u32[24]=0\"]\n");
    Job job = read_launch_file(file);
    ASSERT_TRUE(cluster_given(job.own));
    EXPECT_EQ(3u, cluster_given(job.own)->x);
    EXPECT_EQ(2u, cluster_given(job.own)->y);
    std::string text = launch_file_text(job.own, "clusters.cu");
    EXPECT_NE(std::string::npos, text.find("cluster = [3, 2]\n")) << text;
    EXPECT_EQ(std::string::npos, text.find('$')) << text;
}

// In a ring of 3, block 0 gets what block 2 has, 128 to 191, and writes it backwards.
TEST_F(ClusterLaunches, CopyTheirSharedMemoryAround) {
    Ran one = ran("cluster_copies.cu --kernel ring --grid 6 --block 64 --arg i32[384]=0+1 --arg i32[384]=0",
                  "3");
    EXPECT_EQ("", findings(one.analysis));
    ASSERT_EQ(384u, one.out.size());
    EXPECT_EQ(191u, one.out[0]);
    EXPECT_EQ(128u, one.out[63]);
    EXPECT_EQ(63u, one.out[64]);  // block 1 gets block 0's
    EXPECT_EQ(64u, one.out[191]);
    EXPECT_EQ(383u, one.out[192]);  // block 3 gets block 5's
    // What the copies are is not counted, and that is said.
    EXPECT_EQ(0u, one.analysis.report.totals.bulk_load.instructions);
    EXPECT_EQ(0u, one.analysis.report.totals.bulk_store.instructions);
    bool is_noted = false;
    for (const std::string& note : one.analysis.notes)
        is_noted |= note.find("to another block's shared memory are not counted") != note.npos;
    EXPECT_TRUE(is_noted);

    // 32 numbers from 32 k on add up to 32 * 32 k + 496.
    one = ran("cluster_copies.cu --kernel gather --grid 8 --block 128 --arg i32[1024]=0+1 --arg i32[32]=0",
              "4");
    EXPECT_EQ("", findings(one.analysis));
    ASSERT_EQ(32u, one.out.size());
    for (uint32_t k = 0; k < 32; ++k) EXPECT_EQ(1024 * k + 496, one.out[k]);

    // Part p of block r is what part r of block p was: 16 p + 4 r + j.
    one = ran("cluster_copies.cu --kernel exchange --grid 4 --block 32 --arg i32[64]=0+1 --arg i32[64]=0", "4");
    EXPECT_EQ("", findings(one.analysis));
    for (uint32_t r = 0; r < 4; ++r)
        for (uint32_t p = 0; p < 4; ++p)
            EXPECT_EQ(16 * p + 4 * r + 3, one.out.at(16 * r + 4 * p + 3)) << r << " " << p;

    one = ran("cluster_copies.cu --kernel ring_unwaited --grid 2 --block 64 --arg i32[128]=0+1 --arg i32[128]=0",
              "2");
    ASSERT_EQ(1u, one.analysis.report.findings.size()) << findings(one.analysis);
    EXPECT_EQ("race", one.analysis.report.findings[0].kind);
    EXPECT_NE(std::string::npos,
              findings(one.analysis).find("no thread has found the phase of its mbarrier over"))
        << findings(one.analysis);
}

// The word of channel c of pixel (h, w) of image n is c + 8 (w + 5 (h + 4 n)). A filter of 3 x 3 whose
// first pixel goes from (0, 1) on, in an image of 2 x 3 places; its pixel (1, 2) is copied, channels 4 to 7.
TEST_F(ClusterLaunches, CopyForIm2col) {
    const std::string begin = "im2col.cu --kernel ", own = " --arg tensor:";
    Ran one = ran(begin +
                      "load_4d --grid 1 --block 32 --dynamic-shared 128 --arg u32[320]=0+1" + own +
                      "in:u32:2x4x5x8:pixels=8:channels=4:upper=-2x-2 --arg u32[32]=7 --arg i32:32 --arg "
                      "i32:128 --arg i32:4 --arg i32:1 --arg i32:0 --arg i32:0 --arg i32:2 --arg i32:1",
                  "");
    EXPECT_EQ("", findings(one.analysis));
    ASSERT_EQ(32u, one.out.size());
    auto word = [](uint32_t n, uint32_t h, uint32_t w, uint32_t c) {
        return c + 8 * (w + 5 * (h + 4 * n));
    };
    const uint32_t places[8][3] = {{0, 1, 3}, {0, 1, 4}, {0, 2, 2}, {0, 2, 3},
                                   {0, 2, 4}, {1, 1, 2}, {1, 1, 3}, {1, 1, 4}};
    for (uint32_t i = 0; i < 8; ++i)
        for (uint32_t c = 0; c < 4; ++c)
            EXPECT_EQ(word(places[i][0], places[i][1], places[i][2], 4 + c), one.out[4 * i + c]);
    EXPECT_EQ(1u, one.analysis.report.totals.bulk_load.instructions);
    EXPECT_EQ(128u, one.analysis.report.totals.bulk_load.bytes);

    // To the pixels (0, 3), (0, 4) and (1, 1), as a row begins at 1: 8 words each.
    auto stored = [&](const std::string& lower) {
        return begin + "store_4d --grid 1 --block 32 --dynamic-shared 96 --arg u32[24]=1+1 --arg u32[320]=0" + own +
               "to:u32:2x4x5x8:pixels=3:channels=8:lower=" + lower +
               " --arg i32:24 --arg i32:0 --arg i32:3 --arg i32:0 --arg i32:0";
    };
    one = ran(stored("0x1"), "");
    EXPECT_EQ("", findings(one.analysis));
    EXPECT_EQ(0u, one.out.at(23));
    EXPECT_EQ(1u, one.out.at(24));
    EXPECT_EQ(16u, one.out.at(39));
    EXPECT_EQ(0u, one.out.at(40));
    EXPECT_EQ(17u, one.out.at(48));
    EXPECT_EQ(24u, one.out.at(55));
    EXPECT_EQ(1u, one.analysis.report.totals.bulk_store.instructions);
    EXPECT_EQ(96u, one.analysis.report.totals.bulk_store.bytes);
    EXPECT_NE(std::string::npos, refusal(stored("0x-1"), "").find("with no lower corner below 0"));
    const std::string wrong = begin + "load_3d --grid 1 --block 32 --dynamic-shared 80 --arg u32[72]" + own +
                              "in:u32:3x6x4:box=1x5x4 --arg u32[20] --arg i32:20 --arg i32:0 --arg i32:0 "
                              "--arg i32:0 --arg i32:0";
    EXPECT_NE(std::string::npos, refusal(wrong, "").find("tensor:…:pixels=…:channels=…"));
}

// The same from clang, where that is installed, by our own headers.
TEST_F(ClusterLaunches, AreTheSameByClang) {
    choose_compiler("clang");
    bool is_there = !compiler_in_use().empty();
    choose_compiler("");
    if (!is_there) GTEST_SKIP() << "there is no clang 16 or newer here";
    struct Case {
        const char *options, *cluster;
    };
    for (const Case& each :
         {Case{"--kernel halo --grid 8 --block 96 --arg i32[768]=0+1 --arg i32[768]=0", ""},
          Case{"--kernel across --grid 4,4 --block 32 --arg i32[32]=0", ""},
          Case{"--kernel broadcast --grid 6 --block 64 --arg i32[64]=5+3 --arg i32[384]=0", "3"},
          Case{"--kernel places --grid 6,4 --block 32 --arg u32[24]=0", "3,2"}}) {
        Ran nvrtc = ran(each.options, each.cluster);
        choose_compiler("clang");
        Ran clang = ran(each.options, each.cluster);
        choose_compiler("");
        EXPECT_EQ(nvrtc.out, clang.out) << each.options;
        EXPECT_EQ("", findings(clang.analysis)) << each.options;
        EXPECT_EQ(nvrtc.analysis.report.totals.global_store.sectors,
                  clang.analysis.report.totals.global_store.sectors);
    }
}

}  // namespace
}  // namespace lanewise
