// cp.async.bulk.tensor: boxes inside and at the edges of a tensor, the swizzles, both directions.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "../run_ptx.h"
#include "sim/memory/tensor_map.h"

namespace lanewise {
namespace {

std::string coordinates_of(const std::vector<int>& start) {
    std::string text;
    for (int at : start) text += (text.empty() ? "" : ", ") + std::to_string(at);
    return "{" + text + "}";
}

// One warp: thread 0 copies a box of the map to shared memory, and all copy that to `out`; or, to
// the tensor, all copy `out` to shared memory and thread 0 the box from there. The box copies
// `copied` bytes and lies in `bytes` of shared memory.
// offsets: for im2col, "{1, 2}"; no_offsets is for stores.
std::string kernel_text(const std::vector<int>& start, uint64_t copied, uint64_t bytes,
                        bool to_shared, const std::string& offsets = "") {
    const std::string load_mode = offsets.empty() ? "tile" : "im2col";
    const std::string store_mode = offsets.empty() ? "" : ".im2col_no_offs";
    const std::string more = offsets.empty() ? "" : ", " + offsets;
    std::string dimensions = std::to_string(start.size()) + "d", size = std::to_string(copied);
    std::string map = "[%rd9, " + coordinates_of(start) + "]";
    std::string load = "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], " + size +
                       "; @%p1 cp.async.bulk.tensor." + dimensions +
                       ".shared::cluster.global." + load_mode +
                       ".mbarrier::complete_tx::bytes [tile], " + map + ", [bar]" + more + ";\n{\n.reg .pred P;\nAGAIN:\n"
                       "mbarrier.try_wait.parity.shared::cta.b64 P, [bar], 0;\n@!P bra AGAIN;\n}\n";
    std::string store = "fence.proxy.async.shared::cta; bar.sync 0; @%p1 cp.async.bulk.tensor." +
                        dimensions + ".global.shared::cta" + store_mode + ".bulk_group " + map +
                        ", [tile]; @%p1 cp.async.bulk.commit_group;"
                        "@%p1 cp.async.bulk.wait_group.read 0;";
    std::string from = to_shared ? "ld.shared.u32 %r2, [%rd6]; st.global.u32 [%rd7], %r2;"
                                 : "ld.global.u32 %r2, [%rd7]; st.shared.u32 [%rd6], %r2;";
    std::string all =
        "mov.u32 %r3, %r0;\nNEXT:\nmul.wide.u32 %rd5, %r3, 4; mov.u64 %rd6, tile;"
        "add.s64 %rd6, %rd6, %rd5; add.s64 %rd7, %rd0, %rd5;" +
        from + "add.u32 %r3, %r3, 32; setp.lt.u32 %p2, %r3, " + std::to_string(bytes / 4) +
        "; @%p2 bra NEXT;\n";
    std::string text = kernel_around(".shared .align 1024 .b8 tile[" +
                                     std::to_string(std::max<uint64_t>(bytes, 128)) +
                                     "]; .shared .align 8 .b64 bar; setp.eq.u32 %p1, %r0, 0;"
                                     "@%p1 mbarrier.init.shared::cta.b64 [bar], 1; bar.sync 0;"
                                     "mov.b64 %rd8, k_param_1; cvta.param.u64 %rd9, %rd8;"
                                     "prefetch.tensormap [%rd9];" +
                                     (to_shared ? load + all : all + store));
    text.replace(text.find("k_param_0)"), 10, "k_param_0, .param .align 64 .b8 k_param_1[128])");
    return text;
}

struct BoxRun {
    std::vector<uint32_t> out, tensor;
    Recorder seen;
};

// A tensor of `words` words, which hold 1000 + index (or 0, and out 1 + index, to the tensor).
BoxRun run_box(TensorMap map, const std::vector<int>& start, size_t words, bool to_shared = true,
               const std::string& offsets = "") {
    Memory memory;
    uint64_t bytes = map.footprint_bytes(),
             out = memory.allocate(std::max<uint64_t>(bytes, 128), "out");
    map.address = memory.allocate(words * 4, "tensor");
    auto* out_words = reinterpret_cast<uint32_t*>(memory.buffers()[0].storage);
    auto* tensor_words = reinterpret_cast<uint32_t*>(memory.buffers()[1].storage);
    for (size_t i = 0; to_shared && i < words; ++i)
        tensor_words[i] = 1000 + static_cast<uint32_t>(i);
    for (size_t i = 0; !to_shared && i < bytes / 4; ++i)
        out_words[i] = 1 + static_cast<uint32_t>(i);
    ptx::Kernel kernel =
        ptx::parse(kernel_text(start, map.box_bytes(), bytes, to_shared, offsets)).kernels.at(0);
    std::vector<std::byte> arguments(192);  // out, then the map at 64
    TensorMapBytes encoded_map = encoded(map);
    std::memcpy(&arguments[0], &out, 8);
    std::memcpy(&arguments[64], encoded_map.data(), encoded_map.size());
    BoxRun run;
    Machine(kernel).run({{1}, {32}}, arguments, memory, 0, 1, run.seen);
    run.out.assign(out_words, out_words + bytes / 4);
    run.tensor.assign(tensor_words, tensor_words + words);
    return run;
}

TensorMap map_2d(uint64_t cols, uint64_t rows, uint32_t box_cols, uint32_t box_rows,
                 Swizzle swizzle = Swizzle::none) {
    TensorMap map;
    map.dimensions = 2;
    map.sizes = {cols, rows};
    map.strides = {cols * 4};
    map.box = {box_cols, box_rows};
    map.swizzle = swizzle;
    return map;
}

// Rows of 39 words, 40 apart.
TensorMap narrow_rows() {
    TensorMap map = map_2d(40, 10, 8, 2);
    map.sizes[0] = 39;
    return map;
}

TEST(TensorMap, SurvivesItsBytes) {
    TensorMap map = map_2d(100, 7, 16, 5, Swizzle::bytes_64);
    map.address = 0x7000'0000'0200;
    map.element_strides[1] = 2;
    TensorMapBytes bytes = encoded(map);
    auto again = decoded(bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(map.address, again->address);
    EXPECT_EQ(map.sizes, again->sizes);
    EXPECT_EQ(map.strides, again->strides);
    EXPECT_EQ(map.box, again->box);
    EXPECT_EQ(2u, again->element_strides[1]);
    EXPECT_EQ(Swizzle::bytes_64, again->swizzle);
    EXPECT_EQ(64u * 3, again->box_bytes());  // rows 0, 2 and 4
    EXPECT_FALSE(decoded(TensorMapBytes{}));
    for (size_t i = 0; i < bytes.size(); ++i) {  // whatever a kernel writes into it
        TensorMapBytes broken = bytes;
        broken[i] ^= std::byte{0xff};
        auto other = decoded(broken);
        EXPECT_TRUE(!other || other->box_bytes() <= 227u * 1024) << i;
    }
}

TEST(TensorMap, RefusesWhatTheDriverRefuses) {
    EXPECT_NO_THROW(encoded(map_2d(100, 7, 16, 5)));
    EXPECT_THROW(encoded(map_2d(101, 7, 16, 5)), Error);  // a stride of 404 bytes
    EXPECT_THROW(encoded(map_2d(100, 7, 15, 5)), Error);  // a row of 60 bytes
    EXPECT_THROW(encoded(map_2d(100, 7, 16, 257)), Error);
    EXPECT_THROW(encoded(map_2d(100, 0, 16, 5)), Error);
    EXPECT_NO_THROW(encoded(map_2d(256, 256, 256, 227)));
    EXPECT_THROW(encoded(map_2d(256, 256, 256, 228)), Error);                // 228 KiB
    EXPECT_THROW(encoded(map_2d(100, 7, 16, 5, Swizzle::bytes_32)), Error);  // wider than it
    TensorMap map = map_2d(100, 7, 16, 5);
    map.address = 8;
    EXPECT_THROW(encoded(map), Error);
    map.address = 0;
    map.element_bytes = 3;
    EXPECT_THROW(encoded(map), Error);
}

TEST(Swizzle, XorsTheChunkWithHigherBits) {
    EXPECT_EQ(0x3fcu, swizzled(0x3fc, Swizzle::none));
    // row 5 of 128 bytes, chunk 2: 5 ^ 2 = 7
    EXPECT_EQ(5u * 128 + 7 * 16 + 4, swizzled(5 * 128 + 2 * 16 + 4, Swizzle::bytes_128));
    EXPECT_EQ(13u * 128 + 7 * 16, swizzled(13 * 128 + 2 * 16, Swizzle::bytes_128));  // 8 rows on
    // rows of 64 bytes, two to 128: row 7 has 3 in bits 7 and 8; chunk 1 becomes 2
    EXPECT_EQ(7u * 64 + 2 * 16, swizzled(7 * 64 + 16, Swizzle::bytes_64));
    // rows of 32 bytes, four to 128: row 4 has 1 in bit 7; chunk 0 becomes 1
    EXPECT_EQ(4u * 32 + 16, swizzled(4 * 32, Swizzle::bytes_32));
    EXPECT_EQ(3u * 32, swizzled(3 * 32, Swizzle::bytes_32));
}

TEST(TensorCopy, ABoxWithin) {
    BoxRun run = run_box(map_2d(40, 10, 8, 3), {12, 4}, 400);
    EXPECT_TRUE(run.seen.faults.empty());
    EXPECT_EQ(1000u + 4 * 40 + 12, run.out[0]);
    EXPECT_EQ(1000u + 4 * 40 + 19, run.out[7]);
    EXPECT_EQ(1000u + 6 * 40 + 19, run.out[23]);
}

TEST(TensorCopy, OutsideTheTensorAreZeros) {
    BoxRun run = run_box(map_2d(40, 10, 8, 4), {-4, 8}, 400);
    EXPECT_TRUE(run.seen.faults.empty());
    EXPECT_EQ(0u, run.out[3]);
    EXPECT_EQ(1000u + 8 * 40, run.out[4]);
    EXPECT_EQ(1000u + 9 * 40 + 3, run.out[8 + 7]);
    EXPECT_EQ(0u, run.out[16 + 7]);  // row 10
    run = run_box(narrow_rows(), {36, -1}, 400);
    EXPECT_TRUE(run.seen.faults.empty());
    EXPECT_EQ(0u, run.out[0]);
    EXPECT_EQ(1036u, run.out[8]);
    EXPECT_EQ(1038u, run.out[10]);
    EXPECT_EQ(0u, run.out[11]);  // the padding behind the row
    EXPECT_EQ(0u, run.out[12]);  // not the next row's first
}

TEST(TensorCopy, SwizzlesTheChunksOfEachRow) {
    // rows of 32 words = 8 chunks of 4: word 0 of row r lies in chunk r % 8
    BoxRun run = run_box(map_2d(64, 16, 32, 16, Swizzle::bytes_128), {32, 0}, 1024);
    EXPECT_EQ(1000u + 3 * 64 + 32, run.out[3 * 32 + 3 * 4]);
    EXPECT_EQ(1000u + 11 * 64 + 32 + 5, run.out[11 * 32 + (1 ^ 3) * 4 + 1]);
    // rows of 16 words = 4 chunks; rows 2 and 3 have 1 to XOR with
    run = run_box(map_2d(64, 16, 16, 16, Swizzle::bytes_64), {0, 0}, 1024);
    EXPECT_EQ(1000u + 3 * 64, run.out[3 * 16 + 4]);
    EXPECT_EQ(1000u + 6 * 64 + 4, run.out[6 * 16 + (1 ^ 3) * 4]);
    // rows of 8 words = 2 chunks; rows 4 to 7 exchange them
    run = run_box(map_2d(64, 16, 8, 16, Swizzle::bytes_32), {0, 0}, 1024);
    EXPECT_EQ(1000u + 3 * 64, run.out[3 * 8]);
    EXPECT_EQ(1000u + 5 * 64, run.out[5 * 8 + 4]);
    EXPECT_EQ(1000u + 8 * 64 + 4, run.out[8 * 8 + 4]);
}

TEST(TensorCopy, OneAndThreeAndFiveDimensions) {
    TensorMap line = map_2d(100, 1, 16, 1);
    line.dimensions = 1;
    EXPECT_EQ(1008u, run_box(line, {8}, 100).out[0]);
    // planes of 6 x 8: every second row, two planes
    TensorMap planes = map_2d(8, 6, 4, 3);
    planes.dimensions = 3;
    planes.sizes[2] = 4;
    planes.strides[1] = 48 * 4;
    planes.box[2] = 2;
    planes.element_strides[1] = 2;
    BoxRun run = run_box(planes, {4, 1, 2}, 192);
    EXPECT_EQ(4u * 2 * 2, run.out.size());
    EXPECT_EQ(1000u + 2 * 48 + 8 + 4, run.out[0]);
    EXPECT_EQ(1000u + 2 * 48 + 24 + 4, run.out[4]);
    EXPECT_EQ(1000u + 3 * 48 + 8 + 5, run.out[9]);
    TensorMap deep = map_2d(4, 2, 4, 1);
    deep.dimensions = 5;
    deep.sizes = {4, 2, 2, 2, 2};
    deep.strides = {16, 32, 64, 128};
    deep.box = {4, 1, 1, 1, 2};
    run = run_box(deep, {0, 1, 0, 1, 0}, 64);
    EXPECT_EQ(1000u + 4 + 16, run.out[0]);
    EXPECT_EQ(1000u + 4 + 16 + 32 + 3, run.out[7]);
}

TEST(TensorCopy, BackToTheTensor) {
    BoxRun run = run_box(map_2d(40, 10, 8, 4), {36, 8}, 400, false);
    EXPECT_TRUE(run.seen.faults.empty());
    EXPECT_EQ(1u, run.tensor[8 * 40 + 36]);
    EXPECT_EQ(4u, run.tensor[8 * 40 + 39]);
    EXPECT_EQ(0u, run.tensor[9 * 40]);  // beyond the end of row 8
    EXPECT_EQ(9u, run.tensor[9 * 40 + 36]);
    // 16 bytes at a time: over the end of a row of 39 words too, and not of the rows outside
    run = run_box(narrow_rows(), {36, 9}, 400, false);
    EXPECT_TRUE(run.seen.faults.empty());
    EXPECT_EQ(3u, run.tensor[9 * 40 + 38]);
    EXPECT_EQ(4u, run.tensor[9 * 40 + 39]);
    EXPECT_EQ(0u, run.tensor[0]);
    // the swizzle is undone: chunk 2 of row 2 in shared memory holds the row's first words
    run = run_box(map_2d(32, 8, 32, 8, Swizzle::bytes_128), {0, 0}, 256, false);
    EXPECT_EQ(1u + 2 * 32 + 2 * 4, run.tensor[2 * 32]);
}

TEST(TensorCopy, PiecesAreAsWideAsTheEdgesAllow) {
    auto width = [](const BoxRun& run) {
        for (const auto& access : run.seen.accesses)
            if (access.event.kind == AccessKind::bulk_copy) return int{access.event.bytes_per_lane};
        return 0;
    };
    TensorMap map = narrow_rows();
    EXPECT_EQ(16, width(run_box(map_2d(40, 10, 8, 3), {4, 4}, 400)));
    EXPECT_EQ(4, width(run_box(map, {4, 4}, 400)));
    map.sizes[0] = 38;
    EXPECT_EQ(8, width(run_box(map, {4, 4}, 400)));
}

TEST(TensorCopy, ABoxBeginsAtMultiplesOfSixteenBytes) {
    TensorMap map = map_2d(40, 10, 8, 4);
    BoxRun run = run_box(map, {-7, 8}, 400);
    ASSERT_EQ(1u, run.seen.faults.size());
    const Fault& fault = run.seen.faults[0];
    EXPECT_EQ(Fault::Kind::misaligned, fault.kind);
    EXPECT_EQ(Space::global, fault.space);
    EXPECT_FALSE(fault.is_store);
    EXPECT_EQ(
        "misaligned bulk load: the box at {-7, 8} begins -28 bytes from the start of its row, "
        "which is no multiple of 16. The hardware stops here with an illegal instruction; make the "
        "first coordinate a multiple of 4",
        fault.text);
    EXPECT_EQ(0u, run.out[31]);  // nothing is copied, and the phase ends all the same
    run = run_box(map, {6, 0}, 400, false);
    ASSERT_EQ(1u, run.seen.faults.size());
    EXPECT_TRUE(run.seen.faults[0].is_store);
    EXPECT_NE(std::string::npos, run.seen.faults[0].text.find("bulk store: the box at {6, 0}"));
    EXPECT_EQ(0u, run.tensor[6]);
    map.element_bytes = 2;
    map.sizes[0] = 80;
    map.box[0] = 16;
    EXPECT_EQ(1u, run_box(map, {12, 0}, 400).seen.faults.size());
    EXPECT_TRUE(run_box(map, {24, 0}, 400).seen.faults.empty());
}

// 2 images of 4 x 5 pixels of 8 channels: word c + 8 (w + 5 (h + 4 n)) is 1000 more than that.
TensorMap images(uint32_t channels, uint32_t pixels) {
    TensorMap map;
    map.dimensions = 4;
    map.sizes = {8, 5, 4, 2};
    map.strides = {32, 160, 640};
    map.box = {channels, pixels};
    map.is_im2col = true;
    return map;
}
uint32_t pixel(uint32_t n, uint32_t h, uint32_t w) { return 1000 + 8 * (w + 5 * (h + 4 * n)); }
constexpr size_t kImageWords = 2 * 4 * 5 * 8;

std::vector<uint32_t> first_words(const BoxRun& run, size_t channels) {
    std::vector<uint32_t> result;
    for (size_t i = 0; i < run.out.size(); i += channels) result.push_back(run.out[i]);
    return result;
}

// Corners 0 and -2 for a filter of 3 x 3: its first pixel goes to rows 0 and 1 and columns 0 to 2, 6
// places an image. From (h, w) = (0, 1) on, with the filter's offset (2, 1) in w and h.
TEST(Im2col, PixelsFollowTheFilterThroughTheImages) {
    TensorMap map = images(4, 8);
    map.upper = {-2, -2};
    BoxRun run = run_box(map, {4, 1, 0, 0}, kImageWords, true, "{2, 1}");
    EXPECT_TRUE(run.seen.faults.empty());
    // at (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), then the next image's (0, 0), (0, 1), (0, 2)
    EXPECT_EQ((std::vector<uint32_t>{pixel(0, 1, 3) + 4, pixel(0, 1, 4) + 4, pixel(0, 2, 2) + 4,
                                     pixel(0, 2, 3) + 4, pixel(0, 2, 4) + 4, pixel(1, 1, 2) + 4,
                                     pixel(1, 1, 3) + 4, pixel(1, 1, 4) + 4}),
              first_words(run, 4));
    EXPECT_EQ(pixel(0, 1, 3) + 7, run.out[3]);
}

// A border of one: corners -1 and -1. The first pixels lie above the image, and the box begins left of it.
TEST(Im2col, PixelsOutsideAreZeros) {
    TensorMap map = images(8, 8);
    map.lower = {-1, -1};
    map.upper = {-1, -1};
    BoxRun run = run_box(map, {0, -1, 0, 1}, kImageWords, true, "{0, 0}");
    EXPECT_TRUE(run.seen.faults.empty());
    // w is -1 to 3, h is -1 to 2: (0, -1) … (0, 3), (1, -1), (1, 0), (1, 1)
    EXPECT_EQ((std::vector<uint32_t>{0, pixel(1, 0, 0), pixel(1, 0, 1), pixel(1, 0, 2),
                                     pixel(1, 0, 3), 0, pixel(1, 1, 0), pixel(1, 1, 1)}),
              first_words(run, 8));
    // From (2, 2) of the last image there are 2 left, and then there is no image.
    run = run_box(map, {0, 2, 2, 1}, kImageWords, true, "{1, 1}");
    EXPECT_TRUE(run.seen.faults.empty());
    EXPECT_EQ((std::vector<uint32_t>{pixel(1, 3, 3), pixel(1, 3, 4), 0, 0, 0, 0, 0, 0}),
              first_words(run, 8));
    // Channels 4 to 11, of which there are 8.
    map.box = {8, 2};
    run = run_box(map, {4, 0, 0, 0}, kImageWords, true, "{0, 0}");
    EXPECT_EQ(pixel(0, 0, 0) + 7, run.out[3]);
    EXPECT_EQ(0u, run.out[4]);
    EXPECT_EQ(pixel(0, 0, 1) + 4, run.out[8]);
}

// Steps of 2 in w: columns 0, 2, 4, then 0 of the row 3 on, as the step in h is 3.
TEST(Im2col, StepsLeavePixelsOutAndCopyAsMany) {
    TensorMap map = images(4, 5);
    map.element_strides = {1, 2, 3, 1};
    BoxRun run = run_box(map, {0, 0, 0, 0}, kImageWords, true, "{0, 0}");
    EXPECT_EQ((std::vector<uint32_t>{pixel(0, 0, 0), pixel(0, 0, 2), pixel(0, 0, 4), pixel(0, 3, 0),
                                     pixel(0, 3, 2)}),
              first_words(run, 4));
}

TEST(Im2col, ThreeAndFiveDimensions) {
    TensorMap line;
    line.dimensions = 3;
    line.sizes = {4, 6, 3};
    line.strides = {16, 96};
    line.box = {4, 5};
    line.is_im2col = true;
    line.upper = {-2};  // 4 places
    BoxRun run = run_box(line, {0, 2, 0}, 72, true, "{1}");
    EXPECT_EQ((std::vector<uint32_t>{1000 + 12, 1000 + 16, 1000 + 24 + 4, 1000 + 24 + 8,
                                     1000 + 24 + 12}),
              first_words(run, 4));
    TensorMap deep;
    deep.dimensions = 5;
    deep.sizes = {4, 2, 2, 2, 2};
    deep.strides = {16, 32, 64, 128};
    deep.box = {4, 3};
    deep.is_im2col = true;
    deep.upper = {-1, 0, 0};  // w is 0
    run = run_box(deep, {0, 0, 1, 0, 0}, 64, true, "{1, 0, 1}");
    // (d, h, w) is (0, 1, 0), then (1, 0, 0), (1, 1, 0); one d on there is nothing behind the first
    EXPECT_EQ((std::vector<uint32_t>{1000 + 4 + 8 + 16, 0, 0}), first_words(run, 4));
}

TEST(Im2col, SwizzlesAndGoesBack) {
    TensorMap map = images(8, 8);
    map.swizzle = Swizzle::bytes_32;
    BoxRun run = run_box(map, {0, 0, 0, 0}, kImageWords, true, "{0, 0}");
    EXPECT_EQ(pixel(0, 0, 3) + 4, run.out[3 * 8 + 4]);
    EXPECT_EQ(pixel(0, 0, 4) + 4, run.out[4 * 8]);  // rows 4 to 7 exchange their chunks
    map = images(8, 3);
    map.lower = {1, 0};
    run = run_box(map, {0, 3, 0, 0}, kImageWords, false, "{0, 0}");
    EXPECT_TRUE(run.seen.faults.empty());
    EXPECT_EQ(1u, run.tensor[24]);  // columns 3 and 4 of the first row, then 1 of the second
    EXPECT_EQ(16u, run.tensor[39]);
    EXPECT_EQ(0u, run.tensor[40]);
    EXPECT_EQ(17u, run.tensor[48]);
    EXPECT_EQ(24u, run.tensor[55]);
    EXPECT_EQ(0u, run.tensor[56]);
    // Of these an H200 makes an illegal instruction, and takes them in loads.
    for (auto [lower, upper] : {std::pair{-1, 0}, {0, 1}}) {
        map = images(8, 3);
        map.lower = {lower, 0};
        map.upper = {upper, 0};
        EXPECT_THROW(run_box(map, {0, 1, 1, 0}, kImageWords, false, "{0, 0}"), Error);
        EXPECT_TRUE(run_box(map, {0, 1, 1, 0}, kImageWords, true, "{0, 0}").seen.faults.empty());
    }
}

std::string refusal(TensorMap map) {
    try {
        encoded(map);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Im2col, MapsSurviveTheirBytesAndAreHeldToTheDriversLimits) {
    TensorMap map = images(4, 1024);
    map.lower = {-128, -2};
    map.upper = {127, 3};
    auto again = decoded(encoded(map));
    ASSERT_TRUE(again);
    EXPECT_EQ(map, *again);
    EXPECT_EQ(16u * 1024, again->box_bytes());
    map.lower[0] = -129;
    EXPECT_EQ("the tensor map is refused: a corner for im2col of 4 dimensions is -128 to 127",
              refusal(map));
    map = images(4, 1025);
    EXPECT_EQ("the tensor map is refused: im2col copies 1 to 1024 pixels", refusal(map));
    map = images(4, 8);
    map.upper = {-5, 0};
    EXPECT_EQ("the tensor map is refused: the lower corner for im2col lies behind the upper one",
              refusal(map));
    map = map_2d(40, 10, 8, 3);
    map.is_im2col = true;
    EXPECT_EQ("the tensor map is refused: a tensor for im2col has 3 to 5 dimensions", refusal(map));
}

TEST(Im2col, AMapOfTheOtherModeIsRefused) {
    TensorMap map = images(4, 8);
    EXPECT_THROW(run_box(map, {0, 0, 0, 0}, kImageWords), Error);
    map.is_im2col = false;
    map.box = {4, 2, 2, 1};
    EXPECT_THROW(run_box(map, {0, 0, 0, 0}, kImageWords, true, "{0, 0}"), Error);
    EXPECT_TRUE(run_box(map, {0, 0, 0, 0}, kImageWords).seen.faults.empty());
}

// Each line: bytes of a row, rows, the swizzle's width, then what lies where.
TEST(TensorCopy, BoxesNarrowerThanTheSwizzleLieAsOnTheCard) {
    std::ifstream file(TESTS_FOLDER "/golden/h200/narrow_boxes.txt");
    int boxes = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.front() == '#') continue;
        std::istringstream words(line);
        uint32_t bytes = 0, rows = 0, width = 0;
        words >> bytes >> rows >> width;
        Swizzle swizzle = width == 32   ? Swizzle::bytes_32
                          : width == 64 ? Swizzle::bytes_64
                                        : Swizzle::bytes_128;
        BoxRun run = run_box(map_2d(64, 256, bytes / 4, rows, swizzle), {0, 0}, 64 * 256);
        EXPECT_TRUE(run.seen.faults.empty()) << line;
        ASSERT_EQ(rows * width / 4, run.out.size());
        for (size_t word = 0; word < run.out.size(); word += 4) {
            std::string here;
            words >> here;
            size_t point = here.find('.');
            uint32_t expected = 0;
            if (here != "-")
                expected = static_cast<uint32_t>(1000 + 64 * std::stoi(here.substr(0, point)) +
                                                 4 * std::stoi(here.substr(point + 1)));
            EXPECT_EQ(expected, run.out[word]) << line << "\nword " << word;
        }
        ++boxes;
    }
    EXPECT_EQ(7, boxes);
}

TEST(TensorCopy, AMapOfMoreThanTheBufferIsOutOfBounds) {
    BoxRun run = run_box(map_2d(40, 10, 8, 3), {0, 8}, 360);  // nine rows are there
    ASSERT_EQ(1u, run.seen.faults.size());
    EXPECT_EQ(Fault::Kind::out_of_bounds, run.seen.faults[0].kind);
    EXPECT_EQ(Space::global, run.seen.faults[0].space);
}

TEST(TensorCopy, SaysWhereThereIsNoMap) {
    ptx::Kernel kernel = ptx::parse(kernel_text({0, 0}, 128, 128, true)).kernels.at(0);
    Memory memory;
    std::vector<std::byte> arguments(192);
    Observer nobody;
    EXPECT_THROW(Machine(kernel).run({{1}, {32}}, arguments, memory, 0, 1, nobody), Error);
    TensorMapBytes map = encoded(map_2d(40, 10, 8, 4));
    std::memcpy(&arguments[64], map.data(), map.size());
    ptx::Kernel other = ptx::parse(kernel_text({0}, 128, 128, true)).kernels.at(0);
    EXPECT_THROW(Machine(other).run({{1}, {32}}, arguments, memory, 0, 1, nobody), Error);
}

}  // namespace
}  // namespace lanewise
