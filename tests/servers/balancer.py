"""A balancer of our own: each new connection goes to the next server that takes it."""

import itertools
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

SIZE = 65_536


class Balancer:
    """Spreads connections over `ports` in turn; one that is down is passed over. `taken` counts them."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.taken: dict[int, int] = dict.fromkeys(ports, 0)
        self._turns = itertools.cycle(ports)
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(client,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, client: socket.socket) -> None:
        """Pass bytes on both ways until both ends are done, then close them."""
        server = self._next()
        if server is None:
            client.close()
            return
        with client, server:
            back = threading.Thread(target=_pass_on, args=(server, client), daemon=True)
            back.start()
            _pass_on(client, server)
            back.join()

    def _next(self) -> socket.socket | None:
        for _ in self.taken:
            port = next(self._turns)
            with suppress(OSError):
                server = socket.create_connection(("127.0.0.1", port), timeout=2)
                server.settimeout(None)
                self.taken[port] += 1
                return server
        return None


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(SIZE):
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
