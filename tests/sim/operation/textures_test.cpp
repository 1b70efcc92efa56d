// Textures and surfaces, against values worked by hand from the CUDA programming guide's appendix
// "Texture Fetching".
#include "sim/memory/texture.h"

#include <gtest/gtest.h>

#include <bit>
#include <memory>

#include "../run_ptx.h"

namespace lanewise {
namespace {

struct Textured {
    // The kernel's parameters: out, then the texture's object, which is in %rd9.
    std::vector<uint64_t> run(const std::string& body, uint32_t threads = 32) {
        std::string text = kernel_around("ld.param.u64 %rd9, [k_param_1];\n" + body);
        size_t at = text.find("k_param_0)");
        text.replace(at, 10, "k_param_0, .param .u64 k_param_1)");
        ptx::Kernel kernel = ptx::parse(text).kernels.at(0);
        Machine machine(kernel);
        uint64_t out = memory->allocate(threads * 8, "out");
        uint64_t object = memory->allocate(sizeof texture, "object");
        std::memcpy(memory->buffers().back().storage, &texture, sizeof texture);
        machine.run({{1}, {threads}}, Arguments().add(out).add(object), *memory, 0, 1, seen);
        std::vector<uint64_t> words(threads);
        std::memcpy(words.data(), memory->find(out, 8)->storage, threads * 8);
        return words;
    }
    template <class T>
    void fill(const std::vector<T>& values) {
        texture.address = memory->allocate(values.size() * sizeof(T), "image");
        std::memcpy(memory->buffers().back().storage, values.data(), values.size() * sizeof(T));
        texture.channel_bytes = sizeof(T);
        texture.pitch_bytes = texture.width * texture.element_bytes();
    }
    std::unique_ptr<Memory> memory = std::make_unique<Memory>();
    Texture texture;
    Recorder seen;
};

float number(uint64_t word) { return std::bit_cast<float>(static_cast<uint32_t>(word)); }

// 4 x 3 elements: 0 1 2 3, 10 11 12 13, 20 21 22 23.
Textured image(Texture::Outside outside, bool is_linear, bool is_normalized) {
    Textured t;
    t.texture.width = 4;
    t.texture.height = 3;
    t.texture.layout = Texture::Layout::array;
    t.texture.outside = outside;
    t.texture.is_linear_filter = is_linear;
    t.texture.is_normalized = is_normalized;
    t.fill<float>({0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
    return t;
}

std::string hex(float value) {
    char text[16];
    std::snprintf(text, sizeof text, "0f%08X", std::bit_cast<uint32_t>(value));
    return text;
}

float at(Textured t, float x, float y) {
    auto words = t.run("mov.f32 %f5, " + hex(x) + ";\nmov.f32 %f6, " + hex(y) +
                       ";\ntex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd9, {%f5, %f6}];\n"
                       "st.global.f32 [%rd1], %f1;");
    EXPECT_TRUE(t.seen.faults.empty());
    return number(words[0]);
}

using enum Texture::Outside;

TEST(Textures, TakeTheElementThatHoldsThePoint) {
    EXPECT_EQ(0, at(image(clamp, false, false), 0.0f, 0.0f));
    EXPECT_EQ(12, at(image(clamp, false, false), 2.5f, 1.5f));
    EXPECT_EQ(12, at(image(clamp, false, false), 2.99f, 1.01f));
    EXPECT_EQ(23, at(image(clamp, false, false), 9.0f, 9.0f));
    EXPECT_EQ(10, at(image(clamp, false, false), -7.5f, 1.0f));
    EXPECT_EQ(0, at(image(border, false, false), 4.0f, 1.0f));
    EXPECT_EQ(13, at(image(border, false, false), 3.5f, 1.0f));
}

// Normalised: 0.3 of 4 elements is 1.2, and 0.5 of 3 rows 1.5.
TEST(Textures, CountFromNoughtToOneWhereNormalized) {
    EXPECT_EQ(11, at(image(clamp, false, true), 0.3f, 0.5f));
    EXPECT_EQ(11, at(image(wrap, false, true), 1.3f, -0.5f));    // 5.2 -> 1, -1.5 -> row 1
    EXPECT_EQ(12, at(image(mirror, false, true), 1.3f, 0.5f));   // element 5 of 0 1 2 3 3 2 1 0
    EXPECT_EQ(10, at(image(mirror, false, true), -0.1f, 0.5f));  // -0.4: element -1, which is 0
}

// Between the middles of four elements: 1 and 2 of rows 0 and 1, in equal parts.
TEST(Textures, FilterBetweenTheMiddles) {
    EXPECT_EQ(6.5f, at(image(clamp, true, false), 2.0f, 1.0f));  // (1 + 2 + 11 + 12) / 4
    EXPECT_EQ(11.0f, at(image(clamp, true, false), 1.5f, 1.5f));
    EXPECT_EQ(11.25f, at(image(clamp, true, false), 1.75f, 1.5f));
    EXPECT_EQ(10.0f, at(image(clamp, true, false), 0.25f, 1.5f));  // the left of it is itself
    EXPECT_EQ(7.5f, at(image(border, true, false), 0.25f, 1.5f));  // a quarter of it is 0
}

// Weights have 8 bits of fraction: 0.001 rounds to 0, 0.003 to 1/256.
TEST(Textures, RoundTheWeights) {
    EXPECT_EQ(11.0f, at(image(clamp, true, false), 1.501f, 1.5f));
    EXPECT_EQ(11.00390625f, at(image(clamp, true, false), 1.503f, 1.5f));
    EXPECT_EQ(12.0f, at(image(clamp, true, false), 2.4985f, 1.5f));
}

TEST(Textures, OfMemoryGiveNoughtOutside) {
    Textured t;
    t.texture.width = 5;
    t.fill<int32_t>({7, -8, 9, 10, 11});
    t.texture.numbers = Texture::Numbers::signed_integers;
    auto words = t.run(
        "sub.s32 %r1, %r0, 1;\ntex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [%rd9, {%r1}];\n"
        "add.s32 %r2, %r2, %r5;\nst.global.u32 [%rd1], %r2;");
    // The fourth channel is 1 where there is an element.
    const int32_t expected[] = {0, 8, -7, 10, 11, 12, 0, 0};
    for (size_t i = 0; i < 8; ++i) EXPECT_EQ(expected[i], static_cast<int32_t>(words[i])) << i;
    EXPECT_TRUE(t.seen.accesses.size() == 1) << "the store alone is an access";
}

TEST(Textures, ReadIntegersAsTheyAreOrAsFractions) {
    Textured bytes;
    bytes.texture.width = 2;
    bytes.texture.channels = 4;
    bytes.texture.numbers = Texture::Numbers::unsigned_integers;
    bytes.fill<uint8_t>({1, 2, 3, 255, 5, 6, 7, 8});
    std::string body =
        "tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd9, {0}];\n"
        "mad.lo.s32 %r2, %r3, 1000, %r2;\nmad.lo.s32 %r2, %r5, 1000000, %r2;\n"
        "st.global.u32 [%rd1], %r2;";
    EXPECT_EQ(255002001u, bytes.run(body)[0]);
    Textured fractions;
    fractions.texture.width = 3;
    fractions.texture.numbers = Texture::Numbers::signed_integers;
    fractions.texture.reads_as_float = true;
    fractions.fill<int8_t>({127, -128, -127});
    auto words = fractions.run(
        "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd9, {%r0}];\nst.global.f32 [%rd1], %f1;");
    EXPECT_EQ(1.0f, number(words[0]));
    EXPECT_EQ(-1.0f, number(words[1]));
    EXPECT_EQ(-1.0f, number(words[2]));
    Textured halves;
    halves.texture.width = 2;
    halves.fill<uint16_t>({0x3c00, 0xc100});  // 1 and -2.5
    words = halves.run(
        "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd9, {%r0}];\nst.global.f32 [%rd1], %f1;");
    EXPECT_EQ(1.0f, number(words[0]));
    EXPECT_EQ(-2.5f, number(words[1]));
}

TEST(Textures, SayWhatDoesNotFit) {
    auto fault = [](Textured t, const std::string& body) {
        t.run(body);
        return t.seen.faults.empty() ? std::string() : t.seen.faults[0].text;
    };
    std::string one = "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd9, {%r0}];";
    EXPECT_NE(std::string::npos, fault(image(clamp, false, false), one).find("two dimensions"));
    std::string integers = "tex.2d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [%rd9, {%r0, %r0}];";
    EXPECT_NE(std::string::npos, fault(image(clamp, false, false), integers).find("they are floats"));
    std::string none = "mov.u64 %rd9, 0;\n" + one;
    EXPECT_NE(std::string::npos, fault(image(clamp, false, false), none).find("no texture object"));
}

Textured surface(uint32_t width, uint32_t height) {
    Textured t;
    t.texture.is_surface = true;
    t.texture.layout = Texture::Layout::array;
    t.texture.width = width;
    t.texture.height = height;
    std::vector<uint32_t> values(width * std::max(height, 1u));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint32_t>(100 + i);
    t.fill<uint32_t>(values);
    return t;
}

// x counts bytes; outside, zero reads 0 and clamp the nearest element.
TEST(Surfaces, AreReadByBytes) {
    auto read = [](const std::string& outside, int x, int y) {
        Textured t = surface(4, 3);
        auto words = t.run("suld.b.2d.b32." + outside + " {%r1}, [%rd9, {" + std::to_string(x) + ", " +
                           std::to_string(y) + "}];\nst.global.u32 [%rd1], %r1;", 1);
        return t.seen.faults.empty() ? std::to_string(words[0]) : t.seen.faults[0].text;
    };
    EXPECT_EQ("106", read("trap", 8, 1));
    EXPECT_EQ("0", read("zero", 16, 1));
    EXPECT_EQ("107", read("clamp", 16, 1));
    EXPECT_EQ("100", read("clamp", -4, -9));
    EXPECT_NE(std::string::npos, read("trap", 0, 3).find("3 rows of 4 elements"));
    EXPECT_NE(std::string::npos, read("trap", 6, 0).find("no multiple of 4"));
}

TEST(Surfaces, AreWrittenWithinTheirBounds) {
    Textured t = surface(8, 0);
    // Threads 0 to 9 write 5 n to element n, of which 8 and 9 lie outside.
    t.run("shl.b32 %r1, %r0, 2;\nmul.lo.s32 %r2, %r0, 5;\n"
          "sust.b.1d.b32.zero [%rd9, {%r1}], {%r2};", 10);
    uint32_t words[8];
    std::memcpy(words, t.memory->buffers()[0].storage, sizeof words);
    for (uint32_t n = 0; n < 8; ++n) EXPECT_EQ(5 * n, words[n]);
    EXPECT_TRUE(t.seen.faults.empty());
    Textured wide = surface(8, 0);
    wide.texture.channels = 1;
    wide.run("mov.u64 %rd4, 0x0000000200000001;\nsust.b.1d.v2.b64.trap [%rd9, {16}], {%rd4, %rd4};", 1);
    std::memcpy(words, wide.memory->buffers()[0].storage, sizeof words);
    EXPECT_EQ(103u, words[3]);
    EXPECT_EQ(1u, words[4]);
    EXPECT_EQ(2u, words[7]);
}

TEST(Textures, TellTheirSize) {
    Textured t = image(clamp, false, false);
    auto words = t.run("txq.width.b32 %r1, [%rd9];\ntxq.height.b32 %r2, [%rd9];\n"
                       "mad.lo.s32 %r1, %r1, 100, %r2;\nst.global.u32 [%rd1], %r1;");
    EXPECT_EQ(403u, words[0]);
}

}  // namespace
}  // namespace lanewise
