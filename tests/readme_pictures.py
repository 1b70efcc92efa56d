#!/usr/bin/env python3
"""The README's pictures, drawn by the program itself.

  tests/readme_pictures.py --write build/bin/lanewise    draws them anew
  tests/readme_pictures.py --check build/bin/lanewise    fails where one shows another window

A picture holds the names of the widgets that were in it, as compressed text of its own (zTXt). They are what
--check compares, since they are the same with every driver and every version of a font.
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "assets" / "screenshots"
PICTURES = {
    "microscope-light": "--stage 10_naive --view access --theme light",
    "banks-dark": "--stage 30_padded --view banks --theme dark",
    "charts-dark": "--stage 80_register_tiles --view charts:sizes --theme dark",
    "products-light": "--stage matmul/42_mma_sync --view product --theme light",
}
# Drawn by the engine beside the window's program, in text that is the same everywhere.
MOVING = {
    "padding-moving": "30_padded --rows 512 --cols 512 --set PAD=0 --to PAD=1 --theme dark --compiler shipped",
}
SIZE = "1600x1000"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
KEYWORD = b"Widgets"


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def with_widgets(png, names):
    """The picture with the names behind its first chunk, the header."""
    header = len(SIGNATURE) + 8 + 13 + 4
    text = KEYWORD + b"\0\0" + zlib.compress("\n".join(names).encode(), 9)
    return png[:header] + chunk(b"zTXt", text) + png[header:]


def widgets_of(png):
    at = len(SIGNATURE)
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        if kind == b"zTXt" and body.startswith(KEYWORD + b"\0"):
            return zlib.decompress(body[len(KEYWORD) + 2:]).decode().split("\n")
        at += length + 12
    return []


def draw(program, arguments):
    """The picture as the program draws it for somebody who has just begun, without a GPU."""
    with tempfile.TemporaryDirectory(prefix="lanewise-readme-") as folder:
        picture, dumped = pathlib.Path(folder, "picture.png"), pathlib.Path(folder, "widgets.json")
        environment = dict(os.environ, XDG_STATE_HOME=folder, CUDA_VISIBLE_DEVICES="")
        subprocess.run([program, "--offscreen", "--size", SIZE, *arguments.split(), "--screenshot",
                        picture, "--dump-widgets", dumped], check=True, env=environment)
        names = sorted(json.loads(dumped.read_text())["widgets"])
        return with_widgets(picture.read_bytes(), names)


def draw_moving(program, arguments):
    """The SVG that moves; the engine lies beside the program."""
    engine = pathlib.Path(program).resolve().parent / "lanewise-engine"
    with tempfile.TemporaryDirectory(prefix="lanewise-readme-") as folder:
        picture = pathlib.Path(folder, "picture.svg")
        subprocess.run([engine, "picture", *arguments.split(), "--out", picture], check=True,
                       stdout=subprocess.DEVNULL, env=dict(os.environ, CUDA_VISIBLE_DEVICES=""))
        return picture.read_text()


def differences(name, drawn):
    path = FOLDER / f"{name}.png"
    if not path.exists():
        return [f"{path.relative_to(ROOT)} is missing"]
    before, now = set(widgets_of(path.read_bytes())), set(widgets_of(drawn))
    return ([f"{name}: no longer in the window: {gone}" for gone in sorted(before - now)] +
            [f"{name}: not in the picture: {new}" for new in sorted(now - before)])


def main(what, program):
    wrong = []
    for name, arguments in PICTURES.items():
        drawn = draw(program, arguments)
        if what == "--write":
            (FOLDER / f"{name}.png").write_bytes(drawn)
        else:
            wrong += differences(name, drawn)
    for name, arguments in MOVING.items():
        drawn, path = draw_moving(program, arguments), FOLDER / f"{name}.svg"
        if what == "--write":
            path.write_text(drawn)
        elif not path.exists() or path.read_text() != drawn:
            wrong.append(f"{name}: the program draws another picture")
    readme = (ROOT / "README.md").read_text()
    for path in [*FOLDER.glob("*.png"), *FOLDER.glob("*.svg")]:
        if path.stem not in PICTURES | MOVING or f"assets/screenshots/{path.name}" not in readme:
            wrong.append(f"{path.name} is not in the README, or nothing draws it")
    if wrong:
        sys.exit("\n".join(wrong) + "\nThe README's pictures are old: tests/readme_pictures.py --write " + program)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("--write", "--check"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
