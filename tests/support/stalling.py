"""A way to a server that can fall silent: it accepts and says nothing, or stops in the middle of what it passes on.

Or it is slow: bytes come a few at a time, so that it is never silent.
"""

import contextlib
import socket
import threading
import time

DROP = 256  # bytes


class StallingProxy:
    """Passes connections on until told otherwise; `pass_on` lets go of everything that was held."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self._left: int | None = None  # bytes that may still pass; None: all
        self._pause = 0.0  # seconds between two pieces of a few bytes
        self._lock = threading.Lock()
        self._held: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def fall_silent(self, after: int = 0) -> None:
        """Pass no more than so many bytes, in either direction, over all connections."""
        with self._lock:
            self._left = after

    def trickle(self, pause: float) -> None:
        """Pass everything on, a few bytes at a time, with a pause of so many seconds after each."""
        with self._lock:
            self._pause = pause

    def pass_on(self) -> None:
        """Work again; connections that were stuck are closed."""
        with self._lock:
            self._left = None
            self._pause = 0.0
            held, self._held = self._held, []
        for end in held:
            _close(end)

    def close(self) -> None:
        """Stop listening."""
        self.pass_on()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._target)
            except OSError:
                near.close()
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while data := one.recv(16384):
                with self._lock:
                    room = len(data) if self._left is None else min(len(data), self._left)
                    if self._left is not None:
                        self._left -= room
                    if room < len(data):
                        self._held += [one, other]
                self._send(other, data[:room])
                if room < len(data):
                    return
        except OSError:
            pass
        _close(one)
        _close(other)

    def _send(self, end: socket.socket, data: bytes) -> None:
        while self._pause and data:
            end.sendall(data[:DROP])
            data = data[DROP:]
            time.sleep(self._pause)
        end.sendall(data)


def _close(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
