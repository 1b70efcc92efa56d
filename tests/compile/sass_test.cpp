// Expected values: what the kernels below ask for by their types, and what nvdisasm (CUDA 13.0)
// says of the same code.
#include "compile/sass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "../needs.h"
#include "base/error.h"
#include "base/text.h"
#include "compile/compiler.h"
#include "compile/elf.h"
#include "compile/sass_counts.h"
#include "compile/sass_flow.h"
#include "compile/sass_places.h"
#include "compile/sass_opcodes.h"
#include "padded.h"

namespace lanewise {

using Kind = MemoryKind;
using Operations = std::vector<SassMemoryOperation>;

static Program compiled(const std::string& text, const std::string& kernel = "kernel",
                        const std::string& arch = "sm_90") {
    return compile({"test.cu", text}, {kernel, arch, {}, {}});
}
static Operations operations(const Program& program) {
    return sass_memory_operations(program.cubin, program.entry);
}

// "global load 4, shared store 1 signed": what executes, in order of addresses.
static std::string in_words(const Operations& operations) {
    std::string words;
    for (const SassMemoryOperation& op : operations) {
        if (op.never_executes) continue;
        words += (words.empty() ? "" : ", ") + std::string(in_words(op.kind)) + " " +
                 std::to_string(op.bytes_per_lane) + (op.is_signed ? " signed" : "");
    }
    return words;
}

// "1 of 16": operations, bytes of each; with a "?" where that is not certain.
static std::string in_words(const CountedAs& counted) {
    return std::to_string(counted.operations) + " of " + std::to_string(counted.bytes_per_lane) +
           (counted.is_certain ? "" : "?");
}

// ld and st of .global and .shared, and cp.async, in the kernel's PTX.
static std::vector<PtxMemoryInstruction> ptx_instructions(const Program& program) {
    static const std::regex kAccess(
        R"(^\s*(?:@!?%p\d+\s+)?(ld|st)\.(?:\w+\.)*?(global|shared)\.(?:\w+\.)*?)"
        R"((?:v(\d)\.)?[busf](\d+)\s)");
    static const std::regex kAsyncCopy(
        R"(^\s*(?:@!?%p\d+\s+)?cp\.async\.c[ag]\.\S+\s+\[[^\]]*\],\s*\[[^\]]*\],\s*(\d+))");
    std::vector<PtxMemoryInstruction> result;
    int number = 0;
    for (std::string_view line : lines_of(program.ptx)) {
        ++number;
        std::match_results<std::string_view::const_iterator> match;
        if (std::regex_search(line.begin(), line.end(), match, kAsyncCopy))
            result.push_back({number, Kind::copy_async, std::stoi(match[1])});
        if (!std::regex_search(line.begin(), line.end(), match, kAccess)) continue;
        bool is_load = match[1] == "ld", is_global = match[2] == "global";
        int vector = match[3].matched ? std::stoi(match[3]) : 1;
        result.push_back({number,
                          is_global ? (is_load ? Kind::global_load : Kind::global_store)
                                    : (is_load ? Kind::shared_load : Kind::shared_store),
                          vector * std::stoi(match[4]) / 8});
    }
    return result;
}

// --- single instructions ---------------------------------------------------------------------

TEST(SassOpcodes, AreReadAsTheDisassemblerReadsThem) {
    std::string table = fixture("sass_instructions.csv");
    int rows = 0;
    for (std::string_view line : lines_of(table)) {
        if (line.starts_with('#')) continue;
        std::vector<std::string_view> cells = split(line, ',');
        ASSERT_EQ(6u, cells.size());
        SassInstruction instruction{std::stoull(std::string(cells[2]), nullptr, 16),
                                    std::stoull(std::string(cells[3]), nullptr, 16)};
        const SassOpcode* opcode = sass_memory_opcode(instruction);
        ASSERT_NE(nullptr, opcode) << line;
        EXPECT_EQ(cells[4], in_words(opcode->kind)) << line;
        EXPECT_EQ(cells[5], std::to_string(opcode->bytes_per_lane(
                                instruction, std::stoi(std::string(cells[0])))))
            << line;
        ++rows;
    }
    EXPECT_EQ(336, rows);
}

// cuobjdump -sass, CUDA 13.0, of one kernel per form for sm_90, and the same for sm_80 and sm_100.
TEST(SassOpcodes, LdgstsSaysHowMuchALaneReads) {
    auto size = [](uint64_t low, uint64_t high) { return sass_copy_size({low, high}); };
    // LDGSTS.E.BYPASS.128 [R5], desc[UR6][R2.64] ;
    EXPECT_EQ(CopySize::by_predicate, size(0x0000000002057fae, 0x0003e8000b901c46));
    // … , P2 ; and … , P0 ;
    EXPECT_EQ(CopySize::by_predicate, size(0x000000000407efae, 0x000fe20009101c46));
    EXPECT_EQ(CopySize::by_first_predicate, size(0x0000000002057fae, 0x0003e20008101c46));
    // LDGSTS.E.BYPASS.128.ZFILL [R5], desc[UR6][R2.64], P2 ;
    EXPECT_EQ(CopySize::by_register, size(0x0000000002057fae, 0x0003e20009141c46));
    EXPECT_EQ(CopySize::by_first_predicate, size(0x0000000002094fae, 0x0003e20008101c44));  // 80
    EXPECT_EQ(CopySize::by_register, size(0x00000000020d2fae, 0x0005e2000a941c44));
    EXPECT_EQ(CopySize::by_first_predicate, size(0x00000000060b1fae, 0x000fe20008181806));  // 100
    EXPECT_EQ(CopySize::by_register, size(0x0000000002111fae, 0x0005e2000b1c1806));
}

TEST(SassOpcodes, OtherInstructionsAreNoMemoryOperations) {
    // LDC, LDCU, ULDC, S2R, BAR, CCTL, MEMBAR, QSPC, SYNCS, LDGDEPBAR, BRA, EXIT, NOP, UTMAPF
    for (uint64_t code : {0xb82, 0x7ac, 0xab9, 0x919, 0xb1d, 0x98f, 0x992, 0x3aa, 0x9a7, 0x9af,
                          0x947, 0x94d, 0x918, 0x5b8})
        EXPECT_EQ(nullptr, sass_memory_opcode({code | 0x7000, 0})) << std::hex << code;
}

// --- kernels kept as cubins ------------------------------------------------------------------

// The guards of three stores became branches, each with a place behind it where lanes meet; that of
// the fourth an EXIT. After the last EXIT code is filled up with a branch to itself.
TEST(Sass, ListsTheTurnsOfTheTransposeWithTheirLines) {
    constexpr const char* kKinds[] = {"branch", "exit", "meeting", "pointer call", "other"};
    std::vector<std::string> words;
    for (const SassTurn& turn : sass_turns(fixture("padded.sm_90.cubin"), kPadded))
        words.push_back(std::to_string(turn.address / 16) + " " +
                        kKinds[static_cast<int>(turn.kind)] + " " + std::to_string(turn.ptx_line));
    EXPECT_EQ((std::vector<std::string>{"92 branch 159", "103 meeting 168", "105 branch 178",
                                        "118 meeting 187", "120 branch 194", "133 meeting 203",
                                        "134 exit 210", "145 exit 223", "146 branch 223"}),
              words);
}

// Where each of them goes on: the guards' branches to where the lanes meet, the last to itself.
TEST(Sass, PlacesSayWhereTheCodeGoesOn) {
    std::vector<std::string> words;
    for (const SassPlace& place : sass_places(fixture("padded.sm_90.cubin"), kPadded)) {
        if (place.flow == SassPlace::Flow::next) continue;
        std::string word = std::to_string(place.address / 16);
        if (place.flow == SassPlace::Flow::end) word += " end";
        if (place.flow == SassPlace::Flow::branch) word += " to " + std::to_string(place.target / 16);
        words.push_back(word + (place.is_guarded ? " if" : ""));
    }
    EXPECT_EQ((std::vector<std::string>{"92 to 103 if", "105 to 118 if", "120 to 133 if", "134 end if",
                                        "145 end", "146 to 146"}),
              words);
}

// A branch for a warp whose lanes are apart (BRA.DIV: bit 91) is as good as none.
TEST(Sass, ABranchForLanesThatAreApartLeadsNowhere) {
    std::string cubin(fixture("padded.sm_90.cubin"));
    Elf elf(cubin);
    const auto code = static_cast<size_t>(elf.contents(*elf.section(std::string(".text.") + kPadded)).data() - cubin.data());
    auto branch = [&] { return sass_places(cubin, kPadded).at(92); };
    ASSERT_EQ(103u * 16, branch().target);
    cubin[code + 92 * 16 + 11] |= 1 << 3;
    EXPECT_EQ(SassPlace::Flow::next, branch().flow);
    EXPECT_EQ(SassPlace::kNowhere, branch().target);
}

TEST(Sass, PlacesSayWhatExecutesThem) {
    int loads = 0, barriers = 0;
    for (const SassPlace& place : sass_places(fixture("padded.sm_90.cubin"), kPadded)) {
        loads += place.unit == SassPlace::Unit::memory;
        barriers += place.unit == SassPlace::Unit::barrier;
        EXPECT_GE(place.stall, 0);
        EXPECT_LE(place.stall, 15);
    }
    EXPECT_EQ(16, loads);
    EXPECT_EQ(1, barriers);
}

TEST(Sass, ListsTheOperationsOfTheTransposeInTheirOrder) {
    Operations found = sass_memory_operations(fixture("padded.sm_90.cubin"), kPadded);
    EXPECT_EQ(
        "global load 4, global load 4, global load 4, global load 4, "
        "shared store 4, shared store 4, shared store 4, shared store 4, "
        "shared load 4, global store 4, shared load 4, global store 4, "
        "shared load 4, global store 4, shared load 4, global store 4",
        in_words(found));
    ASSERT_EQ(16u, found.size());
    // LDG at 0x2f0 under @!P1, from `ld.global.f32` in line 61 and `tile[…] = in[…]` in line 38.
    EXPECT_EQ(0x2f0u, found[0].address);
    EXPECT_EQ(1, found[0].predicate);
    EXPECT_TRUE(found[0].predicate_negated);
    EXPECT_FALSE(found[0].never_executes);
    EXPECT_EQ(61, found[0].ptx_line);
    EXPECT_EQ(38, found[0].source_line);
    EXPECT_TRUE(found[0].source_file.ends_with("/30_padded.cu"));
    // STG at 0x900, unguarded, from line 219 and `out[…] = tile[…]` in line 44.
    EXPECT_EQ(0x900u, found[15].address);
    EXPECT_EQ(SassMemoryOperation::kAlways, found[15].predicate);
    EXPECT_FALSE(found[15].predicate_negated);
    EXPECT_EQ(219, found[15].ptx_line);
    EXPECT_EQ(44, found[15].source_line);
}

TEST(Sass, ReadsTuringTooWhereRelocationsHaveNoAddend) {
    Operations found = sass_memory_operations(fixture("padded.sm_75.cubin"), kPadded);
    ASSERT_EQ(16u, found.size());
    EXPECT_EQ(61, found[0].ptx_line);
    EXPECT_EQ(38, found[0].source_line);
    EXPECT_EQ(219, found[15].ptx_line);
}

TEST(Sass, AMissingKernelIsNamed) {
    try {
        sass_memory_operations(fixture("padded.sm_90.cubin"), "_Z4nope");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        EXPECT_STREQ("the cubin has no kernel _Z4nope", error.what());
    }
}

// --- kernels compiled here -------------------------------------------------------------------

static std::string through_global(const std::string& from, const std::string& to) {
    return "extern \"C\" __global__ void kernel(const " + from + "* in, " + to +
           "* out) { out[threadIdx.x] = in[threadIdx.x]; }";
}
static std::string through_shared(const std::string& from, const std::string& to) {
    return "typedef " + from + " T; extern \"C\" __global__ void kernel(" + to +
           "* out) { __shared__ T s[64]; s[threadIdx.x] = T(); __syncthreads(); "
           "out[threadIdx.x] = s[threadIdx.x ^ 1]; }";
}

TEST(Sass, WidthsFollowTheTypes) {
    NEEDS_NVRTC();
    struct {
        const char *from, *to, *global, *load;
    } cases[] = {
        {"unsigned char", "unsigned char", "global load 1, global store 1", "shared load 1"},
        {"signed char", "int", "global load 1 signed, global store 4", "shared load 1 signed"},
        {"unsigned short", "unsigned short", "global load 2, global store 2", "shared load 2"},
        {"short", "int", "global load 2 signed, global store 4", "shared load 2 signed"},
        {"float", "float", "global load 4, global store 4", "shared load 4"},
        {"double", "double", "global load 8, global store 8", "shared load 8"},
        {"float2", "float2", "global load 8, global store 8", "shared load 8"},
        {"float4", "float4", "global load 16, global store 16", "shared load 16"},
    };
    for (const char* arch : {"sm_75", "sm_80", "sm_90", "sm_100"})
        for (const auto& c : cases) {
            std::string name = std::string(c.from) + " " + arch;
            Program global = compiled(through_global(c.from, c.to), "kernel", arch);
            EXPECT_EQ(c.global, in_words(operations(global))) << name;
            EXPECT_EQ("", compare_with_ptx(ptx_instructions(global), operations(global)).difference)
                << name;
            Program shared = compiled(through_shared(c.from, c.to), "kernel", arch);
            EXPECT_NE(std::string::npos, in_words(operations(shared)).find(c.load)) << name;
            EXPECT_EQ("", compare_with_ptx(ptx_instructions(shared), operations(shared)).difference)
                << name;
        }
}

TEST(Sass, HalfPairsMoveFourBytes) {
    NEEDS_NVRTC();
    Program program = compiled("#include <cuda_fp16.h>\n" + through_global("__half2", "__half2"));
    EXPECT_EQ("global load 4, global store 4", in_words(operations(program)));
}

TEST(Sass, AnIfBecomesAGuard) {
    NEEDS_NVRTC();
    Program program = compiled(
        "extern \"C\" __global__ void kernel(const float* in, float* out, int n) {\n"
        "    __shared__ float s[64];\n"
        "    if (threadIdx.x < n)\n"
        "        s[threadIdx.x] = in[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    out[threadIdx.x] = s[threadIdx.x ^ 1];\n"
        "}\n");
    Operations found = operations(program);
    ASSERT_EQ("global load 4, shared store 4, shared load 4, global store 4", in_words(found));
    EXPECT_NE(SassMemoryOperation::kAlways, found[0].predicate);
    EXPECT_EQ(found[0].predicate, found[1].predicate);
    EXPECT_EQ(4, found[0].source_line);
    EXPECT_EQ(4, found[1].source_line);
    EXPECT_EQ(SassMemoryOperation::kAlways, found[2].predicate);
    EXPECT_EQ(6, found[2].source_line);
    EXPECT_TRUE(compare_with_ptx(ptx_instructions(program), found).holds);
}

TEST(Sass, CopiesMatricesAtomicsAndSpacersAreToldApart) {
    NEEDS_NVRTC();
    Program program = compiled(R"(
        extern "C" __global__ void kernel(const float* in, int* out, float* sum) {
            __shared__ __align__(16) float s[1024];
            unsigned at = __cvta_generic_to_shared(s + threadIdx.x * 4), a, b, c, d;
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in));
            asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at), "l"(in + 2));
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + 4));
            asm volatile("cp.async.commit_group; cp.async.wait_group 0;");
            __syncthreads();
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
            atomicAdd(sum + threadIdx.x, 2.f);
            out[threadIdx.x] = atomicAdd(out + a, b) + c + d;
        })");
    Operations found = operations(program);
    EXPECT_EQ(
        "copy async 4, copy async 8, copy async 16, ldmatrix 16, global reduction 4, "
        "global atomic 4, global store 4",
        in_words(found));
    std::vector<int> copies;  // in the PTX, with the width that the machine code has too
    for (const PtxMemoryInstruction& i : ptx_instructions(program))
        if (i.kind == Kind::copy_async) {
            EXPECT_EQ("1 of " + std::to_string(i.bytes_per_lane),
                      in_words(counted_as({i}, found).at(0)));
            copies.push_back(i.bytes_per_lane);
        }
    EXPECT_EQ((std::vector{4, 8, 16}), copies);
    // `@!PT LDS RZ, [RZ]`, three times, between the copies and the barrier.
    EXPECT_EQ(3, std::count_if(found.begin(), found.end(), [](const SassMemoryOperation& op) {
                  return op.never_executes && op.kind == Kind::shared_load;
              }));
}

