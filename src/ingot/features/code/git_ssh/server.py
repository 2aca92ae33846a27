"""The embedded server: public keys only, modern algorithms only, sessions that run one git command each."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import asyncssh

from ingot.features.code.git_ssh import texts
from ingot.features.code.git_ssh.access import Caller
from ingot.features.code.git_ssh.bounded import BoundedChannel, BoundedConnection
from ingot.features.code.git_ssh.conversation import UNKNOWN, Conversation
from ingot.features.code.git_ssh.holders import KeyName, find_key
from ingot.features.code.git_ssh.limits import MOST_OFFERED_KEYS, MOST_SESSIONS, Places
from ingot.kit.services import Services

log = logging.getLogger("ingot.ssh")

# Clients choose the first entry of their own list that is in this one. PuTTY and older libraries know no AES-GCM.
CIPHERS = (
    "aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "chacha20-poly1305@openssh.com", "aes256-ctr", "aes192-ctr",
    "aes128-ctr",
)  # fmt: skip
MACS = ("hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512")
KEY_EXCHANGES = (
    "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp521", "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp256",
)  # fmt: skip
SIGNATURES = (
    "ssh-ed25519", "sk-ssh-ed25519@openssh.com", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521",
    "sk-ecdsa-sha2-nistp256@openssh.com", "rsa-sha2-512", "rsa-sha2-256",
)  # fmt: skip
LOGIN_SECONDS = 60
KEEP_ALIVE_SECONDS, KEEP_ALIVE_MISSES = 15, 8
WINDOW = 1 << 20
"""Bytes that a client may send ahead of git."""
BUFFERED_BYTES = 256 * 1024
"""Bytes that may wait for git in a session before the client is paused."""
EARLY_BYTES = 64 * 1024
"""Bytes that a client may send before its command runs: clients of git wait until the server has spoken."""


async def listen(services: Services, listener: socket.socket, host_keys: list[Path], base_url: str) -> Any:
    """Serve on a bound socket; returns the acceptor, which is closed at the end."""
    places = Places()
    return await asyncssh.listen(
        sock=listener,
        server_factory=lambda: Connection(services, places, base_url),
        server_host_keys=[_host_key(file) for file in host_keys],
        send_server_host_keys=True,
        server_version="Ingot",
        encoding=None,
        line_editor=False,
        allow_pty=False,
        allow_scp=False,
        agent_forwarding=False,
        x11_forwarding=False,
        password_auth=False,
        kbdint_auth=False,
        host_based_auth=False,
        gss_auth=False,
        gss_kex=False,
        kex_algs=KEY_EXCHANGES,
        encryption_algs=CIPHERS,
        mac_algs=MACS,
        signature_algs=SIGNATURES,
        compression_algs=None,
        login_timeout=LOGIN_SECONDS,
        keepalive_interval=KEEP_ALIVE_SECONDS,
        keepalive_count_max=KEEP_ALIVE_MISSES,
        config=None,
    )


def _host_key(file: Path) -> asyncssh.SSHKeyPair:
    """The key of a file. An RSA key signs with SHA-2 only; the library would offer SHA-1, too."""
    pair = asyncssh.load_keypairs(str(file))[0]
    if pair.get_algorithm() == "ssh-rsa":
        pair.host_key_algorithms = (b"rsa-sha2-512", b"rsa-sha2-256")
    return pair


class Connection(asyncssh.SSHServer):
    """One client: authenticates it by its key, and starts its sessions."""

    def __init__(self, services: Services, places: Places, base_url: str) -> None:
        self._services, self._places, self._base_url = services, places, base_url
        self._host = ""
        self._offered = 0
        self._is_user = False
        self._key: KeyName | None = None  # the last that was offered; after authentication, the one that was proven
        self._is_known = False
        self.sessions = 0

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self.conn = BoundedConnection.take_over(conn)
        peer = conn.get_extra_info("peername")
        self._host = str(peer[0]) if peer else ""
        problem = self._places.enter(self._host, self.conn.abort)
        if problem is not None:
            conn.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, problem)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the library calls it so
        self._places.leave(self._host, self.conn.abort, str(self._key) if self._is_known else None)

    def begin_auth(self, username: str) -> bool:
        self._is_user = username == self._services.settings.ssh_user
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    async def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:  # noqa: ARG002 - as above
        """Called before the client has proven anything: nothing is written here."""
        self._offered += 1
        if self._offered > MOST_OFFERED_KEYS:
            self.conn.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, "Too many keys were offered.")
            return False
        if not self._is_user:
            return False
        self._key = await self._services.pools.run(partial(self._look_up, key.public_data), wide=False)
        return self._key is not None

    def _look_up(self, blob: bytes) -> KeyName | None:
        with self._services.db.read() as conn:
            return find_key(conn, blob)

    def auth_completed(self) -> None:
        self._is_known = True
        if not self._places.introduce(self.conn.abort, str(self._key)):
            self.conn.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, "Too many connections with your key.")

    def session_requested(self) -> Any:
        if self.sessions >= MOST_SESSIONS or self._key is None:
            raise asyncssh.ChannelOpenError(asyncssh.OPEN_RESOURCE_SHORTAGE, "too many concurrent sessions")
        channel = self.conn.create_server_channel(encoding=None, window=WINDOW)
        channel.__class__ = BoundedChannel
        return channel, Session(self, self._services, Caller(self._key, self._host, self._base_url))


class Session(asyncssh.SSHServerSession[bytes]):
    """One command of a client."""

    def __init__(self, connection: Connection, services: Services, caller: Caller) -> None:
        self._connection, self._services, self._caller = connection, services, caller
        self._command = ""
        self._arrived: asyncio.Queue[bytes | None] = asyncio.Queue()  # None: the client is gone
        self._buffered = 0
        self._is_paused = False
        self._is_read = False
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._is_lost = False
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        self._connection.sessions += 1
        chan.set_write_buffer_limits(high=BUFFERED_BYTES)

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._command = command
        return True

    def session_started(self) -> None:
        self._task = asyncio.create_task(self._run())

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002 - as above
        self._buffered += len(data)
        if self._buffered > EARLY_BYTES and not self._is_read:
            self._channel.abort()  # hundreds may wait in line: together they would fill the memory
            return
        self._arrived.put_nowait(data)
        if not self._is_paused and self._buffered > BUFFERED_BYTES:
            self._is_paused = True
            self._channel.pause_reading()

    def eof_received(self) -> bool:
        self._arrived.put_nowait(b"")
        return True

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the library calls it so
        self._connection.sessions -= 1
        self._is_lost = True
        self._arrived.put_nowait(None)
        self._may_write.set()
        if self._task is not None:
            self._task.cancel()

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()

    async def chunks(self) -> AsyncIterator[bytes]:
        """What the client sends."""
        self._is_read = True
        while chunk := await self._arrived.get():
            self._buffered -= len(chunk)
            if self._is_paused and self._buffered <= BUFFERED_BYTES // 2:
                self._is_paused = False
                self._channel.resume_reading()
            yield chunk
        if chunk is None:
            raise ConnectionError("the client is gone")

    async def write(self, data: bytes) -> None:
        """Standard output of the command."""
        await self._write(data, None)

    async def write_error(self, data: bytes) -> None:
        """Standard error output of the command."""
        await self._write(data, asyncssh.EXTENDED_DATA_STDERR)

    async def _write(self, data: bytes, kind: int | None) -> None:
        await self._may_write.wait()
        await self._connection.conn.may_write.wait()
        if self._is_lost:
            raise ConnectionError("the client is gone")
        try:
            self._channel.write(data, kind)
        except BrokenPipeError as error:
            raise ConnectionError("the client is gone") from error

    async def _run(self) -> None:
        protocol = self._channel.get_environment().get("GIT_PROTOCOL")
        conversation = Conversation(self._services, self._caller, self, protocol)
        status = UNKNOWN
        try:
            status = await conversation.run(self._command)
        except ConnectionError:
            return  # the client disconnected
        except Exception:
            log.exception("ssh command failed", extra={"key": str(self._caller.key)})
            await self.write_error(texts.block(f"ERROR: {texts.TROUBLE}"))
        finally:
            if not self._is_lost:
                self._channel.exit(status)
