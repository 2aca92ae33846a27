"""What OpenSSH runs: `ingot ssh authorized-keys` and `ingot ssh shell`. Small, because every connection starts it.

Both talk to the server over the socket in its data folder, and import nothing else of it.
"""

import base64
import binascii
import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OUTPUT, ERROR, EXIT = 1, 2, 3
LONGEST_PATH = 100
CHUNK = 1 << 16
OPTIONS = "no-port-forwarding,no-X11-forwarding,no-agent-forwarding,no-pty"
NOT_THERE = "Ingot is not running, or this user cannot access it. Contact the administrator."


def socket_path(data_folder: Path) -> Path:
    """Where the server listens."""
    return data_folder / "ssh.socket"


@contextmanager
def reachable_path(path: Path) -> Iterator[str]:
    """The path in a form that is short enough for the system, however deep the folder is."""
    if len(os.fsencode(path)) <= LONGEST_PATH:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def read_blob(text: str) -> bytes | None:
    """The content of a key, or None."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def authorized_keys(words: list[str], data_folder: Path, program: str) -> int:
    """`ingot ssh authorized-keys USER KEY`: the line that lets the owner of a key in; nothing for unknown ones."""
    with _connect(data_folder) as line:
        if len(words) != 2 or read_blob(words[1]) is None:
            return 0
        # sshd runs this without our settings: the server knows the name.
        line.sendall(json.dumps({"user": words[0], "blob": words[1]}).encode() + b"\n")
        answer = b"".join(iter(lambda: line.recv(CHUNK), b"")).decode().strip()
    if answer:
        name, _, key = answer.partition(" ")
        sys.stdout.write(f'command="{program} ssh shell --data {data_folder} {name}",{OPTIONS} {key}\n')
    return 0


def shell(name: str, data_folder: Path) -> int:
    """`ingot ssh shell key-5`: serves the command that the client asked OpenSSH for."""
    question = {
        "key": name,
        "command": os.environ.get("SSH_ORIGINAL_COMMAND", ""),
        "protocol": os.environ.get("GIT_PROTOCOL", ""),
        "address": os.environ.get("SSH_CONNECTION", "").partition(" ")[0],
    }
    with _connect(data_folder) as line:
        line.sendall(json.dumps(question).encode() + b"\n")
        threading.Thread(target=_send_input, args=(line,), daemon=True).start()
        return _show_answer(line)


def _connect(data_folder: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    with reachable_path(socket_path(data_folder)) as place:
        line.connect(place)
    return line


def _send_input(line: socket.socket) -> None:
    try:
        while chunk := os.read(0, CHUNK):
            line.sendall(chunk)
        line.shutdown(socket.SHUT_WR)
    except OSError:
        return  # the answer is complete


def _show_answer(line: socket.socket) -> int:
    with line.makefile("rb") as answer:
        while header := answer.read(5):
            data = answer.read(int.from_bytes(header[1:]))
            if header[0] == EXIT:
                return int(data)
            _write(1 if header[0] == OUTPUT else 2, data)
    return 128


def _write(descriptor: int, data: bytes) -> None:
    pending = memoryview(data)
    while pending:
        pending = pending[os.write(descriptor, pending) :]


def main(words: list[str]) -> int:
    """`ingot ssh …`, without the rest of the command line."""
    from ingot import settings

    name, *rest = words
    data: str | None = None
    if rest[:1] == ["--data"] and len(rest) > 1:
        data, rest = rest[1], rest[2:]
    try:
        folder = settings.load({"data": data}).data_folder
        if name == "authorized-keys":
            return authorized_keys(rest, folder, sys.argv[0])
        return shell(rest[-1] if rest else "", folder)
    except (OSError, settings.SettingError) as error:
        sys.stderr.write(f"ingot: {NOT_THERE if isinstance(error, OSError) else error}\n")
        return 1