TEST(Sass, LocalArraysAreLocalMemory) {
    Operations found = sass_memory_operations(fixture("local.sm_90.cubin"), "_Z1kPf");
    EXPECT_NE(std::string::npos, in_words(found).find("local store 16"));
    EXPECT_NE(std::string::npos, in_words(found).find("local load 4"));
}

TEST(Sass, EachKernelOfACubinHasItsOwnLines) {
    NEEDS_NVRTC();
    std::string text =
        "__device__ float twice(const float* in) {\n"
        "    return 2 * in[threadIdx.x];\n"
        "}\n"
        "template <int N>\n"
        "__global__ void first(const float* in, float* out) {\n"
        "    out[threadIdx.x + N] = in[threadIdx.x];\n"
        "}\n"
        "extern \"C\" __global__ void other(const double* in, double* out) {\n"
        "    out[threadIdx.x] = in[threadIdx.x + 1];\n"
        "}\n"
        "extern \"C\" __global__ void kernel(const float* in, float* out) {\n"
        "    out[threadIdx.x] = twice(in);\n"
        "}\n";
    Program program = compiled(text, "first<3>");
    Operations first = operations(program);
    Operations other = sass_memory_operations(program.cubin, "other");
    Operations kernel = sass_memory_operations(program.cubin, "kernel");
    ASSERT_EQ("global load 4, global store 4", in_words(first));
    ASSERT_EQ("global load 8, global store 8", in_words(other));
    ASSERT_EQ("global load 4, global store 4", in_words(kernel));
    EXPECT_EQ(6, first[0].source_line);
    EXPECT_EQ(9, other[0].source_line);
    EXPECT_EQ(2, kernel[0].source_line);  // inlined, and keeps its own line
    EXPECT_EQ(12, kernel[1].source_line);
    Operations all = first;
    all.insert(all.end(), other.begin(), other.end());
    all.insert(all.end(), kernel.begin(), kernel.end());
    EXPECT_EQ("", compare_with_ptx(ptx_instructions(program), all).difference);
}

