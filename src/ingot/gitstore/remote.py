"""Fetching from a repository elsewhere over HTTP. The caller has checked the address; git dials exactly that one."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from urllib.parse import unquote, urlsplit

import msgspec

from ingot.gitstore import refs
from ingot.gitstore.errors import CommandFailed, GitError, InvalidRefName
from ingot.gitstore.listing import list_refs
from ingot.gitstore.names import BRANCHES, TAGS, is_valid_branch
from ingot.gitstore.object_checks import check_settings
from ingot.gitstore.objects import is_ancestor
from ingot.gitstore.process import LONG, Limits
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.gitstore.scratch import quarantine, release
from ingot.kit.patterns import pattern

_PLAIN_HOST = pattern(r"[a-z0-9][a-z0-9._-]*|[0-9a-f:.]+")
ALL_REFS = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")


class Remote(msgspec.Struct, frozen=True):
    """`url` without credentials, `address` the one that its host name stands for, `login` as `user:password`."""

    url: str
    address: str
    login: str | None = None

    @property
    def config(self) -> Mapping[str, str]:
        """No redirects, no proxy, no name server: git must not be led elsewhere."""
        parts = urlsplit(self.url)
        if not _PLAIN_HOST.fullmatch(parts.hostname or ""):
            # Git would rewrite it and resolve the new name, bypassing the given address.
            raise GitError("The repository URL must contain only ASCII characters.")
        port = parts.port or (443 if parts.scheme == "https" else 80)
        result = {
            f"protocol.{parts.scheme}.allow": "always",
            "http.followRedirects": "false",
            "http.proxy": "",
            "http.curloptResolve": f"{parts.hostname}:{port}:{self.address}",
            "http.lowSpeedLimit": "1",
            "http.lowSpeedTime": "120",
            **dict(check_settings("fetch")),
        }
        if self.login is not None:
            result["http.extraHeader"] = f"Authorization: {authorization(self.login)}"
        return result


def authorization(login: str) -> str:
    """The header that a login of an address stands for; a token that stands alone has an empty password."""
    user, _, password = login.partition(":")
    return f"Basic {base64.b64encode(f'{unquote(user)}:{unquote(password)}'.encode()).decode()}"


class Selection(msgspec.Struct, frozen=True):
    """What a fetch may change here: branches whose name is chosen, and all tags."""

    has_branch: Callable[[str], bool] = lambda _name: True
    overwrites: bool = True  # else nothing is lost here that the remote lacks

    def has_ref(self, ref: str) -> bool:
        """Whether the ref takes part."""
        return not ref.startswith(BRANCHES) or self.has_branch(ref.removeprefix(BRANCHES))


EVERYTHING = Selection()


def fetch_all(
    repo: Repository, remote: Remote, selection: Selection = EVERYTHING, *, limits: Limits = LONG
) -> dict[str, tuple[str | None, str | None]]:
    """Mirror branches and tags of the remote; those deleted there are deleted here. Returns what moved: (old, new).

    Git keeps the objects of a fetch that fails its checks, so they arrive in a quarantine.
    """
    with quarantine(repo) as arriving:
        _git(arriving, remote, "fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head",
             "--no-auto-maintenance", "--end-of-options", remote.url, *ALL_REFS, limits=limits)  # fmt: skip
        release(arriving, repo)
        new, old = (list_refs(one, BRANCHES, TAGS) for one in (arriving, repo))
        moves = {
            ref: (old.get(ref), new.get(ref))
            for ref in old.keys() | new.keys()
            if old.get(ref) != new.get(ref) and selection.has_ref(ref)
        }
        if not selection.overwrites:
            moves = {ref: move for ref, move in moves.items() if not _would_lose(arriving, ref, *move)}
    # Deletions first: a branch `a` may have to make room for `a/b`.
    for deletes in (True, False):
        part = sorted((ref, move[1]) for ref, move in moves.items() if (move[1] is None) == deletes)
        refs.update(repo, [RefUpdate(ref, sha) for ref, sha in part])
    return moves


def _would_lose(arriving: Repository, ref: str, old: str | None, new: str | None) -> bool:
    """Whether the move drops commits of a branch here that the remote does not have. Tags follow the remote."""
    if old is None or not ref.startswith(BRANCHES):
        return False
    if new is not None:
        return not is_ancestor(arriving, old, new)
    return not arriving.git("for-each-ref", "--count=1", f"--contains={old}", BRANCHES).stdout.strip()


def default_branch(repo: Repository, remote: Remote) -> str | None:
    """The remote's HEAD branch, None for a repository without one."""
    output = _git(repo, remote, "ls-remote", "--symref", "--end-of-options", remote.url, "HEAD", limits=Limits(60.0))
    for line in output.splitlines():
        if line.startswith("ref: ") and line.endswith("\tHEAD"):
            name = line.removeprefix("ref: ").removesuffix("\tHEAD").removeprefix(BRANCHES)
            if not is_valid_branch(name):
                raise InvalidRefName(name)
            return name
    return None


def _git(repo: Repository, remote: Remote, *args: str, limits: Limits) -> str:
    try:
        return repo.git(*args, limits=limits, config=remote.config).text
    except CommandFailed as error:
        lines = [line for line in error.stderr.splitlines() if line.startswith(("fatal:", "error:"))]
        raise GitError(f"The repository could not be fetched: {'; '.join(lines)[:300] or 'git failed'}") from error
