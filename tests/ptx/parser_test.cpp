// PTX text -> kernels: what NVRTC writes, and what nobody should.
#include "ptx/parser.h"

#include "ptx/cluster.h"

#include "ptx/callers.h"

#include <gtest/gtest.h>

#include "../has.h"
#include "base/error.h"
#include "base/files.h"

namespace lanewise::ptx {
namespace {

using Kind = Operand::Kind;

std::string around(const std::string& body, const std::string& parameters = "") {
    return ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(" + parameters +
           ")\n{\n.reg .pred %p<3>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n" + body + "\n}\n";
}
Kernel kernel_of(const std::string& body) { return parse(around(body)).kernels.at(0); }

std::string message_of(const std::string& text) {
    try {
        parse(text);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "no error";
}

TEST(Parser, AKernelSaysWhichBlocksItTakes) {
    auto with = [](const std::string& directives) {
        std::string text = around("ret;");
        return parse(text.insert(text.find("\n{"), directives)).kernels.at(0);
    };
    Kernel kernel = with("\n.reqntid 128\n.minnctapersm 2");
    EXPECT_EQ(128u, kernel.required_block.x);
    EXPECT_EQ(128u, kernel.required_block.count());
    EXPECT_EQ(0u, kernel.most_block.x);
    kernel = with(" .maxntid 32, 8, 2 .reqnctapercluster 1");
    EXPECT_EQ(0u, kernel.required_block.x);
    EXPECT_EQ(512u, kernel.most_block.count());
    EXPECT_EQ(4, kernel.line);
}

// As clang writes where something refers to the kernel, before the device functions.
TEST(Parser, AKernelIsDeclaredBeforeItHasABody) {
    std::string text = around("ret;", ".param .u32 n");
    text.insert(text.find(".visible"),
                ".visible .entry k(\n.param .u32 n\n)\n;\n"
                ".visible .func f()\n{\n.reg .b32 %r<2>;\nmov.u32 %r1, 1;\nret;\n}\n");
    Module module = parse(text);
    ASSERT_EQ(1u, module.kernels.size());
    EXPECT_EQ(1u, module.kernels[0].parameters.size());
    EXPECT_EQ(1u, module.kernels[0].instructions.size());
}

TEST(Parser, HeadsAreReadWithoutABody) {
    std::string text = around("no.such.thing here",
                              ".param .u64 .ptr .global .align 16 p,\n"
                              ".param .u32 n") +
                       ".file 1 \"k.py\"\n";
    Module module = parse_heads(text);
    ASSERT_EQ(1u, module.kernels.size());
    const Kernel& kernel = module.kernels[0];
    EXPECT_EQ("k", kernel.name);
    ASSERT_EQ(2u, kernel.parameters.size());
    EXPECT_TRUE(kernel.parameters[0].is_pointer);
    EXPECT_FALSE(kernel.parameters[1].is_pointer);
    EXPECT_EQ(8u, kernel.parameters[1].offset);
    EXPECT_EQ("k.py", kernel.files.at(1));
    EXPECT_TRUE(kernel.instructions.empty());
    EXPECT_EQ("sm_90", module.target);
    EXPECT_THROW(parse_heads(text.substr(0, text.find("here"))), Error);
}

// NVRTC writes the bytes of a name that are no ASCII in octal.
TEST(Parser, NamesOfFilesAreTheUsersOwn) {
    Module module = parse(around("ret;") + R"(.file 1 "/a/\316\273-\346\274\242 \320\226.cu"
.file 2 "C:\kernel.cu"
)");
    const std::vector<std::string>& files = module.kernels.at(0).files;
    ASSERT_EQ(3u, files.size());
    EXPECT_EQ("/a/λ-漢 Ж.cu", files[1]);
    EXPECT_EQ("C:\\kernel.cu", files[2]);
}

TEST(Parser, ReadsWhatNvrtcWrites) {
    Module module = parse(read_file(std::string(TESTS_FOLDER) + "/sim/fixtures/padded.ptx"));
    EXPECT_EQ("9.0", module.version);
    EXPECT_EQ("sm_90", module.target);
    ASSERT_EQ(1u, module.kernels.size());
    const Kernel& kernel = module.kernels[0];
    EXPECT_EQ("_Z16transpose_paddedIfLi32ELi8ELi1EEvPKT_PS0_ii", kernel.name);
    ASSERT_EQ(4u, kernel.parameters.size());
    EXPECT_EQ(8u, kernel.parameters[1].offset);
    EXPECT_EQ(20u, kernel.parameters[3].offset);
    EXPECT_EQ(24u, kernel.parameter_bytes);
    EXPECT_EQ(4224u, kernel.shared_bytes);  // 32 x 33 floats
    EXPECT_EQ("padded.cu", kernel.files.at(1));
    int loads = 0;
    for (const Instruction& i : kernel.instructions) loads += i.text.starts_with("ld.global.f32 ");
    EXPECT_EQ(4, loads);
}

TEST(Parser, LabelsAreKnownWithinTheirBraces) {
    // two inlined copies of one loop, as inline assembly has them; the second leaves to the outer
    Kernel kernel = kernel_of(
        "$top:\n{\nWAIT:\n@%p1 bra DONE;\nbra WAIT;\nDONE:\n}\n"
        "{\nWAIT:\n@%p1 bra DONE;\n{\nbra WAIT;\n}\nbra $top;\nDONE:\n}\nret;");
    auto target = [&](size_t i) { return kernel.instructions[i].operands[0].value; };
    ASSERT_EQ(6u, kernel.instructions.size());
    EXPECT_EQ(2u, target(0));
    EXPECT_EQ(0u, target(1));
    EXPECT_EQ(5u, target(2));
    EXPECT_EQ(2u, target(3));
    EXPECT_EQ(0u, target(4));
    EXPECT_NE("no error", message_of(around("WAIT:\nret;\nWAIT:\nret;")));
    EXPECT_NE("no error", message_of(around("{\n$in:\nret;\n}\nbra $in;")));
}

TEST(Parser, DecimalNumbers) {
    Kernel kernel = kernel_of("mov.f32 %r1, 0.5;");
    EXPECT_EQ(0x3fe0'0000'0000'0000u, kernel.instructions.at(0).operands[1].value);
    EXPECT_NE("no error", message_of(around("mov.f32 %r1, 0.5.1;")));
}

TEST(Parser, ATensorsCoordinates) {
    Kernel kernel = kernel_of("prefetch.tensor [%rd1+64, {%r1, 7}], [%r2];");
    const auto& operands = kernel.instructions.at(0).operands;
    ASSERT_EQ(2u, operands.size());
    EXPECT_EQ(Kind::address, operands[0].kind);
    EXPECT_EQ(64u, operands[0].value);
    ASSERT_EQ(2u, operands[0].elements.size());
    EXPECT_EQ((Register{RegisterKind::word, 1}), operands[0].elements[0].reg);
    EXPECT_EQ(7u, operands[0].elements[1].value);
    EXPECT_TRUE(operands[1].elements.empty());
}

TEST(Parser, OperandsOfEveryKind) {
    Kernel kernel = kernel_of(
        ".shared .align 8 .b8 s[16];\n$top: @!%p1 add.s32 %r1, %r2, -5;\n"
        "ld.shared.v2.u32 {%r1, _}, [s+8];\nsetp.lt.and.u32 %p1|%p2, %r1, 0x1F, !%p2;\n"
        "mov.u32 %r3, %tid.x;\nmov.f32 %r1, 0f3F800000;\nbra.uni $top;\nst.u32 [%rd1+-4], %r1;");
    ASSERT_EQ(7u, kernel.instructions.size());
    const auto& add = kernel.instructions[0];
    EXPECT_EQ("@!%p1 add.s32 %r1, %r2, -5", add.text);
    EXPECT_TRUE(add.guarded);
    EXPECT_TRUE(add.guard.negated);
    EXPECT_EQ(1u, add.guard.reg.index);
    EXPECT_EQ((Register{RegisterKind::word, 2}), add.operands[1].reg);
    EXPECT_EQ(~0ull - 4, add.operands[2].value);
    const auto& load = kernel.instructions[1];
    EXPECT_EQ((std::vector<std::string>{"ld", "shared", "v2", "u32"}), load.parts);
    EXPECT_EQ(Kind::vector, load.operands[0].kind);
    EXPECT_EQ(Kind::sink, load.operands[0].elements[1].kind);
    EXPECT_EQ(Kind::address, load.operands[1].kind);
    EXPECT_EQ(SymbolSpace::shared, load.operands[1].space);
    EXPECT_EQ(8u, load.operands[1].value);
    EXPECT_EQ(Kind::pair, kernel.instructions[2].operands[0].kind);
    EXPECT_EQ(31u, kernel.instructions[2].operands[2].value);
    EXPECT_TRUE(kernel.instructions[2].operands[3].negated);
    EXPECT_EQ("%tid.x", kernel.instructions[3].operands[1].name);
    EXPECT_EQ(0x3f800000u, kernel.instructions[4].operands[1].value);
    EXPECT_EQ(Kind::label, kernel.instructions[5].operands[0].kind);
    EXPECT_EQ(0u, kernel.instructions[5].operands[0].value);
    EXPECT_TRUE(kernel.instructions[6].operands[0].has_base);
    EXPECT_EQ(~0ull - 3, kernel.instructions[6].operands[0].value);
}

TEST(Parser, ParametersAreNaturallyAligned) {
    Kernel kernel = parse(around("ret;",
                                 ".param .u8 a, .param .u32 b, .param .u16 c, .param .u64 "
                                 ".ptr .global .align 4 d, .param .align 16 .b8 e[20]"))
                        .kernels[0];
    std::vector<uint32_t> offsets;
    for (const auto& parameter : kernel.parameters) offsets.push_back(parameter.offset);
    EXPECT_EQ((std::vector<uint32_t>{0, 4, 8, 16, 32}), offsets);
    EXPECT_EQ(52u, kernel.parameter_bytes);
}

TEST(Parser, SharedVariablesOfTheModuleAndTheKernel) {
    std::string text = around(".shared .align 16 .b8 inner[10];\n.shared .u32 word;\nret;");
    text.insert(text.find(".visible"),
                ".extern .shared .align 16 .b8 dynamic[];\n.shared .b8 outer[3];\n");
    Kernel kernel = parse(text).kernels[0];
    ASSERT_EQ(4u, kernel.shared.size());
    EXPECT_EQ(32u, kernel.shared[0].offset);  // the dynamic one, behind all others
    EXPECT_EQ(0u, kernel.shared[1].offset);
    EXPECT_EQ(16u, kernel.shared[2].offset);
    EXPECT_EQ(28u, kernel.shared[3].offset);
    EXPECT_EQ(32u, kernel.shared_bytes);
}

TEST(Parser, PositionsOfMovedAndInlinedCode) {
    Kernel kernel = kernel_of(
        ".loc 1 5 9\nadd.s32 %r1, %r1, 1;\n.loc 1 0 9\nadd.s32 %r1, %r1, 2;\n$next:\n.loc 1 0 9\n"
        "add.s32 %r1, %r1, 3;\n.loc 2 7 3, function_name $L__info_string0, inlined_at 1 6 2\n"
        "add.s32 %r1, %r1, 4;\n.loc 2 8 3, function_name $L__info_string0+12, inlined_at 1 6 2\n"
        "add.s32 %r1, %r1, 5;");
    std::vector<int> lines;
    for (const auto& instruction : kernel.instructions) lines.push_back(instruction.position.line);
    EXPECT_EQ((std::vector<int>{5, 5, 0, 7, 8}), lines);
    EXPECT_EQ(9, kernel.instructions[1].position.column);
    EXPECT_EQ(2, kernel.instructions[3].position.file);
}

// A function of y.h, inlined into one of x.h, inlined into line 10 of the kernel.
TEST(Parser, CallsOfInlinedCode) {
    const std::string text = around(
                                 ".loc 1 10 5\nmov.u32 %r1, 1;\n"
                                 ".loc 2 20 3, function_name $L0, inlined_at 1 10 5\n"
                                 "mov.u32 %r1, 2;\n"
                                 ".loc 3 30 1, function_name $L1+4, inlined_at 2 20 3\n"
                                 "mov.u32 %r1, 3;\n.loc 1 11 1\nret;") +
                             ".file 1 \"a.cu\"\n.file 2 \"/cuda/x.h\"\n.file 3 \"/cuda/y.h\"\n";
    auto positions = [&](const std::string& library) {
        Kernel kernel = parse(text).kernels.at(0);
        attribute_to_callers(kernel,
                             [&](const std::string& file) { return file.starts_with(library); });
        std::vector<std::pair<int, int>> result;
        for (const Instruction& i : kernel.instructions)
            result.emplace_back(i.position.file, i.position.line);
        return result;
    };
    using Positions = std::vector<std::pair<int, int>>;
    EXPECT_EQ((Positions{{1, 10}, {2, 20}, {3, 30}, {1, 11}}), positions("nowhere"));
    EXPECT_EQ((Positions{{1, 10}, {1, 10}, {1, 10}, {1, 11}}), positions("/cuda/"));
    EXPECT_EQ((Positions{{1, 10}, {2, 20}, {2, 20}, {1, 11}}), positions("/cuda/y"));
    // what has no caller in another file keeps its place
    EXPECT_EQ((Positions{{1, 10}, {2, 20}, {3, 30}, {1, 11}}), positions(""));
}

TEST(Parser, NamesThatTheMachineKnows) {
    Kernel kernel = kernel_of(
        ".shared .align 4 .b8 tile[20];\nmov.u32 %r1, WARP_SZ;\nmov.u32 %r2, %envreg2;\n"
        "mov.u32 %r1, %reserved_smem_offset_1;\nmov.u32 %r1, %reserved_smem_offset_0;\nret;");
    auto source = [&](size_t i) { return kernel.instructions[i].operands[1]; };
    EXPECT_EQ(Kind::immediate, source(0).kind);
    EXPECT_EQ(32u, source(0).value);
    EXPECT_EQ(Kind::special, source(1).kind);
    // the system's 1,024 bytes, behind the kernel's own 20 at the next multiple of 16
    EXPECT_EQ(Kind::symbol, source(2).kind);
    EXPECT_EQ(SymbolSpace::shared, source(2).space);
    EXPECT_EQ(32u + 512u, source(2).value);
    EXPECT_EQ(32u, source(3).value);
    EXPECT_EQ(32u + 1024u, kernel.shared_bytes);
    EXPECT_NE("no error", message_of(around("mov.u32 %r1, %r9;\nret;")));
}

TEST(Parser, InnerBlocksShadowRegisters) {
    Kernel kernel = kernel_of(
        "{\n.reg .b32 t;\n.reg .b64 %r<2>;\nmov.u64 %r1, 1;\nmov.u32 t, 1;\n}\nmov.u32 %r1, 1;");
    EXPECT_EQ(RegisterKind::wide, kernel.instructions[0].operands[0].reg.kind);
    EXPECT_EQ((Register{RegisterKind::word, 1}), kernel.instructions[2].operands[0].reg);
}

TEST(Parser, SkipsFunctionsVariablesAndDebugSections) {
    std::string text =
        around("ret;") +
        ".global .align 4 .u32 table[2] = {1, 2};\n.func (.param .b32 r) f(.param .b32 a)\n"
        "{ { ret; } }\n.extern .func g();\n.section .debug_str { $L__info_string0: .b8 1 }\n";
    EXPECT_EQ(1u, parse(text).kernels.size());
}

// As NVRTC 12 writes it: parameters without .ptr, a register declared within the call, prototypes
// over several lines, bounds of the launch, and a debug section.
std::string of_nvrtc_12(const std::string& version, const std::string& target) {
    return R"(//
// Generated by NVIDIA NVVM Compiler
// Based on NVVM 7.0.1
//
.version )" +
           version + "\n.target " + target + R"(
.address_size 64

	// .globl	scaled
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.global .align 1 .b8 $str[4] = {37, 100, 10, 0};
.extern .shared .align 16 .b8 tile[];

.visible .entry scaled(
	.param .u64 scaled_param_0,
	.param .f32 scaled_param_1
)
.maxntid 256, 1, 1
.minnctapersm 2
{
	.local .align 8 .b8 	__local_depot0[8];
	.reg .b64 	%SP;
	.reg .b64 	%SPL;
	.reg .pred 	%p<2>;
	.reg .f32 	%f<4>;
	.reg .b32 	%r<5>;
	.reg .b64 	%rd<8>;
	.loc	1 4 0

	mov.u64 	%SPL, __local_depot0;
	cvta.local.u64 	%SP, %SPL;
	ld.param.u64 	%rd1, [scaled_param_0];
	ld.param.f32 	%f1, [scaled_param_1];
	.loc	1 6 5, function_name $L__info_string0, inlined_at 1 9 3
	mov.u32 	%r1, %tid.x;
$L__BB0_1:
	.pragma "nounroll";
	setp.gt.u32	%p1, %r1, 3;
	@%p1 bra 	$L__BB0_2;
	st.local.u32 	[%SPL], %r1;
	mov.u64 	%rd2, $str;
	cvta.global.u64 	%rd3, %rd2;
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd3;
	.param .b64 param1;
	st.param.b64 	[param1+0], %SP;
	.param .b32 retval0;
	call.uni (retval0), 
	vprintf, 
	(
	param0, 
	param1
	);
	ld.param.b32 	%r2, [retval0+0];
	} // callseq 0
$L__BB0_2:
	cvta.to.global.u64 	%rd4, %rd1;
	st.global.f32 	[%rd4], %f1;
	ret;

}
	.file	1 "/home/me/scaled.cu"
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90,49,0

	}
)";
}

TEST(Parser, ReadsWhatNvrtc12Wrote) {
    const char* written[][2] = {{"8.0", "sm_80"},
                                {"8.4", "sm_90a"},
                                {"8.6", "sm_100, texmode_independent, debug"},
                                {"8.8", "sm_120a"}};
    for (auto [version, target] : written) {
        Module module = parse(of_nvrtc_12(version, target));
        EXPECT_EQ(version, module.version);
        ASSERT_EQ(1u, module.kernels.size());
        const Kernel& kernel = module.kernels[0];
        EXPECT_EQ(12u, kernel.parameter_bytes);
        ASSERT_EQ(17u, kernel.instructions.size());
        EXPECT_EQ(6, kernel.instructions[4].position.line);
        EXPECT_EQ("/home/me/scaled.cu", kernel.files.at(1));
        EXPECT_EQ(14u, kernel.instructions[6].operands.at(0).value);  // the branch's target
        EXPECT_EQ("call", kernel.instructions[12].parts[0]);
        EXPECT_EQ(8u + 8 + 8 + 4, kernel.local_bytes);
    }
}

TEST(Parser, DirectivesMayStandCloseTogether) {
    Kernel kernel = kernel_of("{.reg.b16 low, high;\n mov.b32 %r1, {low, high};}");
    EXPECT_EQ(2u, kernel.instructions.at(0).operands.at(1).elements.size());
}

TEST(Parser, NamesTheSourceLineToo) {
    EXPECT_EQ(
        "k.cu:12: PTX line 11: the register %r9 is not declared: mov.u32 %r9, 1;",
        message_of(around(".loc 1 12 3\nmov.u32 %r1, 1;\nmov.u32 %r9, 1;") + ".file 1 \"k.cu\"\n"));
    // of what is inlined from a header, the line that calls it
    EXPECT_EQ(
        "k.cu:12: PTX line 12: the register %r9 is not declared: mov.u32 %r9, 1;",
        message_of(around(".loc 1 12 3\nmov.u32 %r1, 1;\n"
                          ".loc 2 7 1, function_name $L0, inlined_at 1 12 3\nmov.u32 %r9, 1;") +
                   ".file 1 \"k.cu\"\n.file 2 \"x.h\"\n"));
}

// .reqnctapercluster and .maxclusterrank; a launch may say it for a kernel that does not.
TEST(Parser, ReadsHowManyBlocksAClusterHas) {
    auto size_of = [](const std::string& head) {
        std::string text = around("ret;");
        text.insert(text.find("\n{"), head);
        return cluster_size(parse(text).kernels.at(0));
    };
    ClusterSize size = size_of("\n.explicitcluster\n.reqnctapercluster 4, 2");
    EXPECT_EQ(4u, size.blocks.x);
    EXPECT_EQ(2u, size.blocks.y);
    EXPECT_EQ(1u, size.blocks.z);
    EXPECT_EQ(8u, size.count());
    EXPECT_EQ(0u, size.most_rank);
    size = size_of("\n.maxclusterrank 6");
    EXPECT_EQ(0u, size.blocks.x);
    EXPECT_EQ(1u, size.count());
    EXPECT_EQ(6u, size.most_rank);
    EXPECT_EQ(0u, size_of("").blocks.x);
    Kernel kernel = parse(around("ret;")).kernels.at(0);
    EXPECT_FALSE(works_in_clusters(kernel));
    set_cluster_size(kernel, {{3, 1, 1}, 0});
    set_cluster_size(kernel, {{2, 1, 1}, 0});
    EXPECT_TRUE(works_in_clusters(kernel));
    EXPECT_EQ(2u, cluster_size(kernel).count());
    EXPECT_EQ(1u, kernel.variables.size());
}

// A body that cannot be read concerns only those who ask for its kernel.
TEST(Parser, LeavesOtherKernelsAlone) {
    const std::string text =
        around("ret;") + ".visible .entry broken()\n{\nmov.u32 %r7, %whatever9;\n}\n";
    EXPECT_EQ(1u, parse(text, "k").instructions.size());
    EXPECT_THROW(parse(text, "broken"), Error);
    EXPECT_THROW(parse(text), Error);
}

TEST(Parser, FindsAKernelByName) {
    EXPECT_EQ("k", parse(around("ret;"), "k").name);
    try {
        parse(around("ret;"), "other");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ("the PTX has no kernel other; it has k", error.what());
    }
}

TEST(Parser, SaysWhereTextIsMalformed) {
    EXPECT_EQ("PTX line 9: the register %r9 is not declared: add.s32 %r9, %r1, 1;",
              message_of(around("add.s32 %r9, %r1, 1;")));
    EXPECT_EQ("PTX line 9: there is no label $nowhere: bra $nowhere;",
              message_of(around("bra $nowhere;")));
    EXPECT_EQ("PTX line 9: the directive .frob is not known in a kernel: .frob 1;",
              message_of(around(".frob 1;")));
    EXPECT_EQ("PTX line 1: the directive .frob is not known: .frob", message_of(".frob"));
    EXPECT_EQ("PTX line 1: there is a character that PTX does not have: `", message_of("`"));
    for (const char* body :
         {"add.s32 %r1 %r2;", "add.s32 %r1, ;", "@ add.s32 %r1;", "ld.u32 %r1, [%rd1;",
          "mov.b64 %rd1, {%r1, ;", "$a: $a: ret;", "add.s32 %r1, 99999999999999999999999;",
          ".reg .b32 %x<4000000000>;", ".reg .b256 %q;", ".shared .align 3 .b8 s[4];",
          ".shared .b8 s[4000000000];", ".loc 1;", "{", "%r1;", "!;", "\"", "/* "})
        EXPECT_TRUE(message_of(around(body)).starts_with("PTX line ")) << body;
}

// A text that is cut anywhere, or has one character replaced, gives an Error or parses; it does not
// crash.
TEST(Parser, SurvivesAnyDamage) {
    std::string text = read_file(std::string(TESTS_FOLDER) + "/sim/fixtures/copy_wide.ptx");
    int errors = 0;
    auto attempt = [&](const std::string& damaged) {
        try {
            parse(damaged);
        } catch (const Error&) {
            ++errors;
        }
    };
    for (size_t length = 0; length < text.size(); length += 7) attempt(text.substr(0, length));
    for (size_t at = 0; at < text.size(); at += 5)
        for (char c : {'{', '9', '[', ' '}) {
            std::string damaged = text;
            damaged[at] = c;
            attempt(damaged);
        }
    EXPECT_GT(errors, 300);
}

// What grows beyond any real kernel is refused with its reason, before it takes the machine's
// memory: an absurd text must not cost more than reading it.
std::string repeated(const std::string& text, size_t count) {
    std::string result;
    for (size_t i = 0; i < count; ++i) result += text;
    return result;
}
TEST(Bounds, TenMegabytesOfOneKernel) {
    std::string body = repeated("add.s32 %r1, %r1, 1;\n", 500'000);  // 10.5 MB
    std::string text = ".visible .entry k()\n{\n.reg .b32 %r<2>;\n" + body + "ret;\n}\n";
    EXPECT_TRUE(
        has(message_of(text), "PTX line 262148: the kernel has more than 262,144 instructions"));
}

TEST(Bounds, CallsThatDoubleAtEachLevel) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
        std::string call = "call.uni f" + std::to_string(i + 1) + ", ();\n";
        text += ".func f" + std::to_string(i) + " ()\n{\n" + call + call + "}\n";
    }
    text += ".func f40 ()\n{\n}\n.visible .entry k()\n{\ncall.uni f0, ();\nret;\n}\n";
    EXPECT_TRUE(has(message_of(text), "the kernel makes too many calls"));
}

