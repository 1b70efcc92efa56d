#!/usr/bin/env python3
"""What each rung of the ladder changes: the README's table, made from the kernels themselves.

  tests/ladder_table.py            prints the table, and the line diff between neighbours
  tests/ladder_table.py --write    puts the table into the README
  tests/ladder_table.py --check    fails where the README has another one

A rung's code is what stands below its head, without comments and blank lines, with runs of blanks
made one and its kernel's name left out. Its neighbour is the earlier rung with which it shares most of
its lines (of both together); of two such the later.
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- ladder: tests/ladder_table.py --write -->\n", "<!-- end of ladder -->\n"


def title_of(source):
    return re.search(r'^title\s*=\s*"(.*)"$', source, re.MULTILINE).group(1)


def code_of(source):
    """The lines that the compiler sees."""
    body = re.sub(r"//[^\n]*", "", source.split("---*/", 1)[1])
    body = re.sub(r"\b(transpose|copy)_\w+\(", "kernel(", body)
    lines = [" ".join(line.split()) for line in body.splitlines()]
    return [line for line in lines if line]


def changes(before, after):
    """Lines that are new in `after`, and lines of `before` that are gone."""
    diff = difflib.unified_diff(before, after, lineterm="", n=0)
    marks = [line[0] for line in list(diff)[2:]]
    return marks.count("+"), marks.count("-")


def shared(one, other):
    """The share of both codes' lines that they have in common, 0 to 1."""
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def rungs():
    """(stem, title, code, its neighbour's stem and code) in the ladder's order."""
    files = sorted((ROOT / "kernels/transpose").glob("*.cu"), key=lambda f: int(f.stem.split("_")[0]))
    earlier = []
    for file in files:
        source = file.read_text()
        code = code_of(source)
        base, base_code = max(reversed(earlier), key=lambda one: shared(one[1], code),
                              default=("", []))
        yield file.stem, title_of(source), code, base, base_code
        earlier.append((file.stem, code))


def table():
    rows = ["| rung | | lines | since | new | gone |\n", "|---|---|--:|---|--:|--:|\n"]
    for stem, title, code, base, base_code in rungs():
        added, removed = changes(base_code, code) if base else ("", "")
        rows.append(f"| [{stem}](kernels/transpose/{stem}.cu) | {title} | {len(code)} | {base} | "
                    f"{added} | {removed} |\n")
    return "".join(rows)


def print_diffs():
    for stem, _, code, base, base_code in rungs():
        if base:
            print("\n".join(difflib.unified_diff(base_code, code, base, stem, lineterm="", n=0)), "\n")


def main(what):
    readme = ROOT / "README.md"
    text = readme.read_text()
    if BEGIN not in text or END not in text:
        sys.exit(f"README.md has no place for the table, between {BEGIN.strip()} and {END.strip()}")
    begin = text.index(BEGIN) + len(BEGIN)
    end = text.index(END)
    if what == "--write":
        readme.write_text(text[:begin] + table() + text[end:])
    elif what == "--check":
        if text[begin:end] != table():
            diff = difflib.unified_diff(text[begin:end].splitlines(), table().splitlines(),
                                        "README.md", "the kernels", lineterm="")
            sys.exit("\n".join(diff) + "\nThe ladder has changed: tests/ladder_table.py --write")
        print_diffs()
    else:
        print(table())
        print_diffs()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
