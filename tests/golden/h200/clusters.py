#!/usr/bin/env python3
"""Launches in clusters on a card, beside what the machine makes of them.

    clusters.py ENGINE [--counters] [PART OF A CASE …]

Each case of cluster_cases.txt is launched once, and every word of its buffers compared. With --counters
every exact counter is compared as well; it needs the right to read them. The machine does not count
accesses to other blocks' shared memory: where a card's counters of shared memory are larger by those,
that is printed, and stands for no agreement. The kernels with a fault are not launched.
Exit status: 0 all agree, 1 some do not, 77 there is no card, or one that knows no clusters."""
import json
import pathlib
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
FIXTURES = HERE.parents[1] / "programs" / "fixtures"
NO_CARD = 4  # the engine's exit status
SAME = ("equal", 0, "hardware_only", 3)


def cases():
    for line in (HERE / "cluster_cases.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield line


def compare(engine, words, counters):
    """(exit status, agrees, what to print)"""
    more = ["--counters"] if counters else []
    done = subprocess.run([engine, "run", *words, "--once", "--json", *more], capture_output=True,
                          text=True, check=False)
    if not done.stdout:
        return done.returncode, False, done.stderr.strip()
    result = json.loads(done.stdout)
    different = [b for b in result["buffers"] if b["different"] > 0]
    agrees = not different and result["findings"] == 0
    text = ", ".join(f"{b['name']}: {b['different']} of {b['elements']} differ, first {b['first']}"
                     for b in different) or "every word equal"
    if result["findings"]:
        text += f"; {result['findings']} findings"
    for row in result.get("counters", {}).get("rows", []):
        if row.get("verdict") in SAME:
            continue
        agrees = agrees and row.get("verdict") not in ("differs", 2)
        text += f"\n    {row['name']}: card {row['hardware']}, machine {row['machine']}: {row['words']}"
    if problem := result.get("counters", {}).get("problem"):
        text += f"\n    counters: {problem}"
    return done.returncode, agrees, text


def main():
    engine, *rest = sys.argv[1:]
    counters = "--counters" in rest
    wanted = [word for word in rest if word != "--counters"]
    failed = total = 0
    for command in cases():
        if wanted and not any(word in command for word in wanted):
            continue
        file, *options = shlex.split(command)
        status, agrees, text = compare(engine, [str(FIXTURES / file), *options], counters)
        if status == NO_CARD and total == 0:
            print(text)
            sys.exit(77)
        total += 1
        failed += not agrees
        print(f"{'agrees' if agrees else 'DIFFERS'}: {command}\n    {text}", flush=True)
    print(f"{total - failed} of {total} agree")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
