"""Writes what packages hold besides programs and content: man pages, Debian's changelog, AppStream's metadata.

    generate.py SOURCE OUT VERSION MAINTAINER PROGRAM…

The date of an unreleased version is that of the commit, so that the same commit gives the same files."""
import datetime
import os
import pathlib
import subprocess
import sys

TOOLS = pathlib.Path(__file__).parent


def commit_time(source):
    try:
        asked = subprocess.run(["git", "-c", f"safe.directory={source}", "log", "-1", "--format=%ct"], cwd=source,
                               capture_output=True, text=True, check=True)
        return int(asked.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return int(os.path.getmtime(source / "CHANGELOG.md"))  # of an archive: when it was packed


def tool(name, *arguments):
    return subprocess.run([sys.executable, TOOLS / name, *arguments], check=True, stdout=subprocess.PIPE,
                          encoding="utf-8").stdout


def main():
    source, out, version, maintainer, *programs = sys.argv[1:]
    source, out = pathlib.Path(source), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    seconds = commit_time(source)
    date = f"{datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc):%Y-%m-%d}"
    for program in programs:
        name = pathlib.Path(program).name + ".1"
        (out / name).write_text(tool("man_page.py", TOOLS / "man" / (name + ".in"), program, version, date))
    changelog = source / "CHANGELOG.md"
    (out / "changelog").write_text(tool("changelog.py", "debian", changelog, version, maintainer, str(seconds)))
    releases = tool("changelog.py", "appstream", changelog, version, str(seconds))
    template = (TOOLS / "desktop/org.lanewise.Lanewise.metainfo.xml.in").read_text()
    (out / "org.lanewise.Lanewise.metainfo.xml").write_text(template.replace("@RELEASES@", releases))


if __name__ == "__main__":
    main()
