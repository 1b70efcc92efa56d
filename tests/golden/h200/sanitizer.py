#!/usr/bin/env python3
"""What compute-sanitizer says of the planted bugs (tests/planted/*.cu and clean/), as CSV on stdout.

    sanitizer.py > sanitizer.csv
    sanitizer.py NAME … > some.csv        only of these, e.g. infinite_loop clean/own_slot

Each kernel is launched once, as its head describes, under each of the four tools: this script runs
itself under them with a kernel's file (NVRTC and the driver by ctypes). A buffer called `in` is
filled, any other is left as allocated, so that initcheck can tell. Columns: kernel, tool, report, lines, count. A row for each kind of
report and the lines of the kernel's source that it names ("9 12": a race has two); report "none"
where a tool has nothing to say, "time limit" where the kernel did not end by itself. Needs a GPU."""
import collections
import concurrent.futures
import csv
import ctypes
import datetime
import os
import struct
import pathlib
import re
import subprocess
import sys

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
TIME_LIMIT_S = 10
PLANTED = pathlib.Path(__file__).parents[2] / "planted"
# "========= Invalid __global__ write of size 4 bytes", "========= Error: Race reported between …"
REPORT = re.compile(r"^========= (?:Error: |Warning: )?((?:Invalid|Uninitialized|Race reported|"
                    r"Potential|Barrier error|Misaligned|Divergent|Missing|Unused|Program hit"
                    r"|Fatal|Out-of-range|Unaligned).*)$")
# The driver's calls that fail because of what was reported already.
CONSEQUENCE = re.compile(r"Program hit .* on CUDA API call to cuStreamSynchronize")
PLACE = re.compile(r"(\w+)\.cu:(\d+)")


def head(source, key):
    line = re.search(rf"^// {key}: (.*)$", source, re.MULTILINE)
    return line[1] if line else ""


def dimensions(text):
    return [int(word) for word in (text.split() + ["1", "1"])[:3]]


def checked(code, what):
    if code != 0:
        sys.exit(f"{what}: error {code}")


def compiled(file):
    """The cubin and the kernel's name in it."""
    nvrtc = next(library for library in map(load, ("libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                 "/usr/local/cuda/lib64/libnvrtc.so")) if library)
    program = ctypes.c_void_p()
    checked(nvrtc.nvrtcCreateProgram(ctypes.byref(program), file.read_bytes(),
                                     str(file).encode(), 0, None, None), "nvrtcCreateProgram")
    checked(nvrtc.nvrtcAddNameExpression(program, b"kernel"), "nvrtcAddNameExpression")
    words = (b"-arch=sm_90", b"-lineinfo", f"-I{PLANTED}".encode())
    options = (ctypes.c_char_p * len(words))(*words)
    checked(nvrtc.nvrtcCompileProgram(program, len(words), options), f"compiling {file}")
    name, size = ctypes.c_char_p(), ctypes.c_size_t()
    checked(nvrtc.nvrtcGetLoweredName(program, b"kernel", ctypes.byref(name)), "its name")
    checked(nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)), "its size")
    cubin = ctypes.create_string_buffer(size.value)
    checked(nvrtc.nvrtcGetCUBIN(program, cubin), "its code")
    return cubin, name.value


def load(name):
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def tensor_map(cuda, argument, addresses):
    """The 128 bytes for "map:in:64x32:32x8:128": columns x rows of floats, box, swizzle."""
    _, buffer, tensor, box, swizzle = argument.split(":")
    cols, rows = map(int, tensor.split("x"))
    words64, words32 = ctypes.c_uint64 * 2, ctypes.c_uint32 * 2
    memory = ctypes.create_string_buffer(128 + 64)
    start = -ctypes.addressof(memory) % 64  # where the driver wants it
    float32, no_interleave, no_promotion, zeros_outside = 7, 0, 0, 0
    checked(cuda.cuTensorMapEncodeTiled(
        ctypes.byref(memory, start), float32, 2, ctypes.c_void_p(addresses[buffer]),
        words64(cols, rows), words64(4 * cols, 0), words32(*map(int, box.split("x"))),
        words32(1, 1), no_interleave, {"0": 0, "128": 3}[swizzle], no_promotion, zeros_outside),
            "describing a tensor")
    return memory.raw[start:start + 128]


def launch(file):
    """The kernel of the file, once."""
    source = file.read_text()
    cubin, name = compiled(file)
    cuda = ctypes.CDLL(os.environ.get("LANEWISE_CUDA_DRIVER", "libcuda.so.1"))
    context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    checked(cuda.cuInit(0), "cuInit")
    checked(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0), "a context")
    checked(cuda.cuCtxSetCurrent(context), "a context")
    checked(cuda.cuModuleLoadData(ctypes.byref(module), cubin), "loading the kernel")
    checked(cuda.cuModuleGetFunction(ctypes.byref(function), module, name), "finding the kernel")
    values, addresses = [], {}
    for argument in head(source, "arguments").split():
        size = re.search(r"\[(\d+)\]", argument)
        if argument.startswith("map:"):
            values.append(tensor_map(cuda, argument, addresses))
            continue
        if not size:
            values.append(struct.pack("<i", int(argument)))
            continue
        address, count = ctypes.c_uint64(), int(size[1])
        checked(cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(4 * count)), "memory")
        if argument.startswith("in["):
            words = struct.pack(f"<{count}I", *((i * 0x9E3779B1 + 1) & 0xFFFFFFFF
                                                for i in range(count)))
            checked(cuda.cuMemcpyHtoDAsync_v2(address, words, ctypes.c_size_t(4 * count), None),
                    "filling a buffer")
            checked(cuda.cuStreamSynchronize(None), "filling a buffer")
        addresses[argument.split("[")[0]] = address.value
        values.append(struct.pack("<Q", address.value))
    # One by one: where a map begins among them packed ones the card has an idea of its own.
    buffers = [ctypes.create_string_buffer(value) for value in values]
    parameters = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, buffers))
    shape = dimensions(head(source, "grid")) + dimensions(head(source, "block"))
    shared = int(head(source, "dynamic shared") or 0)
    checked(cuda.cuLaunchKernel(function, *shape, shared, None, parameters, None), "launching")
    checked(cuda.cuStreamSynchronize(None), "the kernel")