TEST(Bounds, OthersThatGrowFasterThanTheirText) {
    std::string local = ".visible .entry k()\n{\n.local .b8 a[524289];\nret;\n}\n";
    EXPECT_TRUE(has(message_of(local), "more than 512 KiB of local memory"));
    EXPECT_EQ("no error", message_of(".visible .entry k()\n{\n.local .b8 a[524288];\nret;\n}\n"));

    std::string braces = repeated("{\n", 300) + "ret;\n" + repeated("}\n", 300);
    EXPECT_TRUE(has(message_of(".visible .entry k()\n" + braces), "nested too deeply"));

    std::string names = "$L0";
    for (int i = 1; i < 700; ++i) names += ", $L0";
    std::string jumps = ".visible .entry k()\n{\n.reg .b32 %r<2>;\n$T: .branchtargets " + names +
                        ";\n$L0:\n" + repeated("brx.idx %r1, $T;\n", 100) + "ret;\n}\n";
    EXPECT_TRUE(has(message_of(jumps), "too many branch targets"));

    // A list that names itself would grow without end.
    EXPECT_EQ("no error", message_of(".visible .entry k()\n{\n.reg .b32 %r<2>;\n"
                                     "$T: .branchtargets $L0, $T;\n$L0:\n"
                                     "brx.idx %r1, $T;\nret;\n}\n"));

    std::string kernels = ".file 100000 \"a.cu\"\n";
    for (int i = 0; i < 100; ++i)
        kernels += ".visible .entry k" + std::to_string(i) + "()\n{\nret;\n}\n";
    EXPECT_TRUE(has(message_of(kernels), "too many kernels"));
}

TEST(Bounds, AnInitialValueAddsToNothing) {
    EXPECT_TRUE(
        has(message_of(".global .align 4 .u32 a[2] = {+1};\n"), "there is nothing to add 1 to"));
}

}  // namespace
}  // namespace lanewise::ptx
