"""Puts the files of the page together: pack.py SOURCE BUILD OUTPUT.

content.gz has what the program reads (kernels, lessons, devices): the length of a header in four bytes,
the header as JSON, and the files one after another. The programs that were compiled beforehand lie
beside it, one file a stage, and are fetched when they are wanted: the header has their names and sizes.
records.gz has the recordings, which no picture waits for, and fonts.gz the fonts. What is large is packed here, since not every host packs what it sends."""
import gzip
import hashlib
import json
import pathlib
import shutil
import sys

FONTS = ["Inter-Regular.otf", "Inter-SemiBold.otf", "JetBrainsMono-Regular.ttf", "DejaVuSans.ttf"]
FONT_FOLDERS = ["/usr/share/fonts", "/usr/local/share/fonts"]
CONTENT = ["kernels", "lessons", "assets/devices"]
RECORDS = ["assets/recordings"]
FETCHED = ["assets/programs"]


def files_of(source, folders):
    for folder in folders:
        for path in sorted((source / folder).rglob("*")):
            if path.is_file():
                yield path.relative_to(source).as_posix(), path


def packed(inside, fetched=()):
    """A pack of the files `inside`, [(name, path)], that also says of those that are fetched later."""
    files, parts, at = [], [], 0
    for name, path in inside:
        data = path.read_bytes()
        files.append({"name": name, "begin": at, "bytes": len(data)})
        parts.append(data)
        at += len(data)
    later = [{"name": name, "bytes": path.stat().st_size} for name, path in fetched]
    head = json.dumps({"files": files, "fetched": later}).encode()
    return len(head).to_bytes(4, "little") + head + b"".join(parts)


def fonts():
    """[(name, path)] of those that are installed: where one is missing, another stands in."""
    found = {}
    for folder in FONT_FOLDERS:
        for path in sorted(pathlib.Path(folder).rglob("*.[ot]tf")):
            if path.name in FONTS:
                found.setdefault(path.name, path)
    return sorted(found.items())


def write_packed(path, data):
    path.write_bytes(gzip.compress(data, 9, mtime=0))


def main(source, build, output):
    output.mkdir(parents=True, exist_ok=True)
    fetched = [(name, path) for name, path in files_of(source, FETCHED) if name.endswith(".programs")]
    write_packed(output / "content.gz", packed(files_of(source, CONTENT), fetched))
    write_packed(output / "records.gz", packed(files_of(source, RECORDS)))
    write_packed(output / "fonts.gz", packed(fonts()))
    for name, path in fetched:
        (output / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, output / name)
    for program in sorted(build.glob("*.wasm")):
        write_packed(output / (program.stem + ".wasm.gz"), program.read_bytes())
        shutil.copyfile(build / (program.stem + ".js"), output / (program.stem + ".js"))
    for page in sorted((source / "app/web/page").iterdir()):
        shutil.copyfile(page, output / page.name)
    write_list(output)


def write_list(output):
    """files.json: every file with its bytes. One number for all goes into offline.js, so that a page that
    works offline notices a new version."""
    sums, files = hashlib.sha256(), []
    worker = output / "offline.js"
    for path in sorted(output.rglob("*")):
        name = path.relative_to(output).as_posix()
        if not path.is_file() or name == "files.json":
            continue
        sums.update(name.encode() + b"\0" + path.read_bytes())
        files.append({"name": name, "bytes": path.stat().st_size})
    version = sums.hexdigest()[:16]
    worker.write_text(worker.read_text().replace("VERSION", version))
    for file in files:
        file["bytes"] = (output / file["name"]).stat().st_size
    (output / "files.json").write_text(json.dumps({"version": version, "files": files}, indent=1))


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:4]))
