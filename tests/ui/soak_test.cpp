// Memory stays flat and small, however long the window is used: some rounds of all it can do, in
// one process without a renderer. The engine's own is tests/service/engine_memory_test.cpp's; the
// long run, of as many actions as an hour has, is bench_ui's (soak), and of the real window
// tests/bench/window_use.py's.
#include "soak.h"

#include <gtest/gtest.h>

#include "../needs.h"
#include "base/sanitized.h"

namespace lanewise::ui {
namespace {

constexpr uint64_t kMebibyte = 1 << 20;
constexpr uint64_t kMostKept = 12 * kMebibyte;       // between two of HeapTrimmer's times
constexpr uint64_t kMostResident = 300 * kMebibyte;  // more than other tests left behind

TEST(Memory, IsFlatAndSmall) {
    NEEDS_NVRTC();
    const uint64_t left_behind = resident_bytes();
    HeapTrimmer heap;  // as the window's loop has it
    Soak soak;
    const std::vector<std::string> stages = {"102_tile_not_swapped", "matmul/40_wmma"};
    soak.round(stages);  // what is read or laid out once
    soak.round(stages);
    heap.after_work();
    const uint64_t begun = heap_bytes(), resident = resident_bytes();
    const size_t before = soak.actions();
    for (int i = 0; i < 2; ++i) {
        soak.round(stages);
        heap.after_work();
    }
    const uint64_t ended = heap_bytes();
    const size_t actions = soak.actions() - before;
    // In bytes handed out, which say the same on every machine: a leak of a kilobyte in every
    // action would be seen, the undo list's few numbers would not.
    const uint64_t grown = ended > begun ? ended - begun : 0;
    EXPECT_LT(grown, 256 * actions) << grown << " bytes more after " << actions << " actions";
    // What is resident tells also of what is free and was kept by malloc, which the bytes handed
    // out never show: of that the real window and engine once held 100 MiB after an hour. A sanitizer's
    // own allocator keeps what is freed.
    if (!kSanitized) {
        EXPECT_LT(resident_bytes(), resident + kMostKept);
        EXPECT_LT(resident_bytes(), left_behind + kMostResident);
    }
    RecordProperty("actions", static_cast<int>(actions));
    RecordProperty("grown_bytes", static_cast<int>(grown));
    RecordProperty("resident_mib", static_cast<int>(resident_bytes() / kMebibyte));
    std::printf("%zu actions: %llu bytes more; %llu MiB resident\n", actions,
                static_cast<unsigned long long>(grown),
                static_cast<unsigned long long>(resident_bytes() / kMebibyte));
}

}  // namespace
}  // namespace lanewise::ui
