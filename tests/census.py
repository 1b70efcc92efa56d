#!/usr/bin/env python3
"""The census: how many files of public repositories compile here unchanged, and how many launches run
as `lanewise-engine launches` proposes them.

  tests/census.py CLONES                   prints the table, and each failure with its class
  tests/census.py CLONES --write           puts the table into docs/your-kernel.md
  tests/census.py CLONES --only llm.c      of the clones whose name has that in it
  tests/census.py CLONES --no-run          compiles and does not run the proposals

CLONES is a folder of clones, bare or not, at any depth. What counts is the files with a kernel that
`nvcc -ptx` compiles: nvcc gets the folders of the clone that are called include, inc or common, and
lanewise-engine the same. Results are kept in --work, so that a second run asks only what has changed:
nvcc's by the text of the clone, ours by the engine's bytes too. Nothing of a clone comes into ours.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/your-kernel.md"
BEGIN, END = "<!-- census: tests/census.py --write -->\n", "<!-- end of census -->\n"
SOURCES = {".cu", ".cuh"}
TEXTS = SOURCES | {".h", ".hpp", ".hxx", ".hh", ".inl", ".inc", ".c", ".cc", ".cpp", ".cxx", ".def"}
INCLUDES = {"include", "inc", "common", "src"}
NVCC_SECONDS, KERNELS_OF_A_FILE = 240, 4


# ---- The clones

def git(folder, *words, **options):
    command = ["git", f"--git-dir={folder}", *words]
    return subprocess.run(command, capture_output=True, check=True, **options).stdout


def clones_in(folder):
    """The git directories below `folder`, each with the name of its clone."""
    found = {}
    for head in sorted(folder.rglob("HEAD")):
        place = head.parent
        if not (place / "objects").is_dir():
            continue
        named = place.parent if place.name in (".git", "repo") else place
        named = named.parent if named.name == "repo" else named
        found[named.name] = place
    return found


def write_tree(clone, commit, tree):
    """The clone's files of text, without what the clone does not hold."""
    rows = git(clone, "ls-tree", "-r", "-l", commit, text=True).splitlines()
    wanted = []
    for row in rows:
        about, path = row.split("\t", 1)
        _, kind, name, _ = about.split()
        if kind == "blob" and pathlib.PurePath(path).suffix.lower() in TEXTS:
            wanted.append((name, path))
    asked = "".join(name + "\n" for name, _ in wanted).encode()
    told = git(clone, "cat-file", "--batch", input=asked)
    at = 0
    for _, path in wanted:
        end = told.index(b"\n", at)
        words = told[at:end].split()
        at = end + 1
        if len(words) < 3:  # missing
            continue
        size = int(words[2])
        file = tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(told[at:at + size])
        at += size + 1


