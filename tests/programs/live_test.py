#!/usr/bin/env python3
"""Measuring where something outside fails: the card, the disk, the way to the engine, the terminal.

    live_test.py ENGINE FAKE_DRIVER FOLDER_OF_FAKE_NVML [CASE…]

Each case: one clear message that says what to do, the documented exit status, and nothing lost. Cases that wait run
beside others, each with folders and a process of its own; the one with a time that must not be exceeded runs alone.
Exit status: 0 fine, 1 faults, 77 there is no NVRTC.
"""
import concurrent.futures
import contextlib
import io
import json
import multiprocessing
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest.mock

ENGINE, FAKE_DRIVER, FAKE_NVML = sys.argv[1:4]
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "gpu"))
import hostile  # noqa: E402  how the wire is spoken
HOSTILE = os.path.join(HERE, "hostile")
FINE = os.path.join(HOSTILE, "fine.cu")
SMALL = ["--rows", "33", "--cols", "65"]
faults = []


def expect(condition, what):
    if not condition:
        faults.append(what)
        print("FAULT", what)


def environment(folder, **more):
    result = dict(os.environ, LANEWISE_CUDA_DRIVER=FAKE_DRIVER, XDG_STATE_HOME=folder + "/state",
                  LANEWISE_NVML=FAKE_DRIVER,  # which has both: no real card is ever asked
                  LANEWISE_QUEUE_FOLDER=folder + "/queue")
    result.update(more)
    return result


