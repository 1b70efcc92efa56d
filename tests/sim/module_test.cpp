// What lies outside of a kernel's body: functions, variables of the module, and printf.
#include <gtest/gtest.h>

#include <cmath>

#include "run_ptx.h"

namespace lanewise {
namespace {

struct Printed : Recorder {
    void on_print(const Print& print) override {
        texts.push_back(std::to_string(print.thread) + ": " + std::string(print.text));
    }
    std::vector<std::string> texts;
};

// A module around run_ptx.h's kernel.
std::vector<uint64_t> run_module(const std::string& module, const std::string& body,
                                 Printed& seen) {
    std::string text = kernel_around(body);
    ptx::Kernel kernel =
        ptx::parse(text.insert(text.find(".visible"), module + "\n")).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    uint64_t out = memory.allocate(256, "out");
    machine.run({{1}, {32}}, Arguments().add(out), memory, 0, 1, seen);
    std::vector<uint64_t> result(32);
    std::memcpy(result.data(), memory.buffers()[0].storage, 256);
    return result;
}

// f(a, b) = a > 4 ? 7 : a + b
const std::string kFunction = R"(
.func (.param .b32 func_retval0) f(.param .b32 f_param_0, .param .b32 f_param_1)
{ .reg .b32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [f_param_0]; ld.param.u32 %r2, [f_param_1];
  setp.gt.u32 %p1, %r1, 4; @%p1 bra $L_big;
  add.u32 %r3, %r1, %r2; st.param.b32 [func_retval0+0], %r3; ret;
  $L_big: mov.u32 %r3, 7; st.param.b32 [func_retval0+0], %r3; ret; })";
std::string call_f(const std::string& a, const std::string& b, const std::string& to) {
    return "{ .param .b32 param0; st.param.b32 [param0+0], " + a +
           "; .param .b32 param1; st.param.b32 [param1+0], " + b +
           "; .param .b32 retval0; call.uni (retval0), f, (param0, param1); ld.param.b32 " + to +
           ", [retval0+0]; }\n";
}

TEST(Functions, AreCalledTwiceAndReturnFromSeveralPlaces) {
    Printed seen;
    auto out = run_module(
        kFunction,
        call_f("%r0", "100", "%r5") + call_f("2", "%r5", "%r6") + "cvt.u64.u32 %rd2, %r6;" + kStoreWide,
        seen);
    EXPECT_EQ(105u, out[3]);  // 2 + (3 + 100)
    EXPECT_EQ(106u, out[4]);
    EXPECT_EQ(9u, out[5]);                // 2 + 7
    EXPECT_EQ(1u, seen.accesses.size());  // all lanes are together again; parameters are no events
}

// Each lane calls itself as often as its number says, and keeps a register and a local variable
// meanwhile: h(n) = n == 0 ? 1 : h(n - 1) + n + 2 n
TEST(Functions, CallThemselves) {
    Printed seen;
    const std::string function = R"(
.func (.param .b32 func_retval0) h(.param .b32 h_param_0)
{ .local .align 4 .b8 depot[4]; .reg .b32 %r<6>; .reg .b64 %d<3>; .reg .pred %p<2>;
  mov.u64 %d1, depot; ld.param.u32 %r1, [h_param_0]; mov.u32 %r3, 1;
  setp.eq.u32 %p1, %r1, 0; @%p1 bra $L_done;
  shl.b32 %r4, %r1, 1; st.local.u32 [%d1], %r4; sub.u32 %r2, %r1, 1;
  { .param .b32 param0; st.param.b32 [param0+0], %r2; .param .b32 retval0;
    call.uni (retval0), h, (param0); ld.param.b32 %r3, [retval0+0]; }
  add.u32 %r3, %r3, %r1; ld.local.u32 %r4, [depot]; add.u32 %r3, %r3, %r4;
  $L_done: st.param.b32 [func_retval0+0], %r3; ret; })";
    auto out =
        run_module(function,
                   "{ .param .b32 param0; st.param.b32 [param0+0], %r0; .param .b32 "
                   "retval0; call.uni (retval0), h, (param0); ld.param.b32 %r5, [retval0+0]; "
                   "} cvt.u64.u32 %rd2, %r5;" +
                       kStoreWide,
                   seen);
    for (uint64_t n = 0; n < 32; ++n) EXPECT_EQ(1 + 3 * n * (n + 1) / 2, out[n]) << n;
    EXPECT_EQ(1u, seen.accesses.size());  // all lanes are together again
}

