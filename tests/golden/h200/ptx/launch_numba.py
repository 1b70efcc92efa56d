"""Launches each kernel of numba_kernels.py once; PTX and arguments go into the folder given."""
import pathlib
import sys
import traceback

import numpy as np
from numba import cuda

import numba_kernels as kernels

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(1)


def floats(*shape):
    return cuda.to_device(random.standard_normal(shape).astype(np.float32))


def array(*shape):
    count = int(np.prod(shape))
    strides = [4 * int(np.prod(shape[i + 1:])) for i in range(len(shape))]
    words = ["u64:0", "u64:0", f"i64:{count}", "i64:4", f"f32[{count}]"]
    return words + [f"i64:{size}" for size in (*shape, *strides)]


def note(name, kernel, grid, block, arguments):
    ((signature, ptx),) = kernel.inspect_asm().items()
    (folder / f"numba_{name}.ptx").write_text(ptx)
    words = " ".join(f"--arg {word}" for word in arguments)
    with open(folder / "cases.txt", "a") as file:
        file.write(f"numba_{name}.ptx --kernel {name} --grid {grid} --block {block} {words}\n")
    print(name, signature, flush=True)


def saxpy():
    x, y = floats(1000), floats(1000)
    kernels.saxpy[8, 128](np.float32(2.5), x, y)
    cuda.synchronize()
    note("saxpy", kernels.saxpy, "8", "128", ["f32:2.5", *array(1000), *array(1000)])


def transpose(kernel, block):
    x, out = floats(96, 64), floats(64, 96)
    kernel[(2, 3) if block[1] == 8 else (4, 6), block](x, out)
    cuda.synchronize()
    assert np.array_equal(out.copy_to_host(), x.copy_to_host().T)
    note(kernel.py_func.__name__, kernel, "2,3" if block[1] == 8 else "4,6",
         ",".join(map(str, block)), [*array(96, 64), *array(64, 96)])


def block_sums():
    x, out = floats(1000), cuda.to_device(np.zeros(1, np.float32))
    kernels.block_sums[4, 256](x, out)
    cuda.synchronize()
    print("block_sums", out.copy_to_host()[0] - x.copy_to_host().sum())
    note("block_sums", kernels.block_sums, "4", "256", [*array(1000), *array(1)])


for launch in (saxpy, lambda: transpose(kernels.naive_transpose, (16, 16)),
               lambda: transpose(kernels.tiled_transpose, (32, 8)),
               lambda: transpose(kernels.padded_transpose, (32, 8)), block_sums):
    try:
        launch()
    except Exception:
        traceback.print_exc()