def run(folder, *arguments, **more):
    """(status, stdout, stderr, seconds)"""
    begun = time.time()
    done = subprocess.run([ENGINE, *arguments], env=environment(folder, **more), timeout=600,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr, time.time() - begun


def expect_refused(folder, arguments, status, words, **more):
    got, out, err, _ = run(folder, *arguments, **more)
    what = f"{' '.join(arguments)} {more}: status {got}: {err}{out}"
    expect(got == status, what)
    expect(err.startswith("lanewise-engine: ") and words in err, f"expected \"{words}\" of {what}")


def the_card_is_not_there_or_not_ours(folder):
    measure = ["run", FINE, *SMALL]
    expect_refused(folder, measure, 4, "CUDA_VISIBLE_DEVICES is set but empty: unset it",
                   CUDA_VISIBLE_DEVICES="", FAKE_FAIL="cuInit=100")
    expect_refused(folder, measure, 4, "its compute mode is exclusive",
                   FAKE_FAIL="cuDevicePrimaryCtxRetain=46")
    expect_refused(folder, measure + ["--gpu", "7"], 4, "no GPU here is meant by \"7\"")
    # It falls off the bus in the middle: what it was doing is said, and the program ends by itself.
    for symbol in ("cuLaunchKernel=999@10", "cuMemAlloc_v2=999", "cuStreamSynchronize=719@2"):
        expect_refused(folder, measure, 1, "the kernel or the card failed", FAKE_FAIL=symbol)


def a_card_that_is_lost_to_its_tools_is_measured_on(folder):
    status, out, err, _ = run(folder, "run", FINE, *SMALL, LANEWISE_NVML="",
                              LD_LIBRARY_PATH=FAKE_NVML)
    # Where there is a real card, its kernel module says which driver it has.
    driver = "driver " if os.path.exists("/proc/driver/nvidia/version") else "driver 580.0"
    expect(status == 0 and driver in out, f"with a failing NVML: {status}: {err}{out}")


def times_are_graded_beside_the_reference(folder):
    source = open(os.path.join(HERE, "..", "..", "kernels", "transpose", "10_naive.cu")).read()
    sources = {"ana": source,
               "bert": source.replace("transpose_naive", "naive_every_third"),  # half as slow again, each third time
               "cleo": source.replace("in[size_t(row)", "in[size_t(col)"),
               "dora": source.replace("transpose_naive", "naive_endless")}
    for student, text in sources.items():
        os.makedirs(f"{folder}/class/{student}")
        with open(f"{folder}/class/{student}/10_naive.cu", "w") as file:
            file.write(text)
    with open(f"{folder}/week.assignment", "w") as file:
        file.write('title = "Week 1"\n[[task]]\nstage = "10_naive"\npoints = 10\nexpect = "rows > 0"\n'
                   '[task.time]\npoints = 5\nat_most = 110\nsize = "256x192"\n')
    grade = ["grade", f"{folder}/class", "--assignment", f"{folder}/week.assignment", "--unsandboxed"]
    status, out, err, _ = run(folder, *grade, "--times", "--json")
    expect(status == 0, f"{status}: {err}")
    marks = {each["student"]: each["tasks"][0] for each in json.loads(out)["students"]}
    points = {student: (mark["points"], mark.get("time_points")) for student, mark in marks.items()}
    expect(points == {"ana": (10, 5), "bert": (10, 0), "cleo": (0, 0), "dora": (10, 0)}, str(points))
    expect("at most 110 % is asked for" in marks["bert"]["time_sentence"], str(marks["bert"]))
    expect("was not taken: the source does not pass" in marks["cleo"]["time_sentence"], str(marks["cleo"]))
    expect("was not taken: " in marks["dora"]["time_sentence"], str(marks["dora"]))  # nobody else's matter
    if shutil.which("bwrap") and not subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"]).returncode:
        os.makedirs(f"{folder}/one")
        shutil.copytree(f"{folder}/class/ana", f"{folder}/one/ana")
        status, out, err, _ = run(folder, "grade", f"{folder}/one", *grade[2:-1], "--times", "--json")
        expect(status == 0 and json.loads(out)["students"][0]["tasks"][0].get("time_points") == 5, f"in the sandbox: {status}: {out}{err}")
    status, out, _, _ = run(folder, *grade)
    expect(status == 0 and "Times are not judged (5 more points)" in out and " of 5 points" not in out, out)
    expect_refused(folder, grade + ["--times"], 4, "no NVIDIA driver", LANEWISE_CUDA_DRIVER="/nowhere")


def a_client_that_vanishes_stops_its_job(folder):
    os.environ.update(environment(folder))
    engine = hostile.Engine(ENGINE, FAKE_DRIVER)
    engine.send({"type": "request", "id": 1, "method": "measure",
                 "params": {"job": hostile.job("endless"), "options": {"time_limit_s": 100}}})
    end = time.time() + 30
    while engine.receive(30).get("what") != "checking endless":
        if time.time() > end:
            return expect(False, "the endless kernel was not launched")
    workers = hostile.children(engine.process.pid)
    begun = time.time()
    engine.process.stdin.close()
    status, _, err, _ = run(folder, "run", FINE, *SMALL)  # the GPU is free again
    expect(status == 0, f"after a vanished client: {err}")
    engine.process.wait(10)
    time.sleep(0.2)
    left = [pid for pid in workers if os.path.exists(f"/proc/{pid}")]
    expect(workers and not left, f"its workers {workers}, left: {left}")
    print(f"  engine, workers and lock were gone after {time.time() - begun:.1f} s")


def a_compiler_that_takes_long_keeps_no_cancelled_request(folder):
    """Who asks for another picture meanwhile cancels the first one: the engine goes on, and ends when it is told to."""
    clang, begun = folder + "/clang", folder + "/begun"
    with open(clang, "w") as script:
        script.write(f"""#!/bin/sh
case " $* " in *" --version "*) echo "clang version 19.1.7"; exit 0;; esac
touch {begun}
exec sleep 30
""")
    os.chmod(clang, 0o755)
    with unittest.mock.patch.dict(os.environ, environment(folder, LANEWISE_COMPILER="clang", LANEWISE_CLANG=clang)):
        engine = hostile.Engine(ENGINE, FAKE_DRIVER)

    def answer(id):
        while (message := engine.receive(60)).get("id") != id or message["type"] not in ("result", "error"):
            pass
        return message

    engine.send({"type": "request", "id": 1, "method": "picture", "params": {"job": hostile.job("fine")}})
    expect(hostile.comes_true(lambda: os.path.exists(begun)), "the compiler is not started")
    engine.send({"type": "cancel", "id": 1})
    cancelled = answer(1)
    expect(cancelled.get("message") == "cancelled" and cancelled["status"] == 0 and not cancelled["last"], f"{cancelled}")
    time.sleep(4)  # longer than a job may take to heed its cancellation
    engine.send({"type": "request", "id": 2, "method": "ping", "params": {}})
    expect(answer(2)["type"] == "result", "the engine does not answer any more")
    end = time.time()
    expect(engine.close() == 0 and time.time() - end < 20, f"it waits for its compiler: {time.time() - end:.1f} s")


def a_sandbox_changes_nothing_for_a_good_kernel(folder):
    if not shutil.which("bwrap") or subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"]).returncode:
        print("  left out: bubblewrap is not installed, or makes no sandbox here")
        return
    for more in (["--sandbox"], []):
        status, out, err, _ = run(folder, "run", FINE, *SMALL, *more, LANEWISE_SANDBOX="1")
        expect(status == 0 and " correct" in out, f"in a sandbox: {status}: {err}")
    expect_refused(folder, ["run", FINE, *SMALL, "--sandbox"], 2,
                   "a sandbox needs bubblewrap, which is not installed", PATH="/nowhere")


def ten_thousand_small_requests(folder):
    engine = hostile.Engine(ENGINE, FAKE_DRIVER)
    bodies = [hostile.encode({"type": "request", "id": i, "method": "ping", "params": {}})
              for i in range(10_000)]
    frames = b"".join(struct.pack("<I", len(body)) + body for body in bodies)
    begun = time.time()
    sender = threading.Thread(target=lambda: (engine.process.stdin.write(frames),
                                              engine.process.stdin.flush()))
    sender.start()
    answered = 0
    while answered < 10_000:
        answered += engine.receive(10)["type"] == "result"
    took = time.time() - begun
    sender.join()
    print(f"  {10_000 / took:.0f} requests per second, read by this script")
    expect(took < 10, f"10,000 requests took {took:.1f} s")  # ten times what an idle machine may take
    expect(engine.close() == 0, "after many requests")


def a_rung_that_crashes_costs_no_other(folder):
    rungs = [FINE, os.path.join(HOSTILE, "out_of_bounds.cu"), os.path.join(HOSTILE, "prints_little.cu")]
    status, out, err, _ = run(folder, "bench", *rungs, "--sizes", "33x65,65x33", "--json")
    expect(status == 1, f"bench with a crash: status {status}: {err}")
    rows = json.loads(out)
    crashed = [row for row in rows if "crash" in row]
    expect([row["correct"] for row in rows] == [True] * 4 + [False] * 2, f"rows: {rows}")
    expect([(row["rows"], row["cols"]) for row in crashed] == [(33, 65), (65, 33)], "sizes")
    for row in crashed:
        expect(row["crash"]["kind"] == "illegal_access" and "out_of_bounds.cu:13:" in row["message"],
               f"a crash's row: {row}")
    status, out, _, _ = run(folder, "bench", *rungs, "--sizes", "33x65")
    expect(re.search(r"hostile/out_of_bounds +33 x 65 +failed: the kernel read or wrote memory", out)
           and re.search(r"hostile/fine .* correct", out), f"bench's table: {out}")


def a_library_that_is_absent_costs_no_other_rung(folder):
    absent = {"LANEWISE_CUBLAS": "/nowhere/libcublas.so.13",
              "LANEWISE_CUSPARSE": "/nowhere/libcusparse.so.12", "CUTLASS_PATH": folder,
              # What came along, or was compiled before, needs no headers.
              "LANEWISE_COMPILER": "nvrtc", "XDG_CACHE_HOME": folder + "/cache"}
    product = ["--rows", "33", "--cols", "65", "--inner", "97"]
    cublas = ("is a call of cuBLAS, and there is no cuBLAS here (/nowhere/libcublas.so.13", "install it from")
    cusparse = ("is a call of cuSPARSE, and there is no cuSPARSE here (/nowhere", "install it from")
    needs = {"transpose/90_cublas": cublas, "matmul/90_cublas_product": cublas,
             "matmul/96_cusparse_product": cusparse}
    doctor = run(folder, "doctor", **absent)[1]
    if re.search("^missing +CUTLASS", doctor, re.M):
        cutlass = ("CUTLASS's headers, with CuTe, are not here. Install the package libcutlass-dev",
                   "set CUTLASS_PATH")
        needs.update({"transpose/92_cute_naive": cutlass, "matmul/92_cutlass_simt": cutlass})
    else:
        print("  left out: the headers of CUTLASS lie where the compiler always looks")
    for stage, words in needs.items():
        sides = product if stage.startswith("matmul") else SMALL
        for said in words:
            expect_refused(folder, ["run", stage, *sides], 2, said, **absent)
        size = "33x65x97" if stage.startswith("matmul") else "33x65"
        expect_refused(folder, ["bench", stage, "--sizes", size], 2, words[0], **absent)
        if stage.startswith("transpose"):  # in the middle of a ladder it is left out, and said
            status, out, err, _ = run(folder, "bench", FINE, stage, os.path.join(HOSTILE, "prints_little.cu"),
                                      "--sizes", "33x65", **absent)
            expect(status == 0 and out.count(" correct") == 2 and "failed" not in out,
                   f"a ladder with {stage}: {status}: {out}{err}")
            expect(f"left out: {stage}" in err and words[0] in err, f"a ladder with {stage} says: {err}")
    # Also where another rung crashes, so that each is tried alone.
    status, out, err, _ = run(folder, "bench", FINE, "transpose/90_cublas",
                              os.path.join(HOSTILE, "out_of_bounds.cu"), "--sizes", "33x65", **absent)
    expect(status == 1 and out.count("failed: ") == 1 and "left out: transpose/90_cublas" in err,
           f"with a crash beside it: {status}: {out}{err}")
    # Nothing is left of it: no empty table.
    status, out, err, _ = run(folder, "bench", "transpose/90_cublas", "matmul/96_cusparse_product",
                              "--sizes", "64x64", **absent)
    expect(status == 2 and out == "" and "none of these stages" in err and err.count("left out") == 2,
           f"nothing but absent libraries: {status}: {out}{err}")


def what_is_strange_about_a_product_is_said_by_run(folder):
    libraries = {"LANEWISE_CUBLAS": FAKE_DRIVER, "LANEWISE_CUSPARSE": FAKE_DRIVER}
    for stage, more, inner, words in (
            ("matmul/96_cusparse_product", ["--input", "zeros:100"], "16", "A holds nothing but zeros"),
            ("matmul/96_cusparse_product", ["--input", "zeros:0"], "16", "A holds no zeros"),
            ("matmul/96_cusparse_product", [], "0", "K is 0"),
            ("matmul/90_cublas_product", [], "0", "K is 0")):
        status, out, err, _ = run(folder, "run", stage, "--rows", "12", "--cols", "10",
                                  "--inner", inner, *more, **libraries)
        expect(status == 0 and " correct" in out and words in out,
               f"run {stage} {more} with K = {inner}: {status}: {out}{err}")


def a_full_disk_costs_no_measurement(folder):
    bench = ["bench", FINE, "--sizes", "33x65"]
    status, out, err, _ = run(folder, *bench, "--record", "/dev/full")
    expect(status == 2 and "cannot write /dev/full: No space left on device" in err, f"full: {err}")
    expect(re.search("hostile/fine .* correct", out), f"the table is lost: {out}")
    kept = os.path.join(folder, "state", "lanewise", "recordings", "full")
    expect(kept in err, f"it does not say where the recording is: {err}")
    expect(len(json.load(open(kept))["measurements"]) == 1, "the recording is lost")
    expect(os.path.exists("/dev/full") and not os.path.isfile("/dev/full"), "/dev/full was replaced")
    for file, words in (("/proc/nowhere/x.json", "cannot write /proc/nowhere/x.json"),
                        (folder, "it is a folder")):
        begun = time.time()
        expect_refused(folder, bench + ["--record", file], 2, words)
        expect(time.time() - begun < 20, "refused too late")


def a_recording_from_a_newer_program(folder):
    home = os.path.join(folder, "home")
    os.makedirs(home + "/assets/recordings")
    for name in ("kernels", "lessons"):
        os.symlink(os.path.join(HERE, "..", "..", name), os.path.join(home, name))
    os.symlink(os.path.join(HERE, "..", "..", "assets", "devices"), home + "/assets/devices")
    with open(home + "/assets/recordings/new.json", "w") as file:
        file.write('{"schema": 99, "card": "Card", "date": "2030-01-01", "measurements": []}')
    _, out, err, _ = run(folder, "doctor", LANEWISE_HOME=home)
    expect("newer Lanewise (schema 99" in out + err and "update this program" in out + err,
           f"a newer recording: {out}{err}")


def a_prefix_that_is_no_engine(folder):
    for prefix, words in (
            ("/nowhere/lanewise-engine serve", "cannot start the engine (/nowhere/lanewise-engine)"),
            ("sh -c 'echo Welcome to gpu-box; exit 1'", "after printing \"Welcome to gpu-box\""),
            ("sh -c 'printf \"me@gpu-box password: \" >&2; exec sleep 60'", "No password can be typed here"),
            ("sh -c 'echo \"sudo: a password is required\" >&2; exit 1'", "sudo -n"),
            ("sh -c 'printf \"Enter passphrase for key: \" >&2; exec sleep 60'", "ssh-add"),
            ("ssh -o BatchMode=yes no-such-host.invalid lanewise-engine serve", "before it greeted")):
        if prefix.startswith("ssh ") and not shutil.which("ssh"):
            print("  left out: ssh is not installed")
            continue
        begun = time.time()
        expect_refused(folder, ["run", FINE, *SMALL, "--engine", prefix], 2 if "nowhere" in prefix else 1, words)
        expect(time.time() - begun < 10, f"{prefix}: said after {time.time() - begun:.0f} s")


def the_engine_is_one_file():
    """Needs libc's own libraries and nothing else; nothing of a window."""
    text = subprocess.run(["readelf", "-d", ENGINE], capture_output=True, text=True).stdout
    needed = set(re.findall(r"NEEDED.*\[(.*)\]", text))
    if any(re.match("lib[at]san", name) for name in needed):
        print("  left out: built with a sanitizer, which is a library of its own")
        return
    allowed = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1",
               "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
    expect(needed and needed <= allowed, f"the engine needs {sorted(needed - allowed)}")
    symbols = subprocess.run(["readelf", "-V", ENGINE], capture_output=True, text=True).stdout
    versions = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", symbols)}
    here = tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")))
    newest = max(versions)
    print("the engine needs glibc", ".".join(map(str, newest)), "of", ".".join(map(str, here)))
    expect(newest <= here, f"it needs a newer glibc than it was built with: {newest}")


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, folder, *arguments, **more):
        self.said = ""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(ENGINE, [ENGINE, *arguments], environment(folder, **more))

    def read(self, seconds, until=None):
        """Whether `until` was said within that time."""
        end = time.time() + seconds
        while time.time() < end:
            if until and re.search(until, self.said):
                return True
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.said += os.read(self.terminal, 1 << 16).decode("utf-8", "replace")
                except OSError:  # it has ended
                    break
        return bool(until and re.search(until, self.said))

    def status(self):
        end = time.time() + 20
        while time.time() < end:
            pid, status = os.waitpid(self.process, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        os.kill(self.process, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


def long_work_shows_itself(folder):
    terminal = Terminal(folder, "bench", FINE, "--sizes", "129x127,127x129")
    expect(terminal.read(50, r"\d+ %  12\d x 12\d: .*, \d+ s left  \(Ctrl-C cancels\)"),
           f"no progress with the time left: {terminal.said[-400:]}")
    terminal.read(50)
    expect(terminal.status() == 0, "bench on a terminal failed")
    expect("\x1b[K" in terminal.said and terminal.said.count(" correct") == 2,
           f"the table: {terminal.said[-900:]}")

    terminal = Terminal(folder, "run", os.path.join(HOSTILE, "endless.cu"), *SMALL)
    expect(terminal.read(20, "checking An endless loop"), f"what is done: {terminal.said}")
    begun = time.time()
    os.write(terminal.terminal, b"\x03")
    status = terminal.status()
    expect(status == 130 and time.time() - begun < 3,
           f"Ctrl-C: status {status} after {time.time() - begun:.1f} s")
    terminal.read(1)
    expect("cancelled" in terminal.said, f"Ctrl-C: {terminal.said[-300:]}")

    os.environ.update(environment(folder))
    first = hostile.Engine(ENGINE, FAKE_DRIVER)
    first.send({"type": "request", "id": 1, "method": "measure",
                "params": {"job": hostile.job("endless"), "options": {"time_limit_s": 2.5}}})
    time.sleep(1)
    second = Terminal(folder, "run", FINE, *SMALL)
    expect(second.read(10, "waiting for the GPU: 1 measurement before this one"),
           f"its place in the queue: {second.said}")
    second.read(30, "GB/s")
    answers = [first.receive(20)]
    while answers[-1]["type"] not in ("result", "error"):
        answers.append(first.receive(20))
    expect(answers[-1].get("status") == 5, f"the first of the two that share a GPU: {answers[-1]}")
    expect(second.status() == 0 and first.close() == 0, "the two that share a GPU")

    piped = run(folder, "run", FINE, *SMALL)
    expect(piped[2] == "", f"progress where there is no terminal: {piped[2]!r}")


def tried(case):
    """Runs it: what it says, and its faults."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), tempfile.TemporaryDirectory() as folder:
        faults.clear()
        begun = time.time()
        try:
            case(folder)
        except Exception as error:
            print(traceback.format_exc())
            expect(False, f"{case.__name__}: {error!r}")
        print(f"{case.__name__}: {time.time() - begun:.1f} s")
    return said.getvalue(), list(faults)


def main():
    doctor = subprocess.run([ENGINE, "doctor"], capture_output=True, text=True).stdout
    the_engine_is_one_file()
    if not re.search("^ok +CUDA compiler", doctor, re.M):
        print("skipped: no NVRTC here")
        sys.exit(1 if faults else 77)
    chosen = sys.argv[4:]
    beside = [times_are_graded_beside_the_reference, long_work_shows_itself, a_library_that_is_absent_costs_no_other_rung,
              a_prefix_that_is_no_engine, the_card_is_not_there_or_not_ours,
              a_card_that_is_lost_to_its_tools_is_measured_on, a_client_that_vanishes_stops_its_job,
              a_compiler_that_takes_long_keeps_no_cancelled_request,
              a_sandbox_changes_nothing_for_a_good_kernel, a_rung_that_crashes_costs_no_other,
              what_is_strange_about_a_product_is_said_by_run, a_full_disk_costs_no_measurement,
              a_recording_from_a_newer_program]
    alone = [ten_thousand_small_requests]
    all_faults = list(faults)
    for cases, at_once in ((beside, 4), (alone, 1)):
        with concurrent.futures.ProcessPoolExecutor(at_once, multiprocessing.get_context("fork")) as pool:
            for done in [pool.submit(tried, case) for case in cases if not chosen or case.__name__ in chosen]:
                said, of_case = done.result()
                print(said, end="", flush=True)
                all_faults += of_case
    print("fine" if not all_faults else f"{len(all_faults)} faults")
    sys.exit(1 if all_faults else 0)


main()
