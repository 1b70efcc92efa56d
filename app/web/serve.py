"""Serves the page's files on this machine alone: serve.py FOLDER [PORT]. A port that is in use is no
fault where none was asked for: the next free one is taken."""
import functools
import http.server
import pathlib
import sys

FIRST_PORT = 8021


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map,
                      ".js": "text/javascript", ".gz": "application/octet-stream", ".programs": "application/octet-stream"}

    def end_headers(self):
        # A page that was just built is to be seen, not the one before it.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_message(self, format, *args):
        pass


def open_server(folder, port):
    handler = functools.partial(Handler, directory=str(folder))
    for each in [port] if port is not None else range(FIRST_PORT, FIRST_PORT + 20):
        try:
            return http.server.ThreadingHTTPServer(("127.0.0.1", each), handler)
        except OSError as error:
            problem = f"port {each} of this machine cannot be used: {error.strerror}"
    sys.exit(f"lanewise: {problem}; name another one")


def main():
    folder = pathlib.Path(sys.argv[1])
    if len(sys.argv) > 2 and not (sys.argv[2].isdigit() and int(sys.argv[2]) < 65536):
        sys.exit(f"lanewise: a port is a number from 0 to 65535, not \"{sys.argv[2]}\"")
    with open_server(folder, int(sys.argv[2]) if len(sys.argv) > 2 else None) as server:
        print(f"lanewise: http://127.0.0.1:{server.server_address[1]}/  (Ctrl+C ends it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
