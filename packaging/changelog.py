"""CHANGELOG.md in the forms that packages want.

    changelog.py debian CHANGELOG.md VERSION MAINTAINER SECONDS    Debian's changelog
    changelog.py appstream CHANGELOG.md VERSION SECONDS            the <release> elements of AppStream

SECONDS since 1970 is the time of a version that has no date yet, so that the same tree gives the same files.
Fails where CHANGELOG.md does not begin with VERSION."""
import datetime
import email.utils
import html
import re
import sys

UNRELEASED = "unreleased"


def versions(path):
    """[(version, date or None, [item])], newest first; an item is one line of plain text."""
    found = []
    for line in open(path, encoding="utf-8").read().splitlines():
        head = re.fullmatch(r"## \[([0-9.]+)\] - (\d{4}-\d\d-\d\d|" + UNRELEASED + ")", line)
        if head:
            found.append((head[1], None if head[2] == UNRELEASED else head[2], []))
        elif line.startswith("## "):
            sys.exit(f"{path}: this heading is not '## [1.2.3] - 2026-01-31' or '… - {UNRELEASED}': {line}")
        elif found and line.startswith("- "):
            found[-1][2].append(plain(line[2:]))
        elif found and line.startswith("  ") and found[-1][2]:
            found[-1][2][-1] += " " + plain(line.strip())
    return found


def plain(markdown):
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown).replace("`", "")


def time_of(date, seconds):
    if date is None:
        return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return datetime.datetime.fromisoformat(date + "T00:00:00+00:00")


def wrapped(text, width=76):
    lines, line = [], "  *"
    for word in text.split():
        if len(line) + 1 + len(word) > width:
            lines.append(line)
            line = "   "
        line += " " + word
    return "\n".join(lines + [line])


def debian(found, maintainer, seconds):
    entries = []
    for version, date, items in found:
        distribution = "unstable" if date else "UNRELEASED"
        when = email.utils.format_datetime(time_of(date, seconds))
        body = "\n".join(wrapped(item) for item in items)
        entries.append(f"lanewise ({version}) {distribution}; urgency=medium\n\n{body}\n\n -- {maintainer}  {when}\n")
    return "\n".join(entries)


def appstream(found, seconds):
    lines = []
    for version, date, items in found:
        kind = "stable" if date else "development"
        lines.append(f'    <release version="{version}" date="{time_of(date, seconds):%Y-%m-%d}" type="{kind}">')
        lines.append("      <description>\n        <ul>")
        lines += [f"          <li>{html.escape(item, quote=False)}</li>" for item in items]
        lines.append("        </ul>\n      </description>\n    </release>")
    return "\n".join(lines) + "\n"


def main():
    form, path, version, *rest = sys.argv[1:]
    found = versions(path)
    if not found or found[0][0] != version:
        sys.exit(f"{path} begins with {found[0][0] if found else 'no version'}, and this is {version}; "
                 "write what is new in it")
    sys.stdout.write(debian(found, rest[0], int(rest[1])) if form == "debian" else appstream(found, int(rest[0])))


if __name__ == "__main__":
    main()
