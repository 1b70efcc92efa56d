#!/usr/bin/env python3
"""How often a change of a source that `why --try` proposes makes the kernel faster on a card.

usage: fixes_on_the_card.py ENGINE OUT.json [JOBS]       needs a GPU and a compiler

Of each stage below and of each launch of the set (assets/launches) what `why --try` finds is asked for,
JOBS at a time. Of each kind of change (longer rows, swizzle, 16 bytes at a time, …) the fastest that gains
more than 1 % by the model is then compiled and timed beside the kernel as it is, in rounds of both, one after
the other. Not a test: it takes minutes.

What a kernel leaves on the card may differ from what the machine computes, as __expf does by some units in
the last place. `run` then says that they differ, of the kernel as it is as of the changed one. The change was
held to the same result on the machine; here it must be no further from the machine than the kernel as it is.
"""
import concurrent.futures
import json
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 3
MOST_S = 120  # to find what may help
FURTHER = 0.001  # of a buffer's elements: so many more may differ by more than rounding
KINDS = {"longer rows": "^Each row", "swizzle": "^The columns", "16 bytes": "16 bytes at a time$",
         "shared histogram": "in shared memory first", "unrolled": "unrolled", "__restrict__": "__restrict__"}
STAGES = {"transpose": ["--rows", "4096", "--cols", "4096"], "reduction": ["--rows", "4096", "--cols", "4096"],
          "matmul": ["--rows", "512", "--cols", "512", "--inner", "512"]}
LIBRARIES = re.compile(r"/9\d_")  # their kernels are not here to be changed
root = pathlib.Path(__file__).resolve().parent.parent
folder = pathlib.Path(tempfile.mkdtemp(prefix="lanewise-fixes-"))


def cases():
    for file in sorted((root / "assets/launches").glob("*.cu")):
        for name, words in re.findall(r"^// launch (\w+): (.*)$", file.read_text(), re.M):
            yield f"{file.stem}/{name}", [str(file)], shlex.split(words)
    for ladder, size in STAGES.items():
        for file in sorted((root / "kernels" / ladder).glob("*.cu")):
            name = f"{ladder}/{file.stem}"
            if not LIBRARIES.search(name):
                yield name, [name], size


def kind_of(title):
    return next((kind for kind, words in KINDS.items() if re.search(words, title)), "other")


def proposals(engine, case):
    """The name, and what to run before and after, for each kind; or why there is nothing to try."""
    name, what, words = case
    try:
        asked = subprocess.run([engine, "why", *what, *words, "--try", "--json"], capture_output=True, text=True,
                               timeout=MOST_S)
    except subprocess.TimeoutExpired:
        return name, [], f"nothing within {MOST_S} s"
    if asked.returncode:
        return name, [], (asked.stderr.strip().splitlines() or ["?"])[-1]
    answer = json.loads(asked.stdout)
    tried = {}
    for fix in answer["fixes"]:  # the fastest first
        if not fix["faster"] or not fix["source"] or kind_of(fix["title"]) in tried:
            continue
        file = folder / str(len(tried)) / f"{name}.cu"  # a stage's operation is its folder's name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(fix["source"])
        tried[kind_of(fix["title"])] = {
            "title": fix["title"], "kind": kind_of(fix["title"]), "first": not tried,
            "model": fix["time_us"] / answer["time_us"], "before": [*what, *words], "after": [str(file), *words]}
    why = "no change of the source is faster" if answer["holds"] else answer["sentence"]
    return name, list(tried.values()), why


def timed(engine, words):
    ran = subprocess.run([engine, "run", *words, "--json"], capture_output=True, text=True)
    try:
        answer = json.loads(ran.stdout)
    except ValueError:
        raise RuntimeError((ran.stderr.strip().splitlines() or ["?"])[-1]) from None
    answer = answer[0] if isinstance(answer, list) else answer
    if not answer.get("correct", True):
        raise RuntimeError("the result is wrong")
    if answer.get("findings"):
        raise RuntimeError("the machine finds something in it")
    return answer


def share_apart(answer):
    """The share of a buffer's elements that differ by more than rounding from the machine's, of the worst."""
    buffers = answer.get("buffers", []) + answer.get("buffers_after_timing", [])
    return max(((b["different"] - b["near"]) / max(1, b["elements"]) for b in buffers), default=0)


def ratio_of(engine, tried):
    """How long it takes with the change, as a share; and the card."""
    ratios = []
    for _ in range(ROUNDS):
        before, after = timed(engine, tried["before"]), timed(engine, tried["after"])
        if share_apart(after) > share_apart(before) + FURTHER:
            raise RuntimeError("the result differs from the machine's by more than without it")
        ratios.append(after["time_us"]["median"] / before["time_us"]["median"])
    return statistics.median(ratios), before["provenance"]["card"]


def summary(results):
    measured = [r for r in results if "card" in r]
    for kind in [*KINDS, "other"]:
        of_kind = [r for r in measured if r["kind"] == kind]
        if of_kind:
            print(f"{kind}: faster in {sum(r['card'] < 1 for r in of_kind)} of {len(of_kind)}")
    first = [r for r in measured if r["first"]]
    return f"the first proposal is faster in {sum(r['card'] < 1 for r in first)} of {len(first)}"


def main():
    engine, out = sys.argv[1], pathlib.Path(sys.argv[2])
    jobs = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    results, card = [], ""
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    # The card waits for nobody but the next case in the list; what is asked for meanwhile needs none.
    for name, all_tried, why in pool.map(lambda case: proposals(engine, case), cases()):
        if not all_tried:
            results.append({"name": name, "why": why})
            print(f"{name}: {why}", flush=True)
        for tried in all_tried:
            result = {"name": name, **{key: tried[key] for key in ("title", "kind", "first", "model")}}
            results.append(result)
            try:
                result["card"], card = ratio_of(engine, tried)
            except RuntimeError as error:
                result["why"] = str(error)
                print(f"{name}: {tried['title']}: {error}", flush=True)
                continue
            print(f"{name}: {tried['title']}: {result['card']:.3f} of the time, the model says {tried['model']:.3f}",
                  flush=True)
        out.write_text(json.dumps({"card": card, "results": results}, indent=1))
    print(f"{card}: {summary(results)}")


if __name__ == "__main__":
    main()
