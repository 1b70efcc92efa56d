#!/usr/bin/env python3
"""Launches in clusters, and copies for im2col, on a card beside what the machine makes of them.

    clusters.py ENGINE [--counters] [--seconds N] [PART OF A CASE …]

Each case of cluster_cases.txt is launched once, in a process of its own, and every word of its buffers
compared. With --counters every exact counter is compared as well; it needs the right to read them. The
kernels with a fault are not launched. A case that fails or hangs is a row like any other; after N seconds
(85) the rest is named as not launched.
Exit status: 0 all agree, 1 some do not, 77 there is no card, or one that knows no clusters."""
import json
import pathlib
import shlex
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
FIXTURES = HERE.parents[1] / "programs" / "fixtures"
NO_CARD = 4  # the engine's exit status
SAME = ("equal", 0, "hardware_only", 3)
LONGEST = 30  # seconds that a case may take


def cases():
    for line in (HERE / "cluster_cases.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield line


def words_of(done):
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"the engine ended with status {done.returncode} and said nothing"


def compare(engine, words, counters, seconds):
    """(exit status, agrees, what to print)"""
    more = ["--counters"] if counters else []
    try:
        done = subprocess.run([engine, "run", *words, "--once", "--json", *more], capture_output=True,
                              text=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return 1, False, f"not done after {seconds:.0f} s"
    except OSError as error:
        return 1, False, f"the engine cannot be started: {error}"
    try:
        result = json.loads(done.stdout)
        return done.returncode, *judged(result)
    except (ValueError, KeyError, TypeError):
        return done.returncode, False, words_of(done)


def judged(result):
    different = [b for b in result["buffers"] if b["different"] > 0]
    agrees = not different and result["findings"] == 0
    text = ", ".join(f"{b['name']}: {b['different']} of {b['elements']} differ, first {b['first']}"
                     for b in different) or "every word equal"
    if result["findings"]:
        text += f"; {result['findings']} findings"
    rows = result.get("counters", {}).get("rows", [])
    equal = sum(row.get("verdict") in ("equal", 0) for row in rows)
    if rows:
        text += f"; {equal} counters equal"
    for row in rows:
        if row.get("verdict") in ("hardware_only", 3) and row.get("hardware"):
            text += f"\n    {row['name']}: card {row['hardware']}, not known to the machine"
        if row.get("verdict") in SAME:
            continue
        agrees = agrees and row.get("verdict") not in ("differs", 2)
        text += f"\n    {row['name']}: card {row['hardware']}, machine {row['machine']}: {row['words']}"
    if problem := result.get("counters", {}).get("problem"):
        text += f"\n    counters: {problem}"
    return agrees, text


def taken(rest, option, default):
    if option not in rest:
        return default
    at = rest.index(option)
    value = float(rest[at + 1])
    del rest[at:at + 2]
    return value


def main():
    engine, *rest = sys.argv[1:]
    end = time.monotonic() + taken(rest, "--seconds", 85)
    counters = "--counters" in rest
    wanted = [word for word in rest if word != "--counters"]
    failed = total = left_out = 0
    for command in cases():
        if wanted and not any(word in command for word in wanted):
            continue
        left = end - time.monotonic()
        if left < 1:
            print(f"not launched: {command}")
            left_out += 1
            continue
        begun = time.monotonic()
        file, *options = shlex.split(command)
        status, agrees, text = compare(engine, [str(FIXTURES / file), *options], counters,
                                       min(left, LONGEST))
        if status == NO_CARD and total == 0:
            print(text)
            sys.exit(77)
        total += 1
        failed += not agrees
        print(f"{'agrees' if agrees else 'DIFFERS'} ({time.monotonic() - begun:.1f} s): {command}\n"
              f"    {text}", flush=True)
    print(f"{total - failed} of {total} agree" + (f"; {left_out} not launched" if left_out else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
