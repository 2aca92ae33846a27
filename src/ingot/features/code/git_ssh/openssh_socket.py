"""The socket for the machine's own OpenSSH: it lies in the data folder, which only the service's own user can open.

`ingot ssh authorized-keys` asks here for the owner of a key, `ingot ssh shell` has its command served here. Each sends
one line of JSON; what the client of a command sends follows as it is, the answer comes in frames.
"""

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from ingot.features.code.git_ssh import texts
from ingot.features.code.git_ssh.access import Caller
from ingot.features.code.git_ssh.conversation import UNKNOWN, Conversation
from ingot.features.code.git_ssh.holders import DEPLOY, KeyName, find_key
from ingot.features.people.users import login_key
from ingot.features.spaces.deploy_keys import deploy_key_by_id
from ingot.kit.services import Services
from ingot.ssh_client import ERROR, EXIT, OUTPUT, reachable_path, read_blob, socket_path

log = logging.getLogger("ingot.ssh")
CHUNK = 1 << 16


async def listen(services: Services, base_url: str) -> asyncio.Server:
    """Open the socket; one that a killed server left behind is replaced."""
    path = socket_path(services.settings.data_folder)
    with suppress(FileNotFoundError):
        path.unlink()
    command_server = CommandServer(services, base_url)
    with reachable_path(path) as place:
        server = await asyncio.start_unix_server(command_server.serve, path=place, limit=CHUNK)
    _close_to_others(path)
    return server


def _close_to_others(path: Path) -> None:
    os.chmod(path, 0o600)  # noqa: PTH101 - a socket


class CommandServer:
    """Answers the two commands."""

    def __init__(self, services: Services, base_url: str) -> None:
        self._services, self._base_url = services, base_url

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One command, to its end."""
        try:
            message = json.loads(await reader.readline())
            if "blob" in message:
                if str(message.get("user", "")) == self._services.settings.ssh_user:
                    find = partial(self._key_line, str(message["blob"]))
                    writer.write(await self._services.pools.run(find, wide=False))
                    await writer.drain()
            else:
                await self._run(message, reader, writer)
        except (ConnectionError, ValueError, asyncio.LimitOverrunError):
            pass  # disconnected, or invalid
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    def _key_line(self, text: str) -> bytes:
        """Name and text of a key, for the line of an `authorized_keys` file; empty for an unknown one."""
        blob = read_blob(text)
        with self._services.db.read() as conn:
            name = None if blob is None else find_key(conn, blob)
            if name is None:
                return b""
            row = deploy_key_by_id(conn, name.id) if name.kind == DEPLOY else None
            own = login_key(conn, key_id=name.id) if row is None else None
        key = row.key if row is not None else own.text if own is not None else ""
        return f"{name} {' '.join(key.split()[:2])}\n".encode() if key else b""

    async def _run(
        self, message: dict[str, object], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        key = KeyName.parse(str(message.get("key", "")))
        line = FramedLine(reader, writer)
        status = UNKNOWN
        if key is None:
            await line.write_error(texts.block("The name of the key is missing."))
        else:
            caller = Caller(key, str(message.get("address", "")), self._base_url)
            protocol = str(message.get("protocol") or "") or None
            conversation = Conversation(self._services, caller, line, protocol, is_forced=True)
            status = await self._converse(conversation, message, line)
        await line.send(EXIT, str(status).encode())

    async def _converse(self, conversation: Conversation, message: dict[str, object], line: "FramedLine") -> int:
        """Serve the command; it ends when the client disconnects."""
        try:
            return await conversation.run(str(message.get("command") or ""))
        except ConnectionError:
            raise
        except Exception:
            log.exception("ssh command failed", extra={"key": str(message.get("key"))})
            await line.write_error(texts.block(texts.TROUBLE))
            return UNKNOWN


class FramedLine:
    """The connection of a command behind OpenSSH."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def chunks(self) -> AsyncIterator[bytes]:
        """What the client sends."""
        while chunk := await self._reader.read(CHUNK):
            yield chunk

    async def write(self, data: bytes) -> None:
        """Standard output of the command."""
        await self.send(OUTPUT, data)

    async def write_error(self, data: bytes) -> None:
        """Standard error output of the command."""
        await self.send(ERROR, data)

    async def send(self, kind: int, data: bytes) -> None:
        """One frame."""
        self._writer.write(bytes([kind]) + len(data).to_bytes(4) + data)
        await self._writer.drain()
