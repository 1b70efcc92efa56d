#include "lab/kernel_arguments.h"

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
    refused("tensor:f32:64x64:box=8x16:swizzle=128B", "as wide as the swizzle");
    refused("tensor:f64:1099511627776x1099511627776:box=2x2", "more than 2^40 bytes");
    EXPECT_EQ("none", complaint("tensor:f32:4x5:box=4x4:pitch=8"));
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
