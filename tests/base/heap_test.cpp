// What is freed goes back to the system, also where malloc by itself would keep it.
#include "base/heap.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace lanewise {
namespace {

constexpr uint64_t kMebibyte = 1 << 20;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NEEDS_MALLOC() GTEST_SKIP() << "a sanitizer's own allocator keeps what is freed"
#else
#define NEEDS_MALLOC() static_cast<void>(0)
#endif

// 64 MiB in small pieces, of which one in a thousand stays: malloc's own trimming, which gives back
// only what lies above the last piece in use, gives back nothing.
std::vector<std::unique_ptr<char[]>> leave_holes() {
    constexpr size_t kPiece = 1024, kPieces = 64 * kMebibyte / kPiece;
    std::vector<std::unique_ptr<char[]>> pieces;
    for (size_t i = 0; i < kPieces; ++i) {
        pieces.push_back(std::make_unique<char[]>(kPiece));
        pieces.back()[0] = pieces.back()[kPiece - 1] = 1;
    }
    std::vector<std::unique_ptr<char[]>> kept;
    for (size_t i = 0; i < kPieces; i += 1000) kept.push_back(std::move(pieces[i]));
    kept.push_back(std::move(pieces.back()));
    return kept;
}

TEST(HeapTrimmer, GivesHolesBack) {
    NEEDS_MALLOC();
    HeapTrimmer trimmer;
    trimmer.after_work();
    uint64_t before = resident_bytes();
    ASSERT_GT(before, 0u);
    auto kept = leave_holes();
    ASSERT_GT(resident_bytes(), before + 48 * kMebibyte) << "there is nothing to give back";
    EXPECT_TRUE(trimmer.after_work());
    EXPECT_LT(resident_bytes(), before + 8 * kMebibyte);
}

TEST(HeapTrimmer, OfAnotherThreadsArenaToo) {
    NEEDS_MALLOC();
    HeapTrimmer trimmer;
    trimmer.after_work();
    uint64_t before = resident_bytes();
    std::vector<std::unique_ptr<char[]>> kept;
    std::thread([&] { kept = leave_holes(); }).join();
    EXPECT_TRUE(trimmer.after_work());
    EXPECT_LT(resident_bytes(), before + 8 * kMebibyte);
}

// malloc comes to take large blocks from an arena instead of the system, and would keep the arena's
// top, which malloc_trim() does not look at.
TEST(HeapTrimmer, TheTopOfAnotherThreadsArenaToo) {
    NEEDS_MALLOC();
    HeapTrimmer trimmer;
    trimmer.after_work();
    uint64_t before = resident_bytes();
    std::thread([] {
        for (uint64_t mebibytes : {24, 20}) std::vector<char>(mebibytes * kMebibyte, 'x');
    }).join();
    trimmer.after_work();
    EXPECT_LT(resident_bytes(), before + 4 * kMebibyte);
}

// Work that leaves nothing behind does not pay for it, nor does what is in use again and again.
TEST(HeapTrimmer, LeavesSmallWorkAlone) {
    NEEDS_MALLOC();
    HeapTrimmer trimmer(8 * kMebibyte);
    EXPECT_TRUE(trimmer.after_work());
    for (int i = 0; i < 10; ++i) {
        std::vector<char> small(kMebibyte, 'x');
        EXPECT_FALSE(trimmer.after_work());
    }
    std::vector<char> large(32 * kMebibyte, 'x');
    EXPECT_TRUE(trimmer.after_work());  // it may have been free: that is not known before
    EXPECT_FALSE(trimmer.after_work());
}

}  // namespace
}  // namespace lanewise
