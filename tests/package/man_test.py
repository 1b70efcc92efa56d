"""Holds the man pages to the programs: man_test.py PAGES_FOLDER APP_FOLDER PROGRAM…

Every command and option of --help stands in the page, with its words; whatever the parts written by hand name (options,
variables) exists; every variable that the programs read is explained, or is no user's matter and listed here."""
import os
import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
# Read by the programs for tests or for the system's own conventions.
NOT_FOR_USERS = {"LANEWISE_CUBLAS", "LANEWISE_CUDA_DRIVER", "LANEWISE_CUPTI", "LANEWISE_CUSPARSE", "LANEWISE_NVML",
                 "LANEWISE_DENSITY_FILE", "HOME", "PATH", "XDG_CONFIG_HOME"}


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], check=True, capture_output=True, encoding="utf-8").stdout


def commands_of(text):
    listed = re.search(r"^subcommands:\s*\n(.*?)(\n\s*\n|\Z)", text, re.S | re.M | re.I)
    return re.findall(r"^  ([a-z-]+)", listed[1], re.M) if listed else []


def words(text):
    return re.sub(r"\s+", " ", text)


def plain(roff):
    """A page's text as a reader sees it, near enough to look words up in."""
    text = re.sub(r"^\.(TP|PP|SH|SS|B|BR|I|RI|TH)\b ?", "", roff, flags=re.M)
    return words(re.sub(r"\\f[BIR]|\\&", "", text).replace("\\-", "-").replace("\\e", "\\").replace("\\ ", " "))


def main():
    pages, app, *programs = sys.argv[1:]
    problems, read, explained = [], set(), set()
    for program in programs:
        name = pathlib.Path(program).name
        page = (pathlib.Path(pages) / f"{name}.1").read_text()
        text = plain(page)
        known = set()
        helps = [("", help_of(program))]
        helps += [(command, help_of(program, command)) for command in commands_of(helps[0][1])]
        if name == "lanewise-engine" and len(helps) < 10:
            problems.append(f"{name}: only {len(helps) - 1} commands found in its help")
        for command, said in helps:
            section = page
            if command:
                found = re.search(rf"^\.SS {re.escape(command.replace('-', chr(92) + '-'))}$(.*?)^\.S[SH] ", page, re.S | re.M)
                if not found:
                    problems.append(f"{name}.1: no section about the command {command}")
                    continue
                section = found[1]
            own = said.split("Your own kernel:")
            for line in own[0].splitlines():
                if re.match(r"\s+-", line):
                    for each in OPTION.findall(line.strip().split(" ")[0]):
                        if each != "--help" and each.replace("-", "\\-") not in section:
                            problems.append(f"{name}.1: {command or name} takes {each}, and the page does not say so")
            for line in "\n".join(own[1:]).splitlines():
                for each in OPTION.findall(line.strip().split(" ")[0]):
                    if each not in text:
                        problems.append(f"{name}.1: nothing about {each} for kernels of one's own")
            # The words behind options, as the help has them.
            for line in said.splitlines():
                behind = re.match(r"\s+--?[^ ].*?\s{2,}(\S.*)$", line)
                if behind and "Print this help" not in line and words(behind[1]).strip() not in text:
                    problems.append(f"{name}.1: does not say \"{behind[1].strip()}\"")
            known |= set(OPTION.findall(said))
        # An option of the other program may be named, too.
        for other in programs:
            known |= set(OPTION.findall(help_of(other)))
        problems += [f"{name}.1: names {each}, which there is not" for each in set(OPTION.findall(text)) - known]
        explained |= set(re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z_0-9]+\b", page.split(".SH ENVIRONMENT")[1].split(".SH ")[0]))
    for root, _, files in os.walk(app):
        for file in files:
            code = (pathlib.Path(root) / file).read_text(encoding="utf-8")
            read |= set(re.findall(r'(?:getenv|variable_is_set|user_folder|envname)\("([A-Z_0-9]+)"', code))
            read |= set(re.findall(r'"((?:CUDA|LANEWISE|XDG)_[A-Z_]+)"', code))
    problems += [f"the man pages explain {each}, which nobody reads" for each in explained - read]
    problems += [f"{each} is read and in no man page" for each in read - explained - NOT_FOR_USERS]
    print("\n".join(sorted(problems)) or "man pages: all that --help says, and nothing that it does not")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
