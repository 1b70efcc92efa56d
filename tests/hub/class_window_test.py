#!/usr/bin/env python3
"""The class's server from a window, clicked as people do, under Xvfb: the teacher presents a question, students vote,
the bars fill, the answer is shown; a student saves and hands in, also where the server goes away or the window is closed at once, and with a wrong token.

    class_window_test.py WINDOW ENGINE [FOLDER for pictures]

It waits for what happens, whatever that takes. Exit status 77: Xvfb or xdotool is missing.
"""
import concurrent.futures
import ctypes
import ctypes.util
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import hub_client
from hub_client import Server, Talk, board, tokens_file

WINDOW, ENGINE = (os.path.abspath(one) for one in sys.argv[1:3])
PICTURES = sys.argv[3] if len(sys.argv) > 3 else None  # made by `import` of ImageMagick
PATIENCE_S = 600  # of a program that a sanitizer slows down; what hangs is all that waits so long
ADA, BERT, CY, TEACHER = "ada-ada-ada-ada-ada", "bert-bert-bert-bert", "cy-cy-cy-cy-cy-cy", "mx-mx-mx-mx-mx-mx-mx"

if not shutil.which("Xvfb") or not shutil.which("xdotool"):
    print("skipped: needs xvfb and xdotool")
    sys.exit(77)


class Screen:
    """An X server of its own, and what a hand does there."""

    def __init__(self):
        read_end, write_end = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-screen", "0", "2240x720x24", "-nolisten", "tcp"],
                                       pass_fds=[write_end], stderr=subprocess.DEVNULL)
        os.close(write_end)
        self.environment = dict(os.environ, DISPLAY=":" + os.fdopen(read_end).readline().strip(), LIBGL_ALWAYS_SOFTWARE="1",
                                LANEWISE_HOME=str(hub_client.ROOT))
        for name in ("WAYLAND_DISPLAY", "LANEWISE_TOKEN"):
            self.environment.pop(name, None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait(PATIENCE_S)

    def xdotool(self, *words):
        return subprocess.run(["xdotool", *words], env=self.environment, check=True, timeout=PATIENCE_S, capture_output=True, text=True).stdout

    def picture(self, name, handle="root"):
        if PICTURES:
            subprocess.run(["import", "-window", handle, os.path.join(PICTURES, name + ".png")], env=self.environment, check=True)


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
                ("rest", ctypes.c_long * 24)]


def close(screen, handle):
    """As the button of its frame does: the window is asked to go (ICCCM 4.2.8.1)."""
    x11 = ctypes.CDLL(ctypes.util.find_library("X11"))
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    display = x11.XOpenDisplay(screen.environment["DISPLAY"].encode())
    message = ClientMessage(type=33, window=int(handle), message_type=x11.XInternAtom(display, b"WM_PROTOCOLS", 0), format=32)
    message.data[0] = x11.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
    assert x11.XSendEvent(display, int(handle), 0, 0, ctypes.byref(message))
    x11.XCloseDisplay(display)


