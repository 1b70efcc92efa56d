// PTX of the barrier of a whole grid, as cooperative_groups' grid_group::sync() compiles.
#pragma once
#include <string>

namespace lanewise {

// Of a grid of one row, in kernel_around()'s registers; changes %r10 to %r16, %rd10, %p7 and %p8. `name`:
// of its labels.
inline std::string grid_sync(const std::string& name) {
    return R"(
    mov.u32 %r10, %envreg2;
    mov.u32 %r11, %envreg1;
    mov.b64 %rd10, {%r10, %r11};
    add.s64 %rd10, %rd10, 4;
    barrier.sync 0;
    setp.ne.u32 %p8, %r0, 0;
    @%p8 bra $done_)" + name + R"(;
    mov.u32 %r12, %nctaid.x;
    mov.u32 %r13, %ctaid.x;
    setp.eq.u32 %p7, %r13, 0;
    sub.s32 %r14, -2147483647, %r12;
    selp.b32 %r14, %r14, 1, %p7;
    atom.add.release.gpu.u32 %r15, [%rd10], %r14;
    $wait_)" + name + R"(:
    ld.acquire.gpu.u32 %r16, [%rd10];
    xor.b32 %r16, %r16, %r15;
    setp.gt.s32 %p7, %r16, -1;
    @%p7 bra $wait_)" + name + R"(;
    $done_)" + name + R"(:
    barrier.sync 0;
)";
}

}  // namespace lanewise
