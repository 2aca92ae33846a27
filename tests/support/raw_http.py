"""HTTP by hand, over a bare socket: for requests that no client library would send."""

import contextlib
import socket
from urllib.parse import urlsplit


def connect(url: str, timeout: float = 120) -> socket.socket:
    """A connection to the server."""
    place = urlsplit(url)
    return socket.create_connection((place.hostname, place.port), timeout)


def exchange(url: str, request: bytes, timeout: float = 120, *, half_close: bool = False) -> bytes:
    """Send the bytes; everything that comes back until the server closes."""
    with connect(url, timeout) as connection:
        with contextlib.suppress(OSError):  # refused before all was sent
            connection.sendall(request)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
        return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    """What the server sends until it closes, also by a reset."""
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionError:
        pass
    return received


def statuses(answer: bytes) -> list[int]:
    """The statuses of all answers in a stream."""
    return [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:]]
