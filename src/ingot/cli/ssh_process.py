"""The process of `ingot serve` that answers SSH: forked before anything runs, asleep until the API is ready."""

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ingot.cli.early_end import end_at_once_when_told

if TYPE_CHECKING:
    from ingot.kit.services import Services

log = logging.getLogger("ingot.ssh")
END_SECONDS = 20.0


class SshProcess:
    """The child, seen from its parent.

    A pipe signals it to begin and, once closed, to end, also when the parent dies.
    """

    def __init__(self, pid: int, pipe: int) -> None:
        self.pid, self._pipe = pid, pipe
        self._is_ending = False
        self._has_ended = threading.Event()
        threading.Thread(target=self._wait, name="ssh-process", daemon=True).start()

    def begin(self) -> None:
        """The API is ready."""
        with suppress(BrokenPipeError):
            os.write(self._pipe, b".")

    def end(self) -> None:
        """Let commands that are under way finish, for a while."""
        self._is_ending = True
        os.close(self._pipe)
        if not self._has_ended.wait(END_SECONDS):
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def _wait(self) -> None:
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        self._has_ended.set()
        if not self._is_ending:
            log.error("the SSH server has stopped; restart Ingot to restore SSH access")


def start_ssh(
    services: "Services",
    http: socket.socket,
    listener: socket.socket | None,
    url: str,
    share_measures: Callable[[], None],
) -> SshProcess:
    """Fork the process that answers SSH."""
    inlet, outlet = os.pipe()
    pid = os.fork()
    if pid:
        os.close(inlet)
        if listener is not None:
            listener.close()
        return SshProcess(pid, outlet)
    status = 1
    try:
        os.close(outlet)
        http.close()
        end_at_once_when_told()
        if os.read(inlet, 1):
            share_measures()
            _serve(services, listener, inlet, url)
        status = 0
    except SystemExit:
        status = 0
    except BaseException:
        log.exception("the SSH server failed")
    finally:
        sys.stderr.flush()
        os._exit(status)


def _serve(services: "Services", listener: socket.socket | None, inlet: int, url: str) -> None:
    from ingot.features.code.git_ssh import serve_ssh

    os.set_blocking(inlet, False)
    serve_ssh(services, listener, inlet, url)
    services.db.dispose()
