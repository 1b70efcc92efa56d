"""What the real window costs under Xvfb, in processor time and memory, engine included:
  window_use.py build/bin/lanewise idle [SECONDS]     each view with nothing moving, and what moves
  window_use.py build/bin/lanewise use [ACTIONS]      keys as in an hour's use: memory at the begin,
                                                      in the middle and at the end
Wanted: idle under 0.5 % of a core; the window's memory under 300 MiB, and flat."""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

program, what = sys.argv[1], sys.argv[2]
amount = int(sys.argv[3]) if len(sys.argv) > 3 else {"idle": 20, "use": 3600}[what]
folder = pathlib.Path(tempfile.mkdtemp(prefix="lanewise-use-"))
TICKS = os.sysconf("SC_CLK_TCK")


def processes(root):
    """The window and all that it started."""
    all_ = [root]
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) in all_:
            all_.append(int(entry.parent.name))
    return all_


def processor_seconds(pids):
    used = 0
    for pid in pids:
        try:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            used += int(fields[11]) + int(fields[12])
        except OSError:
            pass
    return used / TICKS


def resident(pids):
    """MiB of the window, and of the engine's processes."""
    sizes = []
    for pid in pids:
        try:
            text = pathlib.Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        sizes.append(next((int(line.split()[1]) / 1024 for line in text.splitlines()
                           if line.startswith("VmRSS")), 0))
    return sizes[0], sum(sizes[1:])


read_end, write_end = os.pipe()
server = subprocess.Popen(["Xvfb", "-noreset", "-displayfd", str(write_end), "-screen", "0", "1400x900x24",
                           "-nolisten", "tcp"], pass_fds=[write_end], stderr=subprocess.DEVNULL)
os.close(write_end)
environment = dict(os.environ, DISPLAY=":" + os.fdopen(read_end).readline().strip(),
                   XDG_STATE_HOME=str(folder), LIBGL_ALWAYS_SOFTWARE="1")
environment.pop("WAYLAND_DISPLAY", None)


def start(*arguments):
    window = subprocess.Popen([program, "--size", "1280x720", "--predicted", "yes", *arguments], env=environment)
    handle = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", "Lanewise"], env=environment,
                            capture_output=True, text=True, timeout=60).stdout.split()[0]
    time.sleep(1)  # until it is mapped
    subprocess.run(["xdotool", "windowfocus", handle], env=environment, timeout=20)
    settle(window)
    return window


def runnable(pids):
    """Whether a thread runs or wants to: on a busy machine one may have to wait for its turn."""
    for pid in pids:
        for entry in pathlib.Path(f"/proc/{pid}/task").glob("*/stat"):
            try:
                if entry.read_text().rsplit(")", 1)[1].split()[0] == "R":
                    return True
            except OSError:
                pass
    return False


def settle(window, most=120):
    """Until for three seconds nobody has had anything to do."""
    quiet, end = 0, time.time() + most
    while quiet < 12 and time.time() < end:
        quiet = 0 if runnable(processes(window.pid)) else quiet + 1
        time.sleep(0.25)


def key(*names):
    subprocess.run(["xdotool", "key", "--delay", "20", *names], env=environment, timeout=60)


def stop(window):
    window.terminate()
    window.wait(20)


def measure(name, window, seconds, wanted=0.5):
    pids = processes(window.pid)
    before = processor_seconds(pids)
    time.sleep(seconds)
    share = 100 * (processor_seconds(pids) - before) / seconds
    mine, engine = resident(pids)
    verdict = ""
    if wanted:
        verdict = f"   under {wanted} %: " + ("met" if share < wanted else "NOT MET")
    print(f"{name:24} {share:6.2f} % of a core   {mine:5.0f} MiB, engine {engine:5.0f} MiB{verdict}",
          flush=True)


def idle():
    transpose = ["--stage", "30_padded", "--rows", "1024", "--cols", "1024"]
    product = ["--stage", "matmul/40_wmma", "--rows", "256", "--cols", "256", "--inner", "256"]
    cases = [(view, [*transpose, "--view", view], []) for view in
             ("access", "banks", "code", "speed", "charts", "forge", "flow", "issues")]
    cases += [("product", [*product, "--view", "product"], []),
              ("map of a wrong result", ["--stage", "102_tile_not_swapped", "--rows", "256", "--cols",
                                         "256", "--do", "mismatch"], []),
              ("presenter", [*transpose, "--do", "present"], []),
              ("presenter, a question", [*transpose, "--do", "present"], ["space", "space"])]
    for name, arguments, keys in cases:
        window = start(*arguments)
        if keys:
            key(*keys)
            settle(window, 20)
        measure(name, window, amount)
        if name in ("flow", "banks"):
            key("Home", "space")
            measure(name + ", playing", window, 3, wanted=None)
        stop(window)


def use():
    window = start("--stage", "10_naive", "--rows", "1024", "--cols", "1024")
    # Every view, through a life, its flow, chapters, charts; zoom, theme, commands, a lesson's
    # first scenes; then another stage.
    turn = ["1", "Down", "Right", "Right", "plus", "minus", "End", "2", "Down", "Right", "Left",
            "space", "space", "3", "Down", "Down", "End", "4", "5", "Down", "Down", "Down", "6",
            "7", "Home", "Right", "Right", "space", "space", "t", "bracketright", "bracketleft",
            "ctrl+shift+p", "Escape", "F11", "space", "1", "2", "space", "space", "F11", "g",
            "Escape", "h", "Escape", "n"]
    done, samples = 0, []
    while done <= amount:
        for name in turn:
            key(name)
            done += 1
        assert window.poll() is None, f"the window ended with {window.returncode}"
        samples.append((done, *resident(processes(window.pid))))
    for done, mine, engine in (samples[2], samples[len(samples) // 2], samples[-1]):
        print(f"after {done:5} actions   {mine:5.0f} MiB, engine {engine:5.0f} MiB", flush=True)
    stop(window)
    for place, name in ((1, "window"), (2, "engine")):
        print(f"{name}: {verdict([sample[place] for sample in samples])}", flush=True)


def verdict(sizes):
    """Of MiB, in their order. A round of keys is one stage, so that what grows with what is looked at for the first time
    (the products' pictures and traces) has come after the first quarter of an hour's 3,600 actions. What is held for a
    moment, while a large picture is on its way, comes and goes: it must be under 300 MiB, and grows nothing."""
    quarter = len(sizes) // 4
    if quarter < 8:
        return f"at most {max(sizes):.0f} MiB; too few actions to tell what grows from what is read once"
    second, last = statistics.median(sizes[quarter:2 * quarter]), statistics.median(sizes[-quarter:])
    met = max(sizes) < 300 and last - second <= 10
    return (f"{second:.0f} MiB in most of the second quarter, {last:.0f} in most of the last, at most {max(sizes):.0f}; "
            f"at most 10 more, and under 300: {'met' if met else 'NOT MET'}")


try:
    {"idle": idle, "use": use}[what]()
finally:
    server.terminate()
    server.wait(20)
