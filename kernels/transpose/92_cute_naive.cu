/*---
title   = "CuTe, naive"
types   = ["f32", "f64", "f16", "u8"]
headers = "cutlass"
block   = ["256"]
grid    = ["ceil_div(cols, 32)", "ceil_div(rows, 32)", "batch"]
[without]
f32x4 = "CuTe has no copy atom for an element of 16 bytes; a float4 would be moved word by word."
[knob.ALONG]
choices = [0, 1]
help    = "1: neighbouring threads take neighbours in a row of the input, 0: in a column"
---*/

// Idea: say where things lie, and let the library do the index arithmetic. A layout maps coordinates
// to places; the output has the input's coordinates and other strides, so the transpose is a copy.
// Still wrong: a layout moves no byte. One side is still walked across its rows.
#include <cute/tensor.hpp>

template <typename T = float, int ALONG = 1>
__global__ void transpose_cute_naive(const T* in, T* out, int rows, int cols, int batch) {
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

    // Which thread takes which elements of the tile: 8 rows of 32 threads, or 8 columns of 32.
    auto rows_of_32 = make_layout(make_shape(_8{}, _32{}), LayoutRight{});
    auto columns_of_32 = make_layout(make_shape(_32{}, _8{}), LayoutLeft{});
    auto threads = conditional_return<ALONG == 1>(rows_of_32, columns_of_32);
    Tensor mine = local_partition(tile_from, threads, threadIdx.x);
    Tensor target = local_partition(tile_to, threads, threadIdx.x);
    Tensor where = local_partition(place, threads, threadIdx.x);
    CUTE_UNROLL
    for (int i = 0; i < size(mine); ++i)
        if (elem_less(where(i), shape)) target(i) = mine(i);  // <-
}
