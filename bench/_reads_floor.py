"""The floor of a read: a plain program that runs the same SQL with the driver and encodes the same bytes."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from typing import Any

import msgspec
import psycopg
import pygit2

from ingot.kit.services import Services

# A request that authenticates and reads at once uses more than one connection.
CONNECTIONS = 4
# A plain program has read the settings of the instance when it started.
SETTINGS = ("FROM application_settings", "FROM group_address_ranges")
Statement = tuple[str, Sequence[object] | Mapping[str, object] | None]


@contextmanager
def recording(services: Services) -> Iterator[list[Statement]]:
    """The queries of requests in this block, as the driver gets them, but those for settings of the instance."""
    seen: list[Statement] = []

    class Noting(psycopg.Cursor[Any]):
        def execute(self, query: Any, params: Any = None, **options: Any) -> Any:
            seen.append((query, params))
            return super().execute(query, params, **options)

    _trace(services, lambda text: seen.append((text, None)), Noting)
    try:
        yield seen
    finally:
        _trace(services, None, psycopg.Cursor)
        seen[:] = [(text, values) for text, values in seen if _is_of_floor(text)]


def _is_of_floor(text: str) -> bool:
    return text.startswith("SELECT") and not any(part in text for part in SETTINGS)


def _trace(services: Services, callback: Callable[[str], None] | None, cursors: type[psycopg.Cursor[Any]]) -> None:
    """Connections that were used last are those that the next request gets."""
    with ExitStack() as stack:
        for _ in range(CONNECTIONS):
            raw: Any = stack.enter_context(services.db.read()).connection.dbapi_connection
            if services.db.is_sqlite:
                raw.set_trace_callback(callback)
            else:
                raw.cursor_factory = cursors


def floor_of(
    services: Services, statements: list[Statement], body: bytes, read_git: Callable[[], object]
) -> Callable[[], object]:
    """The plain program, with a connection of its own in each thread that runs it."""
    is_json = body[:1] in (b"{", b"[")
    content: Any = msgspec.json.decode(body) if is_json else None
    encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode
    # Part of the answer: the entity tag of JSON, and the checksum that a raw file is sent with.
    digest: Callable[[bytes], Any] = hashlib.md5 if is_json else hashlib.sha256
    own = threading.local()

    def run() -> None:
        raw: Any = getattr(own, "raw", None)
        if raw is None:
            own.connection = services.db.reader.connect()
            own.raw = raw = own.connection.connection.dbapi_connection
            if services.db.is_sqlite:
                raw.set_progress_handler(None, 0)  # the limit on statements is of requests
        for text, values in statements:
            (raw.execute(text) if values is None else raw.execute(text, values)).fetchall()
        read_git()
        digest(encode(content) if is_json else body).hexdigest()

    return run


def git_reading(services: Services, name: str) -> Callable[[], object]:
    """What a plain program reads from git for this read, in a repository that is open already."""
    with services.db.read() as connection:
        project = connection.exec_driver_sql(
            "SELECT id, repository_storage FROM projects WHERE full_path = 'smithy/anvil'"
        ).one()
        heads = connection.exec_driver_sql(
            f"SELECT source_branch, target_branch FROM merge_requests WHERE project_id = {project[0]} AND iid = 2"
        ).one()
    git = pygit2.Repository(str(services.storages.repository(project[1], project[0]).path))
    readings: dict[str, Callable[[], object]] = {
        # Whether the stored check of the request still holds.
        "one merge request": lambda: [git.references[f"refs/heads/{name}"].resolve().target for name in heads],
        "20 commits": lambda: [commit.message for commit in islice(git.walk(_main(git).id), 20)],
        "20 branches": lambda: [git.branches.local[branch].peel().message for branch in git.branches.local],
        "raw file": lambda: (_main(git).tree["README.md"].data, _last_change(_main(git), "README.md")),
    }
    return readings.get(name, lambda: None)


def _main(git: pygit2.Repository) -> pygit2.Commit:
    return git.references["refs/heads/main"].peel(pygit2.Commit)


def _last_change(commit: pygit2.Commit, path: str) -> pygit2.Oid:
    """The commit that changed the file last: a header of the raw file names it, so whoever makes it has to look."""
    content = commit.tree[path].id
    while True:
        same = (parent for parent in commit.parents if path in parent.tree and parent.tree[path].id == content)
        parent = next(same, None)
        if parent is None:
            return commit.id
        commit = parent
