"""Finding and repairing an index that lost something."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.code.code_search import trigrams
from ingot.features.code.code_search.changes import changes_from_index
from ingot.features.code.code_search.hits import unpack_text
from ingot.features.code.code_search.indexing import TURN, head_of
from ingot.features.code.code_search.tables import code_contents, code_files, code_indexes
from ingot.features.spaces.projects import is_settling, repository_of
from ingot.gitstore import storages_of
from ingot.kit.db import take_turn
from ingot.kit.jobs import find_job
from ingot.kit.services import Services

PER_STEP = 200


def stale_projects(services: Services) -> Iterator[ProjectRow]:
    """Projects whose index has other files than their default branch, while no job is about to change that."""
    with services.db.read() as conn:
        rows = conn.execute(select(projects).where(projects.c.pending_delete.is_(False))).all()
    for row in rows:
        if row.repository_storage not in storages_of(services).roots:
            continue  # reported by the check of repositories
        with services.db.read() as conn:
            # In this order: a job that ends in between has made the index current.
            is_waiting = is_settling(row) or _is_waiting(conn, row.id)
            is_stale = not is_waiting and _differs(conn, services, row)
        if is_stale:
            yield row


def outdated_projects(services: Services) -> Iterator[int]:
    """Projects whose index is of another commit than the head of their default branch; their files are not compared."""
    heads = select(projects, code_indexes.c.head).outerjoin(code_indexes, code_indexes.c.project_id == projects.c.id)
    with services.db.read() as conn:
        for rows in _portions(conn, heads.where(projects.c.pending_delete.is_(False)), projects.c.id):
            for row in rows:
                is_here = row.repository_storage in storages_of(services).roots
                if is_here and head_of(repository_of(services, row), row.default_branch) != row.head:
                    yield row.id


def _is_waiting(conn: Connection, project_id: int) -> bool:
    jobs = (find_job(conn, f"{kind}-{project_id}") for kind in ("refresh_project", "index_code"))
    return any(job is not None and job.state in ("queued", "running") for job in jobs)


def _differs(conn: Connection, services: Services, project: ProjectRow) -> bool:
    known = conn.execute(select(code_indexes.c.head).where(code_indexes.c.project_id == project.id)).scalar()
    repository = repository_of(services, project)
    head = head_of(repository, project.default_branch)
    if head is None or head != known:
        return head != known
    changes = changes_from_index(conn, repository, project.id, head)
    return bool(changes.added or changes.removed)


def lost_trigrams(conn: Connection) -> int:
    """How many texts and paths the trigram indexes lack, or have beyond those that there are."""
    texts = select(func.count()).select_from(code_contents).where(code_contents.c.text.is_not(None))
    paths = select(func.count()).select_from(code_files)
    counts = ((trigrams.CONTENTS, texts), (trigrams.PATHS, paths))
    return sum(abs(conn.execute(there).scalar_one() - trigrams.count(conn, index)) for index, there in counts)


def rebuild_trigrams(services: Services) -> None:
    """Make both trigram indexes anew from the stored texts and paths; nobody writes to the index meanwhile."""
    dialect = services.db.dialect
    with services.db.write() as tx:
        take_turn(tx, TURN)
        trigrams.clear(tx, trigrams.CONTENTS)
        for rows in _portions(tx, select(code_contents.c.id, code_contents.c.text), code_contents.c.id):
            texts = [(row.id, unpack_text(row.text)) for row in rows if row.text is not None]
            trigrams.add(tx, trigrams.CONTENTS, [(key, trigrams.prepare(dialect, text)) for key, text in texts])
        trigrams.clear(tx, trigrams.PATHS)
        for rows in _portions(tx, select(code_files.c.id, code_files.c.path_lower), code_files.c.id):
            paths = [(row.id, trigrams.prepare(dialect, row.path_lower)) for row in rows]
            trigrams.add(tx, trigrams.PATHS, paths)


def _portions(tx: Connection, query: Select[Any], key: ColumnElement[int]) -> Iterator[Sequence[Row[Any]]]:
    """All rows, some at a time, by their ids."""
    after = 0
    while rows := tx.execute(query.where(key > after).order_by(key).limit(PER_STEP)).all():
        yield rows
        after = rows[-1].id