// ptxas merges the 32 loads along a row of `a`, four by four.
TEST(Sass, TheTextbookMatmulIsNotOneToOne) {
    NEEDS_NVRTC();
    Program program = compiled(
        "extern \"C\" __global__ void kernel(const float* A, const float* B, float* C, int n) {\n"
        "    __shared__ float a[32][32], b[32][32];\n"
        "    int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;\n"
        "    float sum = 0;\n"
        "    for (int k = 0; k < n; k += 32) {\n"
        "        a[threadIdx.y][threadIdx.x] = A[row * n + k + threadIdx.x];\n"
        "        b[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * n + col];\n"
        "        __syncthreads();\n"
        "        for (int i = 0; i < 32; ++i) sum += a[threadIdx.y][i] * b[i][threadIdx.x];\n"
        "        __syncthreads();\n"
        "    }\n"
        "    C[row * n + col] = sum;\n"
        "}\n");
    auto ptx = ptx_instructions(program);
    Operations found = operations(program);
    auto shared_loads = [](const auto& list, int bytes) {
        return std::count_if(list.begin(), list.end(), [&](const auto& op) {
            return op.kind == Kind::shared_load && op.bytes_per_lane == bytes;
        });
    };
    EXPECT_EQ(64, shared_loads(ptx, 4));
    EXPECT_EQ(32, shared_loads(found, 4));
    EXPECT_EQ(8, shared_loads(found, 16));
    for (const SassMemoryOperation& op : found)
        EXPECT_EQ(op.kind == Kind::shared_load, op.source_line == 9) << op.address;
    EXPECT_FALSE(compare_with_ptx(ptx, found).holds);

    std::map<std::pair<int, int>, int> counted;  // of the shared loads: operations, bytes
    auto counts = counted_as(ptx, found);
    for (size_t i = 0; i < ptx.size(); ++i) {
        EXPECT_TRUE(counts[i].is_certain);
        if (ptx[i].kind == Kind::shared_load)
            ++counted[{counts[i].operations, counts[i].bytes_per_lane}];
    }
    std::map<std::pair<int, int>, int> expected = {{{1, 4}, 32}, {{1, 16}, 8}, {{0, 4}, 24}};
    EXPECT_EQ(expected, counted);
}

