// What really executes: the memory operations in a cubin's machine code (SASS), each with the line
// of the PTX and of the CUDA source that it comes from. ptxas may merge, widen, split or copy what
// the PTX says; counts that shall equal the hardware's are counts of these operations.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

inline constexpr uint32_t kSassInstructionBytes = 16;  // since Volta

// By the instruction, so by what the compiler knew. A generic access finds its memory as it runs.
enum class MemoryKind : uint8_t {
    global_load,       // LDG
    global_store,      // STG
    global_atomic,     // ATOMG: gives the old value back
    global_reduction,  // RED, REDG: gives nothing back
    shared_load,       // LDS
    shared_store,      // STS
    shared_atomic,     // ATOMS, with its compare-and-swap forms
    ldmatrix,          // LDSM
    stmatrix,          // STSM
    copy_async,        // LDGSTS: global to shared, past the registers
    local_load,        // LDL
    local_store,       // STL
    generic_load,      // LD; distributed shared memory too
    generic_store,     // ST; likewise
    generic_atomic,    // ATOM
    bulk_copy,  // UBLKCP, UBLKRED, UTMALDG, UTMASTG, UTMAREDG: TMA, outside the load/store unit
};
// "global load", "copy async", …
std::string_view in_words(MemoryKind kind);

// How LDGSTS says what a lane reads; the rest of its bytes are zeros.
enum class CopySize : uint8_t {
    by_predicate,        // all or nothing, as P1 … P6 has it; or all, without a predicate
    by_first_predicate,  // as P0 has it: told apart because a counter does (trace/count/copy_rules.h)
    by_register,         // LDGSTS.ZFILL: so many bytes
};

struct SassMemoryOperation {
    uint32_t address = 0;  // of the instruction, from the kernel's first byte; 16 bytes each
    MemoryKind kind = MemoryKind::global_load;
    // 1 to 32; what a lane moves. ldmatrix and stmatrix: what a lane receives or gives, 4 to 16.
    // 0: not per lane (bulk_copy), or a width that is not known here.
    int bytes_per_lane = 0;
    bool is_signed = false;                       // a 1- or 2-byte load that extends the sign
    int predicate = kAlways;                      // the guard: P0 … P6, or always
    bool predicate_negated = false;               // @!P
    bool never_executes = false;                  // @!PT: ptxas leaves such behind as spacers
    CopySize copy_size = CopySize::by_predicate;  // of copy_async
    int ptx_line = 0;  // 1-based line of Program::ptx; 0 where the cubin says nothing
    // Empty where unknown. With the folder that was current when it was compiled, which the PTX's
    // .file leaves out; the .loc before ptx_line names the same file and line.
    std::string source_file;
    int source_line = 0;  // 1-based; 0 where unknown. What is inlined keeps its own line

    static constexpr int kAlways = 7;
};

// All memory operations of kernel `entry`, functions that it calls included, by address. Reads code
// of sm_75 and later; not listed: constant memory, textures and surfaces, barriers (mbarrier too),
// prefetches, st.async. None where `cubin` is empty: there is no machine code. Throws
// Error(bad_input) where it is malformed or has no such kernel; never reads outside it.
std::vector<SassMemoryOperation> sass_memory_operations(std::string_view cubin,
                                                        std::string_view entry);

// A memory instruction of the PTX: its line in the PTX text, and as above.
struct PtxMemoryInstruction {
    int line = 0;
    MemoryKind kind = MemoryKind::global_load;
    int bytes_per_lane = 0;
};

// Whether every PTX line has exactly its instructions in the SASS, in number, kind and width, so
// that counting the PTX counts the hardware. Operations that never execute do not count.
// `difference` names the first lines that differ, "" if none does.
struct OneToOne {
    bool holds = true;
    std::string difference;
};
OneToOne compare_with_ptx(const std::vector<PtxMemoryInstruction>& ptx,
                          const std::vector<SassMemoryOperation>& sass);

}  // namespace lanewise
