#!/usr/bin/env python3
"""`lanewise-engine serve --http` as a browser, a desktop and a hostile student meet it.

    http_test.py ENGINE [FAKE_DRIVER] [CASE…]

Needs no network but loopback, no GPU, no compiler and no page. What wants bubblewrap, or a compiler, is left
out where there is none, and said. Cases mostly wait, so several run at once, each with servers, folders and a process
of its own. Exit status: 0 fine, 1 faults.
"""
import concurrent.futures
import contextlib
import inspect
import io
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import hub_client
import hostile  # noqa: E402  by way of hub_client
from hub_client import Closed, Listening, Refused, Server, Socket, Talk, board, job, parsed, tokens_file
from hostile import encode

ENGINE = sys.argv[1]
FAKE_DRIVER = sys.argv[2] if len(sys.argv) > 2 else ""
ADA, BERT, TEACHER = "ada-ada-ada-ada-ada", "bert-bert-bert-bert", "mx-mx-mx-mx-mx-mx-mx"
faults = []


def expect(condition, what):
    if not condition:
        faults.append(what)
        print("FAULT", what[:1000], flush=True)


def expect_refused(status, words, server, *arguments, **more):
    try:
        Socket(server, *arguments, **more).line.close()
        expect(False, f"{arguments} {more} was let in")
    except Refused as refused:
        expect(refused.status == status and words in refused.body, f"{arguments} {more}: {refused}, not {status} {words}")


def complaint(folder, *arguments, **more):
    """What `serve` says and its status, where it does not start."""
    done = subprocess.run([ENGINE, "serve", *arguments, "--folder", os.path.join(folder, "kept")], capture_output=True,
                          text=True, timeout=60, env=dict(os.environ, LANEWISE_HOME=str(hub_client.ROOT), **more))
    return done.returncode, done.stderr


def classroom(folder, *arguments, limits="", **more):
    """A server with tokens; `limits` are lines of [limits]."""
    tokens = tokens_file(folder, ada=ADA, bert=BERT, mx=TEACHER + " teacher")
    of_class = os.path.join(folder, "class.toml")
    with open(of_class, "w") as file:
        file.write(f'title = "A class"\n[limits]\n{limits}\n')
    return Server(ENGINE, folder, "--token-file", tokens, "--class", of_class, *arguments, **more)


def has_wall():
    return shutil.which("bwrap") and subprocess.run(
        ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "--proc", "/proc", "true"], capture_output=True).returncode == 0


def processes_with(text):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and text.encode() in (entry / "cmdline").read_bytes() and int(entry.name) != os.getpid():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def until(condition, seconds, what):
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return
        time.sleep(0.1)
    expect(False, what)


# ---- The page ----------------------------------------------------------------------------------


