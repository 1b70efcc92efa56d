#!/usr/bin/env python3
"""How long a class's hand-ins take to grade, and whether the marks are those that they deserve.

    grade_class.py ENGINE CONTENT_FOLDER [--students 300] [--jobs 2] [--unsandboxed] [--plain]

Makes a folder of hand-ins of six stages from the stages' starts, their lessons' solutions, and versions that are
broken in one way each: a source that does not compile, one that never ends, one that is wrong in one element, one
that reads this machine's files, one that was cut. Whoever hands in a start or a broken version gets nothing for that
stage, and whoever hands in a solution gets its ten points. Two students share each variant's text, so that equal
sources are there to be named. A few are workspaces of the window, a few lack a stage. Then runs
`lanewise-engine grade` on it and compares. Prints seconds, marks and what differs; exit status 1 where any mark does.
"""
import argparse
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import tomllib

STAGES = ["101_blocks_not_swapped", "102_tile_not_swapped", "103_wrong_stride", "104_output_grid", "105_no_padding",
          "106_missing_barrier"]
POINTS = 10
# How often each of them is handed in, of a hundred.
KINDS = {"solution": 55, "start": 20, "wrong": 10, "does_not_compile": 8, "endless": 2, "spy": 3, "missing": 2}


def solution(content, stage):
    source = (content / "kernels" / "pitfalls" / f"{stage}.cu").read_text()
    head = (content / "lessons" / "pitfalls" / f"{stage}.md").read_text().split("+++")[1]
    for change in tomllib.loads(head)["gate"]["solution"]:
        if "find" in change:
            assert source.count(change["find"]) >= 1, (stage, change)
            source = source.replace(change["find"], change["replace"], 1)
    return source


def first_statement(source, text):
    """`text` as the first statement of the kernel."""
    at = source.index("{", source.index("__global__"))
    return source[:at + 1] + "\n    " + text + source[at + 1:]


def variants(content, stage):
    start = (content / "kernels" / "pitfalls" / f"{stage}.cu").read_text()
    right = solution(content, stage)
    return {"start": start, "solution": right,
            "wrong": first_statement(right, "if (rows > 32 && blockIdx.x == 0 && threadIdx.x == 1) return;"),
            "does_not_compile": first_statement(right, "int here = there;"),
            "endless": first_statement(right, "for (volatile int i = 0; i >= 0;) i = 0;"),
            "spy": right + '\n#include "/etc/passwd"\n'}


def make(folder, content, students, seed):
    """The hand-ins; returns what each student deserves for each stage."""
    chance = random.Random(seed)
    sources = {stage: variants(content, stage) for stage in STAGES}
    deserved = {}
    for number in range(students):
        name = f"student{number:03}"
        deserved[name] = {}
        edits = {}
        for stage in STAGES:
            kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
            deserved[name][stage] = POINTS if kind == "solution" else 0
            if kind != "missing":  # blanks of a pair's own
                edits[f"pitfalls/{stage}"] = sources[stage][kind] + "\n" * (number // 2)
        if number % 10 == 9:
            (folder / f"{name}.lanewise").write_text(json.dumps(
                {"lanewise_workspace": 1, "state": "lanewise://1/transpose/30_padded?PAD=1", "edits": edits}))
        else:
            (folder / name).mkdir()
            for stage, text in edits.items():
                (folder / name / (stage.split("/")[1] + ".cu")).write_text(text)
    (folder / "cut.lanewise").write_text('{"lanewise_workspace": 1, "st')
    deserved["cut"] = dict.fromkeys(STAGES, 0)
    return deserved


def main():
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("engine")
    ask.add_argument("content", type=pathlib.Path)
    ask.add_argument("--students", type=int, default=300)
    ask.add_argument("--jobs", type=int, default=2)
    ask.add_argument("--seed", type=int, default=7)
    ask.add_argument("--unsandboxed", action="store_true")
    ask.add_argument("--plain", action="store_true", help="one JSON object")
    given = ask.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made) / "class"
        folder.mkdir()
        deserved = make(folder, given.content, given.students, given.seed)
        assignment = pathlib.Path(made) / "week.assignment"
        assignment.write_text('title = "Six pitfalls"\n' + "".join(
            f'[[task]]\nstage = "pitfalls/{stage}"\npoints = {POINTS}\n' for stage in STAGES))
        command = [given.engine, "grade", folder, "--assignment", assignment, "--csv", folder.parent / "marks.csv",
                   "--json", "--jobs", str(given.jobs)] + (["--unsandboxed"] if given.unsandboxed else [])
        begun = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True)
        seconds = time.monotonic() - begun
        if run.returncode:
            sys.exit(run.stderr)
        differ = []
        students = json.loads(run.stdout)["students"]
        marks = {student["student"]: student for student in students}
        for name, stages in deserved.items():
            if name not in marks:
                differ.append(f"{name} has no row")
                continue
            for stage, points in stages.items():
                task = next((t for t in marks[name]["tasks"] if t["task"].endswith(stage)), {"points": 0, "sentence": ""})
                if task["points"] != points:
                    differ.append(f"{name}, {stage}: {task['points']} in place of {points}: {task['sentence']}")
        with open(folder.parent / "marks.csv", encoding="utf-8") as table:
            rows = len(list(csv.reader(table))) - 1
        told = {"students": len(students), "stages": len(STAGES), "seconds": round(seconds, 1), "jobs": given.jobs,
                "marks": sum(map(len, deserved.values())), "marks_that_differ": len(differ), "rows_of_the_table": rows}
        if given.plain:
            print(json.dumps(told))
        else:
            for name, value in told.items():
                print(f"{name:20} {value}")
            print("\n".join(differ[:20]))
        sys.exit(1 if differ or rows != len(deserved) else 0)


if __name__ == "__main__":
    main()
