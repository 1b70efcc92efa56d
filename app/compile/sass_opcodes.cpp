// NVIDIA does not publish the encoding. Codes and widths here were read off `nvdisasm -hex` (CUDA
// 13.0) of kernels that use every form below, compiled for sm_75, 80, 86, 89, 90, 100, 103 and 120;
// no other instruction in them shared a code. tests/compile/sass_test.cpp holds them to it.
#include "compile/sass_opcodes.h"

namespace lanewise {

// LDG.U8 .S8 .U16 .S16 . .64 .128
static int access_bytes(const SassInstruction& i, int /*arch*/) {
    static constexpr int kBytes[] = {1, 1, 2, 2, 4, 8, 16, 0};
    return kBytes[i.bits(73, 3)];
}

// LDG.ENL2.256, STG.ENL2.256 (sm_100)
static int wide_bytes(const SassInstruction&, int /*arch*/) { return 32; }

// LDSM .M88 .M88.2 .M88.4: so many 8 x 8 matrices of 2 bytes, 4 bytes a lane each
static int matrix_bytes(const SassInstruction& i, int /*arch*/) {
    static constexpr int kBytes[] = {4, 8, 16, 0};
    return kBytes[i.bits(72, 2)];
}

// LDGSTS . .64 .128
static int copy_bytes(const SassInstruction& i, int arch) {
    static constexpr int kBytes[] = {4, 8, 16, 0};
    return arch >= 100 ? kBytes[i.bits(74, 2)] : access_bytes(i, arch);
}

// ATOMG, ATOM, ATOMS, RED: . .S32 .64 .F32.FTZ .F16x2 .S64 .F64; from sm_90 on, where floats have
// opcodes of their own, . .S32 .64 .S64 .128
static int atomic_bytes(const SassInstruction& i, int arch) {
    static constexpr int kBefore90[] = {4, 4, 8, 4, 4, 8, 8, 0};
    static constexpr int kFrom90[] = {4, 4, 8, 8, 16, 0, 0, 0};
    return (arch >= 90 ? kFrom90 : kBefore90)[i.bits(73, 3)];
}

// From sm_90 on: .F16x2 .F16x4 .F16x8 .BF16x2 .BF16x4 .BF16x8 - - - .F32.FTZ .F32x2 .F32x4 - - -
// .F64; the empty places were never seen
static int float_atomic_bytes(const SassInstruction& i, int /*arch*/) {
    static constexpr int kBytes[] = {4, 8, 16, 4, 8, 16, 0, 0, 0, 4, 8, 16, 0, 0, 0, 8};
    return kBytes[i.bits(73, 4)];
}

static int not_per_lane(const SassInstruction&, int /*arch*/) { return 0; }

static constexpr SassOpcode kOpcodes[] = {
    // code, kind, whether it is a load, width: name
    {0x03b, MemoryKind::ldmatrix, false, matrix_bytes},                // LDSM
    {0x044, MemoryKind::stmatrix, false, matrix_bytes},                // STSM
    {0x17e, MemoryKind::global_load, true, wide_bytes},                // LDG.256
    {0x17f, MemoryKind::global_store, false, wide_bytes},              // STG.256
    {0x180, MemoryKind::generic_load, true, access_bytes},             // LD
    {0x181, MemoryKind::global_load, true, access_bytes},              // LDG
    {0x183, MemoryKind::local_load, true, access_bytes},               // LDL
    {0x184, MemoryKind::shared_load, true, access_bytes},              // LDS
    {0x185, MemoryKind::generic_store, false, access_bytes},           // ST
    {0x186, MemoryKind::global_store, false, access_bytes},            // STG
    {0x187, MemoryKind::local_store, false, access_bytes},             // STL
    {0x188, MemoryKind::shared_store, false, access_bytes},            // STS
    {0x18a, MemoryKind::generic_atomic, false, atomic_bytes},          // ATOM
    {0x18b, MemoryKind::generic_atomic, false, atomic_bytes},          // ATOM.CAS
    {0x18c, MemoryKind::shared_atomic, false, atomic_bytes},           // ATOMS
    {0x18d, MemoryKind::shared_atomic, false, atomic_bytes},           // ATOMS.CAS
    {0x18e, MemoryKind::global_reduction, false, atomic_bytes},        // RED, REDG
    {0x1a2, MemoryKind::generic_atomic, false, float_atomic_bytes},    // ATOM, floats
    {0x1a3, MemoryKind::global_atomic, false, float_atomic_bytes},     // ATOMG, floats
    {0x1a6, MemoryKind::global_reduction, false, float_atomic_bytes},  // REDG, floats
    {0x1a8, MemoryKind::global_atomic, false, atomic_bytes},           // ATOMG
    {0x1a9, MemoryKind::global_atomic, false, atomic_bytes},           // ATOMG.CAS
    {0x1ae, MemoryKind::copy_async, false, copy_bytes},                // LDGSTS
    {0x1b4, MemoryKind::bulk_copy, false, not_per_lane},               // UTMALDG
    {0x1b5, MemoryKind::bulk_copy, false, not_per_lane},               // UTMASTG
    {0x1b6, MemoryKind::bulk_copy, false, not_per_lane},               // UTMAREDG
    {0x1ba, MemoryKind::bulk_copy, false, not_per_lane},               // UBLKCP
    {0x1bb, MemoryKind::bulk_copy, false, not_per_lane},               // UBLKRED
};

const SassOpcode* sass_memory_opcode(const SassInstruction& instruction) {
    int code = instruction.bits(0, 9);
    for (const SassOpcode& opcode : kOpcodes)
        if (opcode.code == code) return &opcode;
    return nullptr;
}

// [to], [from], P2 or .ZFILL, from sm_80 on
CopySize sass_copy_size(const SassInstruction& i) {
    if (i.bits(82, 1) != 0) return CopySize::by_register;
    return i.bits(87, 3) == 0 ? CopySize::by_first_predicate : CopySize::by_predicate;
}

std::string_view in_words(MemoryKind kind) {
    static constexpr std::string_view kWords[] = {
        "global load",  "global store",  "global atomic",  "global reduction",
        "shared load",  "shared store",  "shared atomic",  "ldmatrix",
        "stmatrix",     "copy async",    "local load",     "local store",
        "generic load", "generic store", "generic atomic", "bulk copy"};
    return kWords[static_cast<int>(kind)];
}

}  // namespace lanewise