def without_comments(text):
    """Nor texts in quotes."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.DOTALL)


def files_with_kernel(tree):
    """Or with a launch of one that a header has."""
    for path in sorted(tree.rglob("*")):
        if path.suffix in SOURCES and path.is_file():
            text = without_comments(path.read_text(errors="replace"))
            if "__global__" in text or "<<<" in text:
                yield path


def include_folders(tree):
    """Of the whole clone, in the order of their paths."""
    return [str(p) for p in sorted(tree.rglob("*")) if p.is_dir() and p.name.lower() in INCLUDES]


# ---- What was asked before

class Kept:
    """Answers by key, on disk."""

    def __init__(self, file):
        self.file = file
        self.answers = json.loads(file.read_text()) if file.exists() else {}

    def get(self, key, ask):
        if key not in self.answers:
            self.answers[key] = ask()
            part = self.file.with_suffix(".part")
            part.write_text(json.dumps(self.answers))
            part.replace(self.file)
        return self.answers[key]


def run(command, seconds):
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, check=False)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, "", "it took too long"


# ---- nvcc

def nvcc_compiles(nvcc, file, folders):
    """Whether it does, with C++17 or C++20; else its first error."""
    why = ""
    for standard in ("c++17", "c++20"):
        with tempfile.TemporaryDirectory() as out:
            command = [nvcc, "-ptx", "-lineinfo", "-arch=sm_90a", f"-std={standard}", "-x", "cu",
                       *[f"-I{folder}" for folder in folders], "-o", f"{out}/a.ptx", str(file)]
            status, _, errors = run(command, NVCC_SECONDS)
        if status == 0:
            return {"compiles": True, "why": ""}
        why = why or next((line for line in errors.splitlines() if "error" in line), errors[:200])
    return {"compiles": False, "why": why}


# ---- lanewise-engine

# Each class by a pattern of what the engine says; the first that fits counts.
CLASSES = [
    ("textures or surfaces", r"texture|surface|tex\.|sust|suld|tld4"),
    ("device-side launches", r"device-side kernel launch|dynamic parallelism"),
    ("grid-wide barriers, clusters", r"grid\.sync|cluster"),
    ("a header that is missing", r"cannot open source file|file not found"),
    ("std that is missing", r'namespace "std|std::'),
    ("host code that stays", r"host function|__host__"),
    ("a type that is missing", r"is undefined|has no member|undeclared"),
    ("no kernel is found", r"no __global__ function|no kernel fits"),
    ("time", r"time limit|took too long"),
]


def class_of(message):
    for name, pattern in CLASSES:
        if re.search(pattern, message):
            return name
    return "other"


class Engine:
    def __init__(self, path, seconds):
        self.path, self.seconds = str(path), seconds

    def launches(self, file, folders):
        command = [self.path, "launches", str(file), "--json"]
        for folder in folders:
            command += ["--include", folder]
        status, out, errors = run(command, self.seconds)
        return json.loads(out) if status == 0 else [], errors

    def kernels(self, file):
        """The names of the kernels that `trace` lists, templates with the arguments' defaults."""
        _, _, errors = run([self.path, "trace", str(file)], self.seconds)
        names = []
        for line in errors.splitlines():
            found = re.match(r"    (template <.*> )?([\w:]+)\(.*\)   ", line)
            if found:
                names.append(found[2] + ("<>" if found[1] else ""))
        return list(dict.fromkeys(names))

    def compiles(self, file, kernel, folders):
        """Without arguments it says what the kernel takes, once it is compiled."""
        command = [self.path, "trace", str(file), "--kernel", kernel, "--grid", "1", "--block", "32",
                   "--arch", "sm_90a", "--time-limit", "120"]
        for folder in folders:
            command += ["--include", folder]
        status, _, errors = run(command, 150)
        fine = status in (0, 1) or " arguments, not 0" in errors
        # What the machine does not interpret has been compiled.
        fine = fine or "interpreted" in errors and "error:" not in errors
        # Of a template that nobody launches nvcc makes no instance either.
        fine = fine or "cannot determine which instance" in errors
        return fine, "" if fine else errors

    def runs(self, command):
        words = [self.path, *command[1:], "--arch", "sm_90a", "--time-limit", str(self.seconds), "--json"]
        status, _, errors = run(words, self.seconds + 30)
        return status, errors


def first_error(text):
    lines = text.splitlines() or [""]
    return next((line for line in lines if "error" in line), lines[0])[:300]


def look_at(engine, file, folders, runs):
    """What the engine makes of one file."""
    launches, errors = engine.launches(file, folders)
    kernels = list(dict.fromkeys(launch["kernel"] for launch in launches)) or engine.kernels(file)
    result = {"listed": bool(kernels), "compiles": False, "why": errors, "launches": []}
    failures = []
    for kernel in kernels[:KERNELS_OF_A_FILE]:
        fine, why = engine.compiles(file, kernel, folders)
        if not fine:
            failures.append(why)
    result["compiles"] = bool(kernels) and not failures
    if failures:
        result["why"] = failures[0]
    for launch in launches if result["compiles"] else []:
        status, why = engine.runs(launch["command"]) if runs else (None, "")
        fine = status in (None, 0, 1)
        result["launches"].append({"line": launch["line"], "kernel": launch["kernel"],
                                   "blanks": len(launch["blanks"]), "problem": launch["problem"],
                                   "status": status, "why": "" if fine else first_error(why)})
    return result


# ---- The table

