#!/usr/bin/env python3
"""Holds README.md, CONTRIBUTING.md and docs/ to the tree.

  docs_test.py ROOT

Every path of app/ that they name exists; every `app/…`: `function()` is a function of that file; every link within the
repository leads somewhere, its #heading too. A fault that is planted in each kind must be found.
"""
import pathlib
import re
import sys

PATH = re.compile(r"`((?:app|tests|kernels|lessons|assets|docs|packaging)/[\w./-]+)`")
# A file followed by one function or more: "`app/a/b.cpp`: `f()` …, and `g()`", up to the next file or full stop.
NAMES = re.compile(r"`(app/[\w/]+\.(?:h|cpp))`:((?:(?!`app/|\.\s).)*)", re.S)
FUNCTION = re.compile(r"`(\w+)\(\)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(text):
    """The headings of a document as links name them."""
    for heading in re.findall(r"^#+ (.*)$", text, re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def faults(root, file, text):
    where = file.relative_to(root)
    for match in PATH.finditer(text):
        if not any(part in match[1] for part in ("NN_", "NAME")) and not (root / match[1]).exists():
            yield f"{where}:{text.count(chr(10), 0, match.start()) + 1}: there is no {match[1]}"
    for match in NAMES.finditer(text):
        path = root / match[1]
        source = path.read_text() if path.is_file() else ""
        for name in FUNCTION.findall(match[2]):
            if not re.search(rf"\b{name}\(", source):
                yield (f"{where}:{text.count(chr(10), 0, match.start()) + 1}: there is no function {name} "
                       f"in {match[1]}")
    for match in LINK.finditer(text):
        target, _, anchor = match[1].partition("#")
        line = text.count("\n", 0, match.start()) + 1
        if re.match(r"\w+:", target):
            continue
        path = (file.parent / target) if target else file
        if not path.exists():
            yield f"{where}:{line}: the link {match[1]} leads nowhere"
        elif anchor and anchor not in anchors(path.read_text()):
            yield f"{where}:{line}: {target or file.name} has no heading #{anchor}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]
    found = [fault for file in files for fault in faults(root, file, file.read_text())]
    planted = ("`app/nowhere.h`", "`app/ptx/parser.cpp`: `prase()`", "[x](nowhere.md)", "[x](#nowhere)")
    for each in planted:
        if not list(faults(root, root / "README.md", each)):
            found.append(f"a planted fault is not found: {each}")
    if len(files[0].read_text().splitlines()) > 130:
        found.append("README.md has more than 130 lines; what is for some readers only belongs in docs/")
    print("\n".join(found) or f"docs: {len(files)} documents name what is there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
