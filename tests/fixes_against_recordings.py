#!/usr/bin/env python3
"""How often the first knob that the model of time would turn makes a launch faster on the card.

usage: fixes_against_recordings.py ENGINE [RECORDING]

From each recorded setting of a stage, the settings that differ in one knob and were recorded too are
put in the model's order, as `why --try` does. The first of them, if the model thinks that it gains
more than 1 %, is held to what was measured. Not a test: it models some 150 launches, in minutes.
"""
import collections
import json
import pathlib
import subprocess
import sys

FASTER = 0.99
LADDERS = {"transpose": 4096, "reduction": 8192}  # the side at which knobs were swept
MOST_SETTINGS = 60
LONG = {"reduction/50_vector", "reduction/60_atomics", "reduction/90_cub"}  # a quarter of an hour each


def recorded(file):
    """By stage: microseconds by setting."""
    found = collections.defaultdict(dict)
    for m in json.loads(file.read_text())["measurements"]:
        ladder = m["stage"].split("/")[0]
        if m["type"] == "f32" and m["correct"] and m["rows"] == m["cols"] == LADDERS.get(ladder):
            found[m["stage"]][tuple(sorted(m["knobs"].items()))] = m["time_us"]["median"]
    return {stage: times for stage, times in found.items() if 4 <= len(times) <= MOST_SETTINGS and stage not in LONG}


def modelled(engine, stage, setting):
    side = str(LADDERS[stage.split("/")[0]])
    command = [engine, "why", stage, "--rows", side, "--cols", side, "--json"]
    for name, value in setting:
        command += ["--set", f"{name}={value}"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {result.returncode}: {result.stderr.strip()}")
    answer = json.loads(result.stdout)
    return answer["time_us"] if answer["holds"] else None


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    file = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "assets/recordings/nvidia-h200.json"
    right = proposals = 0
    for stage, times in sorted(recorded(file).items()):
        model = {s: us for s in times if (us := modelled(sys.argv[1], stage, s)) is not None}
        good = proposed = 0
        for setting in model:
            others = [o for o in model if sum(a != b for a, b in zip(o, setting)) == 1]
            first = min(others, key=model.get, default=setting)
            if model[first] < FASTER * model[setting]:
                proposed += 1
                good += times[first] < times[setting]
        print(f"{stage}: {len(model)} settings, the first proposal is faster on the card in {good} of {proposed}", flush=True)
        right, proposals = right + good, proposals + proposed
    print(f"all: {right} of {proposals}")


if __name__ == "__main__":
    main()
