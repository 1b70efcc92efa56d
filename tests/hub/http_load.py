#!/usr/bin/env python3
"""How many students one server holds, and what a hostile one costs the others.

    http_load.py ENGINE [--students N] [--seconds S] [--pause S] [--runs N] [--hostile] [--driver LIBRARY] [--plain]

Starts a server with a token for each student. Each connects, and then turns knobs: every --pause seconds (half of
it to one and a half, at random) it asks for the picture of a stage at another setting, a drag of three now and
then, in one of five with an edit, so that it is compiled anew. Every 8th request (--runs) is a run, which a machine without
a GPU refuses, unless --driver names one for tests. After --seconds it ends; with --hostile it takes twice as long: in
every second slice of time one more student sends heavy jobs, floods, broken frames, messages of 100 MB and kernels that
never end without a pause, and the table has a column for either. Slices in turn, because whatever else the machine does, and what it
has compiled by then, meets both alike.

Prints a table: how long pictures took, when a run that waits for the GPU was first told so, what was lost; and
memory, as RSS (shared pages counted for each process) and as PSS (each shared page once in all). --plain: as JSON.
Standard library only. Exit status 1: answers were lost.
"""
import argparse
import json
import multiprocessing
import os
import random
import sys
import tempfile
import threading
import time

import hub_client
from hub_client import Closed, Refused, Server, Socket, board, job, tokens_file

KNOBS = {"transpose/30_padded": {"PAD": [0, 1, 2, 3, 4], "TILE": [16, 32], "ROWS": [8, 16]},
         "transpose/20_tiled": {"TILE": [16, 32]},
         "transpose/22_coarsened": {"TILE": [16, 32], "ROWS": [8, 16]},
         "transpose/32_swizzled": {"TILE": [32], "ROWS": [8, 16]},
         "transpose/10_naive": {"BLOCK_X": [16, 32], "BLOCK_Y": [16, 32]}}


kEndless = """template <typename T>
__global__ void transpose_naive(const T* in, T* out, int rows, int cols) {
    for (volatile int i = 0; i >= 0;) i = 0;
}
"""


class Student(threading.Thread):
    def __init__(self, server, token, end, pause, seed, runs):
        super().__init__(daemon=True)
        self.server, self.token, self.end, self.pause, self.each_run = server, token, end, pause, runs
        self.random = random.Random(seed)
        self.took, self.runs, self.notices, self.turns = [], [], [], []  # each (when it was asked, how long it took)
        self.asked, self.lost, self.superseded, self.refused = 0, 0, 0, 0
        self.connected_s, self.failure = None, ""
        self.jobs = {}

    def a_job(self):
        name = self.random.choice(list(KNOBS))
        if name not in self.jobs:
            self.jobs[name] = job(name, 256, 256)
        one = self.jobs[name]
        if self.random.random() < 0.2:  # an edit that changes nothing but the text
            source = f"{one['stage']['source']}\n// {self.random.random()}\n"
            one = dict(one, stage=dict(one["stage"], source=source))
        return dict(one, knobs={knob: self.random.choice(choices) for knob, choices in KNOBS[name].items()})

    def run(self):
        try:
            begun = time.monotonic()
            with Socket(self.server, self.token) as socket:
                socket.greeting(300)
                self.connected_s = time.monotonic() - begun
                time.sleep(self.random.uniform(0, self.pause))
                self.turn_knobs(socket)
        except (Closed, Refused, OSError, TimeoutError, AssertionError) as error:
            self.failure = repr(error)

    def turn_knobs(self, socket):
        while time.monotonic() < self.end:
            open_, turns, begun = {}, {}, time.monotonic()
            for _ in range(3 if self.random.random() < 0.2 else 1):  # a drag asks again before the answer
                self.asked += 1
                method = "measure" if self.asked % self.each_run == 0 else "picture"
                socket.send({"type": "request", "id": self.asked, "method": method, "params": {"job": self.a_job(), "block": 0}})
                open_[self.asked] = (method, time.monotonic())
            while open_:
                message = socket.receive(300)
                if message["type"] == "progress" and "waiting for the GPU" in message["what"] and message["id"] in open_:
                    method, asked_at = open_[message["id"]]
                    if method == "measure":  # its first notice; the next ones are of other places
                        self.notices.append((asked_at, socket.come_at - asked_at))
                        open_[message["id"]] = ("measure, told", asked_at)
                elif message["type"] == "progress" and message["id"] in open_:
                    turns.setdefault(message["id"], socket.come_at)  # what is said next, is said when the turn has come
                if message["type"] not in ("result", "error") or message["id"] not in open_:
                    continue
                method, asked_at = open_.pop(message["id"])
                method = method.split(",")[0]
                if message["type"] == "result" and method == "measure":
                    self.runs.append((asked_at, socket.come_at - asked_at))
                    self.turns.append((asked_at, socket.come_at - turns.get(message["id"], asked_at)))
                elif message["type"] == "result":
                    self.took.append((asked_at, socket.come_at - asked_at))
                elif message["message"] == "superseded":
                    self.superseded += 1
                elif method == "measure":
                    self.refused += 1
                else:
                    self.lost += 1
                    self.failure = message["message"]
            time.sleep(max(0, self.pause * self.random.uniform(0.5, 1.5) - (time.monotonic() - begun)))


