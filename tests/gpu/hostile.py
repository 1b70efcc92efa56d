#!/usr/bin/env python3
"""Hostile kernels, one after the other, through one `lanewise-engine serve`.

    hostile.py ENGINE [--runs N] [--limit SECONDS] [--fake LIBRARY] [--budget SECONDS]

Each run must be answered as expected; after each, a harmless kernel must be right and the worker be
back, on a card in under 2 s; at the end no process may be left, no zombie have stayed, and the GPU's
memory be as before. --limit: what an endless kernel is given. --fake: a driver made for tests, in
place of a card (tests/gpu/fake_driver.h): no time is asked for then, since that runs where other
tests do. --budget: no further run starts after so many seconds.
Where an answer does not come, what every thread of the engine and its workers waits for is printed.
The wire is spoken by hand (app/service/protocol.h): a second reading of the protocol.
Exit status: 0 fine, 1 faults, 77 there is no GPU or no compiler.
"""
import argparse
import os
import re
import select
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "programs", "hostile")
PATIENCE_S = 200  # for what comes at once, unless the machine has much else to do
BACK_S = 2  # from a misdeed's answer to the next one's
NEEDS_GPU = 4    # an answer's status
FIRST_SAMPLE_S = 0.15  # from a request to the first timed round of a warm worker


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


def job(name, rows=64, cols=64):
    path = os.path.join(KERNELS, name + ".cu")
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


class NoAnswer(Exception):
    pass


class Engine:
    def __init__(self, program, fake):
        environment = dict(os.environ)
        if fake:
            environment["LANEWISE_CUDA_DRIVER"] = fake
        self.process = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=environment)
        self.id = 0
        self.bytes = b""
        self.first_sample_s = None  # from the last request to the first timed round
        if self.receive(PATIENCE_S)["type"] != "hello":
            sys.exit("the engine did not greet")

    def receive(self, patience):
        """The next message."""
        end = time.time() + patience
        while True:
            if len(self.bytes) >= 4:
                length = struct.unpack("<I", self.bytes[:4])[0]
                if len(self.bytes) >= 4 + length:
                    message = decode(self.bytes[4:4 + length])[0]
                    self.bytes = self.bytes[4 + length:]
                    return message
            left = end - time.time()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise NoAnswer("nothing came")
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                raise NoAnswer(f"the engine ended with status {self.process.wait()}")
            self.bytes += more

    def send(self, message):
        body = encode(message)
        self.process.stdin.write(struct.pack("<I", len(body)) + body)
        self.process.stdin.flush()

    def measure(self, name, limit, cancel_after=None, **shape):
        self.id += 1
        self.first_sample_s = None
        self.send({"type": "request", "id": self.id, "method": "measure",
                   "params": {"job": job(name, **shape), "options": {"time_limit_s": limit}}})
        begun = time.time()
        if cancel_after is not None:
            time.sleep(cancel_after)
            self.send({"type": "cancel", "id": self.id})
        while True:
            left = begun + limit + PATIENCE_S - time.time()
            message = self.receive(left)
            if message["type"] == "progress" and message["what"].startswith("round 1 "):
                self.first_sample_s = time.time() - begun
            if message["type"] in ("result", "error") and message["id"] == self.id:
                return message

    def close(self):
        self.process.stdin.close()
        return self.process.wait(PATIENCE_S)


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


def comes_true(condition):
    """Whether it does, soon enough: what ends is gone a moment later."""
    end = time.time() + PATIENCE_S
    while not condition() and time.time() < end:
        time.sleep(0.02)
    return condition()


def print_waits(process):
    """What each thread of a process and of its children waits for."""
    for pid in [process, *children(process)]:
        for task in sorted(os.listdir(f"/proc/{pid}/task")) if os.path.exists(f"/proc/{pid}") else []:
            words = [str(pid), task]
            for what in ("comm", "wchan", "syscall", "stack"):
                try:
                    words.append(open(f"/proc/{pid}/task/{task}/{what}").read().strip())
                except OSError as error:
                    words.append(error.strerror or "?")
            state = open(f"/proc/{pid}/task/{task}/stat").read().rsplit(")")[-1].split()[0]
            print("  waits:", state, " | ".join(words).replace("\n", " < "))


# name, seconds allowed (None: --limit), kinds of crash that are right ("": an answer without one)
MISDEEDS = [
    ("out_of_bounds", 2.0, ("illegal_access",)),
    ("misaligned", 2.0, ("misaligned",)),
    ("traps", 2.0, ("launch_failure", "illegal_instruction")),
    ("endless", None, ("endless",)),
    ("eats_memory", 2.0, ("",)),
    ("prints_little", 2.0, ("",)),
    ("out_of_bounds", 2.0, ("illegal_access",)),
    ("endless", None, ("endless",)),
    ("misaligned", 2.0, ("misaligned",)),
    ("prints_much", None, ("", "endless")),
]


