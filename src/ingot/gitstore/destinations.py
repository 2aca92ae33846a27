"""Where refs are pushed to: a repository elsewhere over HTTP, SSH or git's own protocol.

The caller has checked the address; git, or the `ssh` that it starts, dials exactly that one.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

import msgspec

from ingot.gitstore.remote import Remote

PORTS = {"ssh": 22, "git": 9418, "http": 80, "https": 443}
_ASKPASS = '#!/bin/sh\nprintf "%s\\n" "$INGOT_SSH_PASSWORD"\n'


class Destination(msgspec.Struct, frozen=True):
    """`url` without credentials, `address` the one that its host stands for, `login` as `user:password`.

    `key` is a private key for SSH, `host_keys` are lines of a `known_hosts` file behind the name of the host. Without
    any, the key of the first connection is taken.
    """

    url: str
    address: str
    login: str | None = None
    key: str | None = None
    host_keys: tuple[str, ...] = ()


class Line(msgspec.Struct, frozen=True):
    """What git needs to reach a destination."""

    url: str
    config: Mapping[str, str]
    environment: Mapping[str, str]
    known_hosts: Path | None = None

    def host_keys(self) -> tuple[str, ...]:
        """The keys by which the host is known now."""
        if self.known_hosts is None:
            return ()
        lines = (line.split(None, 1) for line in self.known_hosts.read_text().splitlines())
        return tuple(parts[1] for parts in lines if len(parts) == 2)


@contextmanager
def line_to(destination: Destination) -> Iterator[Line]:
    """The line, for as long as the files last that hold its secrets."""
    scheme = urlsplit(destination.url).scheme
    if scheme == "ssh":
        with tempfile.TemporaryDirectory(prefix="ingot-ssh-") as folder:
            yield _ssh(destination, Path(folder))
    elif scheme == "git":
        yield _daemon(destination)
    else:
        remote = Remote(destination.url, destination.address, destination.login)
        yield Line(destination.url, remote.config, {})


def _daemon(destination: Destination) -> Line:
    parts = urlsplit(destination.url)
    host = f"[{destination.address}]" if ":" in destination.address else destination.address
    url = urlunsplit(parts._replace(netloc=f"{host}:{parts.port or PORTS['git']}"))
    return Line(url, {"protocol.git.allow": "always"}, {"GIT_OVERRIDE_VIRTUAL_HOST": parts.netloc})


def _ssh(destination: Destination, folder: Path) -> Line:
    parts = urlsplit(destination.url)
    user, _, password = unquote(destination.login or "git").partition(":")
    known = _file(folder / "known_hosts", "".join(f"{parts.hostname} {key}\n" for key in destination.host_keys))
    options = {
        "HostName": destination.address,
        "HostKeyAlias": parts.hostname or "",
        "UserKnownHostsFile": str(known),
        "GlobalKnownHostsFile": "/dev/null",
        "StrictHostKeyChecking": "yes" if destination.host_keys else "accept-new",
        "HashKnownHosts": "no",
        "UpdateHostKeys": "no",
        "ConnectTimeout": "30",
        "ServerAliveInterval": "30",
        "IdentitiesOnly": "yes",
        "IdentityAgent": "none",
        "ForwardAgent": "no",
        "ClearAllForwardings": "yes",
        "NumberOfPasswordPrompts": "1",
    }
    environment = {"GIT_SSH_VARIANT": "ssh"}
    if destination.key is not None:
        options |= {"IdentityFile": str(_file(folder / "key", destination.key)), "BatchMode": "yes"}
    elif password:
        options["PreferredAuthentications"] = "password,keyboard-interactive"
        ask = _file(folder / "ask", _ASKPASS, mode=0o700)
        environment |= {"SSH_ASKPASS": str(ask), "SSH_ASKPASS_REQUIRE": "force", "INGOT_SSH_PASSWORD": password}
    else:
        options |= {"IdentityFile": "none", "BatchMode": "yes"}
    words = ["ssh", "-F", "/dev/null", *(f"-o{name}={value}" for name, value in options.items())]
    environment["GIT_SSH_COMMAND"] = shlex.join(words)
    url = urlunsplit(parts._replace(netloc=f"{user}@{parts.netloc}"))
    return Line(url, {"protocol.ssh.allow": "always"}, environment, known)


def _file(path: Path, text: str, mode: int = 0o600) -> Path:
    path.touch(mode)
    path.write_text(text)
    return path
