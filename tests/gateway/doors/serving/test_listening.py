"""What the gateway listens on."""

import socket

from gateway.doors.serving.server import listen


def test_every_connection_sends_at_once() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
