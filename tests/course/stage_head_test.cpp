// One mistake at a time in a good stage, and the one message it gives.
#include "course/stage_head.h"

#include <gtest/gtest.h>

#include "../case_name.h"
#include "course/catalogue.h"
#include "mistake.h"

namespace lanewise {
namespace {

const std::string kGoodHead = R"cu(/*---
title   = "Padded"
types   = ["f32", "f64"]
block   = ["TILE", "ROWS"]
grid    = ["ceil_div(cols, TILE)", "ceil_div(rows, TILE)"]
compare = "20_tiled"
require = [{ expr = "TILE % ROWS == 0", why = "ROWS must divide TILE." }]
[tile]
array = "tile"
rows  = "TILE"
cols  = "TILE"
pitch = "TILE + 1"
[knob.TILE]
choices = [16, 32]
help    = "side of the tile"
[knob.ROWS]
choices = [8, 16]
---*/
template <typename T = float, int TILE = 32, int ROWS = 8>
__global__ void pad(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[TILE][TILE + 1];
}
)cu";

Stage stage_of(const std::string& text) {
    Stage like;
    like.id = "transpose/30_pad";
    like.operation = "transpose";
    like.file = "30_pad.cu";
    return parse_stage(text, like);
}

TEST(StageHead, ReadsEverything) {
    Stage stage = stage_of(kGoodHead);
    ASSERT_EQ("", stage.error);
    EXPECT_EQ("Padded", stage.title);
    EXPECT_EQ("transpose", stage.reference);
    EXPECT_EQ("pad", stage.kernel);
    EXPECT_EQ("20_tiled", stage.compare);
    EXPECT_EQ((std::vector<std::string>{"f32", "f64"}), stage.types);
    EXPECT_EQ((std::vector<std::string>{"T", "TILE", "ROWS"}), stage.template_parameters);
    ASSERT_EQ(2u, stage.knobs.size());  // in the template's order, not the alphabet's
    EXPECT_EQ("TILE", stage.knobs[0].name);
    EXPECT_EQ(32, stage.knobs[0].value);
    EXPECT_EQ((std::vector<int64_t>{16, 32}), stage.knobs[0].choices);
    EXPECT_EQ("side of the tile", stage.knobs[0].help);
    EXPECT_EQ("", stage.knobs[1].help);
    ASSERT_TRUE(stage.has_tile);
    EXPECT_EQ("TILE + 1", stage.tile.pitch);
    EXPECT_EQ(kGoodHead, stage.source);
}

TEST(StageHead, ReadsWhatAStageNeeds) {
    std::string text = kGoodHead;
    text.insert(text.find("[tile]"),
                "arch = \"sm_90\"\nheaders = \"cutlass\"\n[[tensor]]\nof = \"out\"\n"
                "box = [\"TILE\", \"128 / element_bytes\"]\nswizzle = \"64B\"\n");
    Stage stage = stage_of(text);
    ASSERT_EQ("", stage.error);
    EXPECT_EQ("sm_90", stage.arch);
    EXPECT_EQ("cutlass", stage.headers);
    ASSERT_EQ(1u, stage.tensors.size());
    EXPECT_EQ("out", stage.tensors[0].of);
    EXPECT_EQ("TILE", stage.tensors[0].box_rows);
    EXPECT_EQ("128 / element_bytes", stage.tensors[0].box_cols);
    EXPECT_EQ("64B", stage.tensors[0].swizzle);
    EXPECT_FALSE(runs_on(stage, "sm_86"));
    EXPECT_TRUE(runs_on(stage, "sm_90a"));
    EXPECT_TRUE(runs_on(stage, "sm_120"));  // by number, not by letter
    EXPECT_EQ("sm_90", arch_for(stage, "sm_80"));
    EXPECT_EQ("sm_100", arch_for(stage, "sm_100"));
    EXPECT_EQ("sm_75", arch_for(stage_of(kGoodHead), "sm_75"));
}

TEST(StageHead, ReadsTheTensorsOfAProduct) {
    auto with = [](const std::string& operation, const std::string& of) {
        std::string text = kGoodHead;
        text.insert(text.find("[tile]"),
                    operation + "[[tensor]]\nof = \"" + of + "\"\nbox = [\"TILE\", \"TILE\"]\n");
        size_t types = text.find("\"f64\"");
        text.replace(types, 5, "\"f16\"");
        return stage_of(text);
    };
    std::string product = "operation = \"matmul\"\n";
    for (const char* of : {"A", "B", "C"}) {
        Stage stage = with(product, of);
        ASSERT_EQ("", stage.error);
        EXPECT_EQ(of, stage.tensors[0].of);
        EXPECT_EQ("none", stage.tensors[0].swizzle);
    }
    EXPECT_EQ("30_pad.cu:10: of must be one of \"A\", \"B\", \"C\"", with(product, "in").error);
    EXPECT_EQ("30_pad.cu:9: of must be one of \"in\", \"out\"", with("", "A").error);
    EXPECT_EQ("30_pad.cu:9: a kernel that works in place takes no tensor maps",
              with("reference = \"in_place\"\n", "in").error);
}

TEST(StageHead, ReadsDynamicSharedMemory) {
    auto with = [](const std::string& expression) {
        std::string text = kGoodHead;
        text.insert(text.find("compare"), "dynamic_shared = \"" + expression + "\"\n");
        return stage_of(text);
    };
    Stage stage = with("TILE * ROWS * element_bytes");
    ASSERT_EQ("", stage.error);
    EXPECT_EQ(1024u, launch_shape(stage, {}, "f32", 1, 1).dynamic_shared_bytes);  // 32 * 8 * 4
    EXPECT_EQ(4096u, launch_shape(stage, {{"ROWS", 16}}, "f64", 1, 1).dynamic_shared_bytes);
    EXPECT_EQ(0u, launch_shape(stage_of(kGoodHead), {}, "f32", 1, 1).dynamic_shared_bytes);
    EXPECT_EQ("30_pad.cu:6: dynamic_shared: unknown name \"TILES\"\n    TILES\n    ^",
              with("TILES").error);
    EXPECT_EQ(
        "30_pad.cu:4: block: the dynamic shared memory would be 320000 bytes; a block can have 0 "
        "to 232,448",
        with("TILE * 10000").error.substr(0, 110));
}

TEST(StageHead, ReadsWhatRunsOnOneArchitectureOnly) {
    std::string text = kGoodHead;
    text.insert(text.find("[tile]"), "arch = \"sm_90a\"\n");
    Stage stage = stage_of(text);
    ASSERT_EQ("", stage.error);
    EXPECT_TRUE(runs_on(stage, "sm_90"));
    EXPECT_FALSE(runs_on(stage, "sm_89"));
    EXPECT_FALSE(runs_on(stage, "sm_100"));
    EXPECT_EQ("sm_90a", arch_for(stage, "sm_80"));
    EXPECT_EQ("sm_90a", arch_for(stage, "sm_90"));
    EXPECT_EQ("sm_90a", arch_for(stage, "sm_100"));
}

TEST(StageHead, ReadsALibrarysCall) {
    const std::string call = "/*---\ntitle = \"t\"\nlibrary = \"cublas_geam\"\n";
    Stage stage = stage_of(call + "types = [\"f32\", \"f64\"]\n---*/\nvoid host();\n");
    ASSERT_EQ("", stage.error);
    EXPECT_TRUE(is_library_call(stage));
    EXPECT_EQ((std::vector<std::string>{"f32", "f64"}), stage.types);
    EXPECT_EQ("", stage.kernel);
    EXPECT_EQ("30_pad.cu:4: block is for a kernel, and this stage is a library's call",
              stage_of(call + "block = [\"32\"]\n---*/\n").error);
    EXPECT_EQ("30_pad.cu:4: cublas_geam takes f32 and f64, not \"u8\"",
              stage_of(call + "types = [\"u8\"]\n---*/\n").error);
}

TEST(StageHead, HasDefaults) {
    Stage stage = stage_of(
        "/*---\ntitle = \"t\"\nblock = [\"1\"]\ngrid = [\"1\"]\n---*/\n__global__ void go() {}");
    ASSERT_EQ("", stage.error);
    EXPECT_EQ((std::vector<std::string>{"f32"}), stage.types);
    EXPECT_EQ("transpose", stage.reference);
    EXPECT_FALSE(stage.has_tile);
    EXPECT_TRUE(stage.knobs.empty());
}

TEST(StageHead, SaysWhereTheTomlIsWrong) {
    std::string text = kGoodHead;
    Stage stage = stage_of(text.replace(text.find("\"Padded\""), 8, "Padded"));
    EXPECT_TRUE(stage.error.starts_with("30_pad.cu:2: the head is not valid TOML: "))
        << stage.error;
}

// toml++ asserts on some of these; whatever the build, they are errors of the text.
TEST(StageHead, SurvivesTomlThatBreaksOff) {
    for (const char* value :
         {"", ",", "]", "}", "[", "{", "\"", "[1, ", "{ a = ", "#", "1.", "-"}) {
        std::string text = kGoodHead;
        Stage stage = stage_of(text.replace(text.find("\"Padded\""), 8, value));
        EXPECT_NE(std::string::npos, stage.error.find("the head is not valid TOML: ")) << value;
    }
}

class StageHeadMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(StageHeadMistakes, GiveOneClearMessage) {
    std::string text = kGoodHead;
    size_t at = text.find(GetParam().from);
    ASSERT_NE(std::string::npos, at);
    text.replace(at, std::string(GetParam().from).size(), GetParam().to);
    EXPECT_EQ(GetParam().message, stage_of(text).error);
}

INSTANTIATE_TEST_SUITE_P(
    All, StageHeadMistakes,
    testing::Values(
        Mistake{"/*---", "/*",
                "30_pad.cu:1: a stage begins with a head between /*--- and ---*/; this file has "
                "none"},
        Mistake{"---*/", "*/", "30_pad.cu: the head is not closed by ---*/"},
        Mistake{"title   = \"Padded\"\n", "",
                "30_pad.cu:1: title is missing; write it like title = \"Padded tile\""},
        Mistake{"title ", "titel ", "30_pad.cu:2: unknown key \"titel\"; did you mean \"title\"?"},
        Mistake{"\"Padded\"", "7", "30_pad.cu:2: title must be a text in quotes"},
        Mistake{"\"f64\"", "\"f128\"",
                "30_pad.cu:3: unknown element type \"f128\"; there are f32, f64, f16, u8, f32x4"},
        Mistake{"\"f64\"", "\"f32\"", "30_pad.cu:3: type f32 is listed twice"},
        Mistake{"[tile]", "arch = \"sm_9\"\n[tile]",
                "30_pad.cu:8: arch must be one of \"sm_75\", \"sm_80\", \"sm_86\", \"sm_89\", "
                "\"sm_90\", \"sm_90a\", \"sm_100\""},
        Mistake{"[tile]", "library = \"cublas\"\n[tile]",
                "30_pad.cu:8: library must be one of \"cublas_geam\""},
        Mistake{"[tile]", "[[tensor]]\nof = \"in\"\nbox = [\"32\"]\n[tile]",
                "30_pad.cu:10: the box is rows and columns, like [\"32\", \"32\"]"},
        Mistake{"title ", "z\xef\xbb\xbdleo = 1\ntitle ",
                "30_pad.cu:2: the head is not valid TOML: a key consists of letters from A to Z, "
                "digits, - and _; put other letters between quotes"},
        Mistake{"[tile]", "[without]\nf16 = \"\"\n[tile]",
                "30_pad.cu:9: f16 is missing; write it like f16 = \"The tile would not fit.\""},
        Mistake{"[tile]", "[without]\nf64 = \"No.\"\n[tile]",
                "30_pad.cu:9: type f64 is offered: types names it"},
        Mistake{"[tile]", "[without]\nf128 = \"No.\"\n[tile]",
                "30_pad.cu:9: unknown element type \"f128\"; there are f32, f64, f16, u8, f32x4"},
        Mistake{"[\"f32\", \"f64\"]", "[]", "30_pad.cu:3: types is empty; write it like [\"f32\"]"},
        Mistake{
            "block   = [\"TILE\", \"ROWS\"]\n", "",
            "30_pad.cu:1: block is missing; write it like block = [\"32\", \"8\"], one to three "
            "expressions"},
        Mistake{"\"ceil_div(rows, TILE)\"]", "\"1\", \"1\", \"1\"]",
                "30_pad.cu:5: grid has at most x, y and z"},
        Mistake{"ceil_div(cols, TILE)", "ceil_div(cols, TILES)",
                "30_pad.cu:5: grid: unknown name \"TILES\"\n"
                "    ceil_div(cols, TILES)\n"
                "                   ^"},
        Mistake{"[\"TILE\", \"ROWS\"]", "[\"TILE\", \"64\"]",
                "30_pad.cu:4: block: a block of 2,048 threads is beyond the hardware's limit of "
                "1,024"},
        Mistake{
            "[\"TILE\", \"ROWS\"]", "[\"TILE\", \"ROWS - 16\"]",
            "30_pad.cu:4: block: the block's y is -8 from \"ROWS - 16\"; it must be at least 1"},
        Mistake{"TILE % ROWS == 0", "TILE % ROWS ==",
                "30_pad.cu:7: expr: expected a number or a name\n"
                "    TILE % ROWS ==\n"
                "                  ^"},
        Mistake{"why = \"ROWS must divide TILE.\"", "why = \"\"",
                "30_pad.cu:7: why is missing; write it like why = \"ROWS must divide TILE.\""},
        Mistake{"TILE % ROWS == 0", "TILE < ROWS",
                "30_pad.cu:7: the defaults are refused for f32: ROWS must divide TILE."},
        Mistake{"array = \"tile\"", "array = \"tiles\"",
                "30_pad.cu:9: the kernel has no array \"tiles\""},
        Mistake{"\"TILE + 1\"\n", "\"TILE - 1\"\n",
                "30_pad.cu:8: tile: the tile's pitch is smaller than its cols"},
        Mistake{"[knob.ROWS]", "[knob.ROW]",
                "30_pad.cu:13: the template parameter ROWS has no [knob.ROWS] with its choices"},
        Mistake{"[knob.ROWS]", "[knob.PAD]\nchoices = [1]\n[knob.ROWS]",
                "30_pad.cu:16: knob PAD is not a template parameter of pad"},
        Mistake{"[8, 16]", "[16, 8]", "30_pad.cu:17: the choices of ROWS must ascend, each once"},
        Mistake{"[8, 16]", "[8, 8]", "30_pad.cu:17: the choices of ROWS must ascend, each once"},
        Mistake{"[8, 16]", "[4, 16]",
                "30_pad.cu:17: the default of ROWS, 8, is not among its choices"},
        Mistake{"[8, 16]", "[\"8\"]",
                "30_pad.cu:17: choices must be a list of whole numbers, like [8, 16]"},
        Mistake{"choices = [8, 16]", "choice = [8, 16]",
                "30_pad.cu:17: unknown key \"choice\"; did you mean \"choices\"?"},
        Mistake{"int ROWS = 8", "int ROWS",
                "30_pad.cu:16: the template parameter ROWS needs a whole number as its default, "
                "like int ROWS = 8"},
        Mistake{"__global__ void", "void", "30_pad.cu: no __global__ function in this file"},
        Mistake{"compare = ", "reference = \"matmul\"\ncompare = ",
                "30_pad.cu:6: reference must be one of \"transpose\", \"copy\", \"in_place\""},
        Mistake{"compare = ", "operation = \"product\"\ncompare = ",
                "30_pad.cu:6: operation must be one of \"transpose\", \"matmul\", \"reduction\""},
        Mistake{"compare = ", "operation = \"matmul\"\nreference = \"copy\"\ncompare = ",
                "30_pad.cu:7: a product's output is always C = A * B; leave reference out"}),
    [](const auto& test) {
        return std::to_string(test.index) + "_" + case_name(test.param.message);
    });

}  // namespace
}  // namespace lanewise
