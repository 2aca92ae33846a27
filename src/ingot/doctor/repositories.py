"""Integrity of repositories and wikis, and those without a project or group.

The result is stored on the project, for list filters.
"""

import shlex
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from sqlalchemy import Connection, Select, select, update

from ingot.access.tables import namespaces, projects
from ingot.doctor.finding import REPAIR, Finding
from ingot.features.code.wikis import wiki_of_group, wikis
from ingot.features.spaces.projects import check_integrity, settle_storage
from ingot.gitstore import fsck, storages_of
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import MOVING, Storages, delete
from ingot.kit.jobs import Run, periodic
from ingot.kit.services import Services

KINDS = {"repository_checksum_failed": "repository", "wiki_checksum_failed": "wiki"}
PARTS = ("", "wiki", "design")
YOUNG_SECONDS = 24 * 3600.0


def examine(services: Services, repair: bool) -> Iterator[Finding]:
    """Check every repository; folders without a project are deleted when they are older than a day."""
    storages = storages_of(services)
    with services.db.read() as conn:
        rows = conn.execute(select(projects).where(projects.c.pending_delete.is_(False))).all()
        homes, group_ids = _owners(conn)
        groups = conn.execute(select(namespaces).where(namespaces.c.id.in_(_written_groups()))).all()
    for row in rows:
        if row.repository_storage not in storages.roots:
            sentence = f"{row.full_path}: its storage {row.repository_storage} is not configured on this server."
            yield Finding(f"{sentence} Add it to the settings.")
            continue
        result = check_integrity(services, row)
        with services.db.write() as tx:
            tx.execute(update(projects).where(projects.c.id == row.id).values(**result))
        for key, name in KINDS.items():
            if result[key]:
                part = "" if name == "repository" else name
                yield _damaged(row.full_path, name, storages.repository(row.repository_storage, row.id, part))
    for group in groups:
        wiki = wiki_of_group(services, group).repository
        if wiki.exists() and not fsck.check(wiki).is_sound:
            yield _damaged(group.full_path, "wiki", wiki)
    for folder in _strays(storages, homes, group_ids):
        if repair:
            delete(Repository(folder))
        yield Finding(f"The repository in {folder} does not belong to a project.", repaired=repair, command=REPAIR)
    names = {row.id: row.full_path for row in rows}
    for number in filter(names.get, _scattered(storages, homes)):
        is_settled = repair and settle_storage(services, number) and not _is_elsewhere(storages, number, homes[number])
        sentence = f"{names[number]}: a move to another storage is in progress or was interrupted."
        yield Finding(sentence, repaired=is_settled, command=REPAIR)
    if repair and (removed := storages.sweep()):
        folders = "1 folder was" if removed == 1 else f"{removed} folders were"
        yield Finding(f"{folders} left behind by interrupted operations.", repaired=True)


def _damaged(path: str, name: str, repository: Repository) -> Finding:
    command = f"git -C {shlex.quote(str(repository.path))} fsck"
    return Finding(
        f"{path}: the {name} is damaged. See the git output, and restore its folder from a backup.", command=command
    )


@periodic("repository_sweep", every=24 * 3600.0, long=True)
def sweep(run: Run) -> None:
    """Delete what deletions and creations that were interrupted left behind."""
    storages = storages_of(run.services)
    with run.db.read() as conn:
        homes, group_ids = _owners(conn)
    for folder in _strays(storages, homes, group_ids):
        run.check()
        delete(Repository(folder))
    for number in _scattered(storages, homes):
        run.check()
        settle_storage(run.services, number)
    storages.sweep()


def _owners(conn: Connection) -> tuple[dict[int, str], set[int]]:
    """The storages of all projects by their ids, and the ids of all groups whose wiki was written to."""
    homes = {
        row.id: row.repository_storage for row in conn.execute(select(projects.c.id, projects.c.repository_storage))
    }
    return homes, set(conn.execute(_written_groups()).scalars())


def _written_groups() -> Select[int]:
    return select(wikis.c.group_id).where(wikis.c.group_id.is_not(None))


def _scattered(storages: Storages, homes: Mapping[int, str]) -> list[int]:
    """Projects that lie on another storage than theirs, or have a copy that was not finished."""
    places = {storages.relative_path(number, kind): number for number in homes for kind in PARTS}
    result = set()
    for name, root in storages.roots.items():
        for pattern in ("*.git", f"*.{MOVING}-*"):
            for folder in root.glob(f"@hashed/*/*/{pattern}"):
                number = places.get(str(folder.relative_to(root)).partition(f".{MOVING}-")[0])
                if number is not None and (homes[number] != name or folder.suffix != ".git"):
                    result.add(number)
    return sorted(result)


def _is_elsewhere(storages: Storages, number: int, home: str) -> bool:
    others = [name for name in storages.roots if name != home]
    return any(storages.repository(name, number, kind).path.exists() for name in others for kind in PARTS)


def _strays(storages: Storages, project_ids: Collection[int], group_ids: set[int]) -> Iterator[Path]:
    expected = {storages.relative_path(number, kind) for number in project_ids for kind in PARTS}
    expected |= {storages.relative_path(storages.key_of_group(number), "wiki") for number in group_ids}
    for root in storages.roots.values():
        for folder in root.glob("@hashed/*/*/*.git"):
            is_young = time.time() - folder.stat().st_mtime < YOUNG_SECONDS
            if str(folder.relative_to(root)) not in expected and not is_young:
                yield folder
