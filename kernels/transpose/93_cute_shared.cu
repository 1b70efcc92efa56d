/*---
title   = "CuTe, shared memory"
types   = ["f32", "f64", "f16", "u8"]
headers = "cutlass"
block   = ["256"]
grid    = ["ceil_div(cols, 32)", "ceil_div(rows, 32)", "batch"]
compare = "22_coarsened"
[without]
f32x4 = "CuTe has no copy atom for an element of 16 bytes; a float4 would be moved word by word."
[tile]
array = "tile"
rows  = "32"
cols  = "32"
pitch = "32"
[knob.BY_ROWS]
choices = [0, 1]
help    = "how the tile lies in shared memory: 1: one row after the other, 0: one column after the other"
---*/

// Idea: a tile in shared memory, as before, and each side is walked along its rows. Both sides name
// the tile by the same coordinates; which of them is next to which is the layout's business.
// Still wrong: whichever way the tile lies, one side takes it across, all lanes in one bank.
#include <cute/tensor.hpp>

template <typename T = float, int BY_ROWS = 1>
__global__ void transpose_cute_shared(const T* in, T* out, int rows, int cols, int batch) {
    using namespace cute;
    size_t matrix = size_t(blockIdx.z) * rows * cols;
    auto shape = make_shape(rows, cols);
    Tensor from = make_tensor(make_gmem_ptr(in + matrix), shape, make_stride(int64_t(cols), _1{}));
    Tensor to = make_tensor(make_gmem_ptr(out + matrix), shape, make_stride(_1{}, int64_t(rows)));

    auto tile_shape = make_shape(_32{}, _32{});  // of a block
    auto block = make_coord(blockIdx.y, blockIdx.x);
    Tensor tile_from = local_tile(from, tile_shape, block);
    Tensor tile_to = local_tile(to, tile_shape, block);
    Tensor place = local_tile(make_identity_tensor(shape), tile_shape, block);

    __shared__ T memory[32 * 32];
    auto by_rows = make_layout(tile_shape, LayoutRight{});
    auto by_columns = make_layout(tile_shape, LayoutLeft{});
    auto layout = conditional_return<BY_ROWS == 1>(by_rows, by_columns);
    Tensor tile = make_tensor(make_smem_ptr(memory), layout);  // <-

    auto rows_of_32 = make_layout(make_shape(_8{}, _32{}), LayoutRight{});
    auto columns_of_32 = make_layout(make_shape(_32{}, _8{}), LayoutLeft{});
    auto move = [&](auto const& source, auto&& target, auto threads) {
        Tensor mine = local_partition(source, threads, threadIdx.x);
        Tensor there = local_partition(target, threads, threadIdx.x);
        Tensor where = local_partition(place, threads, threadIdx.x);
        CUTE_UNROLL
        for (int i = 0; i < size(mine); ++i)
            if (elem_less(where(i), shape)) there(i) = mine(i);
    };
    move(tile_from, tile, rows_of_32);  // <- along the input's rows
    __syncthreads();
    move(tile, tile_to, columns_of_32);  // <- along the output's rows
}
