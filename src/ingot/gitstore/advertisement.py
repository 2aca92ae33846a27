"""What a git service says first, and protocol 2's list of refs, without a process where the refs are few.

Which capabilities git has is learnt from git itself, once for each installed version.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from functools import cache

from ingot.gitstore.ls_refs import LsRefs
from ingot.gitstore.pkt_line import FLUSH, packet_length, pkt
from ingot.gitstore.ref_snapshot import RefSnapshot, take_snapshot
from ingot.gitstore.repository import Repository

RECEIVE_PACK = "git-receive-pack"

Installed = tuple[int, int, int]
_greetings: dict[str, tuple[Installed, bytes]] = {}  # by service
_capabilities: dict[str, tuple[Installed, list[bytes]]] = {}  # by service
_SYMREF = b"symref"  # where the name of HEAD's branch goes


def constant_greeting(service: str, ask: Callable[[], bytes]) -> bytes:
    """Protocol 2's greeting is the same for every repository: `ask` is called once."""
    present, held = installed(), _greetings.get(service)
    if held is None or held[0] != present:
        held = _greetings[service] = (present, ask())
    return held[1]


def learn_capabilities(service: str, answer: bytes) -> None:
    """Remember what git offers, from an answer of the first protocol version."""
    try:
        line = answer[4 : packet_length(answer[:4])]
    except ValueError:
        return
    _, separator, words = line.rstrip(b"\n").partition(b"\0")
    offered = [_SYMREF if word.startswith(b"symref=HEAD:") else word for word in words.split()]
    # A repository without a first commit does not show where git puts the name of HEAD's branch.
    if separator and (service == RECEIVE_PACK or _SYMREF in offered):
        _capabilities[service] = (installed(), offered)


def list_refs(repo: Repository, service: str, hidden: Sequence[str]) -> bytes | None:
    """The greeting of the first protocol version; None where git has to be asked."""
    held = _capabilities.get(service)
    if held is None or held[0] != installed():
        return None
    snapshot = take_snapshot(repo, hidden)
    if snapshot is None:
        return None
    if service == RECEIVE_PACK:
        return _listing([(ref.name, ref.oid) for ref in snapshot.refs], held[1])
    head = snapshot.head
    symref = [] if head is None else [b"symref=HEAD:" + snapshot.head_target]
    offered = [word for given in held[1] for word in (symref if given == _SYMREF else [given])]
    lines = [(b"HEAD", head)] if head is not None else []
    for ref in snapshot.refs:
        lines.append((ref.name, ref.oid))
        if ref.peeled is not None:
            lines.append((ref.name + b"^{}", ref.peeled))
    return _listing(lines, offered)


def answer_ls_refs(repo: Repository, question: LsRefs, hidden: Sequence[str]) -> bytes | None:
    """The answer to the command `ls-refs`; None where git has to be asked."""
    snapshot = take_snapshot(repo, hidden)
    if snapshot is None:
        return None
    lines = [_head_line(snapshot, question)] if question.matches(b"HEAD") else []
    for ref in snapshot.refs:
        if question.matches(ref.name):
            peeled = b" peeled:" + ref.peeled if question.peel and ref.peeled is not None else b""
            lines.append(pkt(b"%s %s%s\n" % (ref.oid, ref.name, peeled)))
    return b"".join([*lines, FLUSH])


def _head_line(snapshot: RefSnapshot, question: LsRefs) -> bytes:
    head = snapshot.head
    target = b" symref-target:" + snapshot.head_target if question.symrefs else b""
    if head is not None:
        return pkt(b"%s HEAD%s\n" % (head, target))
    return pkt(b"unborn HEAD%s\n" % target) if question.unborn and target else b""


def _listing(lines: list[tuple[bytes, bytes]], offered: list[bytes]) -> bytes | None:
    if not lines:
        return None  # git has a form of its own for nothing
    (name, oid), *others = lines
    first = pkt(b"%s %s\0%s\n" % (oid, name, b" ".join(offered)))
    return b"".join([first, *(pkt(b"%s %s\n" % (oid, name)) for name, oid in others), FLUSH])


def installed() -> Installed:
    """Changes when another git is installed while the service runs."""
    try:
        state = os.stat(_program())  # noqa: PTH116 - asked for at every request
    except OSError:
        return 0, 0, 0
    return state.st_ino, state.st_mtime_ns, state.st_size


@cache
def _program() -> str:
    return shutil.which("git") or "git"