class Window:
    def __init__(self, screen, folder, address, token, *arguments):
        self.screen, self.file = screen, folder / "widgets.json"
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.file.unlink(missing_ok=True)  # an earlier window's of this folder
        self.process = subprocess.Popen([WINDOW, "--engine", address, "--size", "1280x720", "--dump-widgets", str(self.file), *arguments],
                                        cwd=folder, env=dict(screen.environment, LANEWISE_TOKEN=token, XDG_STATE_HOME=str(folder / "state")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_S)
        time.sleep(0.5)  # the X server begins anew when its last window is gone, and lets nobody in meanwhile

    def focus(self, but=None):
        """The X server refuses a window that is not shown yet, or that is being closed; then it is asked again."""
        end = time.time() + PATIENCE_S
        while True:
            handles = [one for one in self.screen.xdotool("search", "--sync", "--name", "Lanewise").split() if one != but]
            try:
                for handle in handles[:1]:
                    self.screen.xdotool("windowfocus", "--sync", handle)
                    return handle
            except subprocess.CalledProcessError:
                if time.time() > end:
                    raise
            assert time.time() < end, "no window came"
            time.sleep(0.1)

    def state(self):
        try:
            return json.loads(self.file.read_text())
        except (OSError, ValueError):
            return None

    def wait_for(self, what, condition, seconds=PATIENCE_S):
        end = time.time() + seconds
        while time.time() < end:
            assert self.process.poll() is None, f"the window ended with {self.process.returncode}: {what}"
            now = self.state()
            if now and condition(now):
                return now
            time.sleep(0.03)
        now = self.state() or {}
        raise AssertionError(f"waited in vain for: {what}; now { {k: v for k, v in now.items() if k not in ('widgets', 'audience')} }")

    def strike(self, key, what, condition, once=False):
        """A key, until it has done what it does. once: it must not be struck twice, as it would do it twice."""
        self.wait_for("a window", lambda s: True)
        for _ in range(10):
            time.sleep(0.2)
            self.screen.xdotool("key", key)
            try:
                return self.wait_for(what, condition, PATIENCE_S if once else PATIENCE_S / 10)
            except AssertionError:
                if once or self.process.poll() is not None:
                    raise
        raise AssertionError(f"{key} does not lead to: {what}")

    def click(self, widget):
        def place():
            return self.wait_for(widget, lambda s: widget in s["widgets"])["widgets"][widget]
        while (box := place()) != (time.sleep(0.1), place())[1]:
            pass  # it still moves
        x0, y0, x1, y1 = box
        self.screen.xdotool("mousemove", "--sync", str(int((x0 + x1) / 2)), str(int((y0 + y1) / 2)))
        time.sleep(0.1)
        self.screen.xdotool("mousedown", "1")
        time.sleep(0.1)
        self.screen.xdotool("mouseup", "1")


def classroom(folder, address="127.0.0.1:0"):
    tokens = tokens_file(folder, ada=ADA, bert=BERT, cy=CY, mx=TEACHER + " teacher")
    of_class = os.path.join(folder, "class.toml")
    pathlib.Path(of_class).write_text('title = "A class"\n[hand_in]\nassignment = "week.assignment"\n')
    pathlib.Path(folder, "week.assignment").write_text(
        'title = "Week 2"\ndue = "2020-01-01 12:00"\n[[task]]\nstage = "30_padded"\npoints = 10\n')
    return Server(ENGINE, folder, "--token-file", tokens, "--class", of_class, address=address)


# ---- The teacher -------------------------------------------------------------------------------


def the_class_is_asked(screen, folder, server):
    address = f"ws://127.0.0.1:{server.port}/engine"
    crowd = {name: Talk(server, token, target="/class") for name, token in (("ada", ADA), ("bert", BERT), ("cy", CY))}
    for one in crowd.values():
        assert one.say("hello")["poll"] is None, "a question before it is asked"
    with Window(screen, folder / "teacher", address, TEACHER, "--present", "--stage", "30_padded") as window:
        window.wait_for("the class's window", lambda s: "audience" in s and "mirror" in s["widgets"])
        beside = screen.xdotool("search", "--sync", "--name", "^For the class").split()[0]
        screen.xdotool("windowmove", "--sync", beside, "1280", "0")  # nobody manages the windows here
        teacher = window.focus(but=beside)
        while not window.state()["class_is_asked"]:
            before = window.state()["slide"]
            window.strike("Next", "the next slide", lambda s: s["slide"] == before + 1)
            slide = {name: one for name, one in window.state()["widgets"].items() if name.startswith("hands:")}
            if slide:
                window.wait_for("the class is asked", lambda s: s["class_is_asked"])
        asking = window.state()["slide"]
        questions = [one.state(lambda s: s["poll"] and s["poll"]["state"] == "open", "a student is not asked")["poll"] for one in crowd.values()]
        choices = len(questions[0]["choices"])
        assert choices == len(slide) > 1 and "30_padded" in questions[0]["stage"], (questions[0], slide)
        screen.picture("teacher-asks", teacher)

        number = questions[0]["number"]
        for name, choice in (("ada", 0), ("bert", 1), ("cy", 1)):
            said = crowd[name].say("vote", poll=number, choice=choice)["poll"]
            assert said["mine"] == choice and said["votes"] is None and said["right"] is None, said
        window.wait_for("three votes", lambda s: s["hands"][:2] == [1, 2])
        crowd["ada"].say("vote", poll=number, choice=1)
        window.wait_for("a vote that is changed", lambda s: s["hands"][:2] == [0, 3])
        window.strike("1", "a hand that is counted beside them", lambda s: s["hands"][:2] == [1, 3], once=True)
        assert board(server, TEACHER)["poll"]["votes"][:2] == [0, 3], "a hand at the server"
        screen.picture("teacher-votes", teacher)

        # Closed on the board: the votes stand, and no more are taken.
        status, _, body = server.get("/board?do=close", method="POST", Content_Length="0", Authorization=f"Bearer {TEACHER}")
        assert status == 200, body
        assert crowd["cy"].say("vote", poll=number, choice=0)["failed"], "a vote after the end"
        window.wait_for("the machine's answer", lambda s: s["analysis"])
        window.strike("a", "the answer", lambda s: s["revealed"], once=True)
        shown = crowd["bert"].state(lambda s: s["poll"]["state"] == "revealed" and s["poll"]["right"] is not None, "the answer")["poll"]
        assert shown["votes"][:2] == [0, 3] and 0 <= shown["right"] < choices, shown
        screen.picture("teacher-answer", teacher)
        screen.picture("class-answer", beside)
        window.strike("Next", "the slide after it", lambda s: s["slide"] == asking + 1)
        crowd["ada"].state(lambda s: not s["poll"] or s["poll"]["number"] != number, "the question is put away")
        window.strike("Prior", "the question again", lambda s: s["slide"] == asking)
        crowd["ada"].state(lambda s: s["poll"] and s["poll"]["number"] > number, "it is asked again")
        window.strike("Escape", "the end", lambda s: "slide" not in s)
        crowd["ada"].state(lambda s: not s["poll"], "nothing is asked any more")
    for one in crowd.values():
        one.__exit__()


# ---- A student ---------------------------------------------------------------------------------


def save_and_hand_in(window):
    """By Ctrl+S and two clicks, where the file is there already: the first asks whether to replace it."""
    window.strike("ctrl+s", "where to save", lambda s: "file:hand-in" in s["widgets"])
    saved = window.folder / "30_padded.lanewise"
    was = saved.stat().st_mtime_ns if saved.exists() else None
    window.click("file:hand-in")
    if was is not None:
        window.wait_for("it asks", lambda s: "file:hand-in" in s["widgets"])
        time.sleep(0.5)
        assert saved.stat().st_mtime_ns == was, "replaced before it has asked"
        window.screen.picture("student-replace")
        window.click("file:hand-in")
    window.wait_for("it is saved", lambda s: "file:hand-in" not in s["widgets"])
    assert saved.exists() and saved.stat().st_mtime_ns != was
    return saved


def a_student_hands_in(screen, folder, server):
    address = f"ws://127.0.0.1:{server.port}/engine"
    kept = pathlib.Path(server.folder, "kept", "hand-ins", "ada.lanewise")
    with Window(screen, folder / "ada", address, ADA, "--stage", "30_padded", "--predicted", "yes", "--rows", "64", "--cols", "64") as window:
        window.wait_for("the counts of the server's engine", lambda s: s["analysis"])
        assert board(server, TEACHER)["connections"] == 1, "the engine is not the server's"
        window.focus()
        saved = save_and_hand_in(window)
        window.wait_for("that it came, and was late", lambda s: s["toast"] == "Handed in, after the time it was due.")
        screen.picture("student-handed-in")
        assert kept.read_text() == saved.read_text(), "what is kept is not what was saved"
        row = board(server, TEACHER)["hand_ins"][0]
        assert (row["student"], row["late"], row["earlier"]) == ("ada", True, 0), row
        page = server.get("/board", Authorization=f"Bearer {TEACHER}")[2].decode()
        assert re.search(r"ada</td><td>20.*late", page), page[-600:]

        # The server is stopped before it can take it, and is gone then.
        server.process.send_signal(signal.SIGSTOP)
        before = kept.read_text()
        save_and_hand_in(window)
        time.sleep(0.5)
        server.stop(signal.SIGKILL)
        lost = window.wait_for("that it did not come", lambda s: s["notices"])["notices"]
        assert len(lost) == 1 and lost[0].startswith("Your workspace is saved here, and was not handed in: ") and "\n" not in lost[0], lost
        screen.picture("student-lost")
        assert kept.read_text() == before and saved.exists()

        # It comes again, at the same place, and so does the window.
        with classroom(server.folder, f"127.0.0.1:{server.port}") as again:
            window.click("close")  # the lower one, of the notice
            window.wait_for("the sentence is put away", lambda s: not s["notices"])
            save_and_hand_in(window)
            window.wait_for("that it came", lambda s: s["toast"].startswith("Handed in") or s["notices"])
            assert not window.state()["notices"], window.state()["notices"]
            assert kept.read_text() == saved.read_text()
            assert board(again, TEACHER)["hand_ins"][0]["earlier"] == 1


def a_window_is_closed_at_once(screen, folder, server):
    """Right behind the click: what was handed in comes, or the window says that it did not."""
    address = f"ws://127.0.0.1:{server.port}/engine"
    kept = pathlib.Path(server.folder, "kept", "hand-ins", "bert.lanewise")
    begun = ("--stage", "30_padded", "--predicted", "yes", "--rows", "64", "--cols", "64")

    def opened(name):
        return Window(screen, folder / name, address, BERT, *begun)

    # Click and end in one batch of events: the window stands still in between.
    with opened("bert") as window:
        window.wait_for("the counts of the server's engine", lambda s: s["analysis"])
        handle = window.focus()
        window.strike("ctrl+s", "where to save", lambda s: "file:hand-in" in s["widgets"])
        x0, y0, x1, y1 = window.state()["widgets"]["file:hand-in"]
        screen.xdotool("mousemove", "--sync", str(int((x0 + x1) / 2)), str(int((y0 + y1) / 2)))
        time.sleep(0.5)
        window.process.send_signal(signal.SIGSTOP)
        for what in ("mousedown", "mouseup"):
            screen.xdotool(what, "1")
        close(screen, handle)
        time.sleep(0.2)
        window.process.send_signal(signal.SIGCONT)
        assert window.process.wait(PATIENCE_S) == 0
    assert kept.read_text() == (folder / "bert" / "30_padded.lanewise").read_text()

    # The server takes its time: the window waits, and goes by itself.
    with opened("bert-waits") as window:
        window.wait_for("the counts of the server's engine", lambda s: s["analysis"])
        handle = window.focus()
        before = kept.read_text()
        server.process.send_signal(signal.SIGSTOP)
        saved = save_and_hand_in(window)
        close(screen, handle)
        window.wait_for("that it waits", lambda s: s["toast"].startswith("Handing in … Then the window closes"))
        screen.picture("student-waits")
        assert kept.read_text() == before
        server.process.send_signal(signal.SIGCONT)
        assert window.process.wait(PATIENCE_S) == 0
    assert kept.read_text() == saved.read_text() != before

    # Who does not wait, and whom the system ends, is told by the next window.
    for name, how in (("bert-goes", lambda window, handle: close(screen, handle)),
                      ("bert-is-killed", lambda window, handle: window.process.kill())):
        with opened(name) as window:
            window.wait_for("the counts of the server's engine", lambda s: s["analysis"])
            handle = window.focus()
            server.process.send_signal(signal.SIGSTOP)
            saved = save_and_hand_in(window)
            close(screen, handle)
            window.wait_for("that it waits", lambda s: s["toast"].startswith("Handing in … Then the window closes"))
            how(window, handle)
            window.process.wait(PATIENCE_S)
        server.process.send_signal(signal.SIGCONT)
        (folder / "next").mkdir()
        shutil.move(folder / name / "state", folder / "next" / "state")
        with Window(screen, folder / "next", address, BERT, *begun) as window:
            notice = window.wait_for("that it is not known", lambda s: s["notices"])["notices"]
            assert notice == ["The last window ended before the class's server had said that it has " + str(saved) +
                              ". Open that file and hand it in again, to be sure."], notice
            screen.picture("student-next")
        with Window(screen, folder / "next", address, BERT, *begun) as window:  # it is said once
            window.wait_for("the counts of the server's engine", lambda s: s["analysis"])
            assert window.state()["notices"] == []
        shutil.rmtree(folder / "next")

    # The server is gone: the window stays to say so, and goes when it is closed again.
    with opened("bert-reads") as window:
        window.wait_for("the counts of the server's engine", lambda s: s["analysis"])
        handle = window.focus()
        server.process.send_signal(signal.SIGSTOP)
        save_and_hand_in(window)
        close(screen, handle)
        window.wait_for("that it waits", lambda s: s["toast"].startswith("Handing in … Then the window closes"))
        server.stop(signal.SIGKILL)
        lost = window.wait_for("that it did not come", lambda s: s["notices"])["notices"]
        assert lost[0].startswith("Your workspace is saved here, and was not handed in: "), lost
        time.sleep(1)
        assert window.process.poll() is None, "it goes before this is read"
        close(screen, handle)
        assert window.process.wait(PATIENCE_S) == 0


# ---- The board in the teacher's window, and the class's assignment in a student's ---------------


def command(window, words):
    """By the palette, as its first find."""
    window.wait_for("a window", lambda s: s["picture"])
    time.sleep(0.3)
    window.screen.xdotool("key", "ctrl+shift+p")
    window.wait_for("the palette", lambda s: "palette" in s["widgets"])
    window.screen.xdotool("type", "--delay", "30", words)
    time.sleep(0.5)
    window.screen.xdotool("key", "Return")


def the_board_is_seen(screen, folder, server):
    address = f"ws://127.0.0.1:{server.port}/engine"
    with Talk(server, ADA) as ada:
        ada.greeting()
        ada.say("predicted", stage="transpose/30_padded", choice="32", right=False)
        with Window(screen, folder / "board", address, TEACHER, "--stage", "20_tiled", "--predicted", "yes") as window:
            handle = window.focus()
            command(window, "Your class")
            window.wait_for("the board", lambda s: "predicted:transpose/30_padded" in s["widgets"])
            screen.picture("teacher-board", handle)
            window.click("predicted:transpose/30_padded")
            window.wait_for("its lesson", lambda s: s["stage"] == "transpose/30_padded" and "board:close" not in s["widgets"])


def the_assignment_is_opened(screen, folder, server):
    with Window(screen, folder / "assigned", f"ws://127.0.0.1:{server.port}/engine", BERT, "--stage", "20_tiled", "--predicted", "yes") as window:
        handle = window.focus()
        command(window, "Open your class's assignment")
        now = window.wait_for("the assignment", lambda s: s["assignment"] and "assignment:go" in s["widgets"])
        assert now["assignment"] == {"title": "Week 2", "tasks": ["open"]} and now["stage"] == "transpose/30_padded", now["assignment"]
        screen.picture("student-assignment", handle)


def a_wrong_token(screen, folder, server):
    with Window(screen, folder / "nobody", f"ws://127.0.0.1:{server.port}/engine", "no-token-of-this-class",
                "--stage", "30_padded", "--predicted", "yes") as window:
        error = window.wait_for("that the token is wrong", lambda s: s["error"])["error"]
        assert "this token is not known here" in error, error
        window.focus()
        save_and_hand_in(window)
        notice = window.wait_for("why it is not handed in", lambda s: s["notices"])["notices"][0]
        assert "was not handed in" in notice and "this token is not known here" in notice, notice
        screen.picture("student-wrong-token")
        assert [row["student"] for row in board(server, TEACHER)["hand_ins"]] == ["ada"]


def in_turn(name, *cases_of_servers):
    """On a screen of its own: for each tuple of cases a server, which keeps what was handed in to the one before."""
    begun = time.time()
    folder = pathlib.Path(name)
    folder.mkdir()
    with Screen() as screen:
        for cases in cases_of_servers:
            with classroom(name + "/server") as server:
                for case in cases:
                    case(screen, folder, server)
                    print(f"{case.__name__}: {time.time() - begun:.1f} s", flush=True)


def main():
    # Windows mostly wait for servers that do not answer: two screens at once.
    with tempfile.TemporaryDirectory(prefix="lanewise-class-", ignore_cleanup_errors=True) as name, concurrent.futures.ThreadPoolExecutor() as pool:
        for done in [pool.submit(in_turn, name + "/first", (the_class_is_asked, a_student_hands_in), (a_wrong_token,)),
                     pool.submit(in_turn, name + "/second", (a_window_is_closed_at_once,), (the_board_is_seen, the_assignment_is_opened))]:
            done.result()
    print("the class is asked and hands in, from windows")


main()
