"""Opens the real window under Xvfb and operates it with real key and mouse events."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

if not shutil.which("Xvfb") or not shutil.which("xdotool"):
    print("skipped: needs xvfb and xdotool")
    sys.exit(77)

CLICK_S = 20  # far less than it takes for anything else to draw a frame
PATIENCE_S = 200  # for what comes at once, unless the machine has much else to do

folder = pathlib.Path(tempfile.mkdtemp(prefix="lanewise-window-"))
state_file = folder / "widgets.json"
read_end, write_end = os.pipe()
server = subprocess.Popen(["Xvfb", "-noreset", "-displayfd", str(write_end), "-screen", "0", "1400x900x24",
                           "-nolisten", "tcp"], pass_fds=[write_end], stderr=subprocess.DEVNULL)
os.close(write_end)
display = ":" + os.fdopen(read_end).readline().strip()
environment = dict(os.environ, DISPLAY=display, XDG_STATE_HOME=str(folder / "state"),
                   LIBGL_ALWAYS_SOFTWARE="1")
environment.pop("WAYLAND_DISPLAY", None)
arguments = [sys.argv[1], "--stage", "22_coarsened", "--view", "access", "--predicted", "yes",
             "--size", "1280x720",
             "--rows", "512", "--cols", "512", "--dump-widgets", str(state_file)]
window = subprocess.Popen(arguments, env=environment)


def xdotool(*words):
    subprocess.run(["xdotool", *words], env=environment, check=True, timeout=PATIENCE_S)


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
    raise AssertionError(f"waited in vain for: {what}; now {state() and {k: v for k, v in state().items() if k != 'widgets'}}")


def click(widget):
    x0, y0, x1, y1 = wait_for(widget, lambda s: widget in s["widgets"])["widgets"][widget]
    xdotool("mousemove", "--sync", str(int((x0 + x1) / 2)), str(int((y0 + y1) / 2)))
    time.sleep(0.1)
    xdotool("mousedown", "1")
    time.sleep(0.1)
    xdotool("mouseup", "1")


def command(words):
    """By the palette, which takes the keyboard a frame or two after its key."""
    xdotool("key", "ctrl+shift+p")
    time.sleep(0.5)
    xdotool("type", "--delay", "60", words)
    time.sleep(0.5)
    xdotool("key", "Return")


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idles(seconds, most):
    """Sooner or later: what is under way ends first."""
    end = time.time() + PATIENCE_S
    while True:
        before = processor_seconds(window.pid)
        time.sleep(seconds)
        used = processor_seconds(window.pid) - before
        if used < most:
            return
        assert time.time() < end, f"an idle window used {used:.2f} s of processor time in {seconds} s"


SOURCE = """__global__ void twice(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}
"""


def type_path(path):
    """Into the chooser. What is typed while a slow frame gives it the focus is lost, as it would be
    to a person, who sees that and types anew."""
    for _ in range(5):
        xdotool("key", "ctrl+a")
        xdotool("type", "--delay", "30", str(path))
        end = time.time() + PATIENCE_S / 10
        while time.time() < end:
            if (state() or {}).get("path") == str(path):
                return
            time.sleep(0.05)
    raise AssertionError(f"typed {path}, and the chooser holds {state()['path']}")


def own_kernel():
    """A file is opened by keyboard, changes, does not compile, disappears and comes back."""
    own = folder / "own.cu"
    own.write_text(SOURCE)
    xdotool("key", "ctrl+o")
    wait_for("the chooser", lambda s: s["chooser"])
    type_path(own)
    xdotool("key", "Return")
    wait_for("its counts", lambda s: s["own"] and s["stage"] == "own.cu" and s["analysis"])
    idles(2, 0.1)  # looking at the file's time twice a second costs nothing
    own.write_text(SOURCE.replace("in[i]", "in[n - 1 - i]"))
    wait_for("the reload", lambda s: s["toast"] == "own.cu reloaded")
    wait_for("the new counts", lambda s: s["analysis"] and not s["error"])
    own.write_text(SOURCE.replace("2 * in", "2 * inn"))
    wait_for("the error at its line",
             lambda s: "inn" in s["error"] and s["tab"] == "code" and s["chosen_line"] == 3)
    own.unlink()
    wait_for("word that it is gone", lambda s: "until it is back" in s["error"])
    own.write_text(SOURCE)
    wait_for("its return", lambda s: s["analysis"] and not s["error"])
    xdotool("key", "n")
    wait_for("the course again", lambda s: not s["own"])


try:
    wait_for("the counts of the whole launch", lambda s: s["analysis"])
    handle = subprocess.run(["xdotool", "search", "--sync", "--name", "Lanewise"], env=environment,
                            capture_output=True, text=True, timeout=PATIENCE_S, check=True).stdout.split()[0]
    xdotool("windowfocus", handle)

    xdotool("key", "n")
    wait_for("the next stage", lambda s: s["stage"] == "transpose/30_padded" and s["analysis"])
    click("view:banks")
    wait_for("the other view by mouse", lambda s: s["view"] == "banks")
    click("knob:PAD=0")
    wait_for("a knob by mouse", lambda s: s["knobs"]["PAD"] == 0 and s["analysis"])
    # A press and its release at once, while a tooltip is about to come or stands: it counts without
    # another movement of the mouse. How long the pointer has rested decides what frames there are.
    for rest in range(10):
        knob = f"knob:PAD={2 - rest % 2}"
        x0, y0, x1, y1 = state()["widgets"][knob]
        xdotool("mousemove", "--sync", str(int((x0 + x1) / 2)), str(int((y0 + y1) / 2)))
        time.sleep(0.08 * rest)
        xdotool("mousedown", "1", "mouseup", "1")
        wait_for("a click without length", lambda s: s["knobs"]["PAD"] == 2 - rest % 2, CLICK_S)
    # Chords faster than a frame: all four events at once, and with the modifier down beforehand.
    # Whether a frame falls between two of them is chance, hence several of each.
    for words in 5 * (["key", "--delay", "0", "ctrl+equal"],
                      ["keydown", "ctrl", "sleep", "0.2", "key", "--delay", "0", "equal", "keyup", "ctrl"]):
        xdotool(*words)
        wait_for("a larger scale", lambda s: abs(s["scale"] - 1.1) < 1e-6)
        xdotool("key", "--delay", "0", "ctrl+0")
        wait_for("100 % again", lambda s: s["scale"] == 1)
    xdotool("key", "1")
    wait_for("a view by key", lambda s: s["view"] == "access")
    xdotool("key", "bracketright")
    wait_for("the next warp", lambda s: s["warp"] == 1)

    # Nothing changes, so nothing is drawn; nor where something could be played.
    idles(1, 0.05)
    for view, number in (("forge", "6"), ("flow", "7")):
        xdotool("key", "Escape", number)
        wait_for(view, lambda s: s["view"] == view and not s["busy"])
        idles(1, 0.05)
    xdotool("key", "1")
    wait_for("the accesses again", lambda s: s["view"] == "access")

    # A view in a window of its own: the second window obeys keys, and its end gives the pane back.
    command("window of its own")
    wait_for("a second window", lambda s: s.get("apart", {}).get("view") == "access")
    second = subprocess.run(["xdotool", "search", "--sync", "--name", "^Warp microscope"],
                            env=environment, capture_output=True, text=True, timeout=PATIENCE_S,
                            check=True).stdout.split()[0]
    xdotool("windowfocus", "--sync", second)
    xdotool("key", "bracketleft")
    wait_for("the warp before, by a key in the second window", lambda s: s["warp"] == 0)
    xdotool("key", "2")
    wait_for("the first window's view, by a key in the second", lambda s: s["view"] == "banks")
    assert state()["apart"]["view"] == "access", state()["apart"]
    idles(1, 0.05)
    xdotool("windowfocus", "--sync", handle)
    xdotool("key", "1")
    wait_for("the first window again", lambda s: s["view"] == "access")
    command("window of its own")
    wait_for("one window", lambda s: "apart" not in s)
    idles(1, 0.05)

    # The engine dies in the middle of a request: it is stopped first, so that the request waits. On
    # a busy machine the window may have given it up meanwhile, and asked another.
    engine = state()["engine"]
    os.kill(engine, signal.SIGSTOP)
    click("knob:PAD=2")
    wait_for("the request", lambda s: s["knobs"]["PAD"] == 2 and s["busy"])
    try:
        os.kill(engine, signal.SIGKILL)
    except ProcessLookupError:
        pass
    wait_for("the error", lambda s: s["error"] or (s["engine"] not in (0, engine) and not s["busy"]))
    click("knob:PAD=3")
    wait_for("a result of a new engine",
             lambda s: s["knobs"]["PAD"] == 3 and not s["error"] and s["engine"] not in (0, engine))

    xdotool("key", "t")
    wait_for("the light theme", lambda s: s["theme"] == "light")
    saved_file = folder / "state/lanewise/window.json"
    wait_for("the theme in the saved state",
             lambda s: saved_file.exists() and json.loads(saved_file.read_text())["theme"] == "light")
    saved = json.loads(saved_file.read_text())
    assert saved["stage"] == "transpose/30_padded", saved
    if state()["compiler"]:
        own_kernel()
    print("the window opens, obeys keys and mouse, idles, and survives its engine")
finally:
    window.terminate()
    window.wait(PATIENCE_S)
    server.terminate()
    server.wait(PATIENCE_S)
    shutil.rmtree(folder, ignore_errors=True)
