#!/usr/bin/env python3
"""The key of the concept inventory, held to its questions and to the machine.

usage: concept_inventory_test.py REPOSITORY ENGINE

Every question has four choices and one answer, and names a lesson that there is. Where a count is
asked for, the command beside the answer is run, and what it counts must be the choice's number.
Exits with 77 where nothing can compile a kernel.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys


def questions(text):
    """By number: the choices by letter."""
    found, number = {}, None
    for line in text.splitlines():
        if match := re.match(r"(\d+)\. ", line):
            number = int(match[1])
            found[number] = {}
        elif match := re.match(r" +- ([A-D])\. (.+)", line):
            found[number][match[1]] = match[2]
    return found


def answers(text):
    """By number: the letter, the lesson, and what is counted by which command, or nothing."""
    found = {}
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        number, letter = re.match(r"(\d+): ([A-D])\n", part).groups()
        lesson = re.search(r"^Lesson: `([^`]+)`", part, re.M)
        counted = re.search(r"^Counted: `([\w.]+)` by `([^`]+)`", part, re.M)
        found[int(number)] = (letter, lesson[1] if lesson else "", counted.groups() if counted else None)
    return found


def count(engine, root, query, command):
    result = subprocess.run([engine, *shlex.split(command), "--json"], cwd=root, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(result.stderr)
    value = json.loads(result.stdout)["totals"]
    for name in query.split("."):
        value = value[name]
    return value


def can_compile(engine):
    checks = json.loads(subprocess.run([engine, "doctor", "--json"], capture_output=True, text=True).stdout)
    return any(check["ok"] for check in checks if check["name"] in ("CUDA compiler", "clang"))


def main():
    root, engine = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    asked = questions((root / "docs/concept-inventory.md").read_text())
    key = answers((root / "docs/concept-inventory-key.md").read_text())
    problems = []
    if list(asked) != list(range(1, 21)) or list(key) != list(asked):
        problems.append(f"questions {list(asked)}, answers to {list(key)}")
    compiles, counted = can_compile(engine), 0
    for number, (letter, lesson, by) in key.items():
        choices = asked.get(number, {})
        if sorted(choices) != list("ABCD") or len(set(choices.values())) != 4:
            problems.append(f"question {number} has the choices {choices}")
        if not (root / "lessons" / f"{lesson}.md").is_file():
            problems.append(f"answer {number}: there is no lesson \"{lesson}\"")
        if by and compiles:
            value, counted = count(engine, root, *by), counted + 1
            if choices.get(letter) != str(value):
                problems.append(f"answer {number} is {letter}, {choices.get(letter)}; the machine counts {value}")
    print("\n".join(problems) or f"concept inventory: {len(key)} answers, {counted} of them counted")
    if problems:
        sys.exit(1)
    sys.exit(0 if compiles else 77)


if __name__ == "__main__":
    main()
