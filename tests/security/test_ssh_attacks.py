"""Clients over SSH that do what no git client does: they reach for more, send without end, or never read."""

import asyncio
import os
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, TypeVar

import asyncssh
import pytest
from asyncssh.packet import String, UInt32

from tests.features.code.git_http.git_client import GitClient
from tests.features.code.git_ssh.ssh_client import Key, SshWorld, new_key, ssh_server
from tests.support.databases import Databases
from tests.support.processor_time import children

pytestmark = pytest.mark.costly

T = TypeVar("T")
MEGABYTE = 1 << 20
MOST_GROWTH = 64 * MEGABYTE
MOST_UNKNOWN = 256
MOST_OFFERED_KEYS = 20
MOST_SESSIONS = 10


@pytest.fixture(scope="module")
def ssh(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshWorld]:
    data = tmp_path_factory.mktemp("data")
    with ssh_server(databases.fresh(data), data) as server:
        world = SshWorld(server, tmp_path_factory.mktemp("ssh"))
        world.project()
        _, key = world.person()
        world.wait_for_ssh(key)
        yield world


@pytest.fixture(scope="module")
def key(ssh: SshWorld) -> Key:
    return ssh.person()[1]


def connected(ssh: SshWorld, key: Key, work: Callable[[asyncssh.SSHClientConnection], Awaitable[T]]) -> T:
    """Do something on a connection of its own."""

    async def run() -> T:
        keys = [str(key.file)]
        async with asyncssh.connect(
            "127.0.0.1", ssh.port, username="git", client_keys=keys, known_hosts=None, agent_path=None, config=None
        ) as line:
            return await asyncio.wait_for(work(line), 300)

    return asyncio.run(run())


def ssh_process(ssh: SshWorld) -> int:
    """The child of the server that answers SSH."""
    inode = next(
        fields[9]
        for fields in map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
        if fields[1].endswith(f":{ssh.port:04X}") and fields[3] == "0A"
    )
    return next(child for child in children(ssh.server.pid) if f"socket:[{inode}]" in _open_files(child))


def _open_files(pid: int) -> set[str]:
    names = set()
    with suppress(FileNotFoundError):  # the process has just ended
        for file in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # the file has just been closed
                names.add(os.readlink(file))  # noqa: PTH115 - no file has that name
    return names


