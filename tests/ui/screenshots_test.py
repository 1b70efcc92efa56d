"""Draws every view in every theme offscreen with the real program and looks at the pictures: the
right size, not blank, in the theme's colours. Also the messages for what cannot be drawn."""
import collections
import ctypes
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

program = sys.argv[1]
folder = pathlib.Path(tempfile.mkdtemp(prefix="lanewise-pictures-"))
# Mesa of Debian 13 says so where it cannot keep its shaders, and no test wants them kept.
environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"), MESA_SHADER_CACHE_DISABLE="true")
environment.pop("DISPLAY", None)


def run(*arguments, **more):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=900,
                          env={**environment, **more})


try:
    stb = ctypes.CDLL("libstb.so.0")
    stb.stbi_load.restype = ctypes.POINTER(ctypes.c_ubyte)
except OSError:
    stb = None


def read_png(path):
    """Width, height and the rows of RGB bytes. By stb's library, which takes a hundredth of the time, where
    it is here; the first picture by both."""
    if not stb:
        return read_png_by_hand(path)
    width, height, channels = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    pixels = stb.stbi_load(str(path).encode(), ctypes.byref(width), ctypes.byref(height), ctypes.byref(channels), 3)
    assert pixels and channels.value == 3, path
    stride = 3 * width.value
    all_of_it = ctypes.string_at(pixels, stride * height.value)
    stb.stbi_image_free(pixels)
    return width.value, height.value, [all_of_it[at:at + stride] for at in range(0, len(all_of_it), stride)]


def read_png_by_hand(path):
    """A PNG with no interlacing."""
    bytes_ = path.read_bytes()
    assert bytes_[:8] == b"\x89PNG\r\n\x1a\n", path
    at, data = 8, b""
    while at < len(bytes_):
        length, kind = struct.unpack(">I4s", bytes_[at:at + 8])
        body = bytes_[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        if kind == b"IDAT":
            data += body
        at += length + 12
    raw = zlib.decompress(data)
    stride = 3 * width
    rows, before = [], bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        before = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + stride]), before)
        rows.append(before)
    return width, height, rows


def unfilter(kind, row, above):
    if kind == 2:
        return bytes((a + b) & 255 for a, b in zip(row, above))
    for i in range(len(row)):
        left = row[i - 3] if i >= 3 else 0
        up = above[i]
        corner = above[i - 3] if i >= 3 else 0
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + up) // 2) & 255
        elif kind == 4:
            guess = left + up - corner
            best = min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                       (abs(guess - corner), 2, corner))[2]
            row[i] = (row[i] + best) & 255
    return bytes(row)


def look_at(path, width, height, dark):
    got_width, got_height, rows = read_png(path)
    assert (got_width, got_height) == (width, height), (path, got_width, got_height)
    # Every 4th pixel of every 4th row is enough to know a picture from a blank.
    colours = collections.Counter(
        row[i:i + 3] for row in rows[::4] for i in range(0, len(row), 12))
    assert len(colours) > 40, f"{path}: only {len(colours)} colours"
    most, count = colours.most_common(1)[0]
    assert count < 0.9 * sum(colours.values()), f"{path}: nearly blank"
    assert (sum(most) < 200) == dark, f"{path}: the wrong theme: {tuple(most)}"


def draw(name, *arguments, size="1280x720"):
    path = folder / f"{name}.png"
    result = run("--offscreen", "--size", size, "--rows", "256", "--cols", "256", "--screenshot",
                 str(path), *arguments)
    assert result.returncode == 0, (name, result.returncode, result.stderr)
    return path


views = [line.split()[0] for line in run("--list-views").stdout.splitlines()]
assert views == ["lesson", "access", "banks", "code", "speed", "charts", "forge", "flow", "product", "machine", "step", "timeline", "bytes", "issues", "counts", "ladder"], views
themes = {"dark": True, "light": False, "projector": False}
for i, view in enumerate(views):
    for j, (theme, dark) in enumerate(themes.items()):
        if (i + j) % 3:
            continue  # text_test.cpp looks at every view in every theme; here, whether it becomes a picture
        path = draw(f"{view}-{theme}", "--stage", "30_padded", "--view", view, "--theme", theme)
        look_at(path, 1280, 720, dark)
        if i == 0:
            assert read_png(path) == read_png_by_hand(path), path
