"""Holds what is read aloud to plain English: short sentences, no chains of "of" or of semicolons, and
the field's terms. That is the lessons, the glossary, and the texts of the program: the string literals
of app/ that are sentences. Prints every sentence that is none of that, with its place.
    lessons_words.py ROOT             all of ROOT; exit status 1 if any is found
    lessons_words.py ROOT --planted   planted faults only: exit status 1 if one is overlooked

A sentence that must be as it is says so in place. In a lesson's head, and in the glossary:
    # words: "the beginning of the sentence" may stand, because it quotes a title
In a source file, on the line where the literal begins, or alone on the line above:
    // words: may stand, because it quotes a title"""
import pathlib
import re
import sys

MOST_WORDS = 25
OVERRULED = re.compile(r'^# words: "([^"]+)" may stand, because \w+', re.M)
OVERRULED_HERE = re.compile(r"// words: may stand, because \w+")

# A phrase that reads foreign, or is not the field's term, and what to write instead.
BETTER = {
    r"\bin vain\b": 'wasted; or "use every byte of every sector it touches"',
    r"\brate times (its |the )?delay\b": "bandwidth × latency (Little's law)",
    r"\bon (its|their) way\b(?! (in|out|into|to)\b)": "in flight",
    r"\bstrangers?\b": "a whole row apart",
    r"\bpushed (it |them )?out\b": "evicted",
    r"\bdriv(e|es|ing) (out )?each other( out)?\b": "evict each other",
    r"\bhas to pay\b": 'say which access gets worse',
    r"\bhands out\b": "delivers",
    r"\bin your mind\b": "imagine",
    r"\bnarrowest (place|point)\b": "bottleneck",
    r"\bin two strokes\b": "cannot overlap",
    r"\banother name for a register\b": "the compiler renames registers",
    r"\bonce more replaces\b": "press again to replace it",
    r"\bunmake\b": "init and inval",
    r"\bsomebody\b": "name who or what it is",
    r"\bwhoever\b": 'name who it is, or "if you"',
    r"\bnobody\b": "no thread, no lane, no block",
    r"\b(are|is|be|go|goes) happy\b": "say what the hardware does",
    r"\bdearer\b": "more expensive",
    r"\bas ever\b": "as before",
    r"\bof one's own\b": "your own",
    r"\brejoice\b|\bdelighted\b": "say what the reader should check",
    r"\bno figure\b": "no measurement",
    r"\bthe more so\b": "say what grows with what",
    r"\bshall\b": "should, must or will",
    r"\bcamped\b": "partition camping",
}

KEYS = "title|aim|still_wrong|question|explain|task|catches|say|text|measured_as"
TEXT = re.compile(rf'^({KEYS})\s*=\s*"((?:[^"\\]|\\.)*)"')
# In a list of choices each wrong one has its reason; and each hint stands on a line of its own.
BECAUSE = re.compile(r'\bbecause\s*=\s*"((?:[^"\\]|\\.)*)"')
HINT = re.compile(r'^\s+"((?:[^"\\]|\\.)*)",?$')
LINK = re.compile(r"\[([^\]]*)\]\((?:<(?:[^<>\\]|\\.)*>|(?:[^()\s]|\([^()]*\))*)\)")
END = re.compile(r"(?<=[.!?…])[\"')*]*\s+(?=[\"'(*]*[A-Z0-9`\[])|:\s*$")


def plain(text):
    """What is read aloud: a link is its words; code, queries and titles in quotes are one word."""
    text = LINK.sub(r"\1", text)
    text = re.sub(r"\{\{.*?\}\}", "7", text)
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r'"[^"]*"', "Title", text)
    return text.replace("**", "").replace("*", "")


def reason_or_hint(line):
    """Why a choice is wrong, or a hint that is no code; None where the line has neither."""
    reason, hint = BECAUSE.search(line), HINT.match(line)
    is_code = hint and (re.search(r"[\[\]=]|\(\)|\+\+", hint[1]) or hint[1][-1:] not in ".?!")
    return reason[1] if reason else hint[1] if hint and not is_code else None


def texts(lesson):
    """(where, text) of each piece of a lesson: the head's texts, the body's paragraphs and items."""
    lines = lesson.splitlines()
    fence = next((i for i in range(1, len(lines)) if lines[i].strip() == "+++"), 0)
    for number, line in enumerate(lines[:fence], 1):
        found = TEXT.match(line)
        found = found[2] if found else reason_or_hint(line)
        if found:
            yield number, found.replace('\\"', '"')
    piece, begin, in_code = [], 0, False
    for number, line in enumerate(lines[fence + 1:] + [""], fence + 2):
        stripped = line.strip()
        if stripped.startswith("```"):
            in_code = not in_code
        starts_anew = stripped == "" or re.match(r"([-*]|\d+\.)\s", stripped) or "#" == stripped[:1]
        if piece and (starts_anew or in_code):
            yield begin, " ".join(piece)
            piece = []
        if in_code or not stripped or stripped.startswith("```"):
            continue
        if not piece:
            begin = number
        piece.append(re.sub(r"^(>|[-*]|\d+\.|#+)\s+", "", stripped))
        if stripped[:1] == "#":
            yield begin, piece.pop()


def sentences(text):
    return [part.strip() for part in END.split(plain(text)) if part and part.strip()]