def add_row(row, result):
    row["files"] += 1
    row["fine"] += result["listed"] and result["compiles"]
    for launch in result["launches"]:
        row["launches"] += 1
        row["proposed"] += launch["blanks"] <= 1 and not launch["problem"]
        row["ran"] += launch["status"] is not None
        begun = launch["status"] in (0, 1, 5)  # 5: right, and longer than the limit
        row["run"] += begun and launch["blanks"] <= 1
        row["long"] += launch["status"] == 5 and launch["blanks"] <= 1


def percent(part, whole):
    return f"{100 * part / whole:.0f} %" if whole else "–"


def table(rows):
    lines = ["| repository | commit | files that nvcc compiles | compile here | launches in these "
             "| with at most one blank | these run | of them too long |", "|---|---|--:|--:|--:|--:|--:|--:|"]
    total = collections.Counter()
    for name, commit, row in rows:
        total.update(row)
        lines.append(line_of(name.replace("+", "/"), commit[:10], row))
    lines.append(line_of("all", "", total))
    return "\n".join(lines) + "\n"


def line_of(name, commit, row):
    return (f"| {name} | {commit} | {row['files']} | {row['fine']} ({percent(row['fine'], row['files'])}) "
            f"| {row['launches']} | {row['proposed']} ({percent(row['proposed'], row['launches'])}) "
            + (f"| {row['run']} ({percent(row['run'], row['launches'])}) | {row['long']} |" if row["ran"]
               else "| not tried | |"))


def write_into_document(text):
    whole = DOCUMENT.read_text()
    begin, end = whole.index(BEGIN) + len(BEGIN), whole.index(END)
    DOCUMENT.write_text(whole[:begin] + text + whole[end:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("clones", type=pathlib.Path)
    parser.add_argument("--engine", type=pathlib.Path, default=ROOT / "build/bin/lanewise-engine")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "census")
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=int, default=10, help="for each launch")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--nvcc-only", action="store_true")
    parser.add_argument("--no-run", action="store_true")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()

    given.work.mkdir(parents=True, exist_ok=True)
    asked_nvcc, asked_engine = Kept(given.work / "nvcc.json"), Kept(given.work / "engine.json")
    engine_is = "" if given.nvcc_only else hashlib.sha256(given.engine.read_bytes()).hexdigest()[:16]
    engine = Engine(given.engine, given.seconds)
    rows, classes = [], collections.Counter()
    for name, clone in clones_in(given.clones).items():
        if given.only not in name:
            continue
        commit = git(clone, "rev-parse", "HEAD", text=True).strip()
        tree = given.work / "trees" / name / commit
        if not tree.exists():
            write_tree(clone, commit, tree)
        folders, row = include_folders(tree), collections.Counter()

        def of_nvcc(file):
            key = f"{commit} {file.relative_to(tree)}"
            return file, asked_nvcc.get(key, lambda: nvcc_compiles(given.nvcc, file, folders))

        with concurrent.futures.ThreadPoolExecutor(given.threads) as pool:
            for file, answer in pool.map(of_nvcc, files_with_kernel(tree)):
                place = f"{name}/{file.relative_to(tree)}"
                if not answer["compiles"] or given.nvcc_only:
                    print(f"nvcc {'compiles' if answer['compiles'] else 'refuses'} {place} {answer['why']}")
                    continue
                key = f"{engine_is} {commit} {file.relative_to(tree)} {not given.no_run}"
                result = asked_engine.get(key, lambda: look_at(engine, file, folders, not given.no_run))
                add_row(row, result)
                if not result["compiles"]:
                    classes[class_of(result["why"])] += 1
                    print(f"{place}: {class_of(result['why'])}: {first_error(result['why'])}")
                for launch in result["launches"]:
                    if launch["status"] not in (None, 0, 1, 5) or launch["blanks"] > 1:
                        print(f"{place}:{launch['line']}: {launch['kernel']}: status {launch['status']}, "
                              f"{launch['blanks']} blanks: {launch['why']}")
                sys.stdout.flush()
        rows.append((name, commit, row))
    text = table(rows)
    print("\n" + text)
    for name, count in classes.most_common():
        print(f"{count:4}  {name}")
    if given.write:
        write_into_document(text)


if __name__ == "__main__":
    main()
