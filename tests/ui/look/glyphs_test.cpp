// Characters that a font lacks: taken from another, or stood in for and said; never lost.
#include "ui/look/glyphs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "../../needs.h"
#include "../frames.h"
#include "base/files.h"
#include "ui/plain/wide_characters.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace fs = std::filesystem;
namespace {

const ImFontGlyph* glyph_of(Font kind, unsigned c) {
    return look().fonts->pick(kind, 13).font->FindGlyphNoFallback(static_cast<ImWchar>(c));
}

TEST(Glyphs, OfTheProgramAreThereFromTheBegin) {
    Frames frames;
    frames.frame();
    for (Font kind : {Font::text, Font::bold, Font::mono})
        for (unsigned c : {0x2308u, 0x2309u, 0x230au, 0x230bu, 0x2295u, 0x2192u, 0xfffdu})
            EXPECT_TRUE(glyph_of(kind, c)) << std::hex << c;
}

// As in a page, where the first picture does not wait for the rest.
TEST(Glyphs, AreFewUntilAnotherIsDrawn) {
    Frames frames;
    want_few_glyphs();
    frames.frame(3);
    for (unsigned c : {0x41u, 0xb7u, 0xd7u, 0x2013u, 0x2192u, 0xfffdu})
        EXPECT_TRUE(glyph_of(Font::text, c)) << std::hex << c;
    for (unsigned c : {0xe9u, 0x2295u, 0x2308u}) EXPECT_FALSE(glyph_of(Font::text, c)) << std::hex << c;
    frames.app.said.notices = {"a ⊕ b"};
    frames.frame(3);
    for (unsigned c : {0x41u, 0xe9u, 0x2295u, 0x2308u}) EXPECT_TRUE(glyph_of(Font::text, c)) << std::hex << c;
}
TEST(Glyphs, AreFewUntilAllAreWanted) {
    Frames frames;
    want_few_glyphs();
    frames.frame();
    want_all_glyphs();
    frames.frame();
    EXPECT_TRUE(glyph_of(Font::mono, 0x2295));
    // Those that are there are not baked again.
    const uint64_t stock = glyph_stock();
    want_all_glyphs();
    frames.frame();
    EXPECT_EQ(stock, glyph_stock());
}

// Greek and Cyrillic are baked when they are first drawn, and with a letter its alphabet.
TEST(Glyphs, OfAnAlphabetComeWithItsFirstLetter) {
    Frames frames;
    frames.answer();
    frames.frame(3);
    EXPECT_FALSE(glyph_of(Font::text, 0x0436));
    frames.app.said.notices = {"Не жди: λ = 7"};
    frames.frame(3);
    for (unsigned c : {0x0436u, 0x041du, 0x0449u, 0x03bbu, 0x03a9u})
        EXPECT_TRUE(glyph_of(Font::text, c)) << std::hex << c;
    EXPECT_EQ("", missing_glyphs("Не жди: λ = 7", "it"));
    // Nothing more is baked: the same text asks for nothing new.
    uint64_t stock = glyph_stock();
    frames.frame(5);
    EXPECT_EQ(stock, glyph_stock());
}

TEST(Glyphs, ThatNoFontHasAreSaidInOneSentence) {
    Frames frames;
    frames.frame();
    want_glyphs("漢字 🙂");
    frames.frame(2);
    EXPECT_EQ(
        "No font here has the character U+6F22 and 2 more characters of own.cu: “\uFFFD” is drawn "
        "instead, and the text itself stays as it is.",
        missing_glyphs("漢字 🙂", "own.cu"));
    EXPECT_NE(std::string::npos, missing_glyphs("a 🙂", "own.cu").find("U+1F642 of own.cu"));
    EXPECT_EQ("", missing_glyphs("⌈x⌉ ⊕ → é", "own.cu"));
    // A replacement that can be seen stands in each one's place.
    const ImFont* font = look().fonts->pick(Font::mono, 13).font;
    const ImFontGlyph* drawn = font->FindGlyph(static_cast<ImWchar>(0x6f22));
    ASSERT_TRUE(drawn);
    EXPECT_EQ(0xfffdu, drawn->Codepoint);
    EXPECT_TRUE(drawn->Visible);
}

TEST(Glyphs, OfAnOwnFileAreSaidOnce) {
    NEEDS_NVRTC();
    fs::path folder =
        fs::path(testing::TempDir()) / ("lanewise-glyphs-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    fs::path file = folder / "漢字 Ж.cu";
    std::string source =
        "// 🙂 Привет\n__global__ void k(float* out) { out[threadIdx.x] = 1; }\n";
    write_file(file, source);
    Frames frames;
    open_kernel(frames.app, file);
    for (int i = 0; i < 3; ++i) {
        frames.answer();
        frames.frame(4);
        ++frames.app.revision;
    }
    int said = 0;
    for (const std::string& notice : frames.app.said.notices)
        said += notice.find("No font here has the character U+6F22") == 0;
    EXPECT_EQ(1, said);
    EXPECT_TRUE(frames.app.derived.line_notes.contains(2));  // its lines are found under that name
    EXPECT_EQ(source, read_file(file));
    fs::remove_all(folder);
}

TEST(WideCharacters, ComeBackAsTheyWere) {
    WideCharacters wide;
    // Two kinds, one of them twice; a character of the private use area that is the text's own.
    std::string text = "a🙂b🚀🙂 \uF8FF é 漢";
    std::string boxed = wide.boxed(text);
    EXPECT_EQ(text.size() - 3, boxed.size());  // three of four bytes are of three
    EXPECT_EQ(std::string::npos, boxed.find('\xf0'));
    EXPECT_EQ(text, wide.unboxed(boxed));
    EXPECT_EQ(text, wide.unboxed(wide.boxed(text)));
    EXPECT_EQ(4u, wide.boxed_place(text, 5));
    EXPECT_EQ(5u, wide.unboxed_place(boxed, 4));
    EXPECT_EQ("plain", wide.boxed("plain"));
}

// Dear ImGui's text box counts in 16 bits; what is typed beside such a character must not lose it.
TEST(Glyphs, AreKeptWhenOneTypesBesideThem) {
    Frames frames{1920, 1080};
    choose_stage(frames.app, "22_coarsened");
    frames.answer();
    open_editor(frames.app);
    frames.frame(4);
    replace_source(frames.app, "// 🙂 Ж 漢\n" + original_source(frames.app));
    frames.frame(4);
    ASSERT_TRUE(frames.click("editor"));
    frames.press(Key::home, true);
    frames.type("//");
    EXPECT_TRUE(frames.app.editing.text.starts_with("//// 🙂 Ж 漢\n"))
        << frames.app.editing.text.substr(0, 30);
    frames.press(Key::end);
    frames.type("x");
    EXPECT_TRUE(frames.app.editing.text.starts_with("//// 🙂 Ж 漢x\n"))
        << frames.app.editing.text.substr(0, 30);
    EXPECT_EQ(std::string("//// 🙂 Ж 漢x").size(), frames.app.editing.cursor);
    EXPECT_TRUE(frames.app.editing.text.ends_with(original_source(frames.app)));
}

// No font at all: Dear ImGui's own stands in, which is said with what to install.
TEST(Fonts, AbsentAltogetherAreSaidAndStoodInFor) {
    fs::path empty = fs::path(testing::TempDir()) / ("no-fonts-" + std::to_string(::getpid()));
    fs::create_directories(empty);
    setenv("LANEWISE_FONTS", empty.c_str(), 1);
    {
        Frames frames;
        frames.answer();
        frames.frame(4);
        ASSERT_EQ(1u, frames.app.said.notices.size());
        EXPECT_EQ(
            "The font Inter is not installed; a plain built-in one stands in. To get it: apt "
            "install fonts-inter. The font JetBrainsMono is not installed; a plain built-in one "
            "stands in. To get it: apt install fonts-jetbrains-mono.",
            frames.app.said.notices[0]);
        EXPECT_TRUE(frames.says("is not installed"));
        EXPECT_TRUE(frames.says("COURSE"));
        EXPECT_TRUE(glyph_of(Font::text, 'A'));
        EXPECT_TRUE(look().fonts->pick(Font::mono, 12).font->FindGlyph(0x2192));  // "?"
        for (const char* view : {"access", "banks", "code", "flow"}) {
            choose_view(frames.app, view);
            frames.frame(3);
            EXPECT_GT(audit().texts.size(), 10u) << view;
        }
    }
    unsetenv("LANEWISE_FONTS");
    fs::remove_all(empty);
    Frames again;
    EXPECT_TRUE(again.app.said.notices.empty());
}

}  // namespace
}  // namespace lanewise::ui