def problems(sentence):
    words = [word for word in sentence.split() if re.search(r"\w", word)]
    if len(words) > MOST_WORDS:
        yield f"{len(words)} words, of at most {MOST_WORDS}"
    # Three times "of", each within four words of the one before.
    places = [i for i, word in enumerate(words) if word.lower() == "of"]
    if any(c - a <= 8 and b - a <= 4 and c - b <= 4
           for a, b, c in zip(places, places[1:], places[2:])):
        yield 'a chain of "of"'
    if len(re.findall(r";\s", sentence)) > 1:
        yield "more than one semicolon"
    for pattern, better in BETTER.items():
        found = re.search(pattern, sentence, re.IGNORECASE)
        if found:
            yield f'"{found[0]}"; better: {better}'


def faults(lesson):
    overruled = OVERRULED.findall(lesson)
    for number, text in texts(lesson):
        for sentence in sentences(text):
            if not any(sentence.startswith(plain(beginning)) for beginning in overruled):
                for problem in problems(sentence):
                    yield number, problem, sentence


# ---- the program's own texts

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'', re.S)
BETWEEN = re.compile(r"\s*(?://[^\n]*)?\s*")
# What is written for a machine: CUDA and PTX source, markup, paths, JSON, shaders, options of a tool.
FOR_MACHINES = re.compile(r"[{};]\s*(\\n|$)|^\s*[#<.\[]|</|::|->|\b(void|const|int|float|return|gl_)\b|==|&&|=\{|^-|\\x")


def literals(source):
    """(line, text) of each string literal, those that the compiler joins as one."""
    line, joined, end, begin = 1, None, 0, 0
    for token in TOKEN.finditer(source):
        if not token[0].startswith('"'):
            continue
        if joined is not None and BETWEEN.fullmatch(source, end, token.start()):
            joined += token[0][1:-1]
        else:
            if joined is not None:
                yield line, joined
            joined, begin = token[0][1:-1], token.start()
            line = source.count("\n", 0, begin) + 1
        end = token.end()
    if joined is not None:
        yield line, joined


def spoken(text):
    """A literal as it is read: a placeholder is one word; "" where it is no sentence."""
    text = text.replace('\\"', '"').replace("\\n", " ")
    text = re.sub(r"\{[^{}]*\}", "7", text)
    if len(re.findall(r"[A-Za-z]{2,}", text)) < 3 or FOR_MACHINES.search(text):
        return ""
    return text


def source_faults(source):
    """What is wrong with the sentences of a source file."""
    lines = source.splitlines()
    for number, text in literals(source):
        above = lines[number - 2].strip() if number > 1 else ""
        if OVERRULED_HERE.search(lines[number - 1]) or OVERRULED_HERE.match(above):
            continue
        for sentence in sentences(spoken(text)):
            for problem in problems(sentence):
                yield number, problem, sentence


PLANTED = {
    '+++\nsay = "' + "word " * 26 + '."\n+++\n': "26 words",
    "+++\n+++\nThe end of the row of the tile of A.\n": 'a chain of "of"',
    "+++\n+++\n- One; two;\n  three.\n": "more than one semicolon",
    '+++\naim = "No sector is fetched in vain."\n+++\n': "in vain",
    "+++\n+++\n> A [bank hands\n> out](<code:a \\< b>) a word.\n": "hands out",
}
PLANTED_SOURCES = {
    'throw Error(bad_input, "This is " + name + "; nobody reads this.");': "nobody",
    'fail("One word "\n     "goes in vain here");': "in vain",
    'fail("' + "word " * 26 + '.");': "26 words",
}
FINE_SOURCE = '''// in vain, nobody
const char* kKernel = "__global__ void f() { // nobody\\n}";
// words: may stand, because it quotes a title
line("This is in vain.");
line("It is in vain.");  // words: may stand, because it quotes a title
char c = '"'; line("Right.");
'''
FINE = ('+++\n# words: "Nobody is here" may stand, because a test needs it\nsay = "Nobody is here."\ntitle = "A title"\nanswer = "a;b;c;d of of of"\n+++\n```\na; b; c;\n```\n'
        + "Ten words are here, and they end with one stop. " * 4 + "\n")


def overlooked():
    for lesson, problem in PLANTED.items():
        if not any(problem in found for _, found, _ in faults(lesson)):
            yield f"overlooks {problem}: {lesson!r}"
    for source, problem in PLANTED_SOURCES.items():
        if not any(problem in found for _, found, _ in source_faults(source)):
            yield f"overlooks {problem}: {source!r}"
    for _, problem, sentence in [*faults(FINE), *source_faults(FINE_SOURCE)]:
        yield f"finds {problem} in what is fine: {sentence}"


def main():
    found = list(overlooked())
    count = 0
    root = pathlib.Path(sys.argv[1])
    if "--planted" not in sys.argv:
        files = [(path, faults) for path in sorted((root / "lessons").rglob("*.md"))]
        count = len(files)
        sources = [path for path in sorted((root / "app").rglob("*")) if path.suffix in (".h", ".cpp")]
        files += [(path, source_faults) for path in sources]
        for path, judge in files:
            for number, problem, sentence in judge(path.read_text(encoding="utf-8")):
                found.append(f"{path.relative_to(root)}:{number}: {problem}\n    {sentence}")
        # These are heads without a body.
        for name in ("glossary.toml", "endings.toml"):
            head = (root / "lessons" / name).read_text(encoding="utf-8")
            for number, problem, sentence in faults("+++\n" + head + "\n+++\n"):
                found.append(f"lessons/{name}:{number - 1}: {problem}\n    {sentence}")
        if not count or not sources:
            found.append(f"no lesson or no source below {root}")
    print("\n".join(found) or f"plain English in {count} lessons, the glossary and the program's texts; planted faults found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