// --- comparing -------------------------------------------------------------------------------

static SassMemoryOperation operation(int ptx_line, Kind kind, int bytes, bool never = false) {
    SassMemoryOperation op;
    op.ptx_line = ptx_line;
    op.kind = kind;
    op.bytes_per_lane = bytes;
    op.never_executes = never;
    return op;
}

TEST(CompareWithPtx, NamesTheLineTheKindAndBothNumbers) {
    std::vector<PtxMemoryInstruction> ptx = {{7, Kind::shared_load, 4}, {8, Kind::shared_load, 4}};
    OneToOne merged = compare_with_ptx(ptx, {operation(7, Kind::shared_load, 8)});
    EXPECT_FALSE(merged.holds);
    EXPECT_EQ(
        "PTX line 7: 1 shared load of 4 B in the PTX, 0 in the SASS; "
        "PTX line 7: 0 shared load of 8 B in the PTX, 1 in the SASS; "
        "PTX line 8: 1 shared load of 4 B in the PTX, 0 in the SASS",
        merged.difference);
}

TEST(CompareWithPtx, HoldsWhateverTheOrderAndTheSpacers) {
    std::vector<PtxMemoryInstruction> ptx = {{7, Kind::global_load, 4}, {9, Kind::global_store, 4}};
    OneToOne same = compare_with_ptx(
        ptx, {operation(9, Kind::global_store, 4), operation(7, Kind::global_load, 4),
              operation(7, Kind::shared_load, 4, true)});
    EXPECT_TRUE(same.holds);
    EXPECT_EQ("", same.difference);
    EXPECT_TRUE(compare_with_ptx({}, {}).holds);
}

