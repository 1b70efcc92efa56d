#!/usr/bin/env python3
"""Benches the ladder twice and compares the medians: repeat_bench.py ENGINE [ROWSxCOLS [STAGE …]]

Exit status 1 where a stage's two medians differ by more than 1 %. Needs a GPU, and nobody else on
it. Two finished recordings are compared with: repeat_bench.py --files FIRST.json SECOND.json"""
import json
import pathlib
import subprocess
import sys

MOST = 0.01


def bench(engine, size, stages):
    command = [engine, "bench", *stages, "--sizes", size, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}")
    return json.loads(done.stdout)


def by_stage(measurements):
    return {(m["stage"], m["rows"], m["cols"], json.dumps(m["knobs"], sort_keys=True)): m
            for m in measurements if "time_us" in m}


def compare(first, second):
    """Prints a line per stage; the number of those that differ too much."""
    rows, bad = [], 0
    for key, a in by_stage(first).items():
        b = by_stage(second).get(key)
        if b is None:
            continue
        one, two = a["time_us"]["median"], b["time_us"]["median"]
        difference = two / one - 1
        ratio = b["ratio_to_copy"]["median"] / a["ratio_to_copy"]["median"] - 1
        rows.append((abs(difference), key[0], one, two, difference, ratio,
                     a["note"] or b["note"]))
        bad += abs(difference) > MOST
    for _, stage, one, two, difference, ratio, note in sorted(rows, reverse=True):
        mark = "  more than 1 %" if abs(difference) > MOST else ""
        print(f"{stage:<30} {one:>10.2f} us {two:>10.2f} us {100 * difference:>+7.2f} %   "
              f"% of copy {100 * ratio:>+6.2f} %{mark}   {note}")
    print(f"{len(rows)} stages, {bad} differ by more than {100 * MOST:g} %")
    return bad if rows else 1


def main():
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__)
    if arguments[0] == "--files":
        first, second = (json.loads(pathlib.Path(name).read_text()) for name in arguments[1:3])
        first, second = (one["measurements"] if isinstance(one, dict) else one
                         for one in (first, second))
    else:
        engine, *rest = arguments
        size = rest[0] if rest else "8192x8192"
        first, second = bench(engine, size, rest[1:]), bench(engine, size, rest[1:])
    sys.exit(compare(first, second) > 0)


if __name__ == "__main__":
    main()
