"""Small kernels in Numba, for which Numba's own PTX is traced."""
from numba import cuda, float32

TILE = 32
ROWS = 8


@cuda.jit(lineinfo=True)
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < y.shape[0]:
        y[i] = a * x[i] + y[i]


@cuda.jit(lineinfo=True)
def naive_transpose(source, out):
    col, row = cuda.grid(2)
    if row < source.shape[0] and col < source.shape[1]:
        out[col, row] = source[row, col]


@cuda.jit(lineinfo=True)
def tiled_transpose(source, out):
    tile = cuda.shared.array((TILE, TILE), float32)
    col = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = source[row + j, col]
    cuda.syncthreads()
    col = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        out[row + j, col] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]


@cuda.jit(lineinfo=True)
def padded_transpose(source, out):
    tile = cuda.shared.array((TILE, 33), float32)
    col = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        tile[cuda.threadIdx.y + j, cuda.threadIdx.x] = source[row + j, col]
    cuda.syncthreads()
    col = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    row = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        out[row + j, col] = tile[cuda.threadIdx.x, cuda.threadIdx.y + j]


@cuda.jit(lineinfo=True)
def block_sums(x, out):
    partial = cuda.shared.array(256, float32)
    thread = cuda.threadIdx.x
    i = cuda.grid(1)
    partial[thread] = x[i] if i < x.shape[0] else 0.0
    cuda.syncthreads()
    half = 128
    while half > 0:
        if thread < half:
            partial[thread] += partial[thread + half]
        cuda.syncthreads()
        half //= 2
    if thread == 0:
        cuda.atomic.add(out, 0, partial[0])
