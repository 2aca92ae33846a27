"""Commands over SSH that reach for files, programs and the environment of the server."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingot.features.code.git_ssh.command_line import Unreadable, parse
from tests.features.code.git_ssh.ssh_client import SshWorld, ssh_server
from tests.support.databases import Databases

pytestmark = pytest.mark.costly

PATHS = (
    "../../../../etc", "root/../../data", "/etc/passwd", "root/p'; touch /tmp/x; '", "root/\x1b[31m", "@hashed/aa/bb",
    "root/p\nq", "root//p", "-u/--exec", "root/" + "x" * 4000,
)  # fmt: skip
COMMANDS = (
    "sh", "git-upload-pack", "git-upload-pack --strict a/b", "git-shell -c id", "git upload-pack --upload-pack=id a/b",
    "git-receive-pack a/b; id", "scp -t /tmp", "git-lfs-transfer a/b upload", "git daemon", "git-upload-pack $(id)/b c",
)  # fmt: skip


@pytest.fixture(scope="module")
def ssh(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshWorld]:
    data = tmp_path_factory.mktemp("data")
    with ssh_server(databases.fresh(data), data) as server:
        world = SshWorld(server, tmp_path_factory.mktemp("ssh"))
        world.project()
        _, key = world.person()
        world.wait_for_ssh(key)
        yield world


def test_a_path_is_looked_up_and_never_opened(ssh: SshWorld) -> None:
    _, key = ssh.person()

    for path in PATHS:
        quoted = path.replace("'", "'\\''")
        run = ssh.ssh(key, f"git-upload-pack '{quoted}'")
        assert run.code == 1, run.text
        assert "could not be found" in run.text
        assert "\x1b" not in run.text


def test_nothing_but_our_commands_is_run(ssh: SshWorld) -> None:
    _, key = ssh.person()

    for command in COMMANDS:
        run = ssh.ssh(key, command)
        assert run.code == 128, run.text
        assert "uid=" not in run.text
    assert "Failed to parse command" in ssh.ssh(key, "git-upload-pack 'open").text
    with pytest.raises(Unreadable):  # OpenSSH cannot send it, others can
        parse("personal_access_token 'a\0b' api")


def test_the_environment_of_a_client_does_not_reach_git(ssh: SshWorld, tmp_path: Path) -> None:
    project = ssh.project()
    _, key = ssh.member(project, 40)
    mark = tmp_path / "mark"
    sent = [
        f"GIT_TRACE={mark}",
        f"GIT_SSH_COMMAND=touch {mark}",
        "GIT_CONFIG_COUNT=0",
        f"GIT_PROTOCOL=version=2 {mark}",
    ]
    options = tuple(word for one in sent for word in ("-o", f"SetEnv={one.replace(' ', '_')}"))

    run = ssh.ssh(key, f"git-upload-pack '{project['path_with_namespace']}'", stdin=b"0000", options=options)

    assert "refs/heads/main" in run.text  # the older protocol: what the client set is no version
    assert not mark.exists()


def test_neither_a_terminal_nor_a_tunnel_nor_a_file_service_is_opened(ssh: SshWorld) -> None:
    _, key = ssh.person()

    terminal = ssh.ssh(key, options=("-tt",))
    tunnel = ssh.ssh(key, options=("-W", f"127.0.0.1:{ssh.server.port}"))
    files = ssh.ssh(key, "sftp", options=("-s",))

    assert "PTY allocation request failed" in terminal.text
    assert tunnel.code != 0
    assert "HTTP" not in tunnel.text
    assert files.code != 0


def test_weak_algorithms_and_passwords_are_not_offered(ssh: SshWorld) -> None:
    _, key = ssh.person()

    for option in ("KexAlgorithms=diffie-hellman-group14-sha1", "Ciphers=aes128-cbc", "HostKeyAlgorithms=ssh-rsa"):
        assert ssh.ssh(key, options=("-o", option)).code == 255
    for option in ("Ciphers=chacha20-poly1305@openssh.com", "Ciphers=aes128-ctr", "Ciphers=aes128-gcm@openssh.com"):
        assert ssh.ssh(key, options=("-o", option, "-o", "MACs=hmac-sha2-256")).text.startswith("Welcome to ")
    assert "Permission denied (publickey)." in ssh.ssh(key, user="nobody").text  # no other way is named
    offered = b""
    with socket.create_connection(("127.0.0.1", ssh.port), timeout=120) as line:
        line.sendall(b"SSH-2.0-reader\r\n")
        while b"none" not in offered:  # the list of compressions is the last
            offered += line.recv(4096)
    assert not [weak for weak in (b"sha1", b"md5", b"cbc", b"arcfour", b"ssh-rsa") if weak in offered], offered
