"""The real window under Xvfb comes to a screen of twice the density and back, while it runs: its
content scale changes (LANEWISE_DENSITY_FILE stands in for the server's, which GLFW asks for once),
and its system makes it twice as large."""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

if not shutil.which("Xvfb") or not shutil.which("xdotool"):
    print("skipped: needs xvfb and xdotool")
    sys.exit(77)

PATIENCE_S = 200  # for what comes at once, unless the machine has much else to do

folder = pathlib.Path(tempfile.mkdtemp(prefix="lanewise-density-"))
keep = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None  # a folder for the pictures
state_file, density_file = folder / "widgets.json", folder / "density"
read_end, write_end = os.pipe()
server = subprocess.Popen(["Xvfb", "-noreset", "-displayfd", str(write_end), "-screen", "0", "2600x1500x24",
                           "-nolisten", "tcp", "-fbdir", str(folder)], pass_fds=[write_end],
                          stderr=subprocess.DEVNULL)
os.close(write_end)
display = ":" + os.fdopen(read_end).readline().strip()
environment = dict(os.environ, DISPLAY=display, XDG_STATE_HOME=str(folder / "state"),
                   LIBGL_ALWAYS_SOFTWARE="1", LANEWISE_DENSITY_FILE=str(density_file))
environment.pop("WAYLAND_DISPLAY", None)


def set_density(density):
    new = folder / "density.new"
    new.write_text(str(density))
    new.rename(density_file)


set_density(1)
window = subprocess.Popen(
    [sys.argv[1], "--stage", "30_padded", "--view", "access", "--predicted", "yes", "--size", "1280x720", "--rows", "256",
     "--cols", "256", "--dump-widgets", str(state_file)], env=environment)


def xdotool(*words):
    return subprocess.run(["xdotool", *words], env=environment, check=True, timeout=PATIENCE_S,
                          capture_output=True, text=True).stdout


def state():
    try:
        return json.loads(state_file.read_text())
    except (OSError, ValueError):
        return None


def wait_for(what, condition):
    end = time.time() + PATIENCE_S
    while time.time() < end:
        assert window.poll() is None, f"the window ended with {window.returncode}: {what}"
        now = state()
        if now and condition(now):
            return now
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for: {what}; typed {(state() or {}).get('typed', '')[-80:]!r}")


def frame_buffer(quiet_s=0.5):
    """Xvfb's own, once that time has changed nothing in it."""
    before, now, end = b"", (folder / "Xvfb_screen0").read_bytes(), time.time() + PATIENCE_S
    while now != before and time.time() < end:
        time.sleep(quiet_s)
        before, now = now, (folder / "Xvfb_screen0").read_bytes()
    return now


def picture():
    """Width, height and the rows of the screen (XWD, version 7)."""
    data = frame_buffer()
    header = struct.unpack(">25I", data[:100])
    size, width, height, stride, colours = header[0], header[4], header[5], header[12], header[19]
    start = size + 12 * colours
    return width, height, [data[start + y * stride:start + (y + 1) * stride] for y in range(height)]


def edges(rows, width, height):
    """How many neighbours differ much, of a hundred: blurred letters have few such steps."""
    hard = soft = 0
    for row in rows[:height:3]:
        for x in range(0, width - 1):
            step = abs(row[4 * x + 1] - row[4 * x + 5])
            soft += step > 16
            hard += step > 64
    return 100 * hard / max(1, soft)


def save(name, rows, width, height):
    if not keep:
        return
    import zlib
    raw = b"".join(b"\0" + bytes(v for x in range(width)
                                 for v in (r[4 * x + 2], r[4 * x + 1], r[4 * x])) for r in rows[:height])
    chunk = lambda kind, body: (struct.pack(">I", len(body)) + kind + body
                                + struct.pack(">I", zlib.crc32(kind + body)))
    (keep / f"{name}.png").write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(raw, 6)) + chunk(b"IEND", b""))


def memory():  # MiB that are resident
    for line in pathlib.Path(f"/proc/{window.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise AssertionError("no VmRSS")


def go_to(density, quiet_s=0.5):
    set_density(density)
    size = [1280 * density, 720 * density]
    xdotool("windowsize", handle, *map(str, size))
    wait_for(f"density {density}", lambda s: s["density"] == density and s["size"] == size)
    frame_buffer(quiet_s)
    return wait_for("the state", lambda s: True)


try:
    wait_for("the counts", lambda s: s["analysis"])
    handle = xdotool("search", "--sync", "--name", "Lanewise").split()[0]
    xdotool("windowmove", handle, "0", "0")
    xdotool("windowfocus", handle)
    xdotool("key", "ctrl+e")  # the editor
    wait_for("the editor", lambda s: s["editing"] and "editor" in s["widgets"])
    frame_buffer()
    xdotool("key", "ctrl+End")
    frame_buffer()  # in a frame that lasts long, what comes with the chord would be part of it
    xdotool("type", "--delay", "40", "// typed here ")
    wait_for("what was typed", lambda s: s["typed"].endswith("// typed here ") and s["analysis"])
    width, height, rows = picture()
    before = wait_for("the state", lambda s: True)
    sharp = edges(rows, 1280, 720)
    save("density-1", rows, 1280, 720)

    dense = go_to(2)
    assert abs(dense["font_pixels"] - 2 * before["font_pixels"]) <= 1.5, dense["font_pixels"]
    for field in ("stage", "view", "tab", "knobs", "rows", "warp", "editing", "typed", "scale",
                  "chosen_line", "theme"):
        assert dense[field] == before[field], (field, before[field], dense[field])
    for widget in ("editor", "view:access", "view:code", "knob:PAD=0"):
        old, new = before["widgets"][widget], dense["widgets"][widget]
        for a, b in zip(old, new):
            assert abs(2 * a - b) <= 30, (widget, old, new)
    width, height, rows = picture()
    save("density-2", rows, 2560, 1440)
    # Letters that are only blown up lose half of their hard edges.
    assert edges(rows, 2560, 1440) > 0.8 * sharp, (sharp, edges(rows, 2560, 1440))
    xdotool("type", "--delay", "40", "and here ")  # the keyboard is where it was
    wait_for("more of it", lambda s: s["typed"].endswith("// typed here and here "))

    # The allocators give back what they like when they like; an atlas that is kept adds up (16 MiB
    # at 200 %).
    used = []
    for _ in range(8):
        go_to(2, 0.1)
        go_to(1, 0.1)
        used.append(memory())
    grown = max(used[-4:]) - max(used[:4])
    assert grown < 40, f"MiB after each of 8 times there and back: {used}: old atlases are kept"
    end = state()
    assert end["font_pixels"] == before["font_pixels"], end["font_pixels"]
    assert end["typed"].endswith("// typed here and here "), end["typed"][-60:]
    print(f"sharp at both densities, nothing lost, {grown:.1f} MiB more after 17 changes")
finally:
    window.terminate()
    window.wait(PATIENCE_S)
    server.terminate()
    server.wait(PATIENCE_S)
    shutil.rmtree(folder, ignore_errors=True)
