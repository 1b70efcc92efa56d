#!/usr/bin/env python3
"""docs/words.md: the terms that we use and what we do not say, made from lessons/glossary.toml and from
the wordings that lessons_words.py refuses.

  tests/words_page.py            prints it
  tests/words_page.py --write    writes docs/words.md
  tests/words_page.py --check    fails where docs/words.md is another, where a word of the glossary is one
                                 that we do not say, or where a planted fault of these is overlooked
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import lessons_words  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "words.md"
HEAD = """# Words

We use the field's terms, the same everywhere: in lessons, in the window, in messages and in the code. This page is made from
`lessons/glossary.toml` and `tests/lessons_words.py`; `tests/words_page.py --write` makes it anew. What each term means
stands in the glossary: the key **I** in the window, or `lanewise-engine glossary`.

"""
KEY = re.compile(r'^(term|also|not)\s*=\s*(.*)$', re.M)


def terms(glossary):
    """(term, its other forms, what we do not say) of each [[term]], in order."""
    for table in glossary.split("[[term]]\n")[1:]:
        found = {key: re.findall(r'"((?:[^"\\]|\\.)*)"', value) for key, value in KEY.findall(table)}
        yield found["term"][0], found.get("also", []), found.get("not", [])


def readable(pattern):
    """A pattern of lessons_words.BETTER as a reader would write it."""
    text = re.sub(r"\(\?!(?:[^()]|\([^()]*\))*\)", "", pattern)  # what must not follow
    text = re.sub(r"\\b", "", text)
    text = re.sub(r"\([^()]*\)\?", "", text)        # what may be left out
    text = re.sub(r"\(([^()|]*)\|[^()]*\)", r"\1", text)  # one of several
    return re.sub(r"\s+", " ", text.split("|")[0].replace("?", "")).strip()


def page(glossary):
    rows = ["## Terms", "", "| term | also | we do not say |", "|---|---|---|"]
    for term, also, avoided in terms(glossary):
        rows.append(f"| {term} | {', '.join(also)} | {', '.join(avoided)} |")
    rows += ["", "## Wordings", "", "`tests/lessons_words.py` refuses these.", "",
             "| we do not say | better |", "|---|---|"]
    rows += [f"| {readable(pattern)} | {better} |" for pattern, better in lessons_words.BETTER.items()]
    return HEAD + "\n".join(rows) + "\n"


def disagreements(glossary):
    """Terms that are refused as wordings, and words that are both a term and not to be said."""
    listed = list(terms(glossary))
    said = {form.lower(): term for term, also, _ in listed for form in [term, *also]}
    for term, also, avoided in listed:
        for form in [term, *also]:
            for pattern in lessons_words.BETTER:
                if re.search(pattern, form, re.IGNORECASE):
                    yield f'"{form}" is a term, and lessons_words.py refuses it'
        for form in avoided:
            if form.lower() in said:
                yield f'"{form}" is not to be said for "{term}", and is a form of "{said[form.lower()]}"'


PLANTED = {
    '[[term]]\nterm = "nobody"\n': "refuses it",
    '[[term]]\nterm = "lane"\nnot = ["Warp"]\n[[term]]\nterm = "warp"\n': "is not to be said",
}


def main():
    glossary = (ROOT / "lessons" / "glossary.toml").read_text(encoding="utf-8")
    made = page(glossary)
    if "--write" in sys.argv:
        PAGE.write_text(made, encoding="utf-8")
    elif "--check" not in sys.argv:
        print(made, end="")
        return 0
    found = list(disagreements(glossary))
    for planted, sentence in PLANTED.items():
        if not any(sentence in each for each in disagreements(planted)):
            found.append(f"overlooks: {sentence}")
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
        found.append("docs/words.md is not made from the glossary; run tests/words_page.py --write")
    count = len(list(terms(glossary)))
    print("\n".join(found) or f"words: docs/words.md has the {count} terms of the glossary")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
