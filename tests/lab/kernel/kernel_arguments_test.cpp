#include "lab/kernel/kernel_arguments.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace lanewise {

namespace {

std::string complaint(const std::string& text) {
    try {
        parse_argument(text);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "none";
}

ptx::Kernel kernel_of(const std::string& entry, const std::vector<uint32_t>& sizes) {
    ptx::Kernel kernel;
    kernel.name = entry;
    for (uint32_t bytes : sizes) kernel.parameters.push_back({"", 0, bytes});
    return kernel;
}

std::string refusal(const std::vector<KernelParameter>& parameters,
                    const std::vector<std::string>& arguments) {
    OwnLaunch own;
    own.kernel = "f";
    own.arguments = arguments;
    try {
        arguments_for(parameters, own);
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return error.what();
    }
    return "none";
}

}  // namespace

TEST(KernelArguments, ValuesAreTheirBytes) {
    EXPECT_EQ(0x3fc00000u, parse_argument("f32:1.5").bits);
    EXPECT_EQ(0x3ff8000000000000u, parse_argument("f64:1.5").bits);
    EXPECT_EQ(0xffffffffu, parse_argument("i32:-1").bits & 0xffffffffu);
    EXPECT_EQ(0xffffffffffffffffu, parse_argument("u64:18446744073709551615").bits);
    EXPECT_EQ(255u, parse_argument("u8:255").bits);
    EXPECT_EQ(4, parse_argument("i32:4").element_bytes);
    EXPECT_FALSE(parse_argument("i32:4").is_buffer);
}

TEST(KernelArguments, BuffersHaveASize) {
    KernelArgument argument = parse_argument("f16[3]");
    EXPECT_TRUE(argument.is_buffer);
    EXPECT_EQ(3u, argument.count);
    EXPECT_EQ(6u, argument.buffer_bytes());
    EXPECT_EQ(uint64_t{1} << 27, parse_argument("f64[16777216]").buffer_bytes());
}

TEST(KernelArguments, WhatCannotBeReadIsQuoted) {
    for (const char* text : {"", "f32", "f32[4", "4096"})
        EXPECT_NE(std::string::npos, complaint(text).find("such as f32[16777216]")) << text;
    EXPECT_NE(std::string::npos, complaint("f33[4]").find("there is no type \"f33\""));
    EXPECT_NE(std::string::npos, complaint("f32[]").find("not \"\""));
    EXPECT_NE(std::string::npos, complaint("f32[0]").find("1 to 1,099,511,627,776"));
    EXPECT_NE(std::string::npos, complaint("f32[99999999999999999999]").find("elements"));
    EXPECT_NE(std::string::npos, complaint("i32:2147483648").find("does not fit into i32"));
    EXPECT_NE(std::string::npos, complaint("u8:-1").find("does not fit into u8"));
    EXPECT_NE(std::string::npos, complaint("i32:1.5").find("no whole number"));
    EXPECT_NE(std::string::npos, complaint("f32:one").find("no number"));
    EXPECT_NE(std::string::npos, complaint("f16:1").find("u16"));
    EXPECT_EQ("none", complaint("i32:-2147483648"));
}

TEST(KernelArguments, ATensorIsWhatTheDriverIsTold) {
    KernelArgument tensor = parse_argument("tensor:f16:33x65:box=16x64:swizzle=128B:pitch=72");
    EXPECT_TRUE(tensor.is_tensor);
    EXPECT_FALSE(tensor.is_buffer);
    EXPECT_EQ("", tensor.of);
    EXPECT_EQ("f16", tensor.type);
    EXPECT_EQ(33u * 72 * 2, tensor.buffer_bytes());
    EXPECT_EQ(2u, tensor.map.dimensions);
    EXPECT_EQ(65u, tensor.map.sizes[0]);  // the innermost first
    EXPECT_EQ(33u, tensor.map.sizes[1]);
    EXPECT_EQ(144u, tensor.map.strides[0]);
    EXPECT_EQ(64u, tensor.map.box[0]);
    EXPECT_EQ(16u, tensor.map.box[1]);
    EXPECT_EQ(Swizzle::bytes_128, tensor.map.swizzle);
    // In the buffer of a parameter: none of its own.
    tensor = parse_argument("tensor:in:f32:4x6x8:box=1x2x8");
    EXPECT_EQ("in", tensor.of);
    EXPECT_EQ(0u, tensor.buffer_bytes());
    EXPECT_EQ(3u, tensor.map.dimensions);
    EXPECT_EQ(32u, tensor.map.strides[0]);
    EXPECT_EQ(6u * 32, tensor.map.strides[1]);
    EXPECT_EQ(1u, tensor.map.box[2]);
    EXPECT_EQ(4000u, parse_argument("tensor:u32:1000:box=256").buffer_bytes());
}

TEST(KernelArguments, ATensorThatTheCardWouldRefuseSaysWhy) {
    auto refused = [](const char* text, const char* part) {
        EXPECT_NE(std::string::npos, complaint(text).find(part)) << text << ": " << complaint(text);
    };
    refused("tensor:", "tensor:TYPE:ROWSxCOLS:box=ROWSxCOLS");
    refused("tensor:f32", "tensor:TYPE:ROWSxCOLS:box=ROWSxCOLS");
    refused("tensor:f33:4x4:box=4x4", "there is no type");
    refused("tensor:f32:4y4:box=4x4", "\"4y4\" is no size");
    refused("tensor:f32:0x4:box=4x4", "\"0x4\" is no size");
    refused("tensor:f32:1x1x1x1x1x4:box=4", "6 dimensions");
    refused("tensor:f32:4x4", "say what one copy takes");
    refused("tensor:f32:4x4:box=4", "the box has 1 of the tensor's 2 dimensions");
    refused("tensor:f32:4x4:box=4x4:swizzle=16B", "none, 32B, 64B or 128B");
    refused("tensor:f32:4x4:box=4x4:colour=red", "none of box=");
    refused("tensor:f32:4x5:box=4x4", "multiple of 16 bytes below 2^40; say pitch=8");
    refused("tensor:f32:4x5:box=4x4:pitch=4", "at least a row");
    refused("tensor:f32:4x8:box=4x3", "a row of the box must be a multiple of 16 bytes");
    refused("tensor:f32:400x8:box=400x4", "1 to 256 elements");
    refused("tensor:f32:64x64:box=8x64:swizzle=128B", "no wider than the swizzle");
    EXPECT_EQ("none", complaint("tensor:f32:64x64:box=8x16:swizzle=128B"));
    refused("tensor:f64:1099511627776x1099511627776:box=2x2", "more than 2^40 bytes");
    EXPECT_EQ("none", complaint("tensor:f32:4x5:box=4x4:pitch=8"));
}

TEST(KernelArguments, ATensorForIm2col) {
    KernelArgument tensor = parse_argument(
        "tensor:in:f16:8x56x28x64:pixels=128:channels=32:lower=-1x-2:upper=0x-3:step=2x1:swizzle=64B");
    EXPECT_EQ("in", tensor.of);
    EXPECT_TRUE(tensor.map.is_im2col);
    EXPECT_EQ(4u, tensor.map.dimensions);
    EXPECT_EQ((std::array<uint64_t, 5>{64, 28, 56, 8}), tensor.map.sizes);
    EXPECT_EQ((std::array<uint64_t, 4>{128, 128 * 28, 128 * 28 * 56}), tensor.map.strides);
    EXPECT_EQ((std::array<uint32_t, 5>{32, 128}), tensor.map.box);
    EXPECT_EQ((std::array<int32_t, 3>{-2, -1}), tensor.map.lower);  // W comes first
    EXPECT_EQ((std::array<int32_t, 3>{-3, 0}), tensor.map.upper);
    EXPECT_EQ((std::array<uint32_t, 5>{1, 1, 2, 1, 1}), tensor.map.element_strides);
    EXPECT_EQ(128u * 64, tensor.map.box_bytes());
    EXPECT_EQ(4u * 3 * 6 * 4, parse_argument("tensor:f32:3x6x4:pixels=5:channels=4").buffer_bytes());
}

TEST(KernelArguments, ATensorForIm2colThatCannotBe) {
    auto refused = [](const std::string& text, const std::string& why) {
        try {
            parse_argument(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_NE(std::string::npos, std::string(error.what()).find(why)) << error.what();
        }
    };
    const std::string images = "tensor:f32:2x4x5x8:pixels=8:channels=4";
    refused("tensor:f32:2x4x5x8:pixels=8", "say what one copy for im2col takes");
    refused("tensor:f32:2x4x5x8:lower=-1x-1", "say what one copy for im2col takes");
    refused(images + ":box=1x1x1x4", "and not both");
    refused("tensor:f32:5x8:pixels=8:channels=4", "has 3 to 5 dimensions");
    refused(images + ":lower=-1", "take 2 numbers here");
    refused(images + ":upper=one", "is no upper; HxW is meant");
    refused(images + ":lower=-129x0", "-128 to 127");
    refused(images + ":step=9x1", "an element stride is 1 to 8");
    refused(images + ":step=0x1", "an element stride is 1 to 8");
    refused(images + ":upper=-9x0", "lies behind the upper one");
    refused("tensor:f32:2x4x5x8:pixels=8:channels=3", "multiple of 16 bytes");
    refused("tensor:f32:2x4x5x8:pixels=8x2:channels=4", "takes one number");
    refused("tensor:f32:2x4x5x8:pixels=1025:channels=4", "1 to 1024 pixels");
}

TEST(KernelArguments, ATensorFitsAParameterOfItsSize) {
    std::vector<KernelParameter> parameters = {{"CUtensorMap", "map", 128}, {"int", "n", 4}};
    EXPECT_EQ("none", refusal(parameters, {"tensor:f32:64x64:box=8x8", "i32:1"}));
    EXPECT_EQ(
        "--arg tensor:f32:64x64:box=8x8 cannot be parameter 2, int n: that has 4 bytes, and the "
        "map of a tensor 128\n"
        "f takes, one --arg each:\n"
        "    CUtensorMap map                  --arg tensor:f32:ROWSxCOLS:box=ROWSxCOLS\n"
        "    int n                            --arg i32:VALUE",
        refusal(parameters, {"tensor:f32:64x64:box=8x8", "tensor:f32:64x64:box=8x8"}));
    EXPECT_NE("none", refusal(parameters, {"f32[64]", "i32:1"}));
}

TEST(KernelArguments, AStructIsLaidOutAsCDoes) {
    auto layout = [](const char* text) {  // the members' offsets / size % alignment
        KernelArgument argument = parse_argument(text);
        EXPECT_TRUE(argument.is_struct) << text;
        std::string offsets;
        for (const KernelArgument& member : argument.members)
            offsets += std::to_string(member.offset) + " ";
        return offsets + "/ " + std::to_string(argument.bytes) + " % " +
               std::to_string(argument.align);
    };
    EXPECT_EQ("0 4 8 / 12 % 4", layout("{f32:1,f32:2,f32:3}"));
    EXPECT_EQ("0 2 4 8 16 / 24 % 8", layout("{u8:1,u16:2,u8:3,i64:4,u8:5}"));
    EXPECT_EQ("0 8 / 16 % 8", layout("{f32[1024],i32:1024}"));
    EXPECT_EQ("0 8 16 / 24 % 8", layout("{u8:1,f64:2,{u8:3,u8:4}}"));
    EXPECT_EQ("0 4 16 / 20 % 4", layout("{u8:1,{u8:1,i32:2,u8:3},u8:4}"));
    EXPECT_EQ("0 16 / 32 % 16", layout("{ i32:1 , align16{f32:1,f32:2,f32:3,f32:4} }"));
    EXPECT_EQ("0 4 / 64 % 64", layout("align64{i32:1,i32:2}"));
    EXPECT_EQ("0 1 / 2 % 1", layout("{{},u8:1}"));
    EXPECT_EQ("/ 1 % 1", layout("{}"));
    EXPECT_EQ("0 128 / 256 % 128", layout("{tensor:f32:64x64:box=8x8,i32:1}"));
    EXPECT_EQ(4096u + 8 + 64 * 64 * 4,
              parse_argument("{f32[1024],{u64[1],i32:1},tensor:f32:64x64:box=8x8}").buffer_bytes());
}

TEST(KernelArguments, AStructThatCannotBeReadSaysWhichMember) {
    EXPECT_EQ(
        "--arg \"{f32:1,{i32:2,f33:3}}\": member 2, \"{i32:2,f33:3}\": member 2, \"f33:3\": "
        "there is no type \"f33\"; the types are i8 u8 i16 u16 i32 u32 i64 u64 f16 bf16 f32 "
        "f64",
        complaint("{f32:1,{i32:2,f33:3}}"));
    auto refused = [](const std::string& text, const char* part) {
        EXPECT_NE(std::string::npos, complaint(text).find(part)) << text << ": " << complaint(text);
    };
    for (const char* text : {"{", "{f32:1", "{f32:1,{i32:2}", "align8{", "{{"})
        refused(text, "a brace is not closed");
    refused("{f32:1}}", "\"}\" stands behind the closing brace");
    refused("{f32:1}[4]", "\"[4]\" stands behind");
    refused("{f32:1,}", "member 2, \"\": an argument is a buffer such as");
    refused("{,f32:1}", "member 1, \"\"");
    refused("{i8:128}", "128 does not fit into i8");
    refused("align3{i32:1}", "\"align3\" is no alignment: align1, align2, align4, … align128");
    refused("align256{i32:1}", "is no alignment");
    refused("align{i32:1}", "is no alignment");
    refused("align16", "a struct is {MEMBER,MEMBER,…}");
    refused(std::string(17, '{') + std::string(17, '}'), "more than 16 deep");
    EXPECT_EQ("none", complaint(std::string(16, '{') + std::string(16, '}')));
    refused(std::string(100'000, '{'), "a brace is not closed");
    std::string many = "{f64:0";
    for (int i = 1; i < 4096; ++i) many += ",f64:0";
    refused(many + "}", "more than the 32,764 bytes");
}

TEST(KernelArguments, AStructFitsAParameterOfItsSize) {
    const char* source = "struct Params { const float* in; int n; };";
    auto of = [&](const char* type, const char* name, uint32_t bytes) {
        return KernelParameter{type, name, bytes, struct_in_source(source, type)};
    };
    std::vector<KernelParameter> parameters = {of("float3", "shift", 12), of("Params", "p", 16),
                                               of("Other", "o", 24), of("Plus", "op", 1)};
    EXPECT_EQ("none", refusal(parameters, {"{f32:1,f32:2,f32:3}", "{f32[8],i32:8}",
                                           "{i64:1,{i32:1,i32:2},i32:3}", "{}"}));
    EXPECT_EQ(
        "--arg {f32:1,f32:2} cannot be parameter 1, float3 shift: that has 12 bytes, and this "
        "struct 8\n"
        "f takes, one --arg each:\n"
        "    float3 shift                     --arg \"{f32:VALUE,f32:VALUE,f32:VALUE}\"\n"
        "    Params p                         --arg \"{f32[COUNT],i32:VALUE}\"\n"
        "    Other o                          --arg \"{MEMBER,MEMBER,…}\": the members of a struct "
        "of 24 bytes\n"
        "    Plus op                          --arg \"{}\"",
        refusal(parameters, {"{f32:1,f32:2}", "{f32[8],i32:8}", "{}", "{}"}));
    auto first_line = [&](const KernelParameter& parameter, const char* argument) {
        std::string text = refusal({parameter}, {argument});
        return text.substr(0, text.find('\n'));
    };
    EXPECT_EQ(
        "--arg {f64:1,f64:2} cannot be parameter 1, float3 shift: that has 12 bytes, and "
        "this struct 16",
        first_line(parameters[0], "{f64:1,f64:2}"));
    EXPECT_EQ("--arg f32:1 cannot be parameter 1, float3 shift: that has 12 bytes",
              first_line(parameters[0], "f32:1"));
    EXPECT_EQ("--arg {f32[8]} cannot be parameter 1, float* in: that is a pointer",
              first_line(of("float*", "in", 8), "{f32[8]}"));
    // What is a map is known by its alignment.
    source =
        "struct alignas(64) Map { unsigned long long opaque[16]; };"
        "struct Large { double of[16]; };";
    EXPECT_NE(std::string::npos,
              refusal({of("Map", "m", 128)}, {"i32:1"}).find("--arg tensor:f32:ROWSxCOLS"));
    EXPECT_NE(std::string::npos,
              refusal({of("Large", "l", 128)}, {"i32:1"}).find("--arg \"{f64:VALUE,f64"));
    // A source that says something else than the kernel is not believed.
    EXPECT_NE(std::string::npos,
              refusal({of("Large", "a", 12)}, {"i32:1"}).find("of a struct of 12 bytes"));
}

TEST(KernelArguments, ThePartsOfAStructHaveItsMembersNames) {
    const char* source = "struct Data { const float* in; }; struct P { int n; Data data[2]; };";
    KernelArgument argument = parse_argument("{i32:1,{f32[8]},{f32[4]}}");
    auto names = [&](const StructMember& layout) {
        std::string text;
        for (const ArgumentPart& part : parts_of(argument, layout, "p"))
            text += part.name + " at " + std::to_string(part.offset) + "; ";
        return text;
    };
    EXPECT_EQ("p.n at 0; p.data[0].in at 8; p.data[1].in at 16; ",
              names(struct_in_source(source, "P")));
    EXPECT_EQ("p, member 1 at 0; p, member 2, member 1 at 8; p, member 3, member 1 at 16; ",
              names({}));
}

TEST(KernelArguments, APointerHoldsWhatIsBetweenItsBrackets) {
    KernelArgument pointer = parse_argument("ptr[f32[64],f32[32]=1]");
    EXPECT_TRUE(pointer.is_buffer);
    EXPECT_TRUE(pointer.is_pointer);
    EXPECT_EQ(8u, pointer.bytes);
    EXPECT_EQ(16u, pointer.own_bytes());                       // two pointers
    EXPECT_EQ(16u + 4 * 64 + 4 * 32, pointer.buffer_bytes());  // and what they point to
    EXPECT_EQ(8u, pointer.members[1].offset);
    EXPECT_EQ(BufferFill::Kind::same, pointer.members[1].fill.kind);
    // An int, padding, a pointer: as struct { int n; float* x; } lies in memory.
    EXPECT_EQ(16u, parse_argument("ptr[i32:3,f32[8]]").own_bytes());
    EXPECT_EQ(12u, parse_argument("ptr[i32:1,i32:2,i32:3]").own_bytes());
    // Of pointers to pointers.
    EXPECT_EQ(2u,
              parse_argument("ptr[ptr[u8[1],u8[1]],ptr[u8[1],u8[1]]]").members[1].members.size());
}

TEST(KernelArguments, AMemberMayBeRepeated) {
    KernelArgument batch = parse_argument("ptr[3*f32[64],u8[5]]");
    ASSERT_EQ(4u, batch.members.size());
    EXPECT_EQ(16u, batch.members[2].offset);
    EXPECT_EQ("u8", batch.members[3].type);
    EXPECT_EQ(12u, parse_argument("{3*i32:0}").bytes);
    EXPECT_EQ(24u, parse_argument("{3*{i32:0,u8:1}}").bytes);
    EXPECT_NE(std::string::npos, complaint("{0*i32:0}").find("1 to 16,384 times"));
    EXPECT_NE(std::string::npos, complaint("ptr[99999*u8[1]]").find("1 to 16,384 times"));
    // However they are nested.
    EXPECT_NE(std::string::npos,
              complaint("ptr[200*ptr[200*u8[1]]]").find("more than 16,384 members"));
}

TEST(KernelArguments, APointerThatCannotBeReadSaysWhy) {
    EXPECT_NE(std::string::npos, complaint("ptr[]").find("points to nothing"));
    EXPECT_NE(std::string::npos, complaint("ptr[f32[4]").find("bracket is not closed"));
    EXPECT_NE(std::string::npos, complaint("ptr[f32[4]}").find("bracket is not closed"));
    EXPECT_NE(std::string::npos, complaint("ptr[f32[4]]x").find("behind the closing bracket"));
    EXPECT_NE(std::string::npos, complaint("ptr[f33[4]]").find("member 1"));
    EXPECT_NE(std::string::npos, complaint("f32[4]x").find("behind the brackets"));
}

TEST(KernelArguments, APointerFitsWhatPointsToPointers) {
    KernelParameter matrices{"float const* const*", "A", 8};
    EXPECT_EQ("none", refusal({matrices}, {"ptr[2*f32[64]]"}));
    std::string flat = refusal({matrices}, {"f32[64]"});
    EXPECT_NE(std::string::npos, flat.find("points to pointers")) << flat;
    EXPECT_NE(std::string::npos, flat.find("--arg \"ptr[f32[COUNT],f32[COUNT]]\"")) << flat;
    EXPECT_NE(std::string::npos, refusal({matrices}, {"ptr[i32:1]"}).find("points to pointers"));
    EXPECT_EQ("none", refusal({{"Params const*", "p", 8}}, {"ptr[{i32:1,f32[8]}]"}));
    EXPECT_EQ("none", refusal({{"int*", "p", 8}}, {"ptr[i32:1,i32:2]"}));
}

TEST(KernelArguments, PartsInMemorySayInWhose) {
    KernelArgument argument = parse_argument("{i32:1,ptr[f32[2],{u8[3],i32:4}]}");
    std::vector<ArgumentPart> parts = parts_of(argument, {}, "p");
    ASSERT_EQ(5u, parts.size());
    EXPECT_EQ("p, member 2", parts[1].name);
    EXPECT_EQ(ArgumentPart::kInParameter, parts[1].home);
    EXPECT_EQ(8u, parts[1].offset);
    EXPECT_EQ("p, member 2[0]", parts[2].name);
    EXPECT_EQ(1u, parts[2].home);
    EXPECT_EQ(0u, parts[2].offset);
    EXPECT_EQ(8u, parts[3].offset);   // the struct's pointer
    EXPECT_EQ(16u, parts[4].offset);  // and its number
    EXPECT_EQ(1u, parts[4].home);
}

TEST(KernelArguments, TypesComeFromTheMangledNameAndNamesFromTheSource) {
    Stage stage;
    stage.source = "template <typename T> __global__ void scale(T* out, const T* in, T by) {}";
    auto parameters =
        kernel_parameters(kernel_of("_Z5scaleIfEvPT_PKS0_S0_", {8, 8, 4}), stage, "scale<float>");
    ASSERT_EQ(3u, parameters.size());
    EXPECT_EQ("float*", parameters[0].type);
    EXPECT_EQ("out", parameters[0].name);
    EXPECT_EQ("float const*", parameters[1].type);
    EXPECT_EQ("in", parameters[1].name);
    EXPECT_EQ("float", parameters[2].type);
    EXPECT_EQ("none", refusal(parameters, {"f32[8]", "f32[8]", "f32:2"}));
}

TEST(KernelArguments, AnExternCKernelHasItsSourcesTypes) {
    Stage stage;
    stage.source = "extern \"C\" __global__ void f(unsigned char* bytes, unsigned n) {}";
    auto parameters = kernel_parameters(kernel_of("f", {8, 4}), stage, "f");
    ASSERT_EQ(2u, parameters.size());
    EXPECT_EQ("unsigned char*", parameters[0].type);
    EXPECT_EQ("none", refusal(parameters, {"u8[8]", "u32:3"}));
    EXPECT_EQ("none", refusal(parameters, {"u8[8]", "i32:3"}));  // the same bits
}

TEST(KernelArguments, AWrongNumberOrTypeListsWhatTheKernelTakes) {
    std::vector<KernelParameter> parameters = {{"float4 const*", "in", 8}, {"int", "n", 4}};
    EXPECT_EQ(
        "f takes 2 arguments, not 1\n"
        "f takes, one --arg each:\n"
        "    float4 const* in                 --arg f32[COUNT]\n"
        "    int n                            --arg i32:VALUE",
        refusal(parameters, {"f32[8]"}));
    auto first_line = [&](const std::vector<std::string>& arguments) {
        std::string text = refusal(parameters, arguments);
        return text.substr(0, text.find('\n'));
    };
    EXPECT_EQ("--arg f64[8] cannot be parameter 1, float4 const* in: that points to f32",
              first_line({"f64[8]", "i32:1"}));
    // Bytes are of anything, if whole elements come out.
    EXPECT_EQ("f takes 2 arguments, not 1", first_line({"u8[32]"}));
    EXPECT_EQ("--arg i32[1] cannot be parameter 2, int n: that is no pointer", first_line({"u8[32]", "i32[1]"}));
    EXPECT_EQ("--arg u8[30] cannot be parameter 1, float4 const* in: that points to f32",
              first_line({"u8[30]", "i32:1"}));
    EXPECT_EQ("--arg f32:8 cannot be parameter 1, float4 const* in: that is a pointer",
              first_line({"f32:8", "i32:1"}));
    EXPECT_EQ("--arg f32:1 cannot be parameter 2, int n: that is i32",
              first_line({"f32[8]", "f32:1"}));
    EXPECT_EQ("--arg i64:1 cannot be parameter 2, int n: that has 4 bytes",
              first_line({"f32[8]", "i64:1"}));
    EXPECT_EQ("--arg i32[1] cannot be parameter 2, int n: that is no pointer",
              first_line({"f32[8]", "i32[1]"}));
    EXPECT_EQ("f takes 0 arguments, not 1\nf takes no parameters", refusal({}, {"i32:1"}));
}

TEST(KernelArguments, UnknownTypesAreHeldToTheirSizeAlone) {
    std::vector<KernelParameter> parameters = {{"Node*", "nodes", 8}, {"", "", 4}};
    EXPECT_EQ("none", refusal(parameters, {"u32[8]", "f32:1"}));
    EXPECT_EQ("none", refusal(parameters, {"f64[8]", "u32:1"}));
    EXPECT_NE("none", refusal(parameters, {"f64[8]", "f64:1"}));
}

TEST(KernelArguments, BuffersBeyondTheMemorySayHowMuchTheyNeed) {
    try {
        check_buffers({parse_argument("f64[549755813888]"), parse_argument("u8[1]")});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        EXPECT_NE(std::string::npos, std::string(error.what()).find("4.0 TiB")) << error.what();
    }
}

}  // namespace lanewise
