"""Small kernels in Triton, for which Triton's own PTX is traced."""
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    sum = tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(out + at, sum, mask=inside)


@triton.jit
def transpose(source, out, rows, cols, TILE_ROWS: tl.constexpr, TILE_COLS: tl.constexpr):
    row = tl.program_id(1) * TILE_ROWS + tl.arange(0, TILE_ROWS)
    col = tl.program_id(0) * TILE_COLS + tl.arange(0, TILE_COLS)
    inside = (row[:, None] < rows) & (col[None, :] < cols)
    tile = tl.load(source + row[:, None] * cols + col[None, :], mask=inside)
    tl.store(out + col[:, None] * rows + row[None, :], tl.trans(tile), mask=tl.trans(inside))


@triton.jit
def softmax(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    inside = col < cols
    values = tl.load(x + row * cols + col, mask=inside, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * cols + col, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit
def column_sums(x, out, rows, cols, TILE_ROWS: tl.constexpr, TILE_COLS: tl.constexpr):
    col = tl.program_id(0) * TILE_COLS + tl.arange(0, TILE_COLS)
    sums = tl.zeros((TILE_COLS,), dtype=tl.float32)
    for first in range(tl.program_id(1) * TILE_ROWS, rows, tl.num_programs(1) * TILE_ROWS):
        row = first + tl.arange(0, TILE_ROWS)
        inside = (row[:, None] < rows) & (col[None, :] < cols)
        tile = tl.load(x + row[:, None] * cols + col[None, :], mask=inside, other=0.0)
        sums += tl.sum(tile, axis=0)
    tl.atomic_add(out + col, sums, mask=col < cols)


@triton.jit
def product(a, b, c, M, N, K, TILE_M: tl.constexpr, TILE_N: tl.constexpr, TILE_K: tl.constexpr):
    row = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    col = tl.program_id(1) * TILE_N + tl.arange(0, TILE_N)
    sum = tl.zeros((TILE_M, TILE_N), dtype=tl.float32)
    for first in range(0, K, TILE_K):
        k = first + tl.arange(0, TILE_K)
        left = tl.load(a + row[:, None] * K + k[None, :])
        right = tl.load(b + k[:, None] * N + col[None, :])
        sum = tl.dot(left, right, sum)
    tl.store(c + row[:, None] * N + col[None, :], sum)