TEST(CompareWithPtx, LongListsAreCutShort) {
    std::vector<PtxMemoryInstruction> ptx;
    for (int line = 1; line <= 6; ++line) ptx.push_back({line, Kind::global_load, 4});
    std::string difference = compare_with_ptx(ptx, {}).difference;
    EXPECT_TRUE(
        difference.ends_with("PTX line 4: 1 global load of 4 B in the PTX, 0 in the SASS; "
                             "and 2 more"))
        << difference;
}

static std::string counted(int ptx_bytes, std::vector<int> sass_bytes) {
    Operations sass = {operation(8, Kind::shared_load, 4), operation(7, Kind::global_load, 2)};
    for (int bytes : sass_bytes) sass.push_back(operation(7, Kind::shared_load, bytes));
    return in_words(counted_as({{7, Kind::shared_load, ptx_bytes}}, sass).at(0));
}

TEST(CountedAs, FollowsTheOperationsOfTheLine) {
    EXPECT_EQ("1 of 4", counted(4, {4}));
    EXPECT_EQ("1 of 16", counted(4, {16}));      // merged with three others …
    EXPECT_EQ("0 of 4", counted(4, {}));         // … which are these
    EXPECT_EQ("2 of 8", counted(16, {8, 8}));    // split
    EXPECT_EQ("1 of 4", counted(4, {4, 4, 4}));  // a loop's body, three times
    EXPECT_EQ("2 of 8", counted(16, {8, 8, 8, 8}));
    EXPECT_EQ("1 of 4?", counted(4, {4, 16}));  // merged in one copy only
    EXPECT_EQ("1 of 16?", counted(16, {8}));    // which half?
}