class Hostile(multiprocessing.get_context("fork").Process):
    """Whatever it gets back is its own affair. A process of its own, so that it takes no turns of the interpreter from
    the students, whose times are measured."""

    def __init__(self, server, token, end, is_turn):
        super().__init__(daemon=True)
        self.server, self.token, self.end, self.is_turn = server, token, end, is_turn
        self.done = multiprocessing.get_context("fork").Value("i", 0)

    def run(self):
        heavy = {"job": job("transpose/10_naive", 32768, 32768)}
        deeds = [self.floods, lambda s: self.sends(s, os.urandom(2000)), lambda s: self.sends(s, b"\x81" * 100_000),
                 lambda s: s.line.sendall(b"\x82\xff" + (100 << 20).to_bytes(8, "big") + b"\0\0\0\0" + b"x" * (1 << 20)),
                 lambda s: [s.send({"type": "request", "id": i, "method": "analyse", "params": heavy}) for i in range(1, 60)] and time.sleep(5),
                 self.never_ends]
        while time.monotonic() < self.end:
            if not self.is_turn(time.monotonic()):
                time.sleep(0.1)
                continue
            try:
                with Socket(self.server, self.token) as socket:
                    socket.greeting(30)
                    deeds[self.done.value % len(deeds)](socket)
                    socket.receive(1)
            except (Closed, Refused, OSError, TimeoutError, AssertionError):
                pass
            self.done.value += 1
            time.sleep(0.1)

    def sends(self, socket, payload):
        socket.send_bytes(payload)

    def never_ends(self, socket):  # on the GPU, where there is one
        endless = dict(job("transpose/10_naive", 256, 256))
        endless["stage"] = dict(endless["stage"], source=kEndless)
        socket.send({"type": "request", "id": 1, "method": "measure", "params": {"job": endless}})
        end = time.monotonic() + 8  # then something else, and the same again later
        while time.monotonic() < end and socket.receive(8)["type"] not in ("result", "error"):
            pass

    def floods(self, socket):
        socket.line.settimeout(3)
        for i in range(1, 5000):
            socket.send({"type": "request", "id": i, "method": "ping", "params": {}})


def memory_mb(process):
    """{rss, pss} of the server, and {rss, pss} of it and all below it."""
    parents, sizes = {}, {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            fields = open(f"/proc/{entry}/stat").read().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(entry))
        sizes[int(entry)] = int(fields[21]) * os.sysconf("SC_PAGESIZE") / 2**20

    def pss(one):
        try:
            lines = open(f"/proc/{one}/smaps_rollup").read().splitlines()
            return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
        except (OSError, StopIteration):  # gone, or not ours to look at
            return 0
    own = {"rss": sizes.get(process, 0), "pss": pss(process)}
    all_, waiting = {"rss": 0, "pss": 0}, [process]
    while waiting:
        one = waiting.pop()
        all_["rss"] += sizes.get(one, 0)
        all_["pss"] += pss(one)
        waiting += parents.get(one, [])
    return own, all_


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def times(crowd, what, of_phase):
    return [took for student in crowd for asked_at, took in getattr(student, what) if of_phase(asked_at)]


def column(crowd, of_phase):
    """What is told of one of the two conditions, in milliseconds."""
    result = {}
    for name, what in (("picture", "took"), ("first_notice", "notices"), ("run", "runs"), ("turn", "turns")):
        values = times(crowd, what, of_phase)
        result[name + "s"] = len(values)
        for label, share in (("p50", 0.5), ("p95", 0.95), ("max", 1)):
            result[f"{name}_ms_{label}"] = round(1000 * percentile(values, share), 1) if values else None
    return result


