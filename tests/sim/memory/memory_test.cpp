// Loads and stores: widths, spaces, events, faults; and launches that are refused.
#include "sim/memory/memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "../run_ptx.h"

namespace lanewise {
namespace {

TEST(Memory, BuffersAreApartAndAligned) {
    Memory memory;
    uint64_t a = memory.allocate(1000, "a"), b = memory.allocate_unique_words(64, "b");
    EXPECT_EQ(0u, a % 512);
    EXPECT_EQ(0u, b % 512);
    EXPECT_EQ("a", memory.find(a + 996, 4)->name);
    EXPECT_EQ(nullptr, memory.find(a + 997, 4));
    EXPECT_EQ(nullptr, memory.find(a - 1, 1));
    EXPECT_EQ("b", memory.find(b, 64)->name);
    EXPECT_EQ("a", memory.nearest(a + 1004)->name);
    EXPECT_EQ("b", memory.nearest(b - 4)->name);
    Memory again;
    EXPECT_EQ(a, again.allocate(1000, "a"));
}

TEST(Memory, UniqueWordsDiffer) {
    std::set<uint32_t> seen;
    for (uint32_t i = 0; i < 100'000; ++i) seen.insert(unique_word(i));
    EXPECT_EQ(100'000u, seen.size());
}

// In a browser these are the allocator's own, among everything else: here between small blocks before it and a
// large free one behind it, where a record that is read after its end is no longer one.
TEST(Memory, TinyBuffersLeaveTheHeapWhole) {
    for (uint64_t bytes = 1; bytes <= 24; ++bytes) {
        constexpr size_t kLarge = 250'000;
        std::vector<std::unique_ptr<uint64_t>> small;
        small.reserve(20'000);
        std::unique_ptr<char[]> large[3];
        for (auto& one : large) one = std::make_unique<char[]>(kLarge);
        large[1].reset();
        auto memory = std::make_unique<Memory>();
        uint64_t tiny = memory->allocate(bytes, "tiny");
        const std::byte* storage = memory->find(tiny, bytes)->storage;
        for (uint64_t i = 0; i < 20'000; ++i) small.push_back(std::make_unique<uint64_t>(i));
        for (auto& one : small)
            if (reinterpret_cast<uintptr_t>(one.get()) - reinterpret_cast<uintptr_t>(storage) < kLarge)
                one.reset();
        memory.reset();
        for (uint64_t i = 0; i < small.size(); ++i)
            if (small[i]) {
                ASSERT_EQ(i, *small[i]) << bytes;
            }
        large[1] = std::make_unique<char[]>(kLarge);
    }
}

TEST(Memory, RefusesWhatDoesNotFit) {
    Memory memory;
    EXPECT_THROW(memory.allocate(1ull << 60, "huge"), Error);
}

TEST(Access, NarrowLoadsExtend) {
    const std::string store = "mov.u32 %r1, 0x8081; st.global.u32 [%rd1], %r1;";
    EXPECT_EQ(0xffffffffffffff81u, wide_result(store + "ld.global.s8 %rd2, [%rd1];"));
    EXPECT_EQ(0x80u, wide_result(store + "ld.global.u8 %rd2, [%rd1+1];"));
    EXPECT_EQ(0xffff8081u, word_result(store + "ld.global.s16 %r1, [%rd1];"));
    EXPECT_EQ(0x8081u, word_result(store + "ld.global.nc.u16 %h1, [%rd1]; cvt.u32.u16 %r1, %h1;"));
}

TEST(Access, VectorsAndOffsets) {
    // four words to shared memory, two wide ones back
    EXPECT_EQ(
        0x0000000400000003u,
        wide_result(".shared .align 16 .b8 s[1024]; mul.wide.u32 %rd3, %r0, 16; mov.u64 %rd4, s;"
                    "add.s64 %rd3, %rd4, %rd3; mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u32 %r3, 3;"
                    "mov.u32 %r4, 4; st.shared.v4.u32 [%rd3], {%r1, %r2, %r3, %r4};"
                    "ld.shared.v2.u64 {%rd5, %rd2}, [%rd3];",
                    7));
    EXPECT_EQ(5u, word_result(
                      "mov.u32 %r2, 5; st.global.u32 [%rd1+4], %r2; ld.global.u32 %r1, [%rd1+4];"));
}

// Thread t has 100 + t in word t of shared memory; then %r1 is the word whose number is in %r2.
std::vector<uint64_t> words_at(const std::string& number, const std::string& load) {
    return run_block(
               ".shared .align 16 .b8 s[128]; mov.u64 %rd3, s; mul.wide.u32 %rd4, %r0, 4;"
               "add.s64 %rd4, %rd3, %rd4; add.u32 %r1, %r0, 100; st.shared.u32 [%rd4], %r1;"
               "bar.sync 0;" +
               number + "mul.wide.u32 %rd4, %r2, 4; add.s64 %rd4, %rd3, %rd4;" + load +
               "st.global.u64 [%rd1], %rd2;")
        .out;
}

// Eight lanes that read one word, or eight in a row, are read at once.
TEST(Access, EightLanesAtATime) {
    const std::string word = "ld.shared.u32 %r1, [%rd4]; cvt.u64.u32 %rd2, %r1;";
    const std::string fourth_of_four =
        "ld.shared.v4.u32 {%r3, %r4, %r5, %r1}, [%rd4]; cvt.u64.u32 %rd2, %r1;";
    // The register of addresses is the one that is loaded.
    const std::string own_address = "ld.shared.u64 %rd4, [%rd4]; shr.u64 %rd2, %rd4, 32;";
    auto alike = words_at("and.b32 %r2, %r0, 24;", word);
    auto swapped = words_at("xor.b32 %r2, %r0, 8;", word);
    auto backwards = words_at("xor.b32 %r2, %r0, 7;", word);
    auto alike_but_one = words_at("min.u32 %r2, %r0, 30; max.u32 %r2, %r2, 29;", word);
    auto fours = words_at("and.b32 %r2, %r0, 24;", fourth_of_four);
    auto wide = words_at("and.b32 %r2, %r0, 24;", own_address);
    for (uint64_t t = 0; t < 32; ++t) {
        EXPECT_EQ(100 + (t & 24), alike[t]);
        EXPECT_EQ(100 + (t ^ 8), swapped[t]);
        EXPECT_EQ(100 + (t ^ 7), backwards[t]);
        EXPECT_EQ(t < 30 ? 129u : 130u, alike_but_one[t]);
        EXPECT_EQ(103 + (t & 24), fours[t]);
        EXPECT_EQ(101 + (t & 24), wide[t]);
    }
}

TEST(Access, DestinationMayBeTheAddress) {
    EXPECT_EQ(77u, wide_result("mov.u64 %rd2, 77; st.global.u64 [%rd1], %rd2; mov.u64 %rd2, %rd1;"
                               "ld.global.u64 %rd2, [%rd2];",
                               3));
}

TEST(Access, GenericAddressesFindTheirSpace) {
    auto outcome = run_block(
        ".shared .align 8 .b8 s[256]; mov.u64 %rd3, s; cvta.shared.u64 %rd3, %rd3;"
        "mul.wide.u32 %rd4, %r0, 8; add.s64 %rd3, %rd3, %rd4; mov.u64 %rd2, 6; st.u64 [%rd3], %rd2;"
        "cvta.to.shared.u64 %rd5, %rd3; ld.shared.u64 %rd2, [%rd5]; setp.lt.u32 %p1, %r0, 16;"
        "selp.b64 %rd6, %rd3, %rd1, %p1; st.u64 [%rd6], %rd2;");
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_EQ(0u, outcome.out[15]);
    EXPECT_EQ(6u, outcome.out[16]);
    ASSERT_EQ(4u, outcome.seen.accesses.size());  // the last store is one access in each space
    EXPECT_EQ(Space::shared, outcome.seen.accesses[0].event.space);
    EXPECT_EQ(8u, outcome.seen.accesses[0].addresses[1]);
    EXPECT_EQ(0x0000ffffu, outcome.seen.accesses[2].event.mask);
    EXPECT_EQ(0xffff0000u, outcome.seen.accesses[3].event.mask);
    EXPECT_EQ(Space::global, outcome.seen.accesses[3].event.space);
}

TEST(Access, LocalMemoryIsTheThreadsOwn) {
    auto outcome = run_block(
        ".local .align 8 .b8 depot[16]; mov.u64 %rd3, depot; cvta.local.u64 %rd4, %rd3;"
        "cvt.u64.u32 %rd5, %r0; st.local.u64 [%rd3+8], %rd5; ld.u64 %rd2, [%rd4+8];"
        "st.global.u64 [%rd1], %rd2;");
    for (size_t n = 0; n < 32; ++n) EXPECT_EQ(n, outcome.out[n]);
    EXPECT_EQ(1u, outcome.seen.accesses.size());
}

// sm_100: 32 bytes at once, in eight words or four double words.
TEST(Access, ThirtyTwoBytesALane) {
    auto outcome = run_block(
        "mov.u64 %rd2, 5; mov.u64 %rd3, 6; mov.u64 %rd4, 7; mov.u64 %rd5, 0x800000009;"
        "mul.wide.u32 %rd8, %r0, 32; add.s64 %rd8, %rd0, %rd8; setp.lt.u32 %p1, %r0, 8;"
        "@%p1 st.global.v4.b64 [%rd8], {%rd2, %rd3, %rd4, %rd5};"
        "@%p1 ld.global.nc.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd8];"
        "add.u32 %r7, %r7, %r8; setp.eq.u32 %p1, %r0, 3; @%p1 st.global.u32 [%rd0], %r7;"
        "setp.eq.u32 %p1, %r0, 4; @%p1 ld.global.v4.b64 {%rd2, %rd3, %rd4, %rd5}, [%rd0+16];");
    EXPECT_EQ(17u, outcome.out[0]);
    EXPECT_EQ(6u, outcome.out[1]);
    EXPECT_EQ(0x800000009u, outcome.out[31]);
    ASSERT_EQ(3u, outcome.seen.accesses.size());
    EXPECT_EQ(32, outcome.seen.accesses[0].event.bytes_per_lane);
    EXPECT_EQ(0xffu, outcome.seen.accesses[1].event.mask);
    ASSERT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::misaligned, outcome.seen.faults[0].kind);
    EXPECT_EQ(32, outcome.seen.faults[0].bytes);
}

// Registers of 128 bits, one by its name and two by number: 16 bytes at once, as ld.v2.b64 has
// them.
TEST(Access, RegistersOf128Bits) {
    auto outcome = run_block(
        ".reg .b128 %q<2>, one; .shared .align 16 .b8 s[512];"
        "mul.wide.u32 %rd8, %r0, 16; mov.u64 %rd9, s; add.s64 %rd8, %rd8, %rd9;"
        "cvt.u64.u32 %rd3, %r0; mov.u64 %rd4, 7; mov.b128 one, {%rd3, %rd4}; mov.b128 %q1, one;"
        "st.shared.b128 [%rd8], %q1; ld.shared.b128 %q0, [%rd8]; mov.b128 {%rd5, %rd6}, %q0;"
        "mov.b128 {%rd6, %rd5}, %q0; sub.s64 %rd2, %rd6, %rd5; st.global.u64 [%rd1], %rd2;");
    EXPECT_EQ(20u - 7u, outcome.out[20]);
    ASSERT_EQ(3u, outcome.seen.accesses.size());
    EXPECT_EQ(16, outcome.seen.accesses[0].event.bytes_per_lane);
    EXPECT_TRUE(outcome.seen.faults.empty());
    EXPECT_THROW(run_block(".reg .b128 %q<2>; mov.b128 %q2, %q0;"), Error);
}

TEST(Access, OutOfBoundsLanesAreSkipped) {
    // out has 32 x 8 bytes; lanes 30 and 31 store beyond
    auto outcome = run_block("mov.u64 %rd2, 1; st.global.u64 [%rd1+16], %rd2;");
    ASSERT_EQ(2u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::out_of_bounds, outcome.seen.faults[0].kind);
    EXPECT_EQ(30u, outcome.seen.faults[0].thread);
    EXPECT_TRUE(outcome.seen.faults[0].is_store);
    EXPECT_EQ(8, outcome.seen.faults[0].bytes);
    EXPECT_EQ(0x3fffffffu, outcome.seen.accesses.at(0).event.mask);
    EXPECT_EQ(1u, outcome.out[31]);
}

TEST(Access, FaultingLoadsGiveZero) {
    auto outcome =
        run_block("mov.u64 %rd2, 9; ld.global.u64 %rd2, [%rd1+-8]; st.global.u64 [%rd1], %rd2;");
    EXPECT_EQ(1u, outcome.seen.faults.size());
    EXPECT_EQ(0u, outcome.out[0]);
}

TEST(Access, MisalignedIsAFault) {
    auto outcome = run_block("ld.global.u32 %r1, [%rd1+2];");
    EXPECT_EQ(32u, outcome.seen.faults.size());
    EXPECT_EQ(Fault::Kind::misaligned, outcome.seen.faults[0].kind);
    EXPECT_TRUE(outcome.seen.accesses.empty());
}

TEST(Access, SharedBeyondTheBlocksIsAFault) {
    auto outcome = run_block(
        ".shared .align 4 .b8 s[64]; mul.wide.u32 %rd3, %r0, 4; st.shared.u32 [%rd3], %r0;");
    EXPECT_EQ(16u, outcome.seen.faults.size());
    EXPECT_EQ(16u, outcome.seen.faults[0].thread);
    EXPECT_EQ(Space::shared, outcome.seen.faults[0].space);
}

TEST(Access, ParametersByTheirAddress) {
    // the second word of a struct of three, chosen at run time, in its own space and generically
    std::string text = kernel_around(
        "mov.b64 %rd3, k_param_1; ld.param.u32 %r1, [%rd3+4]; cvta.param.u64 %rd4, %rd3;"
        "mul.wide.u32 %rd5, %r0, 4; add.s64 %rd5, %rd4, %rd5; ld.u32 %r2, [%rd5];"
        "add.u32 %r1, %r1, %r2; st.global.u32 [%rd1], %r1;");
    text.replace(text.find("k_param_0)"), 10, "k_param_0, .param .align 4 .b8 k_param_1[12])");
    ptx::Kernel kernel = ptx::parse(text).kernels.at(0);
    Memory memory;
    Recorder seen;
    Arguments arguments;
    arguments.add(memory.allocate(256, "out")).add(10).add(20).add(30);
    Machine(kernel).run({{1}, {4}}, arguments, memory, 0, 1, seen);
    uint64_t out[4];
    std::memcpy(out, memory.buffers()[0].storage, sizeof out);
    EXPECT_EQ(30u, out[0]);
    EXPECT_EQ(40u, out[1]);
    EXPECT_EQ(50u, out[2]);
    EXPECT_EQ(20u, out[3]);  // 0 and a fault: there is no fourth word
    ASSERT_EQ(1u, seen.faults.size());
    EXPECT_EQ(3u, seen.faults[0].thread);
    EXPECT_EQ(Fault::Kind::out_of_bounds, seen.faults[0].kind);
}

TEST(Launch, IsRefusedAsTheHardwareDoes) {
    ptx::Kernel kernel = ptx::parse(kernel_around("")).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    Observer nobody;
    Arguments fits, too_short;
    fits.add(uint64_t{0});
    too_short.add(uint32_t{0});
    auto launch = [&](LaunchShape shape, const Arguments& arguments) {
        machine.run(shape, arguments, memory, 0, 1, nobody);
    };
    EXPECT_NO_THROW(launch({{1}, {1024}}, fits));
    EXPECT_THROW(launch({{1}, {1025}}, fits), Error);
    EXPECT_THROW(launch({{1}, {1, 1, 65}}, fits), Error);
    EXPECT_THROW(launch({{1}, {0}}, fits), Error);
    EXPECT_THROW(launch({{1, 65536}, {32}}, fits), Error);
    EXPECT_THROW(launch({{1}, {32}, 228 * 1024}, fits), Error);
    EXPECT_THROW(launch({{1}, {32}}, too_short), Error);
}

TEST(Launch, DynamicSharedMemoryComesLast) {
    std::string text = kernel_around(
        ".shared .align 4 .b8 fixed[20]; mov.u64 %rd2, more; st.global.u64 [%rd1], %rd2;"
        "mul.wide.u32 %rd3, %r0, 4; add.s64 %rd3, %rd3, %rd2; st.shared.u32 [%rd3], %r0;");
    text.insert(text.find(".visible"), ".extern .shared .align 16 .b8 more[];\n");
    ptx::Kernel kernel = ptx::parse(text).kernels.at(0);
    Machine machine(kernel);
    EXPECT_EQ(20u, machine.static_shared_bytes());
    Memory memory;
    Recorder seen;
    Arguments arguments;
    arguments.add(memory.allocate(256, "out"));
    machine.run({{1}, {32}, 128}, arguments, memory, 0, 1, seen);
    EXPECT_TRUE(seen.faults.empty());
    EXPECT_EQ(std::byte{32}, memory.buffers()[0].storage[0]);  // 20, aligned to 16
}

TEST(Launch, IsStoppedBetweenBlocks) {
    ptx::Kernel kernel = ptx::parse(kernel_around("")).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    Observer nobody;
    Arguments arguments;
    arguments.add(uint64_t{0});
    std::atomic<bool> cancel = true;
    Machine::Limits limits;
    limits.stop = &cancel;
    Observer* observers[] = {&nobody};
    EXPECT_EQ(0u, machine.run_all({{1000}, {32}}, arguments, memory, observers, limits));
    cancel = false;
    EXPECT_EQ(5000u, machine.run_all({{1000}, {32}}, arguments, memory, observers, limits));
}

// One block that loops for ever, cancelled by its own tenth store: it is left at the end of the
// warp's turn, which is some thousands of instructions, without a finding. Otherwise 64,000,000
// would run, and end as a runaway.
TEST(Launch, IsCancelledWithinABlock) {
    ptx::Kernel kernel =
        ptx::parse(kernel_around("AGAIN: st.global.u32 [%rd1], %r0; bra AGAIN;")).kernels.at(0);
    struct Canceller : Recorder {
        void on_memory(const MemoryEvent& event) override {
            Recorder::on_memory(event);
            cancel = accesses.size() >= 10;
        }
        std::atomic<bool> cancel = false;
    } seen;
    Memory memory;
    Arguments arguments;
    arguments.add(memory.allocate(256, "out"));
    Machine::Limits limits;
    limits.cancel = &seen.cancel;
    uint64_t executed =
        Machine(kernel).run({{1000}, {32}}, arguments, memory, 0, 1000, seen, limits);
    EXPECT_LE(24u, executed);  // 4 before the loop, 2 for each store
    EXPECT_GT(10'000u, executed);
    EXPECT_TRUE(seen.faults.empty());
}

}  // namespace
}  // namespace lanewise