TEST(Functions, HaveAnEndToTheirStack) {
    Printed seen;
    run_module(".func g() { call.uni g; ret; }", "call.uni g;", seen);
    ASSERT_EQ(32u, seen.faults.size());
    EXPECT_EQ(Fault::Kind::trap, seen.faults[0].kind);
    EXPECT_NE(std::string::npos, seen.faults[0].text.find("stack"));
    EXPECT_THROW(run_module("", "call.uni nothing_known;", seen), Error);
}

TEST(Variables, HaveInitialValuesAndKeepStores) {
    Printed seen;
    auto out = run_module(
        ".const .align 4 .b8 c[8] = {1, 2, 3, 4, 255};\n"
        ".global .align 4 .u32 counter = 5;\n"
        ".global .align 8 .u64 to_counter[2] = {generic(counter)+0, 9};",
        "mov.u64 %rd5, to_counter; ld.global.u64 %rd6, [%rd5]; red.global.add.u32 [%rd6], 1;"
        "ld.global.u32 %r1, [counter]; ld.const.u32 %r2, [c]; ld.const.s8 %r3, [c+4];"
        "mov.u64 %rd7, c; cvta.const.u64 %rd7, %rd7; ld.u8 %r4, [%rd7+2];"
        "add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4; mov.b64 %rd2, {%r1, %r2};" +
            kStoreWide,
        seen);
    EXPECT_EQ(0x0403020100000000u + (5 + 32 - 1 + 3), out[0]);
    EXPECT_TRUE(seen.faults.empty());
}

TEST(Variables, AreBounded) {
    Printed seen;
    run_module(".global .align 4 .b8 table[16];\n.const .align 4 .b8 c[4];",
               "ld.global.u32 %r1, [table+16]; ld.const.u32 %r1, [c+4]; mov.u64 %rd2, 1;" + kStoreWide,
               seen);
    ASSERT_EQ(64u, seen.faults.size());
    EXPECT_EQ(Fault::Kind::out_of_bounds, seen.faults[0].kind);
}

// Compiled by NVRTC 13.0 from a kernel that calls a function, indexes a constant and a local array,
// counts in a global variable, computes sinf … powf by number, and prints.
TEST(Kernels, CallsPrintsAndComputes) {
    ptx::Kernel kernel = fixture("calls.ptx");
    Machine machine(kernel);
    Memory memory;
    uint64_t buffer = memory.allocate(32 * 4, "out");
    auto* out = reinterpret_cast<float*>(memory.buffers()[0].storage);
    for (int i = 0; i < 32; ++i) out[i] = 1;
    Printed seen;
    machine.run({{1}, {32}}, Arguments().add(buffer).add(2), memory, 0, 1, seen);
    EXPECT_TRUE(seen.faults.empty());
    // twice(1, 2) = (1 * 2 + 1) * 2 + 2 = 8; x = 8 + twice(8, 1) = 8 + 17 = 25
    // out = f(25) + i * 2 + c[2] with c[2] = 3
    EXPECT_EQ(1.0f / 25 + 7 * 2 + 3, out[7]);
    EXPECT_NEAR(std::sin(25.0f) + 0 + 3, out[0], 1e-6);
    EXPECT_NEAR(std::log(25.0f) + 2 * 2 + 3, out[2], 1e-5);
    EXPECT_NEAR(3125.0f + 3 * 2 + 3, out[3], 1e-3);  // 25^2.5 = 5^5
    EXPECT_EQ(1.0f + 4 * 2 + 3, out[4]);             // tanh
    EXPECT_EQ(1.0f + 5 * 2 + 3, out[5]);             // 25 mod 3
    ASSERT_EQ(32u, seen.texts.size());
    EXPECT_EQ("5: hi 5 1.000000 str\n", seen.texts[5]);
}

}  // namespace
}  // namespace lanewise
