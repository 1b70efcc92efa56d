"""A man page, from what is written by hand and what a program says of its options.

    man_page.py PAGE.1.in PROGRAM VERSION DATE > PAGE.1

In PAGE.1.in, @OPTIONS@ becomes the options of PROGRAM, @COMMANDS@ its commands, each with its options, and @EXIT@ what
the help says of the exit status. Groups of options that several commands have alike are written once."""
import re
import subprocess
import sys

# CLI11 begins the text of an option at this column, or on the next line.
TEXT_COLUMN = 20
SHARED_GROUP = "Your own kernel"


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], check=True, capture_output=True, encoding="utf-8").stdout


class Help:
    """What a help text says: groups {heading: [(left, text)]}, and the text behind "Exit status:"."""

    def __init__(self, text):
        self.groups, self.exit = {}, ""
        rows, in_exit = None, False
        for line in text.splitlines():
            heading = re.fullmatch(r"([A-Za-z][A-Za-z ]*):", line)
            if heading:
                rows = self.groups.setdefault(heading[1].capitalize(), [])
            elif line.startswith("Exit status:") or in_exit and line:
                in_exit = True
                self.exit += " " + line
            elif rows is None or not line.startswith("  "):
                continue
            elif len(line) - len(line.lstrip()) >= TEXT_COLUMN and rows:
                left, words = rows[-1]
                rows[-1] = left, (words + " " + line.strip()).strip()
            else:
                left, _, words = re.sub(r",\s+-", ",-", line.strip()).partition("  ")
                rows.append((left, words.strip()))

    def group(self, name):
        return self.groups.get(name.capitalize(), [])


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def option(left, words):
    """"--rows TEXT=4096" or "--rows TEXT [4096]" with its words, as a tagged paragraph."""
    names, _, rest = left.partition(" ")
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in names.split(","))
    rest, environment = re.subn(r"\(Env:(\w+)\)", "", rest)
    rest = re.sub(r" \[([^\s\]]+)\]\s*$", r"=\1", rest)  # as CLI11 writes a default from 2.4 on
    form = re.fullmatch(r"([A-Z]+)?(?::.*?)?(?:=([^\s=\]]+))?((?:\s*REQUIRED|\s*\.\.\.)*)", rest.strip())
    if not form:
        sys.exit(f"man_page.py: cannot read the option \"{left}\"")
    kind, default, notes = form.groups()
    required, several = "REQUIRED" in notes, "..." in notes  # in either order, as CLI11's version has it
    value = {"INT": "NUMBER", "UINT": "NUMBER", "FLOAT": "NUMBER", "TEXT": "TEXT", None: ""}.get(kind, kind)
    values = re.search(r":\{([^}]*)\}", rest)
    if values:
        value = values[1].replace(",", "|")
    notes = ["required"] if required else []
    if default:
        notes.append(f"{default} where not given")
    if several and "repeated" not in words:
        notes.append("may be repeated")
    text = words + (f" ({', '.join(notes)})" if notes else "")
    return f".TP\n{names}{' ' if value else ''}\\fI{roff(value)}\\fR\n{roff(text)}\n"


def options(group):
    return "".join(option(*row) for row in group if not row[0].startswith("-h,"))


def positional(row):
    name, _, rest = row[0].partition(" ")
    return option(" ".join([name.upper() if name.islower() else name, rest.replace("TEXT", "").strip()]).strip(), row[1])


def all_options(found, own_group):
    text = "".join(positional(row) for row in found.group("Positionals")) + options(found.group("Options"))
    shared = found.group(SHARED_GROUP)
    if shared and own_group:
        text += f".SS {SHARED_GROUP}\n{options(shared)}"
    return text


def commands(program, found):
    rows = found.group("Subcommands")
    texts, shared = "", {}
    for name, words in rows:
        help_text = Help(help_of(program, name))
        own = help_text.group(SHARED_GROUP)
        shared.update({row[0].split(" ")[0]: row for row in own})
        also = f"Takes the options of \\fB{SHARED_GROUP}\\fR too, for a file.\n" if own else ""
        body = all_options(help_text, False)
        texts += f".SS {roff(name)}\n{roff(words[:1].upper() + words[1:])}.\n{also}{body}"
    return texts + f".SS {SHARED_GROUP}\n{options(shared.values())}"


def exit_status(text):
    parts = re.findall(r"(\d+) ([^,\d]+(?:,[^,\d]+)*?)(?=, \d|\.\s*$)", " ".join(text.split()))
    return "".join(f".TP\n.B {number}\n{roff(words)}\n" for number, words in parts)


def main():
    page, program, version, date = sys.argv[1:]
    found = Help(help_of(program))
    text = open(page, encoding="utf-8").read()
    engine = Help(help_of(program.removesuffix("-engine") + "-engine"))
    for name, content in [("VERSION", version), ("DATE", date), ("EXIT", exit_status(engine.exit)),
                          ("OPTIONS", all_options(found, True)),
                          ("COMMANDS", commands(program, found) if "@COMMANDS@" in text else "")]:
        text = text.replace(f"@{name}@\n" if content.endswith("\n") else f"@{name}@", content)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
