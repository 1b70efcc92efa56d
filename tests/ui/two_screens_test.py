"""Presents on two screens of a real X server, Xorg with its dummy driver: the class's window comes to the
second screen, obeys the same keys, shows where the teacher points, survives the screen's end, and can be
closed, as the first window can."""
import ctypes
import ctypes.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 200
CONFIGURATION = """
Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 256000
EndSection
Section "Monitor"
  Identifier "monitor"
  HorizSync 5-1000
  VertRefresh 5-200
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  Monitor "monitor"
  DefaultDepth 24
  SubSection "Display"
    Depth 24
    Modes "1280x720" "1920x1080"
    Virtual 4096 2160
  EndSubSection
EndSection
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


for program in ("Xorg", "xrandr", "xdotool"):
    if not shutil.which(program):
        skip("needs xserver-xorg-core, xserver-xorg-video-dummy, x11-xserver-utils and xdotool")
x11_library = ctypes.util.find_library("X11")
if not x11_library:
    skip("needs libX11")

folder = pathlib.Path(tempfile.mkdtemp(prefix="lanewise-screens-"))
state_file = folder / "widgets.json"
(folder / "xorg.conf").write_text(CONFIGURATION)
read_end, write_end = os.pipe()
server = subprocess.Popen(["Xorg", "-displayfd", str(write_end), "-config", str(folder / "xorg.conf"), "-noreset",
                           "-nolisten", "tcp", "-logfile", str(folder / "xorg.log")],
                          pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
os.close(write_end)
number = os.fdopen(read_end).readline().strip()
if not number:
    server.wait(PATIENCE_S)
    shutil.rmtree(folder, ignore_errors=True)
    skip("Xorg does not start with its dummy driver here")
environment = dict(os.environ, DISPLAY=":" + number, XDG_STATE_HOME=str(folder / "state"), LIBGL_ALWAYS_SOFTWARE="1")
environment.pop("WAYLAND_DISPLAY", None)


def call(*words):
    done = subprocess.run(words, env=environment, check=True, timeout=PATIENCE_S, capture_output=True, text=True)
    return done.stdout


def plug(on):
    if on:
        call("xrandr", "--output", "DUMMY1", "--mode", "1920x1080", "--right-of", "DUMMY0")
    else:
        call("xrandr", "--output", "DUMMY1", "--off")
    call("xrandr")  # the driver looks what is connected when somebody asks


def state():
    try:
        return json.loads(state_file.read_text())
    except (OSError, ValueError):
        return None


def wait_for(what, condition, seconds=PATIENCE_S):
    end = time.time() + seconds
    while time.time() < end:
        assert window.poll() is None, f"the window ended with {window.returncode}: {what}"
        now = state()
        if now and condition(now):
            return now
        time.sleep(0.05)
    now = state() or {}
    raise AssertionError(f"waited in vain for: {what}; now "
                         f"{ {k: v for k, v in now.items() if k in ('slide', 'audience', 'error', 'toast', 'notices')} }")


def strike(key):
    """A key that a person strikes: what it did was seen before the next one."""
    time.sleep(0.5)
    call("xdotool", "key", key)


def window_called(name):
    return call("xdotool", "search", "--sync", "--name", name).split()[0]


def geometry(handle):
    values = dict(line.split("=") for line in call("xdotool", "getwindowgeometry", "--shell", handle).split())
    return [int(values[key]) for key in ("X", "Y", "WIDTH", "HEIGHT")]


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("rest", ctypes.c_long * 24)]


def close(handle):
    """As the button of its frame does: the window is asked to go (ICCCM 4.2.8.1)."""
    x11 = ctypes.CDLL(x11_library)
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(environment["DISPLAY"].encode())
    assert display, environment["DISPLAY"]
    protocols = x11.XInternAtom(display, b"WM_PROTOCOLS", 0)
    delete = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    message = ClientMessage(type=33, window=int(handle), message_type=protocols, format=32)
    message.data[0] = delete
    assert x11.XSendEvent(display, int(handle), 0, 0, ctypes.byref(message))
    x11.XCloseDisplay(display)


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idles(seconds, most):
    end = time.time() + PATIENCE_S
    while True:
        before = processor_seconds(window.pid)
        time.sleep(seconds)
        used = processor_seconds(window.pid) - before
        if used < most:
            return
        assert time.time() < end, f"two idle windows used {used:.2f} s of processor time in {seconds} s"


window = None
try:
    call("xrandr", "--addmode", "DUMMY1", "1920x1080")
    plug(True)
    window = subprocess.Popen([sys.argv[1], "--stage", "30_padded", "--predicted", "yes", "--rows", "512", "--cols",
                               "512", "--size", "1000x640", "--dump-widgets", str(state_file)], env=environment)
    wait_for("the counts", lambda s: s["analysis"])
    first = window_called("Lanewise")
    call("xdotool", "windowfocus", "--sync", first)

    strike("F11")
    wait_for("the class's window on the second screen", lambda s: s.get("audience", {}).get("size") == [1920, 1080])
    second = window_called("^For the class")
    assert geometry(second) == [1280, 0, 1920, 1080], geometry(second)
    wait_for("the slide, small", lambda s: "mirror" in s["widgets"])
    idles(1, 0.1)

    call("xdotool", "windowfocus", "--sync", first)
    strike("space")
    wait_for("the next slide, by a key in the first window", lambda s: s["slide"] == 1)
    call("xdotool", "windowfocus", "--sync", second)
    strike("space")
    wait_for("the one after, by a key in the second", lambda s: s["slide"] == 2)
    call("xdotool", "windowfocus", "--sync", first)

    # A quarter from the left and half way down, in both windows.
    x, y, _, _ = geometry(first)
    x0, y0, x1, y1 = state()["widgets"]["mirror"]
    call("xdotool", "mousemove", "--sync", str(x + round(x0 + (x1 - x0) / 4)), str(y + round((y0 + y1) / 2)))
    ring = wait_for("the ring", lambda s: "ring" in s["audience"]["widgets"])["audience"]["widgets"]["ring"]
    assert abs((ring[0] + ring[2]) / 2 - 480) < 8 and abs((ring[1] + ring[3]) / 2 - 540) < 8, ring
    wait_for("its end, by itself", lambda s: "ring" not in s["audience"]["widgets"])

    plug(False)
    wait_for("an ordinary window in its place", lambda s: s["audience"]["size"] == [960, 540])
    x, y, width, height = geometry(second)
    assert (width, height) == (960, 540) and 0 <= x < 1280 and 0 <= y < 720, (x, y, width, height)
    plug(True)
    wait_for("the second screen again", lambda s: s["audience"]["size"] == [1920, 1080])
    assert geometry(second) == [1280, 0, 1920, 1080], geometry(second)

    close(second)
    wait_for("one window, which goes on", lambda s: "audience" not in s and s["slide"] == 2)
    assert "mirror" not in state()["widgets"]
    strike("w")
    wait_for("the class's window again", lambda s: s.get("audience", {}).get("size") == [1920, 1080])
    strike("Escape")
    wait_for("the end of it", lambda s: "slide" not in s and "audience" not in s)

    plug(False)
    strike("F11")
    wait_for("one window, as there is one screen", lambda s: "slide" in s)
    assert "audience" not in state(), state()["audience"]
    strike("w")
    wait_for("an ordinary window, as it is asked for", lambda s: s.get("audience", {}).get("size") == [960, 540])
    close(first)
    assert window.wait(PATIENCE_S) == 0, window.returncode
    print("the class's window comes and goes with its screen, and both windows can be closed")
finally:
    if window and window.poll() is None:
        window.send_signal(signal.SIGTERM)
        window.wait(PATIENCE_S)
    server.terminate()
    server.wait(PATIENCE_S)
    shutil.rmtree(folder, ignore_errors=True)