class Session:
    def __init__(self, back_s):
        self.engine = None
        self.back_s = back_s
        self.faults = []
        self.zombies = 0
        self.seen = set()
        self.back = {}  # misdeed -> seconds until the next result, each time
        self.printed = 0

    def look_after(self, name):
        """A harmless kernel at once after a misdeed; seconds until its result."""
        begun = time.time()
        fine = self.engine.measure("fine", 5.0, rows=33, cols=65)
        took = time.time() - begun
        self.back.setdefault(name, []).append(took)
        if fine["type"] != "result" or not fine["result"]["correct"]:
            self.faults.append(f"after {name}: {fine.get('message', 'a wrong result')}")
        if took > self.back_s:
            self.faults.append(f"after {name}: {took:.2f} s until the next result")
        self.zombies += not comes_true(lambda: "Z" not in self.look_at_processes().values())
        return took

    def look_at_processes(self):
        mine = children(self.engine.process.pid)
        self.seen.update(mine)
        return mine

    def misbehave(self, name, limit, kinds, in_words):
        begun = time.time()
        answer = self.engine.measure(name, limit)
        took = time.time() - begun
        details = answer.get("details") or {}
        crash = details.get("crash") or {}
        kind = crash.get("kind", "")
        if kind not in kinds:
            self.faults.append(f"{name}: {kind or 'no crash'}: {answer.get('message')}")
        printed = (answer.get("result") or crash).get("printed", {}).get("bytes", 0)
        self.printed += printed
        text = answer.get("message") or f"correct: {answer['result']['correct']}"
        print(f"{name}: {kind or answer['type']} after {took:.2f} s, {printed} bytes printed, "
              f"next result after {self.look_after(name):.2f} s")
        if in_words:
            print(f"  GPU memory {gpu_memory_mib()} MiB; {text}")

    def cancel(self, name):
        begun = time.time()
        answer = self.engine.measure(name, 60.0, cancel_after=0.5, rows=1024, cols=1024)
        print(f"cancel of {name}: {time.time() - begun - 0.5:.2f} s after asking, "
              f"{answer['type']} {answer.get('message', '')}")
        self.look_after("cancel")


def start(options, faults):
    """The engine, warm; what a first and a later request cost is printed."""
    engine = Engine(options.engine, options.fake)
    for what, side in (("first measurement", 64), ("warm", 64), ("4096 x 4096", 4096),
                       ("4096 x 4096, warm", 4096)):
        if options.fake and side > 64:
            continue
        begun = time.time()
        answer = engine.measure("fine", 5.0, rows=side, cols=side)
        if answer.get("status") == NEEDS_GPU:
            print("skipped:", answer["message"])
            sys.exit(77)
        first = engine.first_sample_s
        print(f"{what}: {time.time() - begun:.3f} s, its first sample after "
              f"{'?' if first is None else f'{first:.3f}'} s, {answer['type']} "
              f"{answer.get('message', '')}")
        if "warm" in what and not options.fake and (first is None or first > FIRST_SAMPLE_S):
            faults.append(f"{what}: {first} s until the first sample")
    return engine


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--limit", type=float, default=1.0)
    parser.add_argument("--budget", type=float, default=1e9)
    parser.add_argument("--fake")
    options = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    doctor = subprocess.run([options.engine, "doctor"], capture_output=True, text=True).stdout
    if not re.search("^ok +CUDA compiler", doctor, re.M):
        print("skipped: no NVRTC here")
        sys.exit(77)

    begun = time.time()
    before = gpu_memory_mib() if not options.fake else []
    session = Session(PATIENCE_S if options.fake else BACK_S)
    engine = session.engine = start(options, session.faults)
    runs = 0
    try:
        while runs < options.runs and time.time() - begun < options.budget:
            name, limit, kinds = MISDEEDS[runs % len(MISDEEDS)]
            session.misbehave(name, limit or options.limit, kinds, runs < len(MISDEEDS))
            runs += 1
        for name in ("endless", "fine"):
            session.cancel(name)
    except NoAnswer as problem:
        print("FAULT no answer:", problem)
        print_waits(engine.process.pid)
        engine.process.kill()
        sys.exit(1)
    comes_true(lambda: len(children(engine.process.pid)) <= 2)
    print(f"its processes now: {len(children(engine.process.pid))} (a worker and a spare)")
    status = engine.close()
    still_there = lambda: [pid for pid in session.seen if os.path.exists(f"/proc/{pid}")]
    comes_true(lambda: not still_there())
    left = still_there()
    memory = gpu_memory_mib() if not options.fake else []
    print(f"{runs} misdeeds in {time.time() - begun:.0f} s, {session.printed} bytes printed; "
          f"engine's exit status {status}; processes left: {len(left)}; zombies seen: "
          f"{session.zombies}; GPU memory in use before {before} MiB, after {memory} MiB")
    for name, times in sorted(session.back.items()):
        times.sort()
        print(f"  next result after {name:14}: median {times[len(times) // 2]:.3f} s, "
              f"slowest {times[-1]:.3f} s ({len(times)})")
    faults = session.faults
    if status != 0:
        faults.append(f"the engine ended with status {status}")
    if left:
        faults.append(f"left behind: {left}")
    if session.zombies:
        faults.append(f"{session.zombies} zombies seen")
    if any(b > a + 64 for a, b in zip(before, memory)):
        faults.append("GPU memory was not given back")
    for fault in faults[:20]:
        print("FAULT", fault)
    print("fine" if not faults else f"{len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
