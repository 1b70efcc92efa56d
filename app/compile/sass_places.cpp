#include "compile/sass_places.h"

#include <string>

#include "base/error.h"
#include "compile/elf.h"
#include "compile/line_table.h"
#include "compile/sass.h"
#include "compile/sass_opcodes.h"

namespace lanewise {

static constexpr int kNop = 0x118, kMultiplyHigh = 0x027, kAlways = 7;

static constexpr struct {
    int code;
    SassPlace::Flow flow;
} kFlows[] = {
    {sass_turning::kBra, SassPlace::Flow::branch},
    {sass_turning::kBrx, SassPlace::Flow::branch},
    {sass_turning::kJmp, SassPlace::Flow::branch},
    {sass_turning::kJmx, SassPlace::Flow::branch},
    {sass_turning::kCallAbs, SassPlace::Flow::call},
    {sass_turning::kCallRel, SassPlace::Flow::call},
    {sass_turning::kRetAbs, SassPlace::Flow::back},
    {sass_turning::kRetRel, SassPlace::Flow::back},
    {sass_turning::kExit, SassPlace::Flow::end},
};

// The same bits; what is not listed is the ALU's, or memory's (sass_opcodes.cpp).
static constexpr struct {
    int code;
    SassPlace::Unit unit;
} kUnits[] = {
    {0x020, SassPlace::Unit::fma},       // FMUL
    {0x021, SassPlace::Unit::fma},       // FADD
    {0x023, SassPlace::Unit::fma},       // FFMA
    {0x024, SassPlace::Unit::multiply},  // IMAD
    {0x025, SassPlace::Unit::multiply},  // IMAD.WIDE
    {0x027, SassPlace::Unit::multiply},  // IMAD.HI
    {0x036, SassPlace::Unit::fma},       // VIADD: beside LOP3 it takes no time, and beside IMAD one clock
    {0x028, SassPlace::Unit::real},      // DMUL
    {0x029, SassPlace::Unit::real},      // DADD
    {0x02a, SassPlace::Unit::real},      // DSETP
    {0x02b, SassPlace::Unit::real},      // DFMA
    {0x030, SassPlace::Unit::half},      // HADD2
    {0x031, SassPlace::Unit::half},      // HFMA2
    {0x032, SassPlace::Unit::half},      // HMUL2
    {0x037, SassPlace::Unit::products},  // IMMA
    {0x03c, SassPlace::Unit::products},  // HMMA
    {0x03f, SassPlace::Unit::products},  // DMMA
    {0x035, SassPlace::Unit::half_mma},  // HFMA2.MMA: takes turns with floats as IMAD does
    {0x1c4, SassPlace::Unit::reduce},    // REDUX
    {0x100, SassPlace::Unit::special},   // FLO
    {0x101, SassPlace::Unit::special},   // BREV
    {0x104, SassPlace::Unit::special},   // F2F
    {0x105, SassPlace::Unit::special},   // F2I
    {0x106, SassPlace::Unit::special},   // I2F
    {0x107, SassPlace::Unit::special},   // FRND
    {0x108, SassPlace::Unit::special},   // MUFU
    {0x109, SassPlace::Unit::special},   // POPC
    {0x11d, SassPlace::Unit::barrier},   // BAR
    {0x189, SassPlace::Unit::shuffle},   // SHFL
    {0x03a, SassPlace::Unit::shuffle},   // MOVM
    {kNop, SassPlace::Unit::none},
    {0x005, SassPlace::Unit::none},      // CS2R
    {0x082, SassPlace::Unit::none},      // UMOV
    {0x08c, SassPlace::Unit::none},      // UISETP
    {0x090, SassPlace::Unit::none},      // UIADD3
    {0x091, SassPlace::Unit::none},      // ULEA
    {0x092, SassPlace::Unit::none},      // ULOP3
    {0x099, SassPlace::Unit::none},      // USHF
    {0x0a4, SassPlace::Unit::none},      // UIMAD
    {0x0b9, SassPlace::Unit::none},      // ULDC
    {0x119, SassPlace::Unit::none},      // S2R
    {0x145, SassPlace::Unit::none},      // BSSY
    {0x141, SassPlace::Unit::none},      // BSYNC
    {0x182, SassPlace::Unit::none},      // LDC
    {0x1c3, SassPlace::Unit::none},      // S2UR
};

static SassPlace::Unit unit_of(const SassInstruction& i) {
    for (const auto& each : kUnits)
        if (i.bits(0, 9) == each.code) return each.unit;
    for (const auto& each : kFlows)
        if (i.bits(0, 9) == each.code) return SassPlace::Unit::none;
    return sass_memory_opcode(i) ? SassPlace::Unit::memory : SassPlace::Unit::alu;
}

// Of a branch or call within the kernel, in words of 4 bytes from the next instruction on: bits 34
// to 81, and from sm_90 on eight more below them, bits 16 to 23. Read off cubins of every
// architecture that the course ships: each kernel's last branch leads to itself.
static uint32_t target_of(const SassInstruction& i, uint32_t address, size_t code_bytes, int arch) {
    auto high = static_cast<uint64_t>(i.bits(64, 18)) << 30;
    int64_t words = static_cast<int64_t>((high | i.low >> 34) << 16) >> 16;
    if (arch >= 90) words = words * 256 + i.bits(16, 8);
    int64_t target = int64_t{address} + kSassInstructionBytes + words * 4;
    bool is_inside = target >= 0 && target < static_cast<int64_t>(code_bytes) && target % kSassInstructionBytes == 0;
    return is_inside ? static_cast<uint32_t>(target) : SassPlace::kNowhere;
}

// Registers lie in two banks, even and odd, each of which gives one at a time: a stream of FFMA with three
// different ones takes 1.5 clocks each on an H100, whichever two share a bank, and 1 where one was marked for
// reuse: it is kept for the next instruction's same operand. Where operands and marks stand was read off
// the cubins of every architecture that the course ships.
static std::array<uint8_t, 2> bank_reads(const SassInstruction& i, const SassInstruction& before) {
    constexpr int kThreeRegisters = 1, kNone = 255;  // RZ
    std::array<uint8_t, 2> reads{};
    if (i.bits(9, 3) != kThreeRegisters) return reads;
    // Products of matrices read A, B and C: ten registers of HMMA.16816.F32 and IMMA.16832, five of each bank, and eight of
    // DMMA.884. Streams of HMMA among sums of whole numbers or floats take as long as both need to be read, on an H200.
    constexpr int kHmma = 0x03c, kImma = 0x037, kDmma = 0x03f;
    if (i.bits(0, 9) == kHmma || i.bits(0, 9) == kImma) return {5, 5};
    if (i.bits(0, 9) == kDmma) return {4, 4};
    switch (i.bits(0, 9)) {
        case 0x010:  // IADD3
        case 0x012:  // LOP3
        case 0x023:  // FFMA
        case 0x024:  // IMAD
        case 0x031:  // HFMA2
        case 0x035:  // HFMA2.MMA
            break;
        default:
            return reads;
    }
    constexpr int kOperands[] = {24, 32, 64}, kReuse = 122;
    int last = kNone, one_before = kNone;
    for (int n = 0; n < 3; ++n) {
        const int operand = i.bits(kOperands[n], 8);
        bool is_kept = before.bits(kReuse + n, 1) != 0 && before.bits(kOperands[n], 8) == operand;
        if (!is_kept && operand != kNone && operand != last && operand != one_before) ++reads[static_cast<size_t>(operand % 2)];
        one_before = last;
        last = operand;
    }
    return reads;
}

static void take_flow(const SassInstruction& i, size_t code_bytes, int arch, SassPlace& place) {
    place.is_guarded = i.bits(12, 3) != kAlways;
    for (const auto& each : kFlows)
        if (i.bits(0, 9) == each.code) place.flow = each.flow;
    bool is_relative = i.bits(0, 9) == sass_turning::kBra || i.bits(0, 9) == sass_turning::kCallRel;
    if (is_relative) place.target = target_of(i, place.address, code_bytes, arch);
    // BRA.DIV leads to code for a warp whose lanes are apart where they are to shuffle, which is rare
    constexpr int kIfApart = 91;
    if (i.bits(0, 9) == sass_turning::kBra && i.bits(kIfApart, 1) != 0) {
        place.flow = SassPlace::Flow::next;
        place.target = SassPlace::kNowhere;
    }
    // BRA P0, …: a second predicate beside the guard
    if (place.flow == SassPlace::Flow::branch) place.is_guarded |= i.bits(87, 3) != kAlways;
}

std::vector<SassPlace> sass_places(std::string_view cubin, std::string_view entry) {
    if (cubin.empty()) return {};
    Elf elf(cubin);
    const Elf64_Shdr* section = elf.section(".text." + std::string(entry));
    if (!section) throw Error(Status::bad_input, "the cubin has no kernel " + std::string(entry));
    std::string_view code = elf.contents(*section);
    if (code.size() % kSassInstructionBytes != 0) Elf::fail("its code ends within an instruction");
    LineTable lines = read_line_table(elf, ".nv_debug_line_sass", *section);
    const int arch = sass_arch(cubin);
    std::vector<SassPlace> places;
    SassInstruction before;
    size_t end = 0;  // behind it the code is filled up
    for (uint64_t at = 0; at < code.size(); at += kSassInstructionBytes) {
        SassInstruction instruction{Elf::read<uint64_t>(code, at), Elf::read<uint64_t>(code, at + 8)};
        const bool is_nop = instruction.bits(0, 9) == kNop;
        SassPlace place;
        place.address = static_cast<uint32_t>(at);
        place.unit = unit_of(instruction);
        place.stall = instruction.bits(105, 4);
        place.turns = instruction.bits(0, 9) == kMultiplyHigh ? 2 : 1;
        place.bank_reads = bank_reads(instruction, before);
        before = instruction;
        take_flow(instruction, code.size(), arch, place);
        if (const LineTable::Row* row = lines.at(at); row && !is_nop) place.ptx_line = row->line;
        places.push_back(place);
        if (!is_nop) end = places.size();
    }
    places.resize(end);
    return places;
}

}  // namespace lanewise