def the_page_is_served_and_nothing_else(folder):
    page = os.path.join(folder, "page")
    os.makedirs(page + "/assets")
    for name, text in (("index.html", "<p>page"), ("assets/a.js", "1"), ("engine.wasm.gz", "x" * 300_000)):
        with open(os.path.join(page, name), "w") as file:
            file.write(text)
    with open(os.path.join(folder, "secret"), "w") as file:
        file.write("0123456789abcdef")
    os.symlink(os.path.join(folder, "secret"), page + "/link")
    with Server(ENGINE, folder) as server:
        status, headers, body = server.get("/")
        expect((status, body) == (200, b"<p>page"), f"the page: {status} {body}")
        expect(headers["content-type"].startswith("text/html") and headers["x-content-type-options"] == "nosniff", str(headers))
        expect(server.get("/?stage=x&token=y")[2] == b"<p>page", "the page with a query")
        expect(server.get("/assets/a.js")[1]["content-type"].startswith("text/javascript"), "a script's type")
        expect(len(server.get("/engine.wasm.gz")[2]) == 300_000, "a large file")
        status, head, body = server.get("/engine.wasm.gz", method="HEAD")
        expect((status, head["content-length"], body) == (200, "300000", b""), f"HEAD: {status} {head}")
        expect(server.get("/", If_None_Match=headers["etag"])[0] == 304, "what has not changed is sent again")
        for target in ("/../secret", "/%2e%2e/secret", "/..%2fsecret", "/link", "//etc/passwd", "/assets", "/nothing",
                       "/index.html%00", "/%", "/assets/../../secret"):
            status, _, body = server.get(target)
            expect(status == 404 and b"0123456789abcdef" not in body and b"root:" not in body, f"{target}: {status} {body[:80]}")
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT"):
            expect(server.get("/", method=method)[0] in (400, 405), method)
        # Two requests on one connection, at once.
        both = server.raw("GET /assets/a.js HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        expect(both.count(b"HTTP/1.1 200") == 2 and both.endswith(b"<p>page"), f"two at once: {both[-80:]}")
        for broken in ("\x00\x01\x02\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\n" + "A: b\r\n" * 10_000 + "\r\n",
                       "GET /" + "a" * 100_000 + " HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n",
                       "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n"):
            answer = server.raw(broken)
            expect(parsed(answer)[0] in (0, 400, 431) if answer else True, f"{broken[:40]!r}: {answer[:80]}")
        expect(server.get("/")[0] == 200, "the server lives after that")
        expect(server.stop() == 0, "it ends well")


def where_the_page_is_missing_a_sentence_stands(folder):
    with Server(ENGINE, folder) as server:
        status, _, body = server.get("/")
        expect(status == 200 and b"holds no index.html. Run <code>./lanewise web</code>" in body, f"{status} {body}")


# ---- Who may come in ---------------------------------------------------------------------------


def only_tokens_open_the_door(folder):
    with classroom(folder, limits="engines_per_student = 10") as server:
        expect_refused(401, "this token is not known here", server)
        for way in ("header", "protocol", "query"):
            with Socket(server, ADA, way) as socket:
                socket.greeting()
                expect(socket.headers.get("sec-websocket-protocol", "") == ("lanewise" if way == "protocol" else ""), str(socket.headers))
        expect(server.get("/engine.json", Authorization="Bearer wrongwrongwrongwrong")[0] == 401, "an unknown one")
        begun = time.time()

        def tries(wrong):
            try:
                expect_refused(401, "this token is not known here", server, wrong)
            except (Refused, ConnectionError):
                pass
        threads = [threading.Thread(target=tries, args=(wrong,)) for wrong in (ADA[:-1], ADA + "x", ADA.upper(), "x" * 5_000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect(time.time() - begun > 1.5, "wrong tokens are not slowed down")
        status, _, body = server.get("/engine.json")
        said = json.loads(body)
        expect((said["socket"], said["needs_token"], said["title"]) == ("engine", True, "A class"), str(said))
        expect(json.loads(server.get("/engine.json", Authorization=f"Bearer {ADA}")[2])["token"] == "known", "a known token")
        expect(ADA not in server.log(), "a token stands in the log")


def guessing_is_refused_after_a_while(folder):
    with classroom(folder) as server:
        seen = []

        def guess(i):
            status, headers, _ = server.get("/engine.json", Authorization=f"Bearer guess-guess-guess-{i}")
            seen.append(status)

        threads = [threading.Thread(target=guess, args=(i,)) for i in range(40)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect(seen.count(401) == 30 and seen.count(429) == 10, f"all at once: {seen}")
        expect_refused(429, "too many wrong tokens came from your address; try again in", server, ADA)
        expect("retry-after" in server.get("/engine.json", Authorization=f"Bearer {ADA}")[1], "Retry-After")
        expect(server.get("/")[0] == 200, "the page is still there")


def behind_a_proxy_the_proxy_says_who_asks(folder):
    with classroom(folder, "--behind-proxy") as server:
        def guess(i):
            server.get("/engine.json", Authorization="Bearer guess-guess-guess-g", X_Forwarded_For=f"1.2.3.{i}, 203.0.113.7")
        threads = [threading.Thread(target=guess, args=(i,)) for i in range(30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect_refused(429, "too many wrong tokens", server, ADA, X_Forwarded_For="203.0.113.7")
        with Socket(server, ADA, X_Forwarded_For="203.0.113.8") as socket:
            socket.greeting()


def pages_of_other_hosts_are_refused(folder):
    with Server(ENGINE, folder, "--origin", "https://course.example.org") as server:
        here = f"http://localhost:{server.port}"
        for origin in ("http://evil.example", f"http://localhost:{server.port + 1}", "null", f"{here}.evil.example"):
            expect_refused(403, "a page of another host", server, Origin=origin)
        # A name that was made to point here.
        expect_refused(403, "answers only to localhost", server, Host=f"evil.example:{server.port}", Origin=f"http://evil.example:{server.port}")
        expect_refused(403, "tokens are needed", server, X_Forwarded_For="10.0.0.1")
        expect(server.get("/engine.json", Host="evil.example")[0] == 403, "engine.json to a name that was made to point here")
        for origin in (here, "https://course.example.org"):
            with Socket(server, Origin=origin) as socket:
                socket.greeting()


def an_address_that_others_reach_wants_tokens_and_a_sandbox(folder):
    status, said = complaint(folder, "--http", "0.0.0.0:0")
    expect(status == 2 and "give each of them a token, with --token-file" in said, f"{status} {said}")
    tokens = tokens_file(folder, ada=ADA)
    bare = os.path.join(folder, "bin")
    os.makedirs(bare)
    os.symlink("/usr/bin/env", bare + "/env")
    status, said = complaint(folder, "--http", "0.0.0.0:0", "--token-file", tokens, PATH=bare)
    expect(status == 2 and "need a sandbox, and bubblewrap is not installed" in said, f"{status} {said}")
    with Server(ENGINE, folder, environment=dict(os.environ, PATH=bare)) as server:  # on loopback it runs, and says so
        with Socket(server) as socket:
            socket.greeting()
        expect(server.log().count("engines run without a sandbox, because bubblewrap is not installed") == 1, server.log())


def mistakes_are_one_sentence(folder):
    tokens = tokens_file(folder, ada=ADA)
    of_class = os.path.join(folder, "class.toml")
    pathlib.Path(of_class).write_text("[limits]\nconections = 5\n")
    for arguments, words in ((["--http", "8080"], "--http wants an address of this machine and a port"),
                             (["--http", "example.org:80"], "--http wants an address"),
                             (["--token-file", tokens], "--token-file belongs to --http"),
                             (["--http", "127.0.0.1:0", "--class", of_class], f"{of_class}:2: "),
                             (["--http", "127.0.0.1:0", "--token-file", folder + "/none"], folder + "/none"),
                             (["--http", "127.0.0.1:0", "--origin", "*"], "--origin wants a page's scheme and host"),
                             (["--http", "198.51.100.1:1", "--token-file", tokens], "198.51.100.1 port 1 cannot be served")):
        if "198.51.100.1:1" in arguments and not has_wall():
            continue
        status, said = complaint(folder, *arguments)
        expect(status == 2 and said.startswith("lanewise-engine: ") and words in said and said.count("\n") == 1, f"{arguments}: {status} {said}")
    os.chmod(tokens, 0o644)
    expect("chmod 600" in complaint(folder, "--http", "127.0.0.1:0", "--token-file", tokens)[1], "a token file that is open to others")
    made = subprocess.run([ENGINE, "tokens", "ada", "bert"], capture_output=True, text=True).stdout
    expect(re.fullmatch(r"ada +[\w-]{32}\nbert +[\w-]{32}\n", made), made)
    with Server(ENGINE, folder) as server:
        status, said = complaint(os.path.join(folder, "other"), "--http", f"127.0.0.1:{server.port}")
        expect(status == 2 and "cannot be served" in said, f"a port that is taken: {said}")


# ---- An engine for each ------------------------------------------------------------------------


def the_engine_answers_as_on_a_pipe(folder):
    with classroom(folder) as server, Socket(server, ADA) as socket:
        greeting = socket.greeting()
        expect(greeting["program"] == "lanewise-engine", str(greeting))
        expect(socket.ask(1, "ping")["result"] == {}, "ping")
        params = {"job": job("transpose/30_padded", PAD=0), "block": 0}
        answer = socket.ask(2, "picture", params)
        expect(answer["type"] == "result", f"a picture: {str(answer)[:300]}")
        piped = hub_client.subprocess.Popen([ENGINE, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            env=dict(os.environ, XDG_CACHE_HOME=folder + "/cache"))
        body = encode({"type": "request", "id": 2, "method": "picture", "params": params})
        piped.stdin.write(len(body).to_bytes(4, "little") + body)
        piped.stdin.flush()
        while True:
            length = int.from_bytes(piped.stdout.read(4), "little")
            message = hub_client.decode(piped.stdout.read(length))[0]
            if message.get("id") == 2 and message["type"] != "progress":
                break
        piped.stdin.close()
        piped.wait(30)
        for one in (message, answer):
            for timed in ("compile_ms", "interpret_ms", "compiled"):
                one["result"].pop(timed)
        expect(message == answer, "the picture differs from the one on a pipe")
        expect(socket.ask(3, "nonsense")["message"] == "the engine has no method nonsense", "a method that there is not")
        row = board(server, TEACHER)["students"][0]
        expect(row["name"] == "ada" and row["stage"] == "transpose/30_padded" and row["jobs"] == [], str(row))


def the_desktop_reaches_it(folder):
    with classroom(folder) as server:
        def run(address, **more):
            return subprocess.run([ENGINE, "run", "transpose/30_padded", "--rows", "64", "--cols", "64", "--engine", address],
                                  capture_output=True, text=True, timeout=120, env=dict(os.environ, **more))
        here = f"ws://127.0.0.1:{server.port}"
        for done in (run(f"{here}/engine?token={ADA}"), run(here, LANEWISE_TOKEN=ADA)):
            expect(done.returncode == 4, f"without a GPU: {done.returncode} {done.stderr}")
        done = run(here)
        expect(done.returncode == 1 and "gives no engine: this token is not known here" in done.stderr, done.stderr)
        done = run(here + " serve")
        expect(done.returncode == 2 and "takes no further words" in done.stderr, done.stderr)
        done = run("ws://127.0.0.1:1")
        expect("no server answers at 127.0.0.1:1" in done.stderr, done.stderr)
        done = run(f"{here}/nowhere")
        expect("gives no engine" in done.stderr, done.stderr)
        # A kernel of one's own goes there, too; what nothing runs with is refused.
        own = os.path.join(folder, "own.cu")
        pathlib.Path(own).write_text("__global__ void twice(float* out) { out[threadIdx.x] *= 2; }\n")
        words = [ENGINE, "run", own, "--kernel", "twice", "--grid", "1", "--block", "32", "--arg", "f32[32]", "--engine", here]
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        expect(done.returncode == 1 and "this token is not known here" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
        done = subprocess.run(words + ["--compiler", "clang"], capture_output=True, text=True, timeout=120)
        expect("the server chooses its compiler itself, whatever --compiler clang says" in done.stderr, done.stderr)
        done = subprocess.run(words + ["--once"], capture_output=True, text=True, timeout=120)
        expect(done.returncode == 2 and "--once works in this process alone" in done.stderr, done.stderr)
        until(lambda: board(server, TEACHER)["connections"] == 0, 20, "engines are left")


class TlsProxy(threading.Thread):
    """What a proxy does in front of the server: TLS, and all bytes both ways."""

    def __init__(self, server, certificate, key):
        super().__init__(daemon=True)
        self.server = server
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.listener = context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True)
        self.port = self.listener.getsockname()[1]

    def run(self):
        while True:
            try:
                outer = self.listener.accept()[0]
            except (ssl.SSLError, ConnectionError):  # one that does not trust us
                continue
            except OSError:
                return
            inner = self.server.connect()
            for way in ((outer, inner), (inner, outer)):
                threading.Thread(target=self.pass_on, args=way, daemon=True).start()

    def pass_on(self, come, go):
        try:
            while piece := come.recv(1 << 16):
                go.sendall(piece)
            go.shutdown(socket.SHUT_WR)
        except (OSError, ValueError):
            pass


def the_desktop_reaches_it_through_tls(folder):
    if not shutil.which("openssl"):
        print("  left out: openssl is not installed")
        return
    certificate, key = folder + "/certificate.pem", folder + "/key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with classroom(folder) as server:
        proxy = TlsProxy(server, certificate, key)
        proxy.start()

        def run(host, **more):
            return subprocess.run([ENGINE, "run", "transpose/30_padded", "--rows", "64", "--cols", "64", "--engine", f"wss://{host}:{proxy.port}/engine"],
                                  capture_output=True, text=True, timeout=120, env=dict(os.environ, LANEWISE_TOKEN=ADA, **more))
        done = run("localhost", SSL_CERT_FILE=certificate)
        expect(done.returncode == 4, f"by TLS: {done.returncode} {done.stderr}")
        for host, more, words in (("localhost", {}, "is not to be trusted: "), ("127.0.0.1", {"SSL_CERT_FILE": certificate}, "is not to be trusted: ")):
            done = run(host, **more)
            expect(done.returncode == 1 and words in done.stderr, f"{host} {more}: {done.returncode} {done.stderr}")
        bare = os.path.join(folder, "tools")
        os.makedirs(bare)
        os.symlink("/bin/sh", bare + "/sh")
        expect("the program openssl, which is not installed" in run("localhost", PATH=bare).stderr, "without openssl")
        proxy.listener.close()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def proxy_block(name):
    """The configuration of docs/classroom.md, as it stands there."""
    text = (hub_client.ROOT / "docs/classroom.md").read_text()
    return re.search(r"^```\n(" + {"nginx": r"server \{", "caddy": r"lab\.example\.org \{"}[name] + r".*?)^```", text, re.S | re.M)[1]


def start_proxy(name, folder, server, port, certificate, key):
    block = proxy_block(name).replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
    if name == "caddy":
        block = "{\n  admin off\n  auto_https disable_redirects\n}\n" + block.replace("lab.example.org {", f"https://localhost:{port} {{\n    tls {certificate} {key}")
        pathlib.Path(folder, "Caddyfile").write_text(block)
        words = ["caddy", "run", "--adapter", "caddyfile", "--config", folder + "/Caddyfile"]
    else:
        block = re.sub(r"listen 443", f"listen 127.0.0.1:{port}", block).replace("lab.example.org", "localhost")
        block = re.sub(r"ssl_certificate +\S+;", f"ssl_certificate {certificate};", block)
        block = re.sub(r"ssl_certificate_key +\S+;", f"ssl_certificate_key {key};", block)
        paths = "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        user = "user root;\n" if os.geteuid() == 0 else ""
        pathlib.Path(folder, "nginx.conf").write_text(f"{user}daemon off;\npid {folder}/nginx.pid;\nerror_log {folder}/nginx.log;\nevents {{}}\nhttp {{ {paths}\n{block} }}\n")
        words = [shutil.which("nginx") or "/usr/sbin/nginx", "-p", folder, "-c", folder + "/nginx.conf"]
    log = open(folder + f"/{name}.said", "w")
    return subprocess.Popen(words, stdout=log, stderr=log, env=dict(os.environ, HOME=folder, XDG_DATA_HOME=folder, XDG_CONFIG_HOME=folder))


def real_proxies_stand_before_it(folder):
    """nginx and caddy as docs/classroom.md sets them up, each where it is installed: the desktop, a browser's script, the address of who guesses."""
    for name in ("nginx", "caddy"):
        if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") or not shutil.which("openssl"):
            print(f"  left out: {name} or openssl is not installed")
            continue
        its = os.path.join(folder, name)
        os.makedirs(its)
        certificate, key, port = its + "/certificate.pem", its + "/key.pem", free_port()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        with classroom(its, "--behind-proxy") as server:
            proxy = start_proxy(name, its, server, port, certificate, key)
            try:
                def is_up():
                    try:
                        socket.create_connection(("127.0.0.1", port), timeout=5).close()
                        return True
                    except OSError:
                        return False
                until(is_up, 60, f"{name} does not start: {pathlib.Path(its, name + '.said').read_text()[-600:]}")
                trust = dict(os.environ, SSL_CERT_FILE=certificate, NODE_EXTRA_CA_CERTS=certificate, LANEWISE_TOKEN=ADA)
                done = subprocess.run([ENGINE, "run", "transpose/30_padded", "--rows", "64", "--cols", "64", "--engine", f"wss://localhost:{port}/engine"],
                                      capture_output=True, text=True, timeout=300, env=trust)
                expect(done.returncode == 4, f"{name}, the desktop: {done.returncode} {done.stderr}")
                if shutil.which("node"):
                    script = subprocess.Popen([*node_with_sockets(), str(hub_client.ROOT / "tests/web/socket_live.js"), f"https://localhost:{port}/", ADA],
                                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=trust)
                    line = script.stdout.readline()
                    script.kill()
                    script.communicate()
                    expect(line.strip() == "asked" or line.startswith("skipped"), f"{name}, a browser's script: {line}")
                # The proxy says who asks: 30 wrong tokens of this machine close the door for it and for nobody else.
                context = ssl.create_default_context(cafile=certificate)

                def guess():
                    with context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=120), server_hostname="localhost") as line:
                        line.sendall(f"GET /engine.json HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer guess-guess-guess-g\r\n"
                                     "X-Forwarded-For: 1.2.3.4\r\nConnection: close\r\n\r\n".encode())
                        return parsed(hub_client.read_answer(line))[0]
                threads = [threading.Thread(target=guess) for _ in range(30)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                expect(guess() == 429, f"{name}: who guesses is not refused")
                expect_refused(429, "too many wrong tokens", server, ADA, X_Forwarded_For="127.0.0.1")
                with Socket(server, ADA, X_Forwarded_For="1.2.3.4") as other:
                    other.greeting()
            finally:
                proxy.terminate()
                proxy.wait(60)


def a_student_has_a_folder_and_so_many_engines(folder):
    with classroom(folder, limits="engines_per_student = 2\nconnections = 3") as server:
        first, second, of_bert = Socket(server, ADA), Socket(server, ADA), Socket(server, BERT)
        for socket in (first, second, of_bert):
            socket.greeting()
        for token, words in ((ADA, "all 3 places of this server are taken"),):
            try:
                Socket(server, token).receive(20)
                expect(False, "a fourth engine")
            except Closed as closed:
                expect(closed.code == 4001 and words in closed.reason, str(closed))
        of_bert.line.close()
        until(lambda: board(server, TEACHER)["connections"] == 2, 20, "who left is still there")

        def third():
            try:
                Socket(server, ADA).receive(20)
                return "let in"
            except Closed as closed:
                return closed.reason
        until(lambda: third() == "2 engines run with your token already: close another window first", 10, f"a third engine: {third()}")
        expect(first.ask(1, "ping")["type"] == "result", "the first goes on")
        students = pathlib.Path(folder, "kept", "students")
        expect({p.name for p in students.iterdir()} == {"ada", "bert"}, str(list(students.iterdir())))
        expect(stat.S_IMODE((students / "ada").stat().st_mode) == 0o700, "a student's folder is open")
        first.line.close()
        second.line.close()
        until(lambda: board(server, TEACHER)["connections"] == 0, 20, "who left is still there")
        until(lambda: not processes_with(str(students)), 20, "engines are left")


def own_job(text, kernel, arguments, ptx="", include_folders=()):
    """A kernel of one's own, as the window sends it."""
    one = {"x": 1, "y": 1, "z": 1}
    own = {"kernel": kernel, "shape": {"grid": one, "block": dict(one, x=4), "dynamic_shared_bytes": 0},
           "arguments": arguments, "include_folders": list(include_folders), "defines": []}
    if ptx:
        own["ptx"] = ptx
    stage = {"id": "look.cu", "operation": "transpose", "title": kernel, "file": "look.cu", "source": text, "kernel": kernel,
             "knobs": [], "types": [], "template_parameters": [], "grid": [], "block": [], "reference": "transpose",
             "requirements": [], "has_tile": False, "tile": {"array": "", "rows": "", "cols": "", "pitch": ""},
             "compare": "", "error": ""}
    return {"stage": stage, "knobs": {}, "type": "", "rows": 1, "cols": 1, "batch": 1, "arch": "", "own": own}


PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry look(.param .u64 out, .param .u64 in)
{
  .reg .b64 %rd<5>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];
  mov.u32 %r1, %tid.x; cvt.u64.u32 %rd3, %r1;
  add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
  ld.global.u8 %r2, [%rd2]; st.global.u8 [%rd1], %r2;
  ret;
}
"""


def nothing_of_the_server_is_read_by_a_job(folder):
    """`#include "/etc/…"`, --include /, =@FILE: each finds what it asks for without walls, and nothing within."""
    if not has_wall():
        print("  left out: bubblewrap makes no sandbox here")
        return
    secret = os.path.join(folder, "secret.h")
    pathlib.Path(secret).write_text("#error secret-secret-secret\n")
    looks = [{"job": own_job(PTX, "look", ["u8[4]", f"u8[{os.path.getsize(path)}]=@{path}"], ptx=PTX)}
             for path in ("/etc/passwd", secret)]
    for text in ('#include "/etc/passwd"', f'#include "{secret}"', "#include <secret.h>"):
        source = text + "\n__global__ void include(float* out) { out[0] = 1; }\n"
        looks.append({"job": own_job(source, "include", ["f32[4]"], include_folders=[folder, "/"])})
    asked = [("picture", look) for look in looks] + [("check", looks[-1]), ("analyse", looks[0]), ("check", looks[2])]

    def answers(server, token):
        with Socket(server, token) as socket:
            socket.greeting()
            return [socket.ask(i + 1, method, params) for i, (method, params) in enumerate(asked)]

    bare = os.path.join(folder, "bin")
    os.makedirs(bare)
    for name in os.listdir("/usr/bin"):
        if name != "bwrap":
            os.symlink("/usr/bin/" + name, os.path.join(bare, name))
    with classroom(folder + "/open", environment=dict(os.environ, PATH=bare)) as server:
        without = answers(server, ADA)
    with classroom(folder + "/walled") as server:
        within = answers(server, ADA)
        students = os.path.join(folder, "walled/kept/students/ada")
        expect(os.path.isdir(students), "the student's folder")
    expect(without[0]["type"] == "result", f"=@/etc/passwd without walls: {str(without[0])[:300]}")
    expect("cannot read /etc/passwd" in within[0].get("message", ""), f"=@/etc/passwd within: {str(within[0])[:300]}")
    compiler = "no_compiler" not in str(without[2].get("details"))
    if not compiler:
        print("  left out: there is no compiler for #include")
    else:
        expect("secret-secret-secret" in str(without[3]), f"#include without walls: {str(without[3])[:600]}")
    for (method, params), answer in zip(asked, within):
        text = str(answer)
        expect("secret-secret" not in text and "root:" not in text, f"{method} tells what it must not: {text[:300]}")
        if params["job"]["own"].get("ptx", "") != "":
            expect(answer["type"] == "error", f"{method} has read it")


def tickets(folder):
    """How many were taken for the fake card, of the queue in this folder (app/service/gpu_queue.cpp: the first 8 bytes)."""
    files = list(pathlib.Path(folder).glob("*.queue"))
    return int.from_bytes(files[0].read_bytes()[:8], "little") if files else 0


def fake_card():
    return dict(os.environ, LANEWISE_CUDA_DRIVER=FAKE_DRIVER, LANEWISE_NVML=FAKE_DRIVER)


def cannot_measure(server, token):
    """Why kernels cannot be measured here, if they cannot."""
    if not FAKE_DRIVER:
        return "no driver for tests was given"
    with Listening(server, token) as socket:
        return "there is no compiler here" if "no_compiler" in str(socket.ask(1, "measure", FINE).get("details")) else ""


ENDLESS = {"job": hostile.job("endless"), "options": {"time_limit_s": 3600}}  # until it is cancelled
FINE = {"job": hostile.job("fine"), "options": {"samples": 3}}


def the_gpu_is_shared_in_turns(folder):
    """With a driver made for tests: who waits is told its place, and one student's second engine comes after another's.
    Nothing here is a matter of time: who holds the card does so until the others have said that they wait."""
    with classroom(folder, limits="turn_s = 3600\nrest_s = 0", environment=fake_card()) as server:
        if why := cannot_measure(server, BERT):
            return print("  left out:", why)
        until(lambda: board(server, TEACHER)["connections"] == 0, 60, "who left is still there")
        before = tickets(folder + "/queue")
        with Listening(server, ADA) as first, Listening(server, ADA) as again, Listening(server, BERT) as bert:
            for socket in (first, again, bert):
                status = socket.wait_for(lambda m: m["type"] == "status", "status")
                expect(status["gpu"] and status["gpu"]["name"] == "Fake GPU", f"the card within the walls: {status}")
            first.send(1, "measure", ENDLESS)
            until(lambda: tickets(folder + "/queue") == before + 1, 300, "ada's turn does not begin")
            again.send(1, "measure", FINE)
            again.notice(1, "waiting for the GPU: 1 measurement before this one")  # her own first one
            bert.send(1, "measure", ENDLESS)
            bert.notice(1, "waiting for the GPU: 1 measurement before this one")
            jobs = [job for row in board(server, TEACHER)["students"] for job in row["jobs"]]
            expect(sum("waiting for the GPU" in job for job in jobs) == 2, f"the board: {jobs}")
            expect(tickets(folder + "/queue") == before + 2, "ada has two places among the others")
            first.cancel(1)
            expect(first.answer(1)["status"] == 0, f"a cancelled kernel: {first.answer(1)}")
            # Bert has the card now. Ada's second engine is behind him, and says so: its second notice.
            again.notice(1, "waiting for the GPU: 1 measurement before this one", count=2)
            expect(not any(m["type"] in ("result", "error") for m in again.heard + bert.heard), "ada's second engine came before bert")
            bert.cancel(1)
            expect(again.answer(1)["type"] == "result", f"again: {str(again.answer(1))[:500]}")
            expect(bert.answer(1)["status"] == 0 and bert.ask(2, "measure", FINE)["type"] == "result", "bert's next")
            expect(first.ask(2, "ping")["type"] == "result", "the engine lives on")


def a_turn_on_the_gpu_has_an_end(folder):
    with classroom(folder, limits="turn_s = 5", environment=fake_card()) as server:
        if why := cannot_measure(server, BERT):
            return print("  left out:", why)
        with Listening(server, ADA) as socket:
            begun = time.monotonic()
            answer = socket.ask(1, "measure", ENDLESS)  # in an hour it would end by itself
            expect(answer["status"] == 5 and "the turn on the GPU was over after 5 s, because others wait" in answer["message"],
                   str(answer)[:400])
            expect(time.monotonic() - begun > 5, "it was over before its time")
            answer = socket.ask(2, "ping")
            expect(answer["type"] == "result", f"the next one: {str(answer)[:400]}")


# ---- Limits ------------------------------------------------------------------------------------


def hostile_messages_end_their_own_connection_only(folder):
    with classroom(folder, limits="message_kilobytes = 256\nrest_s = 0\nengines_per_student = 20") as server:
        good = Socket(server, BERT)
        good.greeting()
        for payload, code in ((b"x" * 100, 4001), (b"", 4001), (b"\x05\0\0\0" + encode({"a": 1}), 4001),
                              ((10).to_bytes(4, "little") + b"\x81" * 10, 4001), (os.urandom(1000), 4001),
                              (b"y" * (300 << 10), 1009)):
            with Socket(server, ADA) as socket:
                socket.greeting()
                try:
                    socket.send_bytes(payload)
                    while True:
                        socket.receive(20)
                except Closed as closed:
                    expect(closed.code == code, f"{payload[:20]!r}: {closed}")
                except (ConnectionError, TimeoutError) as error:
                    expect(code == 1009 and isinstance(error, ConnectionError), f"{payload[:20]!r}: {error!r}")
        with Socket(server, ADA) as socket:  # a text
            socket.greeting()
            socket.send_bytes(b"hello", opcode=1)
            try:
                while True:
                    socket.receive(20)
            except Closed as closed:
                expect(closed.code == 4001, str(closed))
        with Socket(server, ADA) as socket:  # a message of 100 MB, said and begun
            socket.greeting()
            socket.line.sendall(b"\x82\xff" + (100 << 20).to_bytes(8, "big") + b"\0\0\0\0" + b"z" * 1000)
            try:
                while True:
                    socket.receive(20)
            except (Closed, ConnectionError) as closed:
                expect(not isinstance(closed, Closed) or closed.code in (1009, 1006), str(closed))
        expect(good.ask(1, "ping")["type"] == "result", "the others are answered")
        good.line.close()


def many_requests_are_refused(folder):
    limits = "open_requests = 4\ncpu_s = 100000\nrenice_after_cpu_s = 100000"
    with classroom(folder, limits=limits) as server, Listening(server, ADA) as socket:
        socket.greeting()
        slow = {"job": job("transpose/10_naive", rows=8192, cols=8192)}  # minutes: none is answered before the eighth comes
        for id in range(1, 9):
            socket.send(id, "analyse", slow)
        refused = [socket.answer(id) for id in range(5, 9)]
        expect(all("4 requests wait for an answer already" in one.get("message", "") for one in refused), f"{refused}")
        for id in range(1, 5):
            socket.cancel(id)
        for id in range(1, 5):  # an engine that does not stop within seconds ends itself, which is an answer, too
            expect(socket.answer(id)["type"] in ("result", "error"), f"the answer to {id}")


def floods_wait(folder):
    with classroom(folder, limits="messages_per_second = 5") as server, Listening(server, ADA) as socket:
        socket.greeting()
        begun = time.monotonic()  # 25 at once at most, then 5 a second: the other 55 take 11 s, however quick the machine is
        for id in range(100, 180):
            socket.send(id, "ping")
        socket.answer(179)
        expect(time.monotonic() - begun > 9, f"a flood took {time.monotonic() - begun:.1f} s")


HEAVY = {"job": job("transpose/10_naive", rows=32768, cols=32768)}  # for an hour


def most_nice(words):
    nice = 0
    for process in processes_with(words):
        try:
            nice = max(nice, os.getpriority(os.PRIO_PROCESS, process))
        except OSError:
            pass
    return nice


def a_heavy_engine_gives_way(folder):
    with classroom(folder, limits="cpu_s = 100000\nrenice_after_cpu_s = 1\nmemory_megabytes = 16000") as server, Listening(server, ADA) as socket:
        socket.greeting()
        mine = folder + "/kept/students/ada"  # of this server's engine, whatever else runs here
        expect(most_nice(mine) == os.nice(0), "it gives way from the start")
        socket.send(1, "analyse", HEAVY)
        until(lambda: most_nice(mine) >= 10, socket.PATIENCE_S, "a heavy engine does not give way")
        row = [row for row in board(server, TEACHER)["students"] if row["name"] == "ada"][0]
        expect(row["gives_way"] and not socket.closed, f"{row} {socket.closed}")


def an_engine_over_its_limit_is_ended_with_a_sentence(folder):
    with classroom(folder, limits="cpu_s = 10\nrenice_after_cpu_s = 100000\nrest_s = 600\nmemory_megabytes = 16000") as server:
        with Listening(server, ADA) as socket:
            socket.greeting()
            for id in range(1, 5):
                socket.send(id, "analyse", HEAVY)
            closed = socket.wait_closed()
            expect(closed and closed.code == 4001 and "seconds of a processor" in closed.reason, str(closed))
            said = [m["message"] for m in socket.heard if m["type"] == "error" and m["message"] != "superseded"]
            expect(said and all("a student may use 10 at a time" in one for one in said), str(said))
        with Listening(server, ADA) as next_one:
            closed = next_one.wait_closed()
            expect(closed and "the next one can start in" in closed.reason, f"the next one started at once: {closed}")


def memory_has_a_limit(folder):
    with classroom(folder, limits="memory_megabytes = 300") as server, Socket(server, ADA) as socket:
        socket.greeting()
        large = {"job": job("transpose/10_naive", rows=16384, cols=16384), "block": 0}  # 1 GiB each of in and out
        try:
            answer = socket.ask(1, "analyse", large)
            expect(answer["type"] == "error" and "memory" in answer["message"], str(answer)[:300])
            expect(socket.ask(2, "ping")["type"] == "result", "the engine lives")
        except Closed as closed:
            expect("of memory, and a student may have" in closed.reason, str(closed))


def whoever_says_nothing_is_not_waited_for(folder):
    with Server(ENGINE, folder) as server:
        lines = [server.connect() for _ in range(50)]
        for line in lines[:25]:
            line.sendall(b"GET / HTTP/1.1\r\nHo")  # and no more
        begun = time.time()
        for line in lines:
            expect(hub_client.read_answer(line) == b"", "something was said")
        expect(5 < time.time() - begun < 30, f"they were let go after {time.time() - begun:.0f} s")
        crowd = [server.connect() for _ in range(260)]  # of one address
        time.sleep(0.5)
        try:
            with Socket(server):
                pass
            expect(False, "one more than one address may have was let in")
        except (Refused, OSError, AssertionError):
            pass
        for line in crowd:
            line.close()
        until(lambda: server.get("/")[0] == 200, 20, "the server does not answer after a crowd")


# ---- The end -----------------------------------------------------------------------------------


def the_server_ends_and_comes_again(folder):
    server = classroom(folder)
    socket = Socket(server, ADA)
    socket.greeting()
    server.process.send_signal(signal.SIGTERM)
    try:
        while True:
            socket.receive(20)
    except Closed as closed:
        expect(closed.code == 4003, str(closed))
    expect(server.process.wait(20) == 0, "SIGTERM")
    until(lambda: not processes_with(folder + "/kept/students"), 10, "engines are left after SIGTERM")
    with classroom(folder) as again:
        with Socket(again, ADA) as socket:
            socket.greeting()
            again.process.kill()
            again.process.wait(20)
    until(lambda: not processes_with(folder + "/kept/students"), 15, "engines are left after SIGKILL")


def who_is_still_connected_does_not_disturb_the_end(folder):
    """What the server frees is overwritten, so that whatever uses it afterwards is seen."""
    server = classroom(folder, environment=dict(os.environ, MALLOC_PERTURB_="165"))
    visitors = [server.connect() for _ in range(3)]  # as a browser holds its connections
    for line in visitors:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        expect(line.recv(12) == b"HTTP/1.1 200", "the page")
    listener = Socket(server, ADA)
    listener.greeting()
    expect(server.stop() == 0, f"with visitors the server ends with {server.process.returncode}: {server.log()}")


def a_lost_connection_is_made_again_by_the_desktop(folder):
    """The server is killed during a job and started again on its port; the job is asked again by itself."""
    server = classroom(folder)
    script = os.path.join(folder, "once")
    os.makedirs(script)
    command = [ENGINE, "run", "transpose/30_padded", "--rows", "64", "--cols", "64", "--engine", f"ws://127.0.0.1:{server.port}"]
    asked = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env=dict(os.environ, LANEWISE_TOKEN=ADA))
    server.process.kill()  # most likely before it has answered; the outcome must be the same in any case
    server.process.wait(20)
    time.sleep(0.5)
    again = classroom(folder, address=f"127.0.0.1:{server.port}")
    out, err = asked.communicate(timeout=120)
    expect(asked.returncode == 4, f"{asked.returncode}: {err}")
    again.stop()


def node_with_sockets():
    """Without the flag of node 20, which others refuse, the script looks for a package of Debian's."""
    flag = "--experimental-websocket"
    has_flag = subprocess.run(["node", "-p", f"process.allowedNodeEnvironmentFlags.has('{flag}')"], capture_output=True, text=True)
    return ["node", flag] if has_flag.stdout.strip() == "true" else ["node"]


def the_pages_script_reaches_it_and_comes_back(folder):
    """engine-socket.js in node: a wrong token, a right one, frames, and a server that is killed and comes again."""
    if not shutil.which("node"):
        print("  left out: node is not installed")
        return
    server = classroom(folder)
    script = subprocess.Popen([*node_with_sockets(), str(hub_client.ROOT / "tests/web/socket_live.js"), f"http://127.0.0.1:{server.port}/", ADA],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    line = script.stdout.readline()
    server.process.kill()
    server.process.wait(20)
    time.sleep(1)
    if line.startswith("asked"):
        again = classroom(folder, address=f"127.0.0.1:{server.port}")
        rest = script.communicate(timeout=60)[0]
        again.stop()
        expect(rest == "asked again\n", f"{line}{rest}")
    else:
        rest = script.communicate(timeout=60)[0]
        print(f"  left out: {line.strip()}") if script.returncode in (77, 9) else expect(False, f"{line}{rest}")


def tokens_are_read_again(folder):
    with classroom(folder) as server:
        expect_refused(401, "not known", server, "eve-eve-eve-eve-eve")
        tokens_file(folder, eve="eve-eve-eve-eve-eve")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: "were read again" in server.log(), 10, "SIGHUP is not heard")
        with Socket(server, "eve-eve-eve-eve-eve") as socket:
            socket.greeting()
        expect_refused(401, "not known", server, ADA)
        tokens_file(folder, eve="short")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: "what was read before stays" in server.log(), 10, "a wrong file")
        with Socket(server, "eve-eve-eve-eve-eve") as socket:
            socket.greeting()


def the_board_is_the_teachers(folder):
    with classroom(folder) as server:
        expect(server.get("/board")[0] == 401, "the board without a token")
        expect("basic" in server.get("/board")[1]["www-authenticate"].lower(), "no password is asked for")
        expect(server.get("/board", Authorization=f"Bearer {ADA}")[0] == 403, "a student sees the board")
        basic = hub_client.base64.b64encode(f"x:{TEACHER}".encode()).decode()
        status, headers, body = server.get("/board", Authorization=f"Basic {basic}")
        expect(status == 200 and b"<h1>A class</h1>" in body and body.count(b"<script") == 1, f"{status} {body[:200]}")
        policy = headers["content-security-policy"]
        expect("default-src 'none'" in policy and "script-src 'self'" in policy and "frame-ancestors 'none'" in policy, policy)
        status, headers, body = server.get("/board.js")
        expect(status == 200 and headers["content-type"].startswith("text/javascript") and b"laneBoard" in body, f"{status} {body[:80]}")
        with Socket(server, ADA) as socket:
            socket.greeting()
            until(lambda: board(server, TEACHER)["students"][0]["memory_bytes"] > 1 << 20, 10, "no memory on the board")


def post(server, token=None, origin="", **words):
    """What the board sends: (status, body)."""
    import urllib.parse
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if origin:
        headers["Origin"] = origin
    status, _, body = server.get("/board?" + urllib.parse.urlencode(words), method="POST", Content_Length="0", **headers)
    return status, body.decode()


def the_class_votes(folder):
    with classroom(folder, limits="engines_per_student = 2") as server:
        with Talk(server, ADA) as ada, Talk(server, BERT, target="/class") as bert, Talk(server, TEACHER, target="/class") as teacher:
            for one in (ada, bert, teacher):
                one.greeting()
                expect(one.say("hello")["poll"] is None, "a poll before it is asked")
            expect(len(board(server, TEACHER)["students"]) == 1, "who listens at /class has an engine")
            asked = teacher.say("ask", stage="transpose/30_padded")
            expect(not asked["failed"] and asked["teaches"], str(asked))
            number = asked["poll"]["number"]
            seen = ada.state(lambda s: s["poll"] and s["poll"]["state"] == "open", "ada is not asked")
            expect(seen["poll"]["choices"] == asked["poll"]["choices"] and seen["poll"]["votes"] is None, str(seen))
            bert.state(lambda s: s["poll"], "bert is not asked")
            for one, choice in ((ada, 0), (bert, 1), (bert, 0), (bert, 0)):
                said = one.say("vote", poll=number, choice=choice)
                expect(not said["failed"] and said["poll"]["mine"] == choice and said["poll"]["votes"] is None, str(said))
            teacher.state(lambda s: s["poll"]["votes"][:2] == [2, 0] and s["poll"]["voters"] == 2, "the votes do not come")
            expect(ada.ask(1, "ping")["type"] == "result", "the engine answers beside it")
            for refused in (ada.say("ask", choices=["a", "b"]), ada.say("reveal"), teacher.say("vote", poll=number, choice=0)):
                expect(refused["failed"], str(refused))
            expect(post(server, ADA, do="reveal")[0] == 403 and post(server, do="reveal")[0] == 403, "a student acts on the board")
            expect(post(server, None, f"http://localhost:{server.port}", do="reveal")[0] == 401, "the board without a token")
            expect(post(server, TEACHER, "http://evil.example", do="reveal")[0] == 403, "another page acts on the board")
            status, body = post(server, TEACHER, f"http://localhost:{server.port}", do="reveal", right="0")
            expect(status == 200, body)
            shown = ada.state(lambda s: s["poll"]["state"] == "revealed", "the votes are not shown")
            expect(shown["poll"]["votes"][:2] == [2, 0] and shown["poll"]["right"] == 0 and "bert" not in str(shown), str(shown))
            expect(board(server, TEACHER)["poll"]["voters"] == 2, "the board's poll")
            expect(ada.say("vote", poll=number, choice=1)["said"] == "no more votes are taken for this question", "a vote after the end")
            status, body = post(server, TEACHER, do="ask", choices="yes\nno\n", question="Clear?")
            expect(status == 200 and json.loads(body)["poll"]["choices"] == ["yes", "no"], body)
            status, body = post(server, TEACHER, do="ask", stage="nonsense")
            expect(status == 400 and "nonsense" in body and body.count("\n") == 0, body)
            ada.state(lambda s: s["poll"]["question"] == "Clear?", "the next question")
            # No engine answers at /class.
            bert.send(1, "ping")
            closed = bert.wait_closed()
            expect(closed and closed.code == 4001 and "no engine answers at /class" in closed.reason, str(closed))
        expect("ada" not in server.log(), "who votes stands in the log")


def who_floods_the_class_slows_nobody(folder):
    """A thousand votes and broken words of one student: others are told each once, at most; nobody is lost."""
    with classroom(folder, limits="messages_per_second = 1000") as server:
        with Talk(server, TEACHER, target="/class") as teacher, Talk(server, ADA, target="/class") as ada, Talk(server, BERT, target="/class") as bert:
            for one in (teacher, ada, bert):
                one.say("hello")
            number = teacher.say("ask", choices=["a", "b", "c"])["poll"]["number"]
            for i in range(1000):
                bert.socket.send({"type": "class", "do": "vote", "poll": number, "choice": i % 3})
            bert.wait_for(lambda m: "re" in m.get("class", {}), "answer to the last", 1001)
            expect(bert.say("nonsense")["failed"], "nonsense")
            teacher.state(lambda s: s["poll"]["votes"] == [1, 0, 0], "the last vote counts")
            expect(ada.say("vote", poll=number, choice=2)["poll"]["mine"] == 2, "ada's vote")
            expect(len(ada.heard) < 10, f"ada was told {len(ada.heard)} times")
            bert.socket.send({"type": "class", "do": "ask", "choices": ["x"] * 500})
            expect((bert.wait_closed() or Closed(0, "")).code == 4001, "a frame that describes much")
            listeners = [Talk(server, ADA, target="/class") for _ in range(7)]
            for one in listeners:
                one.greeting()
            with Talk(server, ADA, target="/class") as one_more:
                closed = one_more.wait_closed()
                expect(closed and "close another one first" in closed.reason, str(closed))
            for one in listeners:
                one.__exit__()


WORKSPACE = '{"lanewise_workspace": 1, "saved": "", "state": "lanewise://1/transpose/30_padded?", "edits": {%s}}'


def what_is_handed_in_can_be_graded(folder):
    os.makedirs(folder, exist_ok=True)
    pathlib.Path(folder, "week.assignment").write_text(
        'title = "Week 2"\ndue = "2020-01-01 12:00"\n[[task]]\nstage = "transpose/30_padded"\npoints = 10\n')
    with classroom(folder, limits='[hand_in]\nassignment = "week.assignment"') as server:
        source = (hub_client.ROOT / "kernels/transpose/30_padded.cu").read_text()
        edited = WORKSPACE % f'"transpose/30_padded": {json.dumps(source)}'
        with Talk(server, ADA) as ada:
            ada.greeting()
            expect(ada.say("hello")["due"] == "2020-01-01T12:00:00Z", "when it is due")
            expect(ada.say("hello")["assignment"] == {"title": "Week 2"}, "which assignment")
            link = ada.say("assignment")["link"]
            expect(link.startswith("lanewise://1/assignment?text=") and "30_padded" in link, link)
            ada.say("predicted", stage="transpose/30_padded", choice="32", right=False)
            ada.say("predicted", stage="transpose/30_padded", choice="1", right=True)  # later, when it was shown
            predicted = board(server, TEACHER)["predictions"]
            expect(predicted == [{"stage": "transpose/30_padded", "answered": 1, "right": 0,
                                  "wrong": [{"choice": "32", "count": 1}]}], str(predicted))
            expect(ada.say("board")["said"] == "only the teacher does this, whose token says so", "the board is the teacher's")
            with Talk(server, TEACHER, target="/class") as teacher:
                shown = teacher.say("board")["board"]
                expect([one["name"] for one in shown["students"]] == ["ada"] and shown["predictions"] == predicted, str(shown))
            expect(ada.say("hello")["predictions"] is None, "the class's predictions are the teacher's")
            expect(b"<td>32 (1)</td>" in server.get("/board", Authorization=f"Bearer {TEACHER}")[2], "the board's page")
            said = ada.say("hand_in", workspace=WORKSPACE % "", name="../../bert")
            expect(said["said"] == "Handed in, after the time it was due." and said["hand_in"]["late"], str(said))
            said = ada.say("hand_in", workspace=edited)
            expect(said["hand_in"]["earlier"] == 1, str(said))
            expect("no workspace" in ada.say("hand_in", workspace=edited[:-9])["said"], "one that is cut")
        file = os.path.join(folder, "bert.lanewise")
        pathlib.Path(file).write_text(WORKSPACE % "")

        def hand_in(path, **more):
            return subprocess.run([ENGINE, "hand-in", path, "--engine", f"ws://127.0.0.1:{server.port}"], capture_output=True, text=True,
                                  timeout=300, env=dict(os.environ, LANEWISE_HOME=str(hub_client.ROOT), **more))
        done = hand_in(file, LANEWISE_TOKEN=BERT)
        expect((done.returncode, done.stdout) == (0, "Handed in, after the time it was due.\n"), f"{done}")
        done = hand_in(file)
        expect(done.returncode != 0 and "this token is not known here" in done.stderr, f"{done}")
        pathlib.Path(file).write_text("nothing")
        done = hand_in(file, LANEWISE_TOKEN=BERT)
        expect(done.returncode == 2 and "this is no workspace of Lanewise" in done.stderr, f"{done}")
        rows = board(server, TEACHER)["hand_ins"]
        expect([(row["student"], row["late"], row["earlier"]) for row in rows] == [("ada", True, 1), ("bert", True, 0)], str(rows))
        expect(b"ada</td><td>20" in server.get("/board", Authorization=f"Bearer {TEACHER}")[2], "the board's page")
        kept = pathlib.Path(folder, "kept", "hand-ins")
        expect({p.relative_to(kept).as_posix() for p in kept.rglob("*") if p.is_file()} == {"ada.lanewise", "bert.lanewise", ".earlier/ada.1.lanewise"},
               str(list(kept.rglob("*"))))
        expect((kept / "ada.lanewise").read_text() == edited, "what was handed in")
        words = [ENGINE, "grade", str(kept), "--assignment", folder + "/week.assignment", "--json", "--unsandboxed"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=400, env=dict(os.environ, LANEWISE_HOME=str(hub_client.ROOT)))
        marks = json.loads(done.stdout) if done.returncode == 0 else {"students": []}
        expect([(one["student"], one["late"]) for one in marks["students"]] == [("ada", True), ("bert", True)], f"{done.stdout[:600]} {done.stderr}")


def the_class_in_a_browser(folder):
    """The pages' bar and the teacher's board in Chromium; the window itself is a stub."""
    if not shutil.which("node") or not shutil.which("chromium"):
        print("  left out: node or Chromium is not installed")
        return
    page = os.path.join(folder, "page")
    shutil.copytree(hub_client.ROOT / "app/web/page", page)
    pathlib.Path(page, "window.js").write_text("""
        (async () => {
          window.keysHeard = 0;
          const way = await lanewiseSockets.find({address: new URL(location.href), fetch: (...rest) => fetch(...rest), WebSocket, storage: localStorage,
              ask: async () => null, agree: () => false, forget: () => {}, say: async (text) => console.log(text)});
          window.bar = new lanewiseClass.Bar(way, document.getElementById('class'), {document, frames: lanewiseFrames});
          window.addEventListener('keydown', () => { ++window.keysHeard; }, true);  // as the window does, later than the bar
          document.getElementById('notice').hidden = true;
          way.open((frame) => { window.isOpen = true; }, (why) => console.log(why));
        })();""")
    with classroom(folder, page=page) as server:
        words = [*node_with_sockets(), str(hub_client.HERE / "class_live.js"), f"http://localhost:{server.port}/", ADA, BERT, TEACHER,
                 *([os.environ["LANEWISE_PICTURES"]] if "LANEWISE_PICTURES" in os.environ else [])]
        done = subprocess.run(words, capture_output=True, text=True, timeout=900)
        if done.returncode == 77:
            return print("  left out:", done.stdout.strip())
        expect(done.returncode == 0 and done.stdout == "fine\n", f"{done.stdout}{done.stderr}{server.log()}")


def a_folder_that_is_too_large_ends_the_engine(folder):
    with classroom(folder, limits="disk_megabytes = 64\nrest_s = 0") as server, Listening(server, ADA) as socket:
        socket.greeting()
        mine = pathlib.Path(folder, "kept", "students", "ada")
        (mine / "cache").mkdir(exist_ok=True)
        elsewhere = pathlib.Path(folder, "large")
        with open(elsewhere, "wb") as large:
            for _ in range(70):
                large.write(os.urandom(1 << 20))
        elsewhere.rename(mine / "cache" / "large")  # whole at once: the server looks when it likes
        closed = socket.wait_closed()
        expect(closed and closed.code == 4001 and re.match(r"your folder holds 7\d(\.\d)? MiB, and a student may have 64 MiB", closed.reason), str(closed))
        with Listening(server, BERT) as bert:
            expect(bert.ask(1, "ping")["type"] == "result", "the others go on")

        def next_one():
            with Listening(server, ADA) as again:
                again.changed.acquire()
                again.changed.wait_for(lambda: again.heard or again.closed, again.PATIENCE_S)
                again.changed.release()
                return not again.closed
        until(next_one, 60, "the next engine does not start")  # once the last one has ended
        expect(not (mine / "cache" / "large").exists(), "the folder was not emptied")


def an_engine_has_no_connection_of_others(folder):
    """It would hold them open when the server closes them, and read what is none of its student's business."""
    def sockets_of(process):
        links = set()
        for entry in pathlib.Path("/proc", str(process), "fd").glob("*"):
            try:
                links.add(os.readlink(entry))
            except OSError:
                pass  # it was closed meanwhile, or is another user's
        return {link for link in links if link.startswith("socket:")}

    with classroom(folder) as server, server.connect() as earlier:
        server.get("/engine.json")  # so that the earlier one was accepted
        with Socket(server, ADA) as socket:
            socket.greeting()
            ours = sockets_of(server.process.pid)
            expect(len(ours) >= 3, f"what listens, {earlier.getsockname()} and the student's: {ours}")
            engines = [process for process in processes_with("lanewise-engine\0serve\0") if process != server.process.pid]
            expect(engines, "there is no engine")
            for process in engines:
                expect(not ours & sockets_of(process), f"the engine has {ours & sockets_of(process)} of the server's")


def a_prefix_stands_before_the_engine(folder):
    script = os.path.join(folder, "prefix.sh")
    pathlib.Path(script).write_text(f'#!/bin/sh\necho "$2 $3" >>{folder}/started\nshift\nexec "$@"\n')
    os.chmod(script, 0o755)
    with classroom(folder, "--engine-prefix", f"{script} --gres=gpu:1") as server, Socket(server, ADA) as socket:
        socket.greeting()
        expect(socket.ask(1, "ping")["type"] == "result", "behind a prefix")
        expect("env -i" in pathlib.Path(folder, "started").read_text(), "the prefix was not used")


AT_ONCE = 12


def tried(name):
    """Runs the case of this name: what it says, and its faults."""
    said = io.StringIO()
    # Not below /tmp, which is private within the walls in any case.
    with contextlib.redirect_stdout(said), tempfile.TemporaryDirectory(dir=os.path.dirname(ENGINE), ignore_cleanup_errors=True) as folder:
        faults.clear()
        begun = time.time()
        try:
            globals()[name](folder)
        except Exception as error:
            print(traceback.format_exc())
            expect(False, f"{name}: {error!r}")
        print(f"{name}: {time.time() - begun:.1f} s")
    return said.getvalue(), list(faults)


def main():
    # Names of cases, or, behind a minus sign, of those that are left out.
    chosen = [word for word in sys.argv[3:] if not word.startswith("-")]
    left_out = [word[1:] for word in sys.argv[3:] if word.startswith("-")]
    cases = [case.__name__ for case in globals().values() if inspect.isfunction(case) and case.__module__ == "__main__"
             and case.__code__.co_varnames[:1] == ("folder",) and case.__code__.co_argcount == 1
             and not case.__code__.co_flags & inspect.CO_VARARGS and case is not tickets]
    cases = [name for name in cases if (not chosen or name in chosen) and name not in left_out]
    all_faults = []
    with concurrent.futures.ProcessPoolExecutor(AT_ONCE, multiprocessing.get_context("fork")) as pool:
        for done in concurrent.futures.as_completed([pool.submit(tried, name) for name in cases]):
            said, of_case = done.result()
            print(said, end="", flush=True)
            all_faults += of_case
    print("fine" if not all_faults else f"{len(all_faults)} faults")
    sys.exit(1 if all_faults else 0)


main()