look_at(draw("twice", "--stage", "30_padded", "--scale", "2", "--set", "PAD=0"), 1280, 720, True)

# The code at every size that arranges it differently, and a kernel of the user's own.
own = folder / "own.cu"
own.write_text("""__global__ void turn(const float* in, float* out, int rows, int cols) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}
""")
launch = [str(own), "--grid", "8,8", "--block", "32,8"]
for size in ("1920x1080", "1280x720", "900x420"):
    width, height = map(int, size.split("x"))
    theme = "light" if width == 1280 else "dark"
    for name, arguments in (("code", ["--stage", "22_coarsened", "--view", "code"]),
                            ("own-code", [*launch, "--view", "code"]),
                            ("own-banks", [*launch, "--view", "banks"])):
        if name == "own-banks" and width == 900:
            continue  # as narrow as the others
        path = draw(f"{name}-{size}", *arguments, "--theme", theme, size=size)
        look_at(path, width, height, theme == "dark")

# What was drawn, and where: the picture first among the figures, within the window, and the texts
# that a person reads there. In Learn before an answer there are neither picture nor counts.
def boxes_of(name, *arguments):
    boxes, texts = folder / f"{name}-boxes.json", folder / f"{name}-texts.json"
    look_at(draw(name, "--stage", "10_naive", "--mode", "learn", "--boxes", str(boxes), "--texts",
                 str(texts), *arguments), 1280, 720, True)
    return json.loads(boxes.read_text()), json.loads(texts.read_text())


boxes, texts = boxes_of("learn", "--predicted", "yes")
figures = [box for box in boxes if box["kind"] == "figure"]
assert figures[0]["label"] == "warp" and boxes[0] == figures[0], boxes[:2]
assert figures[0]["w"] * figures[0]["h"] == max(box["w"] * box["h"] for box in figures)
for box in boxes:
    assert box["w"] > 0 and box["h"] > 0 and 0 <= box["x"] <= 1280 and 0 <= box["y"] <= 720, box
for kind, label in (("widget", "step:prove"), ("widget", "next"), ("text", "32 sectors")):
    assert any(box["kind"] == kind and box["label"] == label for box in boxes), label
assert "32 sectors" in texts
hidden, texts = boxes_of("asked", "--predicted", "no")
assert not any(box["kind"] == "figure" for box in hidden), hidden[:2]
# Lines are cut at other words by another Dear ImGui: the question stands in one or two of them.
assert any("sectors" in text for text in texts), texts
assert not any(re.search(r"\d+ sectors", text) for text in texts), texts

# The two screens of a lesson that is presented: the answer is the teacher's, and the notes are.
def presented(name, dark, *arguments, size="1280x720"):
    texts = folder / f"{name}-texts.json"
    width, height = map(int, size.split("x"))
    look_at(draw(name, "--stage", "30_padded", "--present", "--texts", str(texts), "--theme",
                 "dark" if dark else "light", *arguments, size=size), width, height, dark)
    return " ".join(json.loads(texts.read_text()))


scene, question = ["--do", "scene:next"], ["--do", "scene:next", "--do", "scene:next"]
teacher, shown = presented("teacher", True, *scene), presented("class", False, "--audience", *scene)
assert "NOTES" in teacher and "10:00" in teacher and "2 of 8" in teacher, teacher
assert "NOTES" not in shown and "10:00" not in shown and "2 of 8" not in shown, shown
assert "32-way conflict" in shown, shown
teacher = presented("teacher-asks", False, *question, size="900x600")
shown = presented("class-is-asked", True, "--audience", *question, size="1920x1080")
assert "FOR YOU ALONE" in teacher and "✓" in teacher, teacher
assert "HANDS UP" in shown and "✓" not in shown and "Keys" not in shown, shown
assert "✓" in presented("class-is-told", True, "--audience", *question, "--do", "scene:next")
refused = run("--offscreen", "--audience", "--screenshot", str(folder / "none.png"))
assert refused.returncode == 2 and "--audience needs --offscreen and --present" in refused.stderr, refused
refused = run(str(own), "--offscreen", "--present", "--screenshot", str(folder / "none.png"))
assert refused.returncode == 2 and "--present needs a lesson" in refused.stderr, refused