TEST(CountedAs, AnAccessMayBecomeAMoreExactOne) {
    auto counted = [](Kind written, Kind executed) {
        return in_words(counted_as({{7, written, 4}}, {operation(7, executed, 4)}).at(0));
    };
    EXPECT_EQ("1 of 4", counted(Kind::generic_load, Kind::global_load));
    EXPECT_EQ("1 of 4", counted(Kind::generic_store, Kind::shared_store));
    EXPECT_EQ("1 of 4", counted(Kind::global_atomic, Kind::global_reduction));
    EXPECT_EQ("0 of 4", counted(Kind::global_load, Kind::shared_load));
}

TEST(CountedAs, SpacersDoNotCount) {
    EXPECT_EQ("0 of 4", in_words(counted_as({{7, Kind::shared_load, 4}},
                                            {operation(7, Kind::shared_load, 4, true)})
                                     .at(0)));
}

// --- malformed cubins ------------------------------------------------------------------------

// Counts the cubins that are refused; any other exception, or a read outside, fails the test.
static int refused(const std::string& cubin) {
    try {
        // Exactly these bytes on the heap, so that the address sanitizer sees any overrun.
        std::string exact(cubin.begin(), cubin.end());
        exact.shrink_to_fit();
        sass_memory_operations(exact, kPadded);
        return 0;
    } catch (const Error& error) {
        EXPECT_EQ(Status::bad_input, error.status());
        return 1;
    }
}

