"""Several API processes under one that watches them: one that dies takes no answer of another with it."""

import os
import signal
import socket
from contextlib import suppress
from pathlib import Path

from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.processor_time import children
from tests.support.server import ROOT_TOKEN
from tests.support.waiting import until


def holder(connection: socket.socket, pids: list[int]) -> int | None:
    """The process that has the other end of a connection."""
    ends = [f"{port:04X}" for _, port in (connection.getpeername(), connection.getsockname())]
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    inodes = [one[9] for one in lines if [one[1].rpartition(":")[2], one[2].rpartition(":")[2]] == ends]
    for pid in pids:
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                if str(file.readlink()) in [f"socket:[{inode}]" for inode in inodes]:
                    return pid
    return None


def listens(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def test_when_one_dies_again_and_again_the_others_finish_before_the_end(databases: Databases, tmp_path: Path) -> None:
    with ServerProcess(databases.fresh(tmp_path), tmp_path, INGOT_WORKERS="2") as server:
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            body = b'{"bio": "late"}'
            head = f"PUT /api/v4/users/1 HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: {ROOT_TOKEN}\r\nConnection: close\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            connection.sendall(head.encode() + body[:5])
            answering = until(lambda: holder(connection, children(server.pid)))

            def others_die() -> bool:
                """Each that takes the place of one is killed soon after its birth."""
                for pid in children(server.pid):
                    if pid != answering:
                        with suppress(ProcessLookupError):
                            os.kill(pid, signal.SIGKILL)
                return not listens(server.port)

            until(others_die)
            # Whoever supervises it would now end what is left.
            assert children(server.pid) == [answering]
            connection.sendall(body[5:])
            answer = b"".join(iter(lambda: connection.recv(65536), b""))

        assert b'"bio":"late"' in answer
        assert server.end() != 0
