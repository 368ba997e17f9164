"""A decision model on the loopback that answers as a test tells it to, and fails in every way one can."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[[BaseHTTPRequestHandler, dict[str, object]], None]


class Model:
    """What the model was asked, and how it answers from now on."""

    def __init__(self) -> None:
        self.asked: list[dict[str, object]] = []
        self.bodies: list[bytes] = []
        self.answer: Answer = says(0.99)
        self.url = ""


@contextmanager
def answering() -> Iterator[Model]:
    """Serve a model on a free port of the loopback."""
    model = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            model.bodies.append(body)
            model.asked.append(json.loads(body))
            try:
                model.answer(self, model.asked[-1])
            except OSError:
                return

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_port}/judge"
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def sends(body: bytes, status: int = 200) -> Answer:
    """Answer with these bytes."""

    def answer(handler: BaseHTTPRequestHandler, _: dict[str, object]) -> None:
        handler.send_response(status)
        handler.send_header("content-type", "application/json")
        handler.send_header("content-length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def says(chance: float) -> Answer:
    """Answer a yes/no question with a probability of yes."""
    return sends(json.dumps({"probabilities": {"yes": chance, "no": round(1 - chance, 9)}}).encode())


def late(seconds: float) -> Answer:
    """Answer too late."""

    def answer(handler: BaseHTTPRequestHandler, asked: dict[str, object]) -> None:
        time.sleep(seconds)
        says(0.99)(handler, asked)

    return answer


def trickling(seconds: float) -> Answer:
    """Answer byte by byte, each in time, and never to the end."""

    def answer(handler: BaseHTTPRequestHandler, _: dict[str, object]) -> None:
        handler.send_response(200)
        handler.send_header("content-length", "1000")
        handler.end_headers()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)

    return answer


def hanging_up(handler: BaseHTTPRequestHandler, _: dict[str, object]) -> None:
    """Close the connection without a word."""
    handler.connection.close()


def flapping(good: Answer, bad: Answer) -> Answer:
    """Answer well and badly in turn."""
    turn = [0]

    def answer(handler: BaseHTTPRequestHandler, asked: dict[str, object]) -> None:
        turn[0] += 1
        (good if turn[0] % 2 else bad)(handler, asked)

    return answer
