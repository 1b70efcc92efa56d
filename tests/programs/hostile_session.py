#!/usr/bin/env python3
"""Hostile kernels, one after the other, through one `lanewise-engine serve`.

    hostile_session.py ENGINE [RUNS]

Each run must be answered as expected; after each, a harmless kernel must be right and the worker be
back in under 2 s; at the end no process may be left, no zombie have been seen, and the GPU's memory
be as before. The wire is spoken by hand (app/service/protocol.h): a second reading of the protocol.
"""
import os
import re
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def encode(value):
    def head(major, n):
        for code, width, form in ((24, 1, ">B"), (25, 2, ">H"), (26, 4, ">I"), (27, 8, ">Q")):
            if n < 24:
                return bytes([major << 5 | n])
            if n < 1 << 8 * width:
                return bytes([major << 5 | code]) + struct.pack(form, n)
    if value is True or value is False:
        return b"\xf5" if value else b"\xf4"
    if value is None:
        return b"\xf6"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encode, value))
    return head(5, len(value)) + b"".join(encode(k) + encode(v) for k, v in value.items())


def decode(body, at=0):
    first = body[at]
    major, n = first >> 5, first & 31
    at += 1
    if major == 7:
        if n in (25, 26, 27):
            width, form = {25: (2, ">e"), 26: (4, ">f"), 27: (8, ">d")}[n]
            return struct.unpack(form, body[at:at + width])[0], at + width
        return {20: False, 21: True, 22: None}[n], at
    if n >= 24:
        width = 1 << n - 24
        n = int.from_bytes(body[at:at + width], "big")
        at += width
    if major in (0, 1):
        return (n if major == 0 else -1 - n), at
    if major in (2, 3):
        raw = body[at:at + n]
        return (raw.decode("utf-8", "replace") if major == 3 else raw), at + n
    if major == 4:
        items = []
        for _ in range(n):
            item, at = decode(body, at)
            items.append(item)
        return items, at
    pairs = {}
    for _ in range(n):
        key, at = decode(body, at)
        pairs[key], at = decode(body, at)
    return pairs, at


def job(name, rows=256, cols=256):
    path = os.path.join(HERE, "hostile", name + ".cu")
    source = open(path).read()
    stage = {
        "id": "hostile/" + name, "operation": "hostile", "title": name, "file": name + ".cu",
        "source": source, "kernel": name, "knobs": [], "types": ["f32"],
        "template_parameters": ["T"],
        "grid": ["ceil_div(cols, 32)", "ceil_div(rows, 8)"], "block": ["32", "8"],
        "reference": "transpose", "requirements": [], "has_tile": False,
        "tile": {"array": "", "rows": "", "cols": "", "pitch": ""}, "compare": "", "error": ""}
    one = {"x": 1, "y": 1, "z": 1}
    own = {"kernel": "", "shape": {"grid": one, "block": one, "dynamic_shared_bytes": 0},
           "arguments": [], "include_folders": [], "defines": []}
    return {"stage": stage, "knobs": {}, "type": "f32", "rows": rows, "cols": cols, "batch": 1,
            "arch": "", "own": own}


class Engine:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.id = 0
        assert self.receive()["type"] == "hello"

    def receive(self):
        while True:
            length = struct.unpack("<I", self.process.stdout.read(4))[0]
            message = decode(self.process.stdout.read(length))[0]
            if message["type"] not in ("beat", "progress", "status"):
                return message

    def send(self, message):
        body = encode(message)
        self.process.stdin.write(struct.pack("<I", len(body)) + body)
        self.process.stdin.flush()

    def measure(self, name, limit, cancel_after=None, **shape):
        self.id += 1
        self.send({"type": "request", "id": self.id, "method": "measure",
                   "params": {"job": job(name, **shape), "options": {"time_limit_s": limit}}})
        if cancel_after is not None:
            time.sleep(cancel_after)
            self.send({"type": "cancel", "id": self.id})
        while True:
            answer = self.receive()
            if answer["id"] == self.id:
                return answer

    def close(self):
        self.process.stdin.close()
        return self.process.wait(20)


def gpu_memory_mib():
    try:
        text = subprocess.run(["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader"],
                              capture_output=True, text=True, timeout=30).stdout
        return [int(re.match(r"\d+", line)[0]) for line in text.split("\n") if line.strip()]
    except (OSError, TypeError):
        return []


