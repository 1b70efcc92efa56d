#!/usr/bin/env python3
"""How many students one server holds, and what a hostile one costs the others.

    http_load.py ENGINE [--students N] [--seconds S] [--pause S] [--hostile] [--driver LIBRARY] [--plain]

Starts a server with a token for each student. Each connects, and then turns knobs: every --pause seconds (half of
it to one and a half, at random) it asks for the picture of a stage at another setting, a drag of three now and
then. Every 8th request is a run, which a machine without a GPU refuses, unless --driver names one for tests. With --hostile one more student sends
heavy jobs, floods, broken frames and messages of 100 MB all the time. Prints a table: how long pictures took, what
was lost, memory. --plain: numbers alone, as JSON. Standard library only. Exit status 1: answers were lost.
"""
import argparse
import json
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


class Student(threading.Thread):
    def __init__(self, server, token, end, pause, seed):
        super().__init__(daemon=True)
        self.server, self.token, self.end, self.pause = server, token, end, pause
        self.random = random.Random(seed)
        self.took, self.runs, self.asked, self.lost, self.superseded, self.refused = [], [], 0, 0, 0, 0
        self.connected_s, self.failure = None, ""
        self.jobs = {}

    def a_job(self):
        name = self.random.choice(list(KNOBS))
        if name not in self.jobs:
            self.jobs[name] = job(name, 256, 256)
        return dict(self.jobs[name], knobs={knob: self.random.choice(choices) for knob, choices in KNOBS[name].items()})

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
            open_, begun = {}, time.monotonic()
            for _ in range(3 if self.random.random() < 0.2 else 1):  # a drag asks again before the answer
                self.asked += 1
                method = "measure" if self.asked % 8 == 0 else "picture"
                socket.send({"type": "request", "id": self.asked, "method": method, "params": {"job": self.a_job(), "block": 0}})
                open_[self.asked] = (method, time.monotonic())
            while open_:
                message = socket.receive(120)
                if message["type"] not in ("result", "error") or message["id"] not in open_:
                    continue
                method, asked_at = open_.pop(message["id"])
                if message["type"] == "result" and method == "measure":
                    self.runs.append(time.monotonic() - asked_at)
                elif message["type"] == "result":
                    self.took.append(time.monotonic() - asked_at)
                elif message["message"] == "superseded":
                    self.superseded += 1
                elif method == "measure":
                    self.refused += 1
                else:
                    self.lost += 1
                    self.failure = message["message"]
            time.sleep(max(0, self.pause * self.random.uniform(0.5, 1.5) - (time.monotonic() - begun)))


class Hostile(threading.Thread):
    """Whatever it gets back is its own affair."""

    def __init__(self, server, token, end):
        super().__init__(daemon=True)
        self.server, self.token, self.end, self.deeds = server, token, end, 0

    def run(self):
        heavy = {"job": job("transpose/10_naive", 32768, 32768)}
        deeds = [self.floods, lambda s: self.sends(s, os.urandom(2000)), lambda s: self.sends(s, b"\x81" * 100_000),
                 lambda s: s.line.sendall(b"\x82\xff" + (100 << 20).to_bytes(8, "big") + b"\0\0\0\0" + b"x" * (1 << 20)),
                 lambda s: [s.send({"type": "request", "id": i, "method": "analyse", "params": heavy}) for i in range(1, 60)] and time.sleep(5)]
        while time.monotonic() < self.end:
            try:
                with Socket(self.server, self.token) as socket:
                    socket.greeting(30)
                    deeds[self.deeds % len(deeds)](socket)
                    socket.receive(1)
            except (Closed, Refused, OSError, TimeoutError, AssertionError):
                pass
            self.deeds += 1
            time.sleep(0.1)

    def sends(self, socket, payload):
        socket.send_bytes(payload)

    def floods(self, socket):
        socket.line.settimeout(3)
        for i in range(1, 5000):
            socket.send({"type": "request", "id": i, "method": "ping", "params": {}})


def resident_mb(process):
    """Of the server, and of all below it: shared pages are counted for each."""
    own, all_, parents, sizes = 0, 0, {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = open(f"/proc/{entry}/stat").read().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry))
            sizes[int(entry)] = int(fields[21]) * os.sysconf("SC_PAGESIZE") / 2**20
    own, waiting = sizes.get(process, 0), [process]
    while waiting:
        one = waiting.pop()
        all_ += sizes.get(one, 0)
        waiting += parents.get(one, [])
    return own, all_


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("engine")
    options.add_argument("--students", type=int, default=60)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--pause", type=float, default=5)
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
            begun = time.monotonic()
            end = begun + given.seconds + given.students * 0.25  # while they come in nobody measures
            crowd = [Student(server, token, end, given.pause, i) for i, token in enumerate(names.values())]
            for student in crowd:
                student.start()
                time.sleep(0.1)
            hostile = Hostile(server, "token-of-the-hostile", end)
            if given.hostile:
                hostile.start()
            most, all_most, there = 0, 0, 0
            while time.monotonic() < end:
                there = max(there, len(board(server, "token-of-the-teacher")["students"]))
                own, all_ = resident_mb(server.process.pid)
                most, all_most = max(most, own), max(all_most, all_)
                time.sleep(2)
            for student in crowd:
                student.join(180)
            result = {
                "students": given.students, "seconds": given.seconds, "pause_s": given.pause, "hostile_deeds": hostile.deeds,
                "there_at_once": there,
                "pictures": sum(len(s.took) for s in crowd),
                "picture_ms_p50": 1000 * percentile([t for s in crowd for t in s.took], 0.5),
                "picture_ms_p95": 1000 * percentile([t for s in crowd for t in s.took], 0.95),
                "picture_ms_max": 1000 * max([t for s in crowd for t in s.took], default=float("nan")),
                "connected_ms_p50": 1000 * percentile([s.connected_s for s in crowd if s.connected_s], 0.5),
                "runs": sum(len(s.runs) for s in crowd),
                "run_ms_p50": 1000 * percentile([t for s in crowd for t in s.runs], 0.5),
                "run_ms_p95": 1000 * percentile([t for s in crowd for t in s.runs], 0.95),
                "superseded": sum(s.superseded for s in crowd), "runs_refused": sum(s.refused for s in crowd),
                "lost": sum(s.lost for s in crowd), "disconnected": sum(bool(s.failure) for s in crowd),
                "server_mb": most, "server_and_engines_mb": all_most, "processors": os.cpu_count(),
                "load": os.getloadavg()[0]}
            why = sorted({s.failure for s in crowd if s.failure})[:3]
    if given.plain:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:24} {value:.0f}" if isinstance(value, float) else f"{name:24} {value}")
        for one in why:
            print("  ", one)
    sys.exit(1 if result["lost"] or result["disconnected"] or not result["pictures"] else 0)


if __name__ == "__main__":
    main()
