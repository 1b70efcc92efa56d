#!/usr/bin/env python3
"""Grid barriers, textures and surfaces on a card, beside what the machine makes of them.

    grid_and_textures.py ENGINE [--counters] [PART OF A CASE …]

Each case of grid_cases.txt is launched once. Its buffers are compared word for word, or, where a filter
made them, within what the CUDA programming guide leaves open: a weight of 8 bits may be rounded
otherwise, which is 1/256 of the largest difference of two elements a direction, and the last bits of the
sum. With --counters every exact counter is compared as well; it needs the right to read them. Global
loads of a kernel that waits for its grid are never fewer than the machine's, and most often more: a
block that waits loads the barrier again.
Exit status: 0 all agree, 1 some do not, 77 there is no card."""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
FIXTURES = HERE.parents[1] / "programs" / "fixtures"


def cases():
    for line in (HERE / "grid_cases.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            how, command = line.split(" ", 1)
            yield how, command


def run(engine, *arguments):
    done = subprocess.run([engine, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def range_of_elements(words):
    """The largest difference that two elements of the texture can have, by its data=."""
    texture = next(word for word in words if word.startswith("tex:"))
    fields = texture.split(":")
    rows, cols = (int(n) for n in fields[2].split("x")) if "x" in fields[2] else (1, int(fields[2]))
    data = next(field for field in fields if field.startswith("data="))[5:]
    if "read=normalized" in fields:
        return 1.0
    if ".." in data:
        low, high = data.split("..")
        return float(high) - float(low)
    first, step = data.split("+", 1)
    return abs(float(step)) * (rows * cols - 1) + abs(float(first))


def run_far(engine, words):
    """The same reads on the card, each held to the machine's result: the kernels …_far say which are
    further away than is allowed. (status, JSON, error)"""
    with tempfile.TemporaryDirectory() as folder:
        machine = f"{folder}/machine.bin"
        status, _, error = run(engine, "trace", *words, "--save", f"out={machine}")
        if not pathlib.Path(machine).exists():
            return status, "", error
        allowed = 2 / 256 * range_of_elements(words) * (1 + 1e-6)
        far = list(words)
        far[far.index("--kernel") + 1] += "_far"
        count = far[-1].split(":")[1]  # i32:256, the last argument; out stands before it
        out = len(far) - 3
        far[out:out + 1] = [f"f32[{count}]=@{machine}", "--arg", f"f32:{allowed}", "--arg",
                            f"i32[{count}]=0"]
        return run(engine, "run", *far, "--once", "--json")


def compare(engine, how, words, counters):
    """(agrees, what to print)"""
    more = ["--counters"] if counters else []
    status, out, error = run(engine, "run", *words, "--once", "--json", *more)
    if not out:
        return status, False, error.strip()
    result = json.loads(out)
    different = [b for b in result["buffers"] if b["different"] > 0]
    text = ", ".join(f"{b['name']}: {b['different']} of {b['elements']} differ, {b['near']} in their last "
                     f"bits; first {b['first']}" for b in different) or "every word equal"
    agrees = not different and result["findings"] == 0
    if how == "near" and any(b["different"] > b["near"] for b in different):
        status, out, error = run_far(engine, words)
        agrees = bool(out) and json.loads(out)["agrees"]
        text += "; none is far" if agrees else f"; some are far, or none was held to it: {error.strip()}"
    elif how == "near":
        agrees = True
    for row in result.get("counters", {}).get("rows", []):
        verdict = row.get("verdict")
        if verdict in ("differs", 2):
            agrees = False
        if verdict not in ("equal", 0, "hardware_only", 3):
            text += f"\n    {row['name']}: card {row['hardware']}, machine {row['machine']}: {row['words']}"
    if problem := result.get("counters", {}).get("problem"):
        text += f"\n    counters: {problem}"
    return status, agrees, text


def main():
    engine, *rest = sys.argv[1:]
    counters = "--counters" in rest
    wanted = [word for word in rest if word != "--counters"]
    failed = total = 0
    for how, command in cases():
        if wanted and not any(word in command for word in wanted):
            continue
        file, *options = shlex.split(command)
        status, agrees, text = compare(engine, how, [str(FIXTURES / file), *options], counters)
        if status == 4 and total == 0:
            print(text)
            sys.exit(77)
        total += 1
        failed += not agrees
        print(f"{'agrees' if agrees else 'DIFFERS'}: {command}\n    {text}", flush=True)
    print(f"{total - failed} of {total} agree")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
