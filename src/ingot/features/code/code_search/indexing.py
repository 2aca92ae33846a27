"""Keeping the index at the heads of default branches, in transactions that are short enough for others to write."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from ingot.access.tables import projects
from ingot.features.code.code_search import trigrams
from ingot.features.code.code_search.changes import changes_between, changes_from_index
from ingot.features.code.code_search.contents import LARGEST, text_of
from ingot.features.code.code_search.hits import pack_text
from ingot.features.code.code_search.sweeping import remove_unused
from ingot.features.code.code_search.tables import code_contents, code_files, code_indexes
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Repository, objects, refs
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.services import Services
from ingot.kit.upsert import upsert

TURN = "code_index"
MOST_FILES = 200  # of one transaction
MOST_BYTES = 1 << 20

Item = TypeVar("Item", int, str)


@dataclass(slots=True)
class NewContent:
    """A content that the index does not have."""

    sha: str
    size: int
    packed: bytes | None
    prepared: trigrams.Prepared | None


def rebuild_index(services: Services, project_id: int) -> None:
    """Compare every file with the index, whatever commit it claims to have."""
    with services.db.write() as tx:
        tx.execute(delete(code_indexes).where(code_indexes.c.project_id == project_id))
    update_index(services, project_id, lambda: None)


def update_index(services: Services, project_id: int, check: Callable[[], None]) -> None:
    """Bring the index of a project to the head of its default branch; `check` raises when the work has to end."""
    with services.db.read() as conn:
        project = conn.execute(select(projects).where(projects.c.id == project_id)).one_or_none()
        known = conn.execute(select(code_indexes.c.head).where(code_indexes.c.project_id == project_id)).scalar()
        if project is None:
            return
        repository = repository_of(services, project)
        head = head_of(repository, project.default_branch)
        if head == known:
            return
        changes = changes_between(repository, known, head) if known is not None and head is not None else None
        if changes is None:
            changes = changes_from_index(conn, repository, project_id, head)
    replaced: set[int] = set()
    for paths in _parts(changes.removed, MOST_FILES):
        check()
        with services.db.write() as tx:
            replaced |= _remove(tx, project_id, paths)
    for files in _batches(repository, changes.added):
        check()
        replaced |= _store(services, repository, project_id, files)
    with services.db.write() as tx:
        _set_head(tx, project_id, head)
    for ids in _parts(sorted(replaced), MOST_FILES):
        check()
        with services.db.write() as tx:
            take_turn(tx, TURN)
            remove_unused(tx, ids)


def head_of(repository: Repository, branch: str | None) -> str | None:
    """The commit that the index should have; None for an empty repository."""
    return refs.find_branch(repository, branch) if branch and repository.exists() else None


def _parts(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    remaining = iter(items)
    while part := list(islice(remaining, size)):
        yield part


def _batches(repository: Repository, added: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Contents by path, in portions of a bounded number of files and bytes."""
    batch: dict[str, str] = {}
    size = 0
    for path, sha in sorted(added.items()):
        batch[path] = sha
        size += min(objects.blob_size(repository, sha) or 0, LARGEST)
        if len(batch) == MOST_FILES or size > MOST_BYTES:
            yield batch
            batch, size = {}, 0
    if batch:
        yield batch


def _store(services: Services, repository: Repository, project_id: int, files: Mapping[str, str]) -> set[int]:
    """Write one portion; returns the contents that its files had before."""
    shas = set(files.values())
    with services.db.read() as conn:
        lacking = shas - _content_ids(conn, shas).keys()
    new: list[NewContent] = []
    while True:
        new += [_read(services, repository, sha) for sha in sorted(lacking)]
        with services.db.write() as tx:
            take_turn(tx, TURN)
            ids = _content_ids(tx, shas)
            lacking = shas - ids.keys() - {one.sha for one in new}
            if not lacking:
                ids |= _add_contents(tx, [one for one in new if one.sha not in ids])
                return _put_files(tx, project_id, files, ids)
        # Another project was the last to have one of them, and its index was swept meanwhile.


def _read(services: Services, repository: Repository, sha: str) -> NewContent:
    text = text_of(repository, sha)
    if text is None:
        return NewContent(sha, 0, None, None)
    return NewContent(sha, len(text), pack_text(text), trigrams.prepare(services.db.dialect, text))


def _content_ids(conn: Connection, shas: Collection[str]) -> dict[str, int]:
    query = select(code_contents.c.sha, code_contents.c.id).where(code_contents.c.sha.in_(shas))
    return {row.sha: row.id for row in conn.execute(query)}


def _add_contents(tx: Connection, new: Sequence[NewContent]) -> dict[str, int]:
    if not new:
        return {}
    rows = [{"sha": one.sha, "size": one.size, "text": one.packed} for one in new]
    created = tx.execute(insert(code_contents).returning(code_contents.c.sha, code_contents.c.id), rows)
    ids: dict[str, int] = {row.sha: row.id for row in created}
    texts = [(ids[one.sha], one.prepared) for one in new if one.prepared is not None]
    trigrams.add(tx, trigrams.CONTENTS, texts)
    return ids


_POINT = (
    update(code_files).where(code_files.c.id == bindparam("file_id")).values(content_id=bindparam("new_content_id"))
)


def _put_files(tx: Connection, project_id: int, files: Mapping[str, str], ids: Mapping[str, int]) -> set[int]:
    table = code_files
    here = (table.c.project_id == project_id, table.c.path.in_(list(files)))
    known = {row.path: row for row in tx.execute(select(table.c.id, table.c.path, table.c.content_id).where(*here))}
    changed = [row for row in known.values() if row.content_id != ids[files[row.path]]]
    if changed:
        tx.execute(_POINT, [{"file_id": row.id, "new_content_id": ids[files[row.path]]} for row in changed])
    fresh = [
        {"project_id": project_id, "path": path, "path_lower": path.lower(), "content_id": ids[sha]}
        for path, sha in files.items()
        if path not in known
    ]
    if fresh:
        created = tx.execute(insert(table).returning(table.c.id, table.c.path_lower), fresh).all()
        prepared = [(row.id, trigrams.prepare(tx.dialect.name, row.path_lower)) for row in created]
        trigrams.add(tx, trigrams.PATHS, prepared)
    return {row.content_id for row in changed}


def _remove(tx: Connection, project_id: int, paths: Sequence[str]) -> set[int]:
    here = (code_files.c.project_id == project_id, code_files.c.path.in_(paths))
    return set(tx.execute(delete(code_files).where(*here).returning(code_files.c.content_id)).scalars())


def _set_head(tx: Connection, project_id: int, head: str | None) -> None:
    if head is None:
        tx.execute(delete(code_indexes).where(code_indexes.c.project_id == project_id))
        return
    values = {"head": head, "updated_at": now()}
    statement = upsert(tx.dialect.name, code_indexes).values(project_id=project_id, **values)
    tx.execute(statement.on_conflict_do_update(index_elements=["project_id"], set_=values))
