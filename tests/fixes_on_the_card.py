#!/usr/bin/env python3
"""How often the first change of a source that `why --try` proposes makes the kernel faster on a card.

usage: fixes_on_the_card.py ENGINE OUT.json [JOBS]       needs a GPU and a compiler

Of each stage below and of each launch of the set (assets/launches) what `why --try` finds is asked for,
JOBS at a time. The fastest change of the source that gains more than 1 % by the model is then compiled
and timed beside the kernel as it is, in rounds of both, one after the other. Not a test: it takes minutes.
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
MOST_S = 60  # to find what may help
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


def proposal(engine, case):
    """The name, and what to run before and after; or why there is nothing to try."""
    name, what, words = case
    try:
        asked = subprocess.run([engine, "why", *what, *words, "--try", "--json"], capture_output=True, text=True,
                               timeout=MOST_S)
    except subprocess.TimeoutExpired:
        return name, None, f"nothing within {MOST_S} s"
    if asked.returncode:
        return name, None, (asked.stderr.strip().splitlines() or ["?"])[-1]
    answer = json.loads(asked.stdout)
    best = next((f for f in answer["fixes"] if f["faster"] and f["source"]), None)
    if not best:
        return name, None, "no change of the source is faster" if answer["holds"] else answer["sentence"]
    file = folder / f"{name}.cu"  # a stage's operation is its folder's name
    file.parent.mkdir(exist_ok=True)
    file.write_text(best["source"])
    return name, {"title": best["title"], "model": best["time_us"] / answer["time_us"], "before": [*what, *words],
                  "after": [str(file), *words]}, ""


def timed(engine, words):
    ran = subprocess.run([engine, "run", *words, "--json"], capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError((ran.stderr.strip().splitlines() or ["?"])[-1])
    answer = json.loads(ran.stdout)
    answer = answer[0] if isinstance(answer, list) else answer
    if not answer.get("correct", answer.get("agrees", True)):
        raise RuntimeError("the result is wrong")
    return answer["time_us"]["median"], answer["provenance"]["card"]


def main():
    engine, out = sys.argv[1], pathlib.Path(sys.argv[2])
    jobs = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    results, faster, card = [], 0, ""
    pool = concurrent.futures.ThreadPoolExecutor(jobs)
    # The card waits for nobody but the next case in the list; what is asked for meanwhile needs none.
    for name, tried, why in pool.map(lambda case: proposal(engine, case), cases()):
        if not tried:
            results.append({"name": name, "why": why})
            print(f"{name}: {why}", flush=True)
            continue
        try:
            rounds = [(timed(engine, tried["before"]), timed(engine, tried["after"])) for _ in range(ROUNDS)]
        except RuntimeError as error:
            results.append({"name": name, "title": tried["title"], "why": str(error)})
            print(f"{name}: {tried['title']}: {error}", flush=True)
            continue
        card = rounds[0][0][1]
        ratio = statistics.median(after[0] / before[0] for before, after in rounds)
        faster += ratio < 1
        results.append({"name": name, "title": tried["title"], "model": tried["model"], "card": ratio})
        print(f"{name}: {tried['title']}: {ratio:.3f} of the time, the model says {tried['model']:.3f}", flush=True)
        out.write_text(json.dumps({"card": card, "results": results}, indent=1))
    measured = [r for r in results if "card" in r]
    print(f"{card}: faster in {faster} of {len(measured)}")
    out.write_text(json.dumps({"card": card, "results": results}, indent=1))


if __name__ == "__main__":
    main()
