"""A server of `lanewise-engine serve --http`, and what speaks to it: a WebSocket by hand (RFC 6455), frames
of the engine's protocol by tests/gpu/hostile.py, and jobs of the course's stages. Standard library only."""
import base64
import hashlib
import json
import os
import pathlib
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "gpu"))
from hostile import decode, encode  # noqa: E402


class Server:
    """Started, until `with` ends. What it said on stderr is in .log()."""

    def __init__(self, engine, folder, *arguments, address="127.0.0.1:0", environment=None, page=None):
        self.folder = str(folder)
        os.makedirs(self.folder, exist_ok=True)
        self.errors = open(os.path.join(self.folder, "errors"), "w+")
        environment = dict(environment or os.environ, LANEWISE_QUEUE_FOLDER=os.path.join(self.folder, "queue"),
                           LANEWISE_HOME=str(ROOT))
        self.process = subprocess.Popen(
            [engine, "serve", "--http", address, "--folder", os.path.join(self.folder, "kept"),
             "--page", page or os.path.join(self.folder, "page"), *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors, text=True, env=environment)
        line = self.process.stdout.readline() if select.select([self.process.stdout], [], [], 60)[0] else ""
        found = re.match(r"lanewise: http://(.*):(\d+)/", line)
        if not found:
            self.process.wait(30)
            raise AssertionError(f"the server does not start: {line}{self.log()}")
        self.host, self.port = found[1].strip("[]"), int(found[2])

    def log(self):
        self.errors.flush()
        return open(self.errors.name).read()

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self.errors.close()

    def connect(self):
        return socket.create_connection((self.host, self.port), timeout=60)

    def raw(self, text, read=1 << 20):
        """What the server answers to these bytes, until it closes or has said a whole answer."""
        with self.connect() as line:
            line.sendall(text if isinstance(text, bytes) else text.encode())
            return read_answer(line, read)

    def get(self, target, method="GET", **headers):
        """(status, {header: value}, body)"""
        fields = {"Host": f"localhost:{self.port}", **{name.replace("_", "-"): value for name, value in headers.items()}}
        head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
        return parsed(self.raw(head + "Connection: close\r\n\r\n"))


def read_answer(line, most=1 << 20):
    answer = b""
    try:
        while len(answer) < most:
            more = line.recv(1 << 16)
            if not more:
                break
            answer += more
    except (ConnectionResetError, TimeoutError):
        pass
    return answer


def parsed(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    status = int(lines[0].split(" ")[1]) if lines[0].startswith("HTTP/") else 0
    return status, {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}, body


class Refused(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status}: {body}")
        self.status, self.body = status, body


class Closed(Exception):
    def __init__(self, code, reason):
        super().__init__(f"{code}: {reason}")
        self.code, self.reason = code, reason


class Socket:
    def __init__(self, server, token=None, way="header", target="/engine", **headers):
        self.line = server.connect()
        self.bytes = b""
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {"Host": f"localhost:{server.port}", "Upgrade": "websocket", "Connection": "Upgrade",
                  "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key}
        if token and way == "header":
            fields["Authorization"] = f"Bearer {token}"
        if token and way == "protocol":
            fields["Sec-WebSocket-Protocol"] = f"lanewise, token.{token}"
        if token and way == "query":
            target += f"?token={token}"
        fields.update({name.replace("_", "-"): value for name, value in headers.items()})
        self.line.sendall((f"GET {target} HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in fields.items()) + "\r\n").encode())
        while b"\r\n\r\n" not in self.bytes:
            more = self.line.recv(1 << 16)
            if not more:
                break
            self.bytes += more
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        status, self.headers, _ = parsed(head + b"\r\n\r\n")
        if status != 101:
            self.bytes += read_answer(self.line)
            self.line.close()
            raise Refused(status, self.bytes.decode())
        wanted = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
        assert self.headers["sec-websocket-accept"] == wanted

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()

    def send_bytes(self, payload, opcode=2):
        mask, size = os.urandom(4), len(payload)
        head = bytes([0x80 | opcode])
        head += bytes([0x80 | size]) if size < 126 else (b"\xfe" + struct.pack(">H", size) if size < 65536 else b"\xff" + struct.pack(">Q", size))
        # Masked as one large number, which is quick.
        key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        self.line.sendall(head + mask + (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big"))

    def send(self, message):
        body = encode(message)
        self.send_bytes(struct.pack("<I", len(body)) + body)

    def more(self, size, until):
        while len(self.bytes) < size:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.line], [], [], left)[0]:
                raise TimeoutError
            come = self.line.recv(1 << 18)
            if not come:
                raise Closed(1006, "the connection ended")
            self.bytes += come

    def receive_bytes(self, patience=60):
        """The payload of the next message; pings are answered."""
        until, whole = time.monotonic() + patience, b""
        while True:
            self.more(2, until)
            first, second = self.bytes[0], self.bytes[1]
            at, size = 2, second & 127
            if size > 125:
                width = 2 if size == 126 else 8
                self.more(2 + width, until)
                size, at = int.from_bytes(self.bytes[2:2 + width], "big"), 2 + width
            self.more(at + size, until)
            payload, self.bytes = self.bytes[at:at + size], self.bytes[at + size:]
            opcode = first & 15
            if opcode == 8:
                raise Closed(int.from_bytes(payload[:2], "big"), payload[2:].decode())
            if opcode == 9:
                self.send_bytes(payload, 10)
            if opcode in (0, 1, 2):
                whole += payload
                if first & 0x80:
                    return whole

    def receive(self, patience=60):
        frame = self.receive_bytes(patience)
        self.come_at = time.monotonic()  # before it is taken apart, which takes Python a while
        assert struct.unpack("<I", frame[:4])[0] == len(frame) - 4, "a message is one frame"
        return decode(frame, 4)[0]

    def greeting(self, patience=60):
        message = self.receive(patience)
        while message["type"] == "beat":  # the one thing that may come before it, where the engine takes long to begin
            message = self.receive(patience)
        assert message["type"] == "hello", message
        return message

    def ask(self, id, method, params=None, patience=120, heard=None):
        """The answer's message; what else comes is handed to `heard`."""
        self.send({"type": "request", "id": id, "method": method, "params": params if params is not None else {}})
        return self.answer(id, patience, heard)

    def answer(self, id, patience=120, heard=None):
        until = time.monotonic() + patience
        while True:
            message = self.receive(max(0.01, until - time.monotonic()))
            if message["type"] in ("result", "error") and message["id"] == id:
                return message
            if heard:
                heard(message)


class Listening:
    """A socket that is read all the time, as a browser's is: its pings are answered whatever the test waits for.
    What came is in .heard, in order; .closed is set at the end. Events are waited for, with a patience that no
    busy machine reaches."""

    PATIENCE_S = 400

    def __init__(self, *arguments, **more):
        self.socket = Socket(*arguments, **more)
        self.heard, self.closed, self.changed = [], None, threading.Condition()
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self):
        closed = None
        try:
            while True:
                message = self.socket.receive(3600)
                with self.changed:
                    self.heard.append(message)
                    self.changed.notify_all()
        except Closed as end:
            closed = end
        except (OSError, TimeoutError) as error:
            closed = Closed(1006, repr(error))
        with self.changed:
            self.closed = closed
            self.changed.notify_all()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.socket.line.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.thread.join(60)
        self.socket.line.close()

    def wait_for(self, fits, what, count=1):
        """The count-th message that fits; raises where the socket closes before that."""
        with self.changed:
            def found():
                return [message for message in self.heard if fits(message)][:count]
            self.changed.wait_for(lambda: len(found()) == count or self.closed, self.PATIENCE_S)
            if len(found()) < count:
                raise AssertionError(f"no {what}; closed: {self.closed}; heard: {str(self.heard)[-600:]}")
            return found()[-1]

    def wait_closed(self):
        with self.changed:
            self.changed.wait_for(lambda: self.closed, self.PATIENCE_S)
            return self.closed

    def send(self, id, method, params=None):
        self.socket.send({"type": "request", "id": id, "method": method, "params": params if params is not None else {}})

    def cancel(self, id):
        self.socket.send({"type": "cancel", "id": id})

    def answer(self, id):
        return self.wait_for(lambda m: m["type"] in ("result", "error") and m["id"] == id, f"answer to {id}")

    def ask(self, id, method, params=None):
        self.send(id, method, params)
        return self.answer(id)

    def notice(self, id, words, count=1):
        return self.wait_for(lambda m: m["type"] == "progress" and m["id"] == id and words in m["what"],
                             f"notice \"{words}\" of {id}", count)

    def greeting(self):
        return self.wait_for(lambda m: m["type"] == "hello", "greeting")


class Talk(Listening):
    """At /class, or at an engine: what the server says to the class."""

    def say(self, do, **words):
        """Says it, and waits for the answer."""
        before = len([m for m in self.heard if "re" in m.get("class", {})])
        self.socket.send({"type": "class", "do": do, **words})
        return self.wait_for(lambda m: "re" in m.get("class", {}), f"answer to {do}", before + 1)["class"]

    def state(self, fits, what):
        """The newest state, once it fits."""
        with self.changed:
            def newest():
                states = [m["class"] for m in self.heard if "class" in m]
                return states[-1] if states and fits(states[-1]) else None
            self.changed.wait_for(lambda: newest() or self.closed, self.PATIENCE_S)
            assert newest() is not None, f"{what}; closed: {self.closed}; heard: {str(self.heard)[-400:]}"
            return newest()


def stage(name):
    """A stage of kernels/ as the engine's JSON has it (app/lab/json)."""
    text = (ROOT / "kernels" / (name + ".cu")).read_text()
    head = tomllib.loads(text[text.index("/*---") + 5:text.index("---*/")])
    parameters = re.search(r"^template <(.*?)>\s*\n", text, re.M | re.S)[1]
    defaults = dict(re.findall(r"int (\w+) = (\d+)", parameters))
    knobs = [{"name": knob, "choices": about["choices"], "value": int(defaults[knob]), "help": about.get("help", "")}
             for knob, about in head.get("knob", {}).items()]
    tile = head.get("tile", {})
    return {"id": name, "operation": name.split("/")[0], "title": head["title"], "file": name.split("/")[1] + ".cu",
            "source": text, "kernel": re.search(r"__global__\s+void(?:\s+__launch_bounds__\(.*?\))?\s+(\w+)\(", text)[1],
            "knobs": knobs, "types": head.get("types", ["f32"]),
            "template_parameters": re.findall(r"(?:typename|int) (\w+)", parameters),
            "grid": head["grid"], "block": head["block"], "reference": head.get("reference", "transpose"),
            "requirements": [{"expression": one["expr"], "reason": one["why"]} for one in head.get("require", [])],
            "has_tile": bool(tile), "tile": {name: tile.get(name, "") for name in ("array", "rows", "cols", "pitch")},
            "compare": head.get("compare", ""), "error": ""}


def job(name, rows=256, cols=256, source=None, **knobs):
    one = {"x": 1, "y": 1, "z": 1}
    its = stage(name)
    if source is not None:
        its["source"] = source(its["source"]) if callable(source) else source
    return {"stage": its, "knobs": knobs, "type": "f32", "rows": rows, "cols": cols, "batch": 1, "arch": "",
            "own": {"kernel": "", "shape": {"grid": one, "block": one, "dynamic_shared_bytes": 0}, "arguments": [],
                    "include_folders": [], "defines": []}}


def tokens_file(folder, **tokens):
    """A token file of these: name = token, or name = "token teacher"."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(str(folder), "class.tokens")
    with open(path, "w") as file:
        file.write("".join(f"{name} {token}\n" for name, token in tokens.items()))
    os.chmod(path, 0o600)
    return path


def board(server, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    status, _, body = server.get("/board.json", **headers)
    assert status == 200, (status, body)
    return json.loads(body)
