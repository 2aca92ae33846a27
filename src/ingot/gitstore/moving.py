"""Copies a repository to another place: once while people work in it, then again what has changed, while it is closed.

Nobody uses the copy before the caller says so. The caller holds `source.tidying()`, so that no object goes meanwhile.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import uuid
from collections.abc import Collection
from pathlib import Path

from ingot.gitstore import handles, writers
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import MOVING, set_aside, storage_error

_OBJECTS = "objects"
_OWN = (writers.ENTRANCE, writers.INSIDE, writers.SEAL, "gc.pid", _OBJECTS)
"""At the top, what is not copied as a file: objects have a way of their own."""


class Move:
    """One repository on its way."""

    def __init__(self, source: Repository, target: Repository) -> None:
        self.source, self.target = source, target
        place = target.path
        self._staging = place.with_name(f"{place.name}.{MOVING}-{uuid.uuid4().hex}")

    def copy(self) -> None:
        """Bring the copy up to date. It is like the source only if that was closed meanwhile."""
        try:
            self._staging.mkdir(parents=True, exist_ok=True)
            _bring(self.source.path, self._staging, _OWN)
            _add_objects(self.source.path / _OBJECTS, self._staging / _OBJECTS)
        except OSError as error:
            raise storage_error(error) from error

    def arrive(self) -> None:
        """Give the copy its name; what an earlier attempt left there goes."""
        place = self.target.path
        with self.target.lock():
            aside = set_aside(self.target) if place.exists() else None
            try:
                self._staging.rename(place)
                _make_durable(place.parent)
            except OSError as error:
                raise storage_error(error) from error
        handles.forget(str(place))
        if aside is not None:
            shutil.rmtree(aside, ignore_errors=True)

    def leave(self) -> None:
        """Nobody finds the old place any more; the caller holds its lock, and clears it later."""
        set_aside(self.source)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Without lock files, which no ref is called like; none where the folder is gone."""
    try:
        with os.scandir(folder) as listed:
            return [entry for entry in listed if not entry.name.endswith(".lock")]
    except FileNotFoundError:
        return []


def _bring(source: Path, target: Path, besides: Collection[str] = ()) -> None:
    """Make the folder `target` what `source` is: what came and changed is copied, what went is removed."""
    entries = {entry.name: entry for entry in _entries(source) if entry.name not in besides}
    for other in list(target.iterdir()):
        known = entries.get(other.name)
        if other.name in besides or (known is not None and known.is_dir(follow_symlinks=False) == other.is_dir()):
            continue
        if other.is_dir():
            shutil.rmtree(other)
        else:
            other.unlink()
    for name, entry in entries.items():
        if entry.is_dir(follow_symlinks=False):
            (target / name).mkdir(exist_ok=True)
            _bring(source / name, target / name)
        elif not _is_same(source / name, target / name):
            _copy_file(source / name, target / name)


def _add_objects(source: Path, target: Path) -> None:
    """What a file of objects holds never changes under its name, so one that is there stays."""
    target.mkdir(exist_ok=True)
    for entry in _entries(source):
        place = target / entry.name
        if entry.name.startswith("tmp_"):  # not an object yet
            continue
        if entry.is_dir(follow_symlinks=False):
            _add_objects(source / entry.name, place)
        elif not place.exists():
            _copy_file(source / entry.name, place)


def _is_same(source: Path, target: Path) -> bool:
    try:
        return filecmp.cmp(source, target, shallow=False)
    except FileNotFoundError:
        return False


def _copy_file(source: Path, target: Path) -> None:
    """One that has just gone is none: the next call sees to what came instead."""
    try:
        target.unlink(missing_ok=True)  # objects are read-only
        shutil.copy2(source, target)
    except FileNotFoundError:
        return
    _make_durable(target)


def _make_durable(path: Path) -> None:
    """The old place is deleted afterwards: a power failure must not cost the only copy."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
