#!/usr/bin/env python3
"""compute-sanitizer beside our own findings, kernel by kernel, as sanitizer.md.

    sanitizer_table.py           writes sanitizer.md
    sanitizer_table.py --check   exits with 1 where the file is not what would be written

Theirs are from sanitizer.csv (sanitizer.py took it on a card); ours are what the kernels of
tests/planted expect, line by line, and tests/trace/planted_test.cpp holds the machine to that. The
two agree on a fault where the kind is the same and ours is on a line that theirs names; a kernel
that never ends has no line there."""
import csv
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
PLANTED = HERE.parents[1] / "planted"
KINDS = (("(misaligned)", ("misaligned",)), ("Invalid", ("out_of_bounds",)),
         ("Race", ("race",)), ("Uninitialized __global__", ("uninitialized_global",)),
         ("Missing init", ("uninitialized_shared", "race", "deadlock")),
         ("Missing wait", ("race",)),
         ("Program hit", ("uninitialized_shared", "misaligned", "out_of_bounds", "runaway")),
         ("Barrier", ("divergent_barrier",)), ("time limit", ("deadlock", "runaway")))


def ours_of(kernel):
    """[(kind, line)]"""
    lines = (PLANTED / f"{kernel}.cu").read_text().splitlines()
    marks = ((number, re.search(r"// expect: (\w+)", line)) for number, line in enumerate(lines, 1))
    return [(mark[1], number) for number, mark in marks if mark]


def theirs_by_kernel():
    """{kernel: [(tool, report, [line])]}; a report that all tools share is told once."""
    with open(HERE / "sanitizer.csv") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        result = {}
        for row in rows:
            reports = result.setdefault(row["kernel"], [])
            if row["report"] == "none":
                continue
            ended = row["report"] == "time limit"
            report = ("" if ended else row["tool"], row["report"],
                      [int(line) for line in row["lines"].split()])
            if report not in reports:
                reports.append(report)
    return result


def agree(mine, report):
    kinds = next(kinds for start, kinds in KINDS if start in report[1])
    return mine[0] in kinds and (mine[1] in report[2] or not report[2])


def verdict(kernel, mine, theirs):
    if kernel.startswith("clean/") and theirs and not mine:
        return "it is right, and compute-sanitizer reports it"
    both = any(agree(m, t) for m in mine for t in theirs)
    only_ours = any(not any(agree(m, t) for t in theirs) for m in mine)
    only_theirs = any(not any(agree(m, t) for m in mine) for t in theirs)
    found = {(True, False): "only Lanewise", (False, True): "only compute-sanitizer",
             (True, True): "each something else"}
    if both:
        more = {(True, False): ", Lanewise more", (False, True): ", compute-sanitizer more",
                (True, True): ", each more"}
        return "both" + more.get((only_ours, only_theirs), "")
    return found.get((only_ours, only_theirs), "neither: it is right")


def table():
    rows, numbers = [], {}
    for kernel, theirs in theirs_by_kernel().items():
        mine = ours_of(kernel)
        result = verdict(kernel, mine, theirs)
        numbers[result] = numbers.get(result, 0) + 1
        our_text = "; ".join(f"{kind}, line {line}" for kind, line in mine) or "–"
        their_text = "; ".join(
            (f"{tool}: " if tool else "") + report.replace("_", "\\_") +
            (f", line {' and '.join(map(str, lines))}" if lines else "")
            for tool, report, lines in theirs) or "–"
        rows.append(f"| {kernel.replace('_', chr(92) + '_')} | {our_text.replace('_', chr(92) + '_')}"
                    f" | {their_text} | {result} |")
    summary = "\n".join(f"* {result}: {number}" for result, number in sorted(numbers.items()))
    return f"""# The planted bugs: Lanewise and compute-sanitizer

Written by `sanitizer_table.py` from `sanitizer.csv` (all four tools of compute-sanitizer on an NVIDIA
H200) and from what the kernels of `tests/planted` expect. Each is launched once.

{summary}

| kernel | Lanewise | compute-sanitizer | found by |
|---|---|---|---|
""" + "\n".join(rows) + "\n"


def main():
    file = HERE / "sanitizer.md"
    if sys.argv[1:] != ["--check"]:
        file.write_text(table())
    elif file.read_text() != table():
        sys.exit(f"{file} is out of step: run {pathlib.Path(__file__).name}, and look at the change")


if __name__ == "__main__":
    main()
