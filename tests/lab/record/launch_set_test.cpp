// The set that the model of time is judged by: it can be read, its halves are what their rule says,
// and no launch of it has a fault in the blocks that are looked at here.
#include "lab/record/launch_set.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "lab/record/set_recording.h"

namespace lanewise {
namespace {

constexpr const char* kSource =
    "// launch first: --kernel 'scale<float, 2>' --grid 4,2 --block 32,8 --arg f32[2048] --arg i32:7\n"
    "// launch second: --kernel 'scale<int, 4>' --grid 1 --block 32 --arg i32[32]=0..9 --arg i32:1\n"
    "// A launch is no line of this kind.\n"
    "template <typename T, int N> __global__ void scale(T* x, int n) {}\n";

TEST(LaunchSet, ReadsALine) {
    std::vector<SetLaunch> launches = launches_in("scales.cu", kSource);
    ASSERT_EQ(2u, launches.size());
    EXPECT_EQ("scales/first", launches[0].id());
    const OwnLaunch& own = launches[0].job.own;
    EXPECT_EQ("scale<float, 2>", own.kernel);
    EXPECT_EQ((Dim3{4, 2, 1}), own.shape.grid);
    EXPECT_EQ((Dim3{32, 8, 1}), own.shape.block);
    EXPECT_EQ((std::vector<std::string>{"f32[2048]", "i32:7"}), own.arguments);
}

TEST(LaunchSet, NamesTheLineThatItCannotUse) {
    for (const char* line : {"// launch a: --kernel k --grid 1 --block 32 --size 4",
                             "// launch a: --kernel k --grid 1 --block", "// launch a",
                             "// launch a: --grid 1 --block 32",
                             "// launch a: --kernel k --grid 0 --block 32"})
        try {
            launches_in("x.cu", std::string("\n") + line + "\n");
            ADD_FAILURE() << line;
        } catch (const Error& error) {
            EXPECT_EQ(0u, std::string(error.what()).find("x.cu:2: ")) << error.what();
        }
}

// By name, whatever they are called; the sealed one is none of them.
TEST(LaunchSet, EveryFolderThatIsNotSealedWasSeen) {
    const std::filesystem::path content = std::filesystem::path(testing::TempDir()) / ("lanewise-set-" + std::to_string(::getpid()));
    for (const char* folder : {"sealed", "seen", "opened"})
        std::filesystem::create_directories(content / "assets/launches" / folder);
    EXPECT_EQ((std::vector<std::string>{"opened", "seen"}), halves_seen(content));
    std::filesystem::remove_all(content);
    EXPECT_TRUE(halves_seen(content).empty());
    EXPECT_GE(halves_seen(CONTENT_FOLDER).size(), 5u);
}

// Many launches, in ten classes and more; what is sealed has four of each class at least, and no name
// that the others have.
TEST(LaunchSet, IsLargeEnough) {
    std::vector<SetLaunch> all = read_launch_set(CONTENT_FOLDER, SetHalf::all);
    std::map<std::string, int> making, sealed;
    std::set<std::string> names;
    for (const SetLaunch& launch : all) {
        ++(launch.is_sealed() ? sealed : making)[launch.kind];
        EXPECT_TRUE(names.insert(launch.id()).second) << launch.id();
    }
    EXPECT_GE(all.size(), 180u);
    EXPECT_GE(making.size(), 10u);
    for (const auto& [kind, count] : making) EXPECT_LE(4, sealed[kind]) << kind;
    EXPECT_EQ(making.size(), sealed.size());
    EXPECT_EQ(all.size(), read_launch_set(CONTENT_FOLDER, SetHalf::making).size() +
                              read_launch_set(CONTENT_FOLDER, SetHalf::sealed).size());
}

TEST(SetRecording, ComesBackAsItWasWritten) {
    std::vector<SetLaunch> launches = launches_in("scales.cu", kSource);
    SetTime time;
    time.launch = launches[0].id();
    time.of = hash_of(launches[0]);
    time.times.samples_us = {1.5, 2.5};
    time.times.time_us = {2, 1.5, 2.5, 2};
    time.times.counters.values["dram__bytes_read.sum"] = 4096;
    SetTime failed;
    failed.launch = launches[1].id();
    failed.of = hash_of(launches[1]);
    failed.problem = "the card has too little memory";
    std::filesystem::path file = std::filesystem::temp_directory_path() /
                                 ("lanewise-set-" + std::to_string(::getpid()) + ".json");
    write_set_recording({"A card", "2026-01-01", {time, failed}}, file);
    SetRecording back = read_set_recording(file);
    std::filesystem::remove(file);
    EXPECT_EQ("A card", back.card);
    const SetTime* found = back.find(launches[0]);
    ASSERT_NE(nullptr, found);
    EXPECT_EQ(2.0, found->times.time_us.median);
    EXPECT_EQ(4096.0, found->times.counters.values.at("dram__bytes_read.sum"));
    EXPECT_EQ(nullptr, back.find(launches[1]));
    launches[0].job.own.arguments.back() = "i32:8";  // another launch than the one that was timed
    EXPECT_EQ(nullptr, back.find(launches[0]));
}

}  // namespace
}  // namespace lanewise