def private_memory(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:"))


def read_so_far(pid: int) -> int:
    """Bytes that the process has read, from git and from clients."""
    return int(Path(f"/proc/{pid}/io").read_text().split()[1])


def greeting(ssh: SshWorld, key: Key) -> str:
    return ssh.ssh(key, options=("-T",)).text


def test_no_way_leads_past_git(ssh: SshWorld, key: Key) -> None:
    """Tunnels in both directions, to sockets too, file services and terminals."""

    async def work(line: asyncssh.SSHClientConnection) -> list[str]:
        here = ("127.0.0.1", ssh.server.port)
        ways: dict[str, Callable[[], Awaitable[object]]] = {
            "to a port": lambda: line.open_connection(*here),
            "to a socket": lambda: line.open_unix_connection(str(Path(ssh.server.data) / "ssh.socket")),
            "from a port": lambda: line.forward_remote_port("127.0.0.1", 0, *here),
            "from a socket": lambda: line.forward_remote_path("/tmp/ingot-forwarded", "/tmp/x"),
            "files": line.start_sftp_client,
            "a subsystem": lambda: line.create_process(subsystem="shell", encoding=None),
            "a terminal": lambda: line.create_process(term_type="xterm", encoding=None),
        }
        opened = []
        for name, way in ways.items():
            try:
                await way()
            except (asyncssh.Error, asyncssh.ChannelListenError, OSError):
                continue
            opened.append(name)
        return opened

    assert connected(ssh, key, work) == []


PATHS = (
    "root/project-0/../project-0", "~root/project-0", "~/../root", "root/\0project-0", "root/project-0\0.git", "~",
    "/", "", ".", "//", "root/project-0/info/lfs", "file:///etc", "root/project-0;id", "root/$(id)", "root/`id`",
    'root/project-0" --upload-pack="id', "x" * 8000,
)  # fmt: skip


def test_a_path_that_is_none_finds_nothing(ssh: SshWorld, key: Key) -> None:
    async def work(line: asyncssh.SSHClientConnection) -> dict[str, tuple[int | None, bytes, bool]]:
        answers = {}
        for path in PATHS:
            done = await line.run(f"git-upload-pack '{path}'", encoding=None)
            answers[path] = (done.exit_status, done.stdout, b"could not be found" in done.stderr)
        return answers

    assert connected(ssh, key, work) == dict.fromkeys(PATHS, (1, b"", True))


def test_a_running_command_is_given_nothing_more(ssh: SshWorld) -> None:
    """Neither a second command beside it, nor an agent, a display or a terminal."""
    project = ssh.project()
    _, key = ssh.member(project, 30)
    requests = {
        b"exec": String(b"git-receive-pack 'a/b'"),
        b"shell": b"",
        b"subsystem": String(b"sftp"),
        b"auth-agent-req@openssh.com": b"",
        b"x11-req": b"\0" + String(b"MIT-MAGIC-COOKIE-1") + String(b"00" * 16) + UInt32(0),
        b"pty-req": String(b"xterm") + UInt32(80) + UInt32(24) + UInt32(0) + UInt32(0) + String(b"\0"),
    }

    async def work(line: asyncssh.SSHClientConnection) -> tuple[dict[bytes, bool], bytes, int | None]:
        process = await line.create_process(f"git-upload-pack '{project['path_with_namespace']}'", encoding=None)
        granted = {name: await process.channel._make_request(name, content) for name, content in requests.items()}
        process.stdin.write(b"0000")
        process.stdin.write_eof()
        done = await process.wait()
        return granted, bytes(done.stdout or b""), done.exit_status

    granted, output, status = connected(ssh, key, work)

    assert granted == dict.fromkeys(requests, False)
    assert b"refs/heads/main" in output  # the first one goes on
    assert status == 0


def test_variables_without_end_are_not_held(ssh: SshWorld) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 30)
    pid = ssh_process(ssh)
    variables = {f"V{number}": "x" * 30_000 for number in range(3_000)}

    async def work(line: asyncssh.SSHClientConnection) -> int:
        before = private_memory(pid)
        command = f"git-upload-pack '{project['path_with_namespace']}'"
        process = await line.create_process(command, env=variables, encoding=None)
        await process.stdout.read(4)
        return private_memory(pid) - before

    assert connected(ssh, key, work) < MOST_GROWTH


def push_noise(ssh: SshWorld, project: dict[str, Any], folder: Path) -> str:
    """Push what cannot be compressed; returns the commit."""
    git = GitClient(folder)
    git.ok("init", "-q", "-b", "noise")
    git.ok("config", "core.compression", "0")  # trying would take seconds
    for number in range(4):
        (folder / f"noise-{number}").write_bytes(os.urandom(24 * MEGABYTE))
    git.ok("add", ".")
    git.ok("commit", "-q", "-m", "Noise")
    git.ok("push", "-q", ssh.server.address(project), "noise")
    return git.ok("rev-parse", "HEAD").strip()


def test_what_a_client_does_not_read_stays_with_git(ssh: SshWorld, tmp_path: Path) -> None:
    """Also when the client says that it takes gigabytes at once."""
    project = ssh.project()
    _, key = ssh.member(project, 30)
    commit = push_noise(ssh, project, tmp_path / "noise")
    pid = ssh_process(ssh)

    async def work(line: asyncssh.SSHClientConnection) -> int:
        command = f"git-upload-pack '{project['path_with_namespace']}'"
        process = await line.create_process(command, window=1 << 31, encoding=None)
        await process.stdout.read(4)
        before = private_memory(pid)
        process.stdin.write(f"0032want {commit}\n00000009done\n".encode())
        await asyncio.sleep(0)  # it is sent now
        line._transport.pause_reading()
        amounts: deque[int] = deque(maxlen=20)
        while len(amounts) < 20 or amounts[0] != amounts[-1]:  # until nothing moves any more
            amounts.append(read_so_far(pid))
            await asyncio.sleep(0.1)
        return private_memory(pid) - before

    assert connected(ssh, key, work) < MOST_GROWTH


