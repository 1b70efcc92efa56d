// Which operands take the long way, on both sides of each border: the borders are those that an H200 showed.
#include <gtest/gtest.h>

#include <utility>

#include "../run_ptx.h"
#include "sim/event/steps.h"

namespace lanewise {
namespace {

struct Told : StepObserver {
    bool wants_steps() const override { return true; }
    void on_steps(uint32_t, uint32_t, uint32_t) override {}
    void on_memory(const MemoryEvent&) override {}
    void on_fault(const Fault&) override {}
    void on_operands(const OperandsEvent& event) override { events.push_back(event); }
    std::vector<OperandsEvent> events;
};

std::vector<OperandsEvent> told(const std::string& body) {
    ptx::Kernel kernel = ptx::parse(kernel_around(body)).kernels.at(0);
    Machine machine(kernel);
    Memory memory;
    Told observer;
    machine.run({{1}, {32}}, Arguments().add(memory.allocate(256, "out")), memory, 0, 1, observer);
    return observer.events;
}

// Lane 0 has the operands a and b (bits), the others 1 and 1.
uint32_t long_lanes(const std::string& operation, uint64_t a, uint64_t b, bool is_real) {
    auto number = [](uint64_t bits) { return std::to_string(bits); };
    const std::string one = is_real ? "0d3FF0000000000000" : "0f3F800000";
    const std::string type = is_real ? "f64" : "f32", raw = is_real ? "b64" : "b32", f = is_real ? "%fd" : "%f";
    std::string body = "setp.eq.u32 %p1, %r0, 0;\nmov." + type + " " + f + "1, " + one + ";\nmov." + type + " " + f +
                       "2, " + one + ";\n@%p1 mov." + raw + " " + f + "1, " + number(a) + ";\n@%p1 mov." + raw + " " + f +
                       "2, " + number(b) + ";\n" + operation + " " + f + "3, " + f + "1" +
                       (operation.starts_with("div") ? ", " + f + "2" : "") + ";";
    std::vector<OperandsEvent> events = told(body);
    EXPECT_EQ(1u, events.size()) << operation;
    if (events.empty()) return ~0u;
    EXPECT_EQ(~0u, events[0].lanes);
    EXPECT_EQ(0u, events[0].values);
    return events[0].long_way;
}

uint64_t single(int exponent) { return static_cast<uint64_t>(exponent) << 23; }  // 2^(exponent - 127)
uint64_t real(int exponent) { return static_cast<uint64_t>(exponent) << 52; }    // 2^(exponent - 1023)

TEST(LongWay, QuotientsOfFloatsAtTheBordersOfTheirExponents) {
    struct Case {
        int a, b;
        bool is_long;
    };
    for (const Case& c : std::initializer_list<Case>{{127, 127, false}, {25, 100, false}, {24, 100, true}, {254, 200, false},
                                                     {127, 2, false}, {127, 1, true}, {127, 251, false}, {127, 252, true},
                                                     {129, 3, false}, {129, 2, true}, {126, 250, false}, {126, 251, true}})
        EXPECT_EQ(c.is_long ? 1u : 0u, long_lanes("div.rn.f32", single(c.a), single(c.b), false)) << c.a << ' ' << c.b;
    EXPECT_EQ(1u, long_lanes("div.rn.f32", 0, single(128), false));
}

TEST(LongWay, RootsAndInversesOfFloats) {
    EXPECT_EQ(0u, long_lanes("sqrt.rn.f32", 0x0d000000, 0, false));
    EXPECT_EQ(1u, long_lanes("sqrt.rn.f32", 0x0cffffff, 0, false));
    EXPECT_EQ(1u, long_lanes("sqrt.rn.f32", 0, 0, false));
    EXPECT_EQ(0u, long_lanes("sqrt.rn.f32", 0x7f7fffff, 0, false));
    EXPECT_EQ(1u, long_lanes("sqrt.rn.f32", 0x7f800000, 0, false));
    EXPECT_EQ(0u, long_lanes("rcp.rn.f32", single(252), 0, false));
    EXPECT_EQ(1u, long_lanes("rcp.rn.f32", single(253), 0, false));
    EXPECT_EQ(1u, long_lanes("rcp.rn.f32", 5, 0, false));
}

TEST(LongWay, Doubles) {
    struct Case {
        int a, b;
        bool is_long;
    };
    for (const Case& c : std::initializer_list<Case>{{1023, 1023, false}, {54, 1023, false}, {53, 1023, true},
                                                     {101, 1123, false}, {100, 1123, true}, {1023, 2039, false},
                                                     {1023, 2040, true}, {2039, 1023, false}, {2040, 1023, true}})
        EXPECT_EQ(c.is_long ? 1u : 0u, long_lanes("div.rn.f64", real(c.a), real(c.b), true)) << c.a << ' ' << c.b;
    EXPECT_EQ(1u, long_lanes("div.rn.f64", 0, real(1023), true));
    EXPECT_EQ(0u, long_lanes("sqrt.rn.f64", real(53), 0, true));
    EXPECT_EQ(1u, long_lanes("sqrt.rn.f64", real(52), 0, true));
    EXPECT_EQ(0u, long_lanes("rcp.rn.f64", real(2044), 0, true));
    EXPECT_EQ(1u, long_lanes("rcp.rn.f64", real(2045), 0, true));
}

TEST(LongWay, WhatIsApproximateHasNone) {
    EXPECT_TRUE(told("mov.f32 %f1, 0f00000000;\ndiv.approx.f32 %f2, %f1, %f1;\ndiv.full.f32 %f2, %f1, %f1;\n"
                     "sqrt.approx.f32 %f2, %f1;\ndiv.u32 %r1, %r0, 7;\nadd.f32 %f2, %f1, %f1;")
                    .empty());
}

// Of 32 lanes that bring the thread's number, its quarter, and nothing; and of those that take part, where not all do.
TEST(LongWay, MatchesAndConstantsAreToldByTheirValues) {
    auto values = [](const std::string& body) {
        std::vector<OperandsEvent> events = told(body);
        EXPECT_EQ(1u, events.size());
        return events.empty() ? std::pair(0u, 0u) : std::pair(events[0].lanes, events[0].values);
    };
    EXPECT_EQ(std::pair(~0u, 32u), values("match.any.sync.b32 %r1, %r0, 0xffffffff;"));
    EXPECT_EQ(std::pair(~0u, 8u), values("shr.u32 %r2, %r0, 2;\nmatch.any.sync.b32 %r1, %r2, 0xffffffff;"));
    EXPECT_EQ(std::pair(~0u, 32u), values("mul.wide.u32 %rd3, %r0, 4;\nld.const.u32 %r1, [%rd3];"));
    EXPECT_EQ(std::pair(~0u, 4u), values("and.b32 %r2, %r0, 3;\nmul.wide.u32 %rd3, %r2, 4;\nld.const.u32 %r1, [%rd3];"));
    EXPECT_EQ(std::pair(~0u, 1u), values("mov.u64 %rd3, 5;\nmatch.any.sync.b64 %r1, %rd3, 0xffffffff;"));
    EXPECT_EQ(std::pair(0xffu, 8u),
              values("setp.lt.u32 %p1, %r0, 8;\n@%p1 match.any.sync.b32 %r1, %r0, 0xff;"));
}

}  // namespace
}  // namespace lanewise
