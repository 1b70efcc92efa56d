"""Launches each kernel of triton_kernels.py once; PTX and arguments go into the folder given."""
import pathlib
import sys
import traceback

import torch
import triton

import triton_kernels as kernels

folder = pathlib.Path(sys.argv[1])
torch.manual_seed(1)


def floats(count, kind=torch.float32):
    return torch.randn(count).to(kind).cuda()


def note(name, compiled, grid, arguments):
    (folder / f"triton_{name}.ptx").write_text(compiled.asm["ptx"])
    (folder / f"triton_{name}.cubin").write_bytes(compiled.asm["cubin"])
    words = " ".join(f"--arg {word}" for word in arguments)
    grid = ",".join(map(str, grid))
    meta = compiled.metadata
    with open(folder / "cases.txt", "a") as file:
        file.write(f"triton_{name}.ptx --kernel {compiled.metadata.name} --grid {grid} "
                   f"--block {32 * meta.num_warps} --dynamic-shared {meta.shared} {words}\n")
    print(name, meta, flush=True)


def add():
    n = 5000
    x, y, out = floats(n), floats(n), floats(n)
    compiled = kernels.add[(5,)](x, y, out, n, BLOCK=1024)
    torch.cuda.synchronize()
    assert torch.equal(out, x + y)
    note("add", compiled, (5,), [f"f32[{n}]"] * 3 + [f"i32:{n}"])


def add_ragged():  # n is no multiple of 16
    n = 4999
    x, y, out = floats(n), floats(n), floats(n)
    compiled = kernels.add[(5,)](x, y, out, n, BLOCK=1024)
    torch.cuda.synchronize()
    assert torch.equal(out, x + y)
    note("add_ragged", compiled, (5,), [f"f32[{n}]"] * 3 + [f"i32:{n}"])


def transpose():
    rows, cols = 192, 160
    x, out = floats(rows * cols), floats(rows * cols)
    compiled = kernels.transpose[(5, 3)](x, out, rows, cols, TILE_ROWS=64, TILE_COLS=32)
    torch.cuda.synchronize()
    assert torch.equal(out.view(cols, rows), x.view(rows, cols).t())
    note("transpose", compiled, (5, 3),
         [f"f32[{rows * cols}]"] * 2 + [f"i32:{rows}", f"i32:{cols}"])


def softmax():
    rows, cols = 37, 1000
    x, out = floats(rows * cols), floats(rows * cols)
    compiled = kernels.softmax[(rows,)](x, out, cols, BLOCK=1024)
    torch.cuda.synchronize()
    assert torch.allclose(out.view(rows, cols), torch.softmax(x.view(rows, cols), 1))
    note("softmax", compiled, (rows,), [f"f32[{rows * cols}]"] * 2 + [f"i32:{cols}"])


def column_sums():
    rows, cols = 300, 200
    x, out = floats(rows * cols), torch.zeros(cols).cuda()
    compiled = kernels.column_sums[(4, 3)](x, out, rows, cols, TILE_ROWS=16, TILE_COLS=64)
    torch.cuda.synchronize()
    print("column_sums", (out - x.view(rows, cols).sum(0)).abs().max().item())
    note("column_sums", compiled, (4, 3),
         [f"f32[{rows * cols}]", f"f32[{cols}]", f"i32:{rows}", f"i32:{cols}"])


def product():
    M, N, K = 128, 256, 192
    a, b, c = floats(M * K, torch.float16), floats(K * N, torch.float16), floats(M * N)
    compiled = kernels.product[(2, 4)](a, b, c, M, N, K, TILE_M=64, TILE_N=64, TILE_K=32,
                                       num_warps=4, num_stages=3)
    torch.cuda.synchronize()
    wanted = a.view(M, K).float() @ b.view(K, N).float()
    print("product", (c.view(M, N) - wanted).abs().max().item())
    note("product", compiled, (2, 4), [f"f16[{M * K}]", f"f16[{K * N}]", f"f32[{M * N}]",
                                       f"i32:{M}", f"i32:{N}", f"i32:{K}"])


for launch in (add, add_ragged, transpose, softmax, column_sums, product):
    try:
        launch()
    except Exception:
        traceback.print_exc()