def main():
    options = argparse.ArgumentParser()
    options.add_argument("engine")
    options.add_argument("--students", type=int, default=60)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--pause", type=float, default=10)
    options.add_argument("--runs", type=int, default=8)
    options.add_argument("--hostile", action="store_true")
    options.add_argument("--driver")
    options.add_argument("--plain", action="store_true")
    given = options.parse_args()
    threading.stack_size(1 << 20)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        names = {f"student{i}": f"token-of-student-{i:04}" for i in range(given.students)}
        tokens = tokens_file(folder, hostile="token-of-the-hostile", board="token-of-the-teacher teacher", **names)
        with open(folder + "/class.toml", "w") as file:
            file.write(f"[limits]\nconnections = {given.students + 10}\nrest_s = 1\n")
        environment = dict(os.environ, LANEWISE_CUDA_DRIVER=given.driver, LANEWISE_NVML=given.driver) if given.driver else None
        with Server(given.engine, folder, "--token-file", tokens, "--class", folder + "/class.toml", environment=environment) as server:
            # While they come in nobody measures, nor while their first pictures are compiled, which the first slice alone
            # would pay for.
            begin = time.monotonic() + given.students * 0.25 + 4 * given.pause
            end = begin + given.seconds * (2 if given.hostile else 1)
            slice_s = max(20, given.seconds / 5)

            def is_hostile(when):
                return given.hostile and when >= begin and int((when - begin) / slice_s) % 2 == 1
            hostile = Hostile(server, "token-of-the-hostile", end, is_hostile)
            if given.hostile:
                hostile.start()  # before there are threads
            crowd = [Student(server, token, end, given.pause, i, given.runs) for i, token in enumerate(names.values())]
            for student in crowd:
                student.start()
                time.sleep(0.1)
            most, there = {}, 0
            while time.monotonic() < end:
                there = max(there, len(board(server, "token-of-the-teacher")["students"]))
                for who, sizes in zip(("server", "server_and_engines"), memory_mb(server.process.pid)):
                    for kind, size in sizes.items():
                        most[f"{who}_{kind}_mb"] = max(most.get(f"{who}_{kind}_mb", 0), round(size))
                time.sleep(5)
            for student in crowd:
                student.join(600)
            quiet = column(crowd, lambda when: when >= begin and not is_hostile(when))
            beside = column(crowd, is_hostile) if given.hostile else None
            result = {
                "students": given.students, "seconds": given.seconds, "pause_s": given.pause, "there_at_once": there, "quiet": quiet,
                "with_hostile": beside, "hostile_deeds": hostile.done.value,
                "slowdown_p50": ratio(beside, quiet, "picture_ms_p50"), "slowdown_p95": ratio(beside, quiet, "picture_ms_p95"),
                "connected_ms_p50": round(1000 * percentile([s.connected_s for s in crowd if s.connected_s], 0.5)),
                "connected_ms_p95": round(1000 * percentile([s.connected_s for s in crowd if s.connected_s], 0.95)),
                "superseded": sum(s.superseded for s in crowd), "runs_refused": sum(s.refused for s in crowd),
                "lost": sum(s.lost for s in crowd), "disconnected": sum(bool(s.failure) or s.is_alive() for s in crowd),
                **most, "processors": os.cpu_count(), "load": round(os.getloadavg()[0], 1)}
            why = sorted({s.failure for s in crowd if s.failure})[:3]
    if given.plain:
        print(json.dumps(result))
    else:
        print_table(result)
        for one in why:
            print("  ", one)
    sys.exit(1 if result["lost"] or result["disconnected"] or not quiet["pictures"] else 0)


def ratio(beside, quiet, name):
    return round(beside[name] / quiet[name], 2) if beside and beside[name] and quiet[name] else None


def print_table(result):
    def text(value):
        return "–" if value is None else str(value)
    quiet, beside = result["quiet"], result["with_hostile"]
    print(f"{'':24} {'quiet':>10} {'hostile' if beside else '':>10}")
    for name in quiet:
        print(f"{name:24} {text(quiet[name]):>10} {text(beside[name]) if beside else '':>10}")
    for name, value in result.items():
        if name not in ("quiet", "with_hostile"):
            print(f"{name:24} {text(value):>10}")


if __name__ == "__main__":
    main()