TEST(SassOfMalformedCubins, CutOffAnywhereIsRefused) {
    for (const char* name : {"padded.sm_90.cubin", "padded.sm_75.cubin"}) {
        std::string whole = fixture(name);
        EXPECT_EQ(0, refused(whole));
        int cuts = 0, errors = 0;
        for (size_t length = 1; length < whole.size(); length += 64, ++cuts)
            errors += refused(whole.substr(0, length));
        // Behind the sections and their headers lie only the program headers, which we do not read.
        EXPECT_GE(errors, cuts - 4) << name;
    }
}

TEST(SassOfMalformedCubins, AnyByteChangedNeverReadsOutside) {
    std::string whole = fixture("padded.sm_90.cubin");
    int errors = 0;
    for (size_t at = 0; at < whole.size(); ++at)
        for (int change : {0x01, 0x80, 0xff}) {
            std::string changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ change);
            errors += refused(changed);
        }
    EXPECT_GT(errors, 100);  // the ELF header and the section names at least
}

TEST(SassOfMalformedCubins, ManyBytesChangedNeverReadOutside) {
    std::string whole = fixture("padded.sm_90.cubin");
    uint64_t state = 1;  // a linear congruential generator: the same bytes on every run
    auto next = [&] { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33; };
    int errors = 0;
    for (int round = 0; round < 5000; ++round) {
        std::string changed = whole;
        for (int i = 0; i < 8; ++i) changed[next() % changed.size()] = static_cast<char>(next());
        errors += refused(changed);
    }
    EXPECT_GT(errors, 100);
    EXPECT_LT(errors, 5000);
}

TEST(SassOfMalformedCubins, ALineTableOfAnUnknownVersionSaysSo) {
    std::string cubin = fixture("padded.sm_90.cubin");
    // In the header: version 2, four bytes of length, and then these.
    size_t at = cubin.find("\x01\x01\xfb\x0e\x0a");
    ASSERT_NE(std::string::npos, at);
    ASSERT_EQ(2, cubin[at - 6]);
    cubin[at - 6] = 5;
    try {
        sass_memory_operations(cubin, kPadded);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(
            "cannot read the cubin: its line table has a version unknown here; "
            "clear the cache folder and compile again",
            std::string(error.what()));
    }
}

}  // namespace lanewise