def children(parent):
    """{process id: state} of the children of a process; Z is a zombie."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = open(f"/proc/{pid}/stat").read()
        except OSError:
            continue
        state, its_parent = stat[stat.rindex(")") + 2:].split()[:2]
        if int(its_parent) == parent:
            found[int(pid)] = state
    return found


# name, seconds allowed, kinds of crash that are right (None: an answer without a crash)
MISDEEDS = [
    ("out_of_bounds", 2.0, ("illegal_access",)),
    ("misaligned", 2.0, ("misaligned",)),
    ("traps", 2.0, ("launch_failure", "illegal_instruction")),
    ("endless", 0.3, ("endless",)),
    ("eats_memory", 2.0, None),
    ("prints_little", 2.0, None),
    ("out_of_bounds", 2.0, ("illegal_access",)),
    ("endless", 0.3, ("endless",)),
    ("misaligned", 2.0, ("misaligned",)),
    ("prints_much", 1.0, None),
]


def main():
    program, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    faults, back, zombies = [], {}, 0
    before = gpu_memory_mib()
    seen = set()
    engine = Engine(program)
    first = time.time()
    answer = engine.measure("fine", 5.0)
    print(f"first measurement: {time.time() - first:.2f} s, {answer['type']}")
    if answer["type"] != "result":
        sys.exit("cannot measure here: " + answer.get("message", ""))
    start = time.time()
    answer = engine.measure("fine", 5.0)
    print(f"a second one, warm: {time.time() - start:.3f} s")

    def after(name):
        nonlocal zombies
        begun = time.time()
        fine = engine.measure("fine", 5.0, rows=33, cols=65)
        took = time.time() - begun
        back.setdefault(name, []).append(took)
        if fine["type"] != "result" or not fine["result"]["correct"]:
            faults.append(f"after {name}: {fine.get('message', 'a wrong result')}")
        if took > 2:
            faults.append(f"after {name}: {took:.2f} s until the next result")
        mine = children(engine.process.pid)
        seen.update(mine)
        zombies += list(mine.values()).count("Z")

    printed, shown = 0, set()
    for i in range(runs):
        name, limit, kinds = MISDEEDS[i % len(MISDEEDS)]
        begun = time.time()
        answer = engine.measure(name, 5.0 if i == 3 else limit)
        took = time.time() - begun
        crash = ((answer.get("details") or {}).get("crash") or {})
        if kinds and crash.get("kind") not in kinds:
            faults.append(f"{name}: {crash.get('kind')}: {answer.get('message')}")
        if not kinds and crash:
            faults.append(f"{name}: a crash: {answer['message']}")
        if "result" in answer:
            printed += answer["result"].get("printed", {}).get("bytes", 0)
        if i < len(MISDEEDS) and name not in shown:
            shown.add(name)
            text = answer.get("message") or f"correct: {answer['result']['correct']}, printed " \
                f"{answer['result'].get('printed', {}).get('bytes', 0)} bytes"
            print(f"--- {name} ({took:.2f} s): {text}")
        after(name)
    for name in ("endless", "fine"):
        begun = time.time()
        answer = engine.measure(name, 60.0, cancel_after=0.5, rows=8192, cols=8192)
        print(f"cancel of {name}: {time.time() - begun - 0.5:.2f} s after asking, "
              f"{answer['type']} {answer.get('message', '')}")
        after("cancel")
    time.sleep(1)
    print(f"its processes now: {len(children(engine.process.pid))} (a worker and a spare)")
    status = engine.close()
    time.sleep(2)
    left = [pid for pid in seen if os.path.exists(f"/proc/{pid}")]
    memory = gpu_memory_mib()
    print(f"{runs} misdeeds in {time.time() - first:.0f} s, {printed} bytes printed; "
          f"engine's exit status {status}; processes left: {len(left)}; zombies seen: {zombies}; "
          f"GPU memory in use before {before} MiB, after {memory} MiB")
    for name, times in sorted(back.items()):
        times.sort()
        print(f"  next result after {name:14}: median {times[len(times) // 2]:.3f} s, "
              f"slowest {times[-1]:.3f} s ({len(times)})")
    if left:
        faults.append(f"left behind: {left}")
    if zombies:
        faults.append(f"{zombies} zombies seen")
    if any(b > a + 64 for a, b in zip(before, memory)):
        faults.append("GPU memory was not given back")
    for fault in faults[:20]:
        print("FAULT", fault)
    print("fine" if not faults else f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


main()
