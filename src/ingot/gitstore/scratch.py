"""A temporary repository: it sees the objects of others, and what it receives is deleted with it.

Objects that must be checked first arrive here and move on when all is well; comparing two repositories needs no copy.
"""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ingot.gitstore.errors import RepositoryNotFound
from ingot.gitstore.repository import Repository
from ingot.gitstore.sizes import check_objects
from ingot.gitstore.storage import create

_INDEX = ".idx"


@contextmanager
def view_of(*sources: Repository) -> Iterator[Repository]:
    """All objects of several repositories in one, without a change to any of them."""
    with tempfile.TemporaryDirectory(prefix="ingot-view-") as folder:
        repo = Repository(Path(folder) / "view.git", sources[0].seconds, sources[0].memory)
        _create_above(repo, sources)
        yield repo


@contextmanager
def quarantine(target: Repository) -> Iterator[Repository]:
    """Objects reach `target` only through `release`. It is on the same disk, so that files can be moved."""
    if not target.exists():
        raise RepositoryNotFound
    # The name of an unfinished repository: swept after a crash, and left out of backups.
    place = target.path.with_name(f"{target.path.name}.new-{uuid.uuid4().hex}")
    repo = Repository(place, target.seconds, target.memory)
    try:
        _create_above(repo, (target,))
        with suppress(FileNotFoundError):
            shutil.copyfile(target.path / "packed-refs", repo.path / "packed-refs")
        shutil.copytree(
            target.path / "refs", repo.path / "refs", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.lock")
        )
        yield repo
    finally:
        shutil.rmtree(repo.path, ignore_errors=True)


def release(repo: Repository, target: Repository) -> None:
    """Move the objects of a quarantine on, unless one is too large. A pack counts from the moment when its index is
    there, so that goes last."""
    with _alone(repo):
        check_objects(repo)
    source, goal = repo.path / "objects", target.path / "objects"
    files = [path for path in source.rglob("*") if path.is_file() and path.parent.name != "info"]
    for path in sorted(files, key=lambda path: path.suffix == _INDEX):
        place = goal / path.relative_to(source)
        if path.name.startswith("tmp_") or place.exists():
            continue
        place.parent.mkdir(exist_ok=True)
        path.rename(place)


@contextmanager
def _alone(repo: Repository) -> Iterator[None]:
    """Without the objects of others, which were checked already and may be many."""
    place = repo.path / "objects" / "info" / "alternates"
    aside = place.with_suffix(".aside")
    place.rename(aside)
    try:
        yield
    finally:
        aside.rename(place)


def _create_above(repo: Repository, sources: tuple[Repository, ...]) -> None:
    create(repo)
    lines = "".join(f"{source.path.absolute() / 'objects'}\n" for source in sources)
    (repo.path / "objects" / "info" / "alternates").write_text(lines, "utf-8")
