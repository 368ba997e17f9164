"""A network of our own between a client and a server: slow, stalled or cut when a test says so."""

import queue
import socket
import threading
import time
from contextlib import suppress
from typing import Self

SIZE = 65_536
FAMILIES = {True: socket.AF_UNIX, False: socket.AF_INET}

Address = str | tuple[str, int]


class Proxy:
    """Passes bytes on between a loopback port and `target`, a socket's path or (host, port).

    `delay` is in seconds and each way, so that a round trip takes twice as long. `opened` counts connections,
    `left` those that the client has shut, `turns` how often a client spoke after the server had: the round
    trips, as long as one client speaks.
    """

    def __init__(self, target: Address, delay: float = 0.0, port: int = 0) -> None:
        self.delay = delay
        self.opened = 0
        self.left = 0
        self.turns = 0
        self._server_spoke = True
        self._target = target
        self._flows = threading.Event()
        self._flows.set()
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # A thread that waits in accept() wakes only when the socket is shut.
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._flows.set()
        self.cut()

    def stall(self) -> None:
        """Pass nothing on any more; every connection stays open."""
        self._flows.clear()

    def resume(self) -> None:
        """Pass on again, what was held back first."""
        self._flows.set()

    def cut(self) -> None:
        """Break every connection off that is open now."""
        for end in tuple(self._sockets):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self.opened += 1
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server = socket.socket(FAMILIES[isinstance(self._target, str)])
            server.connect(self._target)
            self._sockets += (client, server)
            both = threading.Barrier(2)
            for ends in ((client, server, both, False), (server, client, both, True)):
                threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _count(self, from_server: bool) -> None:
        self.turns += self._server_spoke and not from_server
        self._server_spoke = from_server

    def _pass_on(
        self, source: socket.socket, sink: socket.socket, both: threading.Barrier, from_server: bool
    ) -> None:
        """Read as bytes come and write them when they are due: a delay must not slow the stream down."""
        due: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        writer = threading.Thread(target=self._write, args=(due, sink), daemon=True)
        writer.start()
        with suppress(OSError):
            while data := source.recv(SIZE):
                self._count(from_server)
                due.put((time.monotonic() + self.delay, data))
        self.left += not from_server
        due.put((time.monotonic() + self.delay, b""))
        writer.join()
        both.wait()
        source.close()

    def _write(self, due: queue.SimpleQueue[tuple[float, bytes]], sink: socket.socket) -> None:
        with suppress(OSError):
            while True:
                at, data = due.get()
                time.sleep(max(0.0, at - time.monotonic()))
                self._flows.wait()
                if not data:
                    sink.shutdown(socket.SHUT_RDWR)
                    return
                sink.sendall(data)
