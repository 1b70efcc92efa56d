// A launch recorded: whatever moment one goes back to, all is as it was when it was first there.
#include "lab/step/launch_recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "base/hash.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

Job stage_job(const std::string& stage, int64_t side) {
    const Catalogue& catalogue = shipped_stages();
    Job job;
    job.stage = catalogue.find(stage);
    job.rows = job.cols = side;
    job.inner = 64;
    job.type = job.stage.types.empty() ? "f32" : job.stage.types.front();
    return job;
}

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Of all that a step may change: where each warp is, its registers, shared and global memory.
uint64_t digest(const LaunchRecording& recording) {
    const Stepper& stepper = recording.stepper();
    uint64_t sum = hash(text_of(stepper.shared()));
    for (const Memory::Buffer& buffer : recording.launch().memory.buffers())
        if (buffer.storage) sum = hash(text_of({buffer.storage, buffer.bytes}), sum);
    for (uint32_t warp = 0; warp < recording.warps(); ++warp) {
        WarpLook look = stepper.look(warp);
        uint64_t place[] = {look.instruction,
                            look.lanes,
                            look.live,
                            look.paths.size(),
                            static_cast<uint64_t>(look.state),
                            look.executed};
        sum = hash(text_of(std::as_bytes(std::span(place))), sum);
        const ptx::Kernel& kernel = recording.prepared().kernel;
        for (uint32_t i = 0; i < kernel.words; i += 3) {
            auto values = stepper.values(warp, {ptx::RegisterKind::word, i});
            sum = hash(text_of(std::as_bytes(std::span(values))), sum);
        }
    }
    return sum;
}

struct RecordingCase {
    const char* stage;
    int64_t side;
    uint64_t most_bytes;
};

class GoingBack : public testing::TestWithParam<RecordingCase> {};

TEST_P(GoingBack, EveryMomentIsAsItWas) {
    const RecordingCase& given = GetParam();
    LaunchRecording::Options options;
    options.most_bytes = given.most_bytes;
    options.interval = 64;
    LaunchRecording recording(stage_job(given.stage, given.side), options);
    // The first time: every 37th step of all blocks, and each block's end.
    std::vector<std::pair<StepMoment, uint64_t>> seen;
    do {
        for (;;) {
            seen.emplace_back(recording.now(), digest(recording));
            if (recording.stepper().has_ended()) break;
            recording.run(recording.now().step + 37);
        }
    } while (seen.size() < 150 && recording.next_block());
    ASSERT_GT(seen.size(), 8u);
    // Then in an order that goes back and forth.
    size_t at = seen.size() - 1, count = std::min<size_t>(seen.size(), 60);
    for (size_t i = 0; i < count; ++i) {
        at = (at * 7 + 3) % seen.size();
        recording.go_to(seen[at].first);
        ASSERT_EQ(seen[at].first, recording.now());
        ASSERT_EQ(seen[at].second, digest(recording))
            << "block " << seen[at].first.block << ", step " << seen[at].first.step;
        EXPECT_LE(recording.used_bytes(), given.most_bytes + (1u << 20));
    }
}

constexpr uint64_t kPlenty = 256u << 20, kLittle = 300'000, kNothing = 0;
INSTANTIATE_TEST_SUITE_P(LaunchRecording, GoingBack,
                         testing::Values(RecordingCase{"transpose/20_tiled", 64, kPlenty},
                                         RecordingCase{"transpose/20_tiled", 64, kLittle},
                                         RecordingCase{"transpose/20_tiled", 33, kNothing},
                                         RecordingCase{"transpose/70_shuffle", 50, kPlenty},
                                         RecordingCase{"transpose/82_async", 96, kPlenty},
                                         RecordingCase{"transpose/82_async", 96, kLittle},
                                         RecordingCase{"transpose/84_tma", 128, kPlenty},
                                         RecordingCase{"transpose/86_in_place", 96, kPlenty},
                                         RecordingCase{"matmul/42_mma_sync", 64, kPlenty},
                                         RecordingCase{"matmul/95_wgmma", 128, kPlenty},
                                         RecordingCase{"reduction/60_atomics", 64, kPlenty}),
                         [](const auto& each) {
                             std::string name = each.param.stage;
                             std::replace(name.begin(), name.end(), '/', '_');
                             return name + "_" + std::to_string(each.param.side) + "_" +
                                    std::to_string(each.param.most_bytes >> 10);
                         });

TEST(LaunchRecording, FindsWhoWroteAWordLast) {
    // out[col * 64 + row] = in[row * 64 + col]: block (col / 32, row / 32 / 4), warp row / 32,
    // lane row % 32.
    LaunchRecording recording(stage_job("transpose/70_shuffle", 64), {});
    while (recording.next_block()) {
    }
    const StepMoment end = recording.now();
    uint64_t out = recording.launch().memory.buffers().at(1).address;
    for (uint64_t element : {0u, 3u, 63u, 64u * 40 + 5, 64u * 63 + 63}) {
        uint64_t col = element / 64, row = element % 64;
        StepWrite write;
        ASSERT_TRUE(recording.last_write(Space::global, out + 4 * element, 4, write));
        EXPECT_EQ(col / 32, write.at.block) << element;
        EXPECT_EQ(row / 32, write.warp) << element;
        EXPECT_EQ(1u << row % 32, write.lanes) << element;
        EXPECT_EQ(end, recording.now());
        // Just before it the word is not yet right, and just after it is.
        uint32_t right = unique_word(static_cast<uint32_t>(row * 64 + col)), word = 0;
        const std::byte* place = recording.launch().memory.buffers()[1].storage + 4 * element;
        recording.go_to(write.at);
        place = recording.launch().memory.buffers()[1].storage + 4 * element;
        std::memcpy(&word, place, 4);
        EXPECT_NE(right, word);
        recording.step();
        std::memcpy(&word, place, 4);
        EXPECT_EQ(right, word);
        recording.go_to(end);
    }
    StepWrite write;
    recording.go_to({0, 0});
    EXPECT_FALSE(recording.last_write(Space::global, out, 4, write));
}

TEST(LaunchRecording, BeginsWhereItIsTold) {
    LaunchRecording::Options options;
    options.first_block = 1;
    LaunchRecording recording(stage_job("transpose/70_shuffle", 64), options);
    EXPECT_EQ((StepMoment{1, 0}), recording.now());
    EXPECT_THROW(recording.go_to({0, 0}), Error);
    EXPECT_THROW(recording.go_to({2, 0}), Error);
    options.first_block = 2;
    EXPECT_THROW(LaunchRecording(stage_job("transpose/70_shuffle", 64), options), Error);
}

}  // namespace
}  // namespace lanewise