# Good and bad have different shapes: in grey and without a word, at least a fifth of the picture is
# another, and its ink lies elsewhere.
def silhouette(name, label, *arguments):
    """The grey rows of the figure of this label, with its texts blotted out, and its ground."""
    boxes = folder / f"{name}-boxes.json"
    _, _, rows = read_png(draw(name, "--mode", "learn", "--boxes", str(boxes), *arguments))
    found = json.loads(boxes.read_text())
    figure = next(box for box in found if box["kind"] == "figure" and box["label"] == label)
    grey = [[(2 * row[i] + 5 * row[i + 1] + row[i + 2]) // 8 for i in range(0, len(row), 3)]
            for row in rows]
    ground = collections.Counter(value for row in grey for value in row).most_common(1)[0][0]
    for box in found:
        if box["kind"] != "text":
            continue
        for y in range(int(box["y"]), min(720, int(box["y"] + box["h"]) + 1)):
            for x in range(int(box["x"]), min(1280, int(box["x"] + box["w"]) + 1)):
                grey[y][x] = ground
    x, y, w, h = (int(figure[side]) for side in "xywh")
    return [row[x:x + w] for row in grey[y:y + h]], ground


def differ(good, bad):
    """The share of pixels that are another, and the share of the ink that lies in another place."""
    (a, ground), (b, _) = good, bad
    height, width = min(len(a), len(b)), min(len(a[0]), len(b[0]))
    other = sum(abs(a[y][x] - b[y][x]) > 12 for y in range(height) for x in range(width))

    def ink(rows):
        cells = collections.Counter()
        for y in range(height):
            for x in range(width):
                if abs(rows[y][x] - ground) > 12:
                    cells[y * 8 // height, x * 8 // width] += 1
        all_of_it = sum(cells.values())
        return {cell: count / all_of_it for cell, count in cells.items()}

    of_a, of_b = ink(a), ink(b)
    moved = sum(abs(of_a.get(cell, 0) - of_b.get(cell, 0)) for cell in of_a | of_b) / 2
    return other / (height * width), moved


for name, good, bad in (
        ("warp", ["--stage", "00_copy", "--view", "access"],
         ["--stage", "10_naive", "--view", "access"]),
        ("tile", ["--stage", "30_padded", "--view", "banks"],
         ["--stage", "30_padded", "--view", "banks", "--set", "PAD=0"])):
    other, moved = differ(silhouette(f"{name}-good", name, *good),
                          silhouette(f"{name}-bad", name, *bad))
    print(f"{name}: {other:.0%} of the pixels differ, {moved:.0%} of the ink lies elsewhere")
    assert other >= 0.2 and moved >= 0.2, (name, other, moved)

# In the code's margin, too: what of a line's cost is in vain is hatched, so that its bar differs in
# grey from that of a line that wastes nothing, with all numbers blotted out.
def bar_of(name, scale, line, *arguments):
    """How often the grey jumps along the middle of the bars in the margin of the line that has this text."""
    boxes = folder / f"{name}-boxes.json"
    width, height = int(900 * scale), int(700 * scale)
    _, _, rows = read_png(draw(name, "--stage", "30_padded", "--view", "code", "--scale", str(scale),
                               "--boxes", str(boxes), *arguments, size=f"{width}x{height}"))
    found = json.loads(boxes.read_text())
    text = next(box for box in found if box["kind"] == "text" and box["label"].strip().startswith(line))
    row = next(box for box in found if box["kind"] == "widget" and box["label"].startswith("line:")
               and box["y"] <= text["y"] < box["y"] + box["h"])
    # The left half of the column "cost / ideal", where no number stands: behind the 44 points of the time.
    begin, end = int(row["x"] + 44 * scale + 2), int(row["x"] + 44 * scale + 24 * scale)
    pixels = rows[int(text["y"] + text["h"] / 2)]  # the first of its rows, where it is broken
    grey = [(2 * pixels[3 * x] + 5 * pixels[3 * x + 1] + pixels[3 * x + 2]) // 8
            for x in range(begin, end)]
    return sum(abs(a - b) > 8 for a, b in zip(grey, grey[1:]))


for scale in (1, 1.5, 2):
    for theme in ("dark", "light") if scale == 1.5 else ("dark",):
        name = f"bar-{scale}-{theme}"
        wasteful = bar_of(name + "-bad", scale, "out[", "--set", "PAD=0", "--theme", theme)
        fine = bar_of(name + "-good", scale, "out[", "--set", "PAD=1", "--theme", theme)
        print(f"the code's bars at {scale}, {theme}: {wasteful} edges where it wastes, {fine} where not")
        assert wasteful >= 6 and fine <= 2, (scale, theme, wasteful, fine)

# The same setting gives the same picture, byte by byte.
once, again = (draw(name, "--view", "banks", "--stage", "20").read_bytes() for name in "ab")
assert once == again, "two pictures of the same setting differ"

picture = str(folder / "never.png")
refused = [
    (["--stage", "30_paded"], "did you mean"),
    (["--view", "bank"], "banks"),
    (["--theme", "pink"], "dark"),
    (["--scale", "0.5"], "0.75"),
    (["--size", "12x"], "--size"),
    (["--size", "99999x99999"], "--size"),
    (["--mode", "teach"], "workbench"),
    (["--set", "PAD=9"], "PAD"),
    (["--set", "PDA=1"], "PAD"),
    (["--set", "PAD"], "NAME=VALUE"),
    (["--rows", "0"], "65,536"),
    (["--rows", "70000"], "65,536"),
    (["--type", "f8"], "f32"),
    (["--kernel", "turn"], "FILE.cu"),
    (["--cluster", "2"], "--cluster"),
    ([*launch, "--cluster", "2,9"], "--cluster 2,9: a cluster is X[,Y[,Z]] blocks"),
    (["/never/there.cu"], "/never/there.cu"),
    (["/never/there.lanewise"], "/never/there.lanewise"),
    ([str(folder)], "is a folder, not a file"),
    (["lanewise://1/transpose%2F30_padded?PAD=0&type=f3"], "cut or changed"),
    ([*launch, "--arg", "f32[65536", "--arg", "f32[65536]", "--arg", "i32:256", "--arg", "i32:256"],
     'lanewise: --arg "f32[65536": an argument is a buffer'),
    ([str(own), "--grid", "0"], "--grid's x is 0"),
    ([str(own), "--kernel", "trun"], "did you mean turn?"),
    ([*launch, "--set", "PAD=0"], "--define"),
    ([*launch, "--include", ""], "--include wants a folder"),
    (["--do", "palet"], "palette"),
    (["--engine", "/does/not/exist"], "cannot start the engine (/does/not/exist)"),
    (["--engine", "true"], "the engine stopped before it greeted (exit status 0)"),
    (["--engine", "'open"], "a quote is not closed"),
]
for arguments, word in refused:
    if "--stage" not in arguments:
        arguments = ["--stage", "30_padded", *arguments]
    if "--size" not in arguments:
        arguments = ["--size", "640x480", *arguments]
    result = run("--offscreen", "--screenshot", picture, *arguments)
    assert result.returncode == 2, (arguments, result.returncode, result.stderr)
    assert word in result.stderr, (arguments, result.stderr)
    assert len(result.stderr.strip().splitlines()) <= 3, result.stderr
result = run("--offscreen", "--size", "640x480", "--screenshot", "/proc/never/here.png")
assert result.returncode == 2 and "/proc/never" in result.stderr, result.stderr
result = run()
assert result.returncode == 2 and "--offscreen" in result.stderr, (result.returncode, result.stderr)

# What the engine refuses stands in the picture, too.
broken = folder / "broken.cu"
broken.write_text("__global__ void broken(float* out) { out[0] = nothing; }\n")
widgets = folder / "widgets.json"
draw("engine", "--stage", "30_padded", "--dump-widgets", str(widgets))
for arguments, status, begin in (
        ([*launch, "--arg", "f32[65536]"], 2, "turn takes 4 arguments, not 1\n"),
        ([str(broken)], 3, "broken.cu:1:47: error: ")):  # then in the compiler's words
    if not json.loads(widgets.read_text())["compiler"]:
        break  # then that is what each picture says
    pathlib.Path(picture).unlink()
    result = run("--offscreen", "--screenshot", picture, "--size", "640x480", *arguments)
    assert result.returncode == status, (arguments, result.returncode, result.stderr)
    assert result.stderr.startswith("lanewise: " + begin), (arguments, result.stderr)
    assert pathlib.Path(picture).exists(), arguments
empty = folder / "no fonts"
empty.mkdir()
result = run("--offscreen", "--screenshot", picture, "--size", "640x480", LANEWISE_FONTS=str(empty))
assert result.returncode == 0, result.stderr
print("every view is drawn; every refusal says why")