def test_strangers_who_only_connect_do_not_keep_others_out(ssh: SshWorld, key: Key) -> None:
    with ExitStack() as stack:
        for _ in range(MOST_UNKNOWN + 20):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", ssh.port)))
            assert line.recv(4)
        assert "Welcome" in greeting(ssh, key)


def test_keys_without_end_are_not_tried(ssh: SshWorld) -> None:
    wrong = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(MOST_OFFERED_KEYS + 5)]

    async def run() -> None:
        await asyncssh.connect(
            "127.0.0.1", ssh.port, username="git", client_keys=wrong, known_hosts=None, agent_path=None, config=None
        )

    with pytest.raises(asyncssh.DisconnectError, match="Too many keys were offered"):
        asyncio.run(run())


def test_a_connection_has_a_few_commands_at_once(ssh: SshWorld) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 30)

    async def work(line: asyncssh.SSHClientConnection) -> None:
        command = f"git-upload-pack '{project['path_with_namespace']}'"
        for _ in range(MOST_SESSIONS):
            await line.create_process(command, encoding=None)
        with pytest.raises(asyncssh.ChannelOpenError, match="too many concurrent sessions"):
            await line.create_process(command, encoding=None)

    connected(ssh, key, work)


def test_a_signature_of_sha1_is_no_proof(ssh: SshWorld) -> None:
    pair = new_key(ssh.folder, "rsa", "rsa")
    ssh.server.call("POST", "/user/keys", json={"title": "rsa", "key": pair.public})

    assert "Welcome" in greeting(ssh, pair)
    assert "Welcome" not in ssh.ssh(pair, options=("-T", "-o", "PubkeyAcceptedAlgorithms=ssh-rsa")).text


@pytest.mark.parametrize("packet", [b"\xff" * 4, b"\0" * 4, b"\x7f\xff\xff\xff", b"\0\0\0\x01\xff"])
def test_broken_packets_end_the_connection(ssh: SshWorld, key: Key, packet: bytes) -> None:
    pid = ssh_process(ssh)
    before = private_memory(pid)

    with socket.create_connection(("127.0.0.1", ssh.port), timeout=120) as line:
        line.sendall(b"SSH-2.0-x\r\n" + packet)
        with suppress(ConnectionError):
            for _ in range(200):
                line.sendall(b"\0" * MEGABYTE)
            pytest.fail("everything was read")

    assert private_memory(pid) - before < MOST_GROWTH
    assert "Welcome" in greeting(ssh, key)


def test_who_waits_in_line_is_asked_again_and_sends_little(ssh: SshWorld) -> None:
    project = ssh.project()
    user, key = ssh.member(project, 30)
    command = f"git-upload-pack '{project['path_with_namespace']}'"

    async def work(line: asyncssh.SSHClientConnection) -> tuple[int | None, bytes]:
        keys = [str(key.file)]
        async with asyncssh.connect(
            "127.0.0.1", ssh.port, username="git", client_keys=keys, known_hosts=None, agent_path=None, config=None
        ) as other:
            # As many as one user may have at once.
            running = [
                await (line if number % 2 else other).create_process(command, encoding=None) for number in range(16)
            ]
            for process in running:
                assert await process.stdout.read(4)
            # Clients of git say nothing before the server has spoken: this one is ended at once.
            hasty = await line.create_process(command, encoding=None)
            hasty.stdin.write(b"x" * MEGABYTE)
            await hasty.wait_closed()
            assert hasty.exit_status is None
            waiting = await line.create_process(command, encoding=None)
            for _ in range(3):  # looked up after the command before them, which is in line when they are answered
                assert (await other.run()).exit_status == 0
            ssh.server.call("DELETE", f"/projects/{project['id']}/members/{user['id']}")
            running[0].terminate()
            running[0].close()
            done = await waiting.wait()
            for process in running:
                process.close()
            return done.exit_status, bytes(done.stderr or b"")

    status, text = connected(ssh, key, work)

    assert (status, b"could not be found" in text) == (1, True), text
