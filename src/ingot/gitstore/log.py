"""Lists of commits. One `git log` per list; statistics of a page cost one more process, not one per commit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache

import msgspec
import pygit2

from ingot.gitstore import objects
from ingot.gitstore.errors import RevisionNotFound
from ingot.gitstore.model import Commit, Person, moment, text, zone_minutes
from ingot.gitstore.names import is_sha
from ingot.gitstore.process import DEFAULT, Limits
from ingot.gitstore.remembered import remembered
from ingot.gitstore.repository import Repository

_FORMAT = "%H%x00%T%x00%P%x00%an%x00%ae%x00%ad%x00%cn%x00%ce%x00%cd%x00%B"
_FIELDS = 10
LAST_AGE = 2**31 - 1
_LIMITS = Limits(output=8 << 20)  # messages may have a megabyte each
_FEW = 20  # commits that are read without starting a process; a message may have a megabyte


class LogQuery(msgspec.Struct, frozen=True):
    """Which commits. `include` and `exclude` hold full ids (see `revisions`); `all` adds every branch and tag."""

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    all: bool = False
    since: datetime | None = None
    until: datetime | None = None
    path: str | None = None
    author: str | None = None
    message: str | None = None
    """A text that the message contains; letter case does not count."""
    first_parent: bool = False
    no_merges: bool = False
    topological: bool = False
    reverse: bool = False
    follow: bool = False
    skip: int = 0
    limit: int | None = None


class CommitStats(msgspec.Struct, frozen=True):
    additions: int
    deletions: int

    @property
    def total(self) -> int:
        return self.additions + self.deletions


def commits(repo: Repository, query: LogQuery) -> list[Commit]:
    """Newest first unless `reverse`. An empty list when nothing is included."""
    if _selects_nothing(query):
        return []
    form = ("-z", "--date=raw", "--encoding=UTF-8", "--no-show-signature", f"--format={_FORMAT}")
    return list(_parse(_answer(repo, query, "log", *form)))


def count(repo: Repository, query: LogQuery) -> int:
    """How many commits the query selects, paging included when it asks for it."""
    if _selects_nothing(query):
        return 0
    return int(_answer(repo, query, "rev-list", "--count"))


def commit_ids(repo: Repository, query: LogQuery) -> list[str]:
    if _selects_nothing(query):
        return []
    return _answer(repo, query, "rev-list").decode().split()


def _answer(repo: Repository, query: LogQuery, *command: str) -> bytes:
    """The answer of git; cached without `all`, because then the query names its commits by id."""
    question = (*command, *_paging(query), *_selection(query))
    limits = _LIMITS if command[0] == "log" else DEFAULT

    def ask() -> bytes:
        return repo.git(*question, limits=limits).stdout

    return ask() if query.all else remembered(repo, question, ask)


def between(repo: Repository, base: str, head: str, *, limit: int | None = None) -> list[Commit]:
    """The commits of `head` that `base` lacks, newest first."""
    return commits(repo, LogQuery(include=[head], exclude=[base], limit=limit))


def moved_commits(repo: Repository, old: str, new: str, *, limit: int) -> list[Commit]:
    """As `between`, for a ref that has moved: without starting a process while the new commits are few."""
    if moved_count(repo, old, new) > min(limit, _FEW):
        return between(repo, old, new, limit=limit)
    return objects.walk(repo, new, old, limit)


def moved_count(repo: Repository, old: str, new: str) -> int:
    """The number of commits that a ref got when it moved."""
    try:
        return objects.ahead_behind(repo, new, old)[0]
    except (KeyError, ValueError, pygit2.GitError) as error:  # removed since, or a tag of something else than a commit
        raise RevisionNotFound(new) from error


def last_commit_of_path(repo: Repository, sha: str, path: str) -> str | None:
    """Id of the newest commit reachable from `sha` that changed `path`."""
    result = commit_ids(repo, LogQuery(include=[sha], path=path, limit=1))
    return result[0] if result else None


def stats(repo: Repository, shas: Iterable[str]) -> dict[str, CommitStats]:
    """Added and removed lines per commit, a merge measured against its first parent."""
    distinct = list(dict.fromkeys(shas))
    if not distinct:
        return {}
    feed = "".join(f"{' '.join([sha, *_first_parent(repo, sha)])}\n" for sha in distinct)
    output = repo.git("diff-tree", "--stdin", "--root", "-r", "-M", "--numstat", stdin=feed.encode()).stdout
    totals = {sha: [0, 0] for sha in distinct}
    current = [0, 0]
    for line in output.splitlines():
        columns = line.split(b"\t", 2)
        if len(columns) == 1:
            current = totals[line.strip().decode()]
        elif columns[0] != b"-":  # a dash stands for a binary file
            current[0] += int(columns[0])
            current[1] += int(columns[1])
    return {sha: CommitStats(*numbers) for sha, numbers in totals.items()}


def touched_files(repo: Repository, shas: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    """Per commit, letter and path of each file that it touched, a merge measured against its first parent.

    A renamed file is `R` with its new path.
    """
    distinct = list(dict.fromkeys(shas))
    if not distinct:
        return {}
    feed = "".join(f"{' '.join([sha, *_first_parent(repo, sha)])}\n" for sha in distinct)
    output = repo.git("diff-tree", "--stdin", "--root", "-r", "-M", "--name-status", "-z", stdin=feed.encode()).stdout
    result: dict[str, list[tuple[str, str]]] = {sha: [] for sha in distinct}
    current: list[tuple[str, str]] = []
    fields = iter(output.split(b"\0"))
    for word in fields:
        if len(word) >= 40:
            current = result[word.strip().decode()]
        elif word:
            letter = word[:1].decode()
            path = next(fields)
            if letter in "RC":
                path = next(fields)
            current.append((letter, path.decode("utf-8", "replace")))
    return result


def _selects_nothing(query: LogQuery) -> bool:
    """Nothing to start from, or a path that leads out of the repository."""
    return (not query.include and not query.all) or ".." in (query.path or "").split("/")


def _first_parent(repo: Repository, sha: str) -> list[str]:
    git_object = repo.find_object(sha)
    if not isinstance(git_object, pygit2.Commit):
        raise RevisionNotFound(sha)
    return [str(parent) for parent in git_object.parent_ids[:1]]


def _paging(query: LogQuery) -> list[str]:
    args = []
    if query.skip:
        args.append(f"--skip={query.skip}")
    if query.limit is not None:
        args.append(f"--max-count={query.limit}")
    return args


def _age(moment: datetime) -> int:
    """Seconds limited to 32 bits, because git wraps larger times around."""
    return min(max(int(moment.timestamp()), 0), LAST_AGE)


def _selection(query: LogQuery) -> list[str]:
    args = []
    if query.since is not None:
        args.append(f"--max-age={_age(query.since)}")
    if query.until is not None:
        args.append(f"--min-age={_age(query.until)}")
    if query.author:
        args += ["--fixed-strings", f"--author={query.author}"]
    if query.message:
        args += ["--fixed-strings", "--regexp-ignore-case", f"--grep={query.message}"]
    flags = {
        "--first-parent": query.first_parent,
        "--no-merges": query.no_merges,
        "--topo-order": query.topological,
        "--reverse": query.reverse,
        "--follow": query.follow and bool(query.path and query.path.strip("/")),
    }
    args += [flag for flag, is_set in flags.items() if is_set]
    if query.all:
        args += ["--branches", "--tags"]
    for sha in (*query.include, *query.exclude):
        if not is_sha(sha):
            raise RevisionNotFound(sha)
    args += [*query.include, *(f"^{sha}" for sha in query.exclude), "--"]
    if query.path and query.path.strip("/"):
        args.append(query.path.strip("/"))
    return args


def _parse(output: bytes) -> Iterable[Commit]:
    fields = output.split(b"\0")
    for start in range(0, len(fields) - _FIELDS + 1, _FIELDS):
        record = tuple(fields[start : start + _FIELDS])
        yield _known_commit(record) if len(record[-1]) <= _SHORT else _commit(record)


def _commit(record: tuple[bytes, ...]) -> Commit:
    sha, tree, parents, an, ae, ad, cn, ce, cd, message = record
    return Commit(
        id=sha.decode(),
        tree_id=tree.decode(),
        parent_ids=tuple(parents.decode().split()),
        author=Person(text(an), text(ae), _when(ad)),
        committer=Person(text(cn), text(ce), _when(cd)),
        message=text(message),
    )


# The same pages are read often; long messages would fill the memory.
_SHORT = 2048
_known_commit = lru_cache(512)(_commit)


def _when(raw: bytes) -> datetime:
    seconds, _, zone = raw.decode("ascii", "replace").partition(" ")
    return moment(int(seconds or 0), zone_minutes(zone))