def text_of(command_line):
    """The output, and whether the time limit ended it. The whole process group goes."""
    process = subprocess.Popen(command_line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, start_new_session=True)
    try:
        return process.communicate(timeout=TIME_LIMIT_S)[0], False
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        return process.communicate()[0], True


def kind_of(report):
    """ "Invalid __global__ write of size 4 bytes" -> the same without figures and addresses."""
    report = re.sub(r"0x[0-9a-f]+|of size \d+ bytes|\d+ hazards?|[,.]$", "", report)
    report = re.sub(r" at .*| between .*| for .*| due to .*", "", report)
    return " ".join(report.split())


def reports(text, kernel):
    """{(kind, "line line …"): count}."""
    found = collections.Counter()
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if REPORT.match(line)]
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        kind = REPORT.match(lines[start])[1]
        if CONSEQUENCE.match(kind) and len(starts) > 1:
            continue
        named = {int(m[2]) for line in lines[start:end] for m in PLACE.finditer(line)
                 if m[1] == kernel}
        misaligned = any("misaligned" in line for line in lines[start:end])
        found[kind_of(kind) + (" (misaligned)" if misaligned else ""),
              " ".join(map(str, sorted(named)))] += 1
    return found


def rows(file, tool):
    name = ("clean/" if file.parent.name == "clean" else "") + file.stem
    tool_words = ["compute-sanitizer", "--tool", tool, "--print-limit", "1000"]
    text, ended = text_of(tool_words + [sys.executable, __file__, "--launch", str(file)])
    log = os.environ.get("SANITIZER_LOGS")
    if log:
        (pathlib.Path(log) / f"{name.replace('/', '_')}.{tool}.txt").write_text(text)
    result = [[name, tool, kind, line, count]
              for (kind, line), count in sorted(reports(text, file.stem).items())]
    if ended:
        result.append([name, tool, "time limit", "", 1])
    if not result and "ERROR SUMMARY" not in text and "RACECHECK SUMMARY" not in text:
        result.append([name, tool, "no summary", "", 1])
    return result or [[name, tool, "none", "", 0]]


def main():
    if sys.argv[1:2] == ["--launch"]:
        launch(pathlib.Path(sys.argv[2]))
        return
    version = subprocess.run(["compute-sanitizer", "--version"], capture_output=True, text=True,
                             check=True).stdout.strip().splitlines()[-1]
    files = [PLANTED / f"{name}.cu" for name in sys.argv[1:]] or \
        sorted(PLANTED.glob("*.cu")) + sorted(PLANTED.glob("clean/*.cu"))
    card = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"],
                          capture_output=True, text=True, check=False).stdout.splitlines()
    print(f"# {card[0] if card else 'no card'}, compute-sanitizer, {version}, {datetime.date.today()}")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["kernel", "tool", "report", "lines", "count"])
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(rows, file, tool) for file in files for tool in TOOLS]
        for job in jobs:
            writer.writerows(job.result())
            sys.stdout.flush()


if __name__ == "__main__":
    main()
