"""Moves a repository to another place while people work in it: copied, left, then brought up to date.

The old place is renamed before the last look at it, so that whoever comes late is refused there instead of lost. Only a
push that git has already begun to store goes on in it; what it moves is fetched.
"""

from __future__ import annotations

import shutil
import time
import uuid
from contextlib import suppress
from pathlib import Path

from ingot.gitstore import handles, listing, refs
from ingot.gitstore.errors import RefChanged, RefConflict
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.process import raise_for
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import copy_refs, delete, set_aside

_PASSING = shutil.ignore_patterns("tmp_*", "tmp_objdir-*", "*.lock", "gc.pid")
_LAST_LOOKS = 3
_PAUSE = 0.5  # seconds: longer than git takes to move refs after their check


class Move:
    """One repository on its way. The caller holds `source.tidying()` and `source.lock()` until it has left."""

    def __init__(self, source: Repository, target: Repository) -> None:
        self._source, self._target = source, target
        self._old: Repository | None = None
        self._refs: dict[str, str] = {}

    def copy(self) -> None:
        """Copy everything; refs before objects, so that each ref has what it needs."""
        place = self._target.path
        staging = place.with_name(f"{place.name}.new-{uuid.uuid4().hex}")
        try:
            _copy_tree(self._source.path, staging, besides="objects")
            _copy_tree(self._source.path / "objects", staging / "objects")
            if place.exists():
                delete(self._target)  # of a move that broke off
            staging.rename(place)
        except BaseException:
            shutil.rmtree(staging, ignore_errors=True)
            raise
        handles.forget(str(place))
        self._refs = listing.list_refs(self._target)

    def leave(self) -> None:
        """Close the old place."""
        aside = set_aside(self._source)
        self._old = None if aside is None else Repository(aside, self._source.seconds, self._source.memory)

    def finish(self) -> None:
        """Fetch what was written since the copy, and delete the old place."""
        if self._old is None:
            return
        for look in range(_LAST_LOOKS):
            if look:
                time.sleep(_PAUSE)
            self._catch_up(self._old)
        shutil.rmtree(self._old.path, ignore_errors=True)

    def _catch_up(self, old: Repository) -> None:
        current = listing.list_refs(old)
        changed = {ref: sha for ref, sha in current.items() if self._refs.get(ref) != sha}
        if changed:
            copy_refs(old, self._target, sorted(set(changed.values())))
        updates = [RefUpdate(ref, sha, self._refs.get(ref, ZERO_ID)) for ref, sha in changed.items()]
        updates += [RefUpdate(ref, None, sha) for ref, sha in self._refs.items() if ref not in current]
        for one in updates:
            # Whoever wrote to the new place already knows better.
            with suppress(RefChanged, RefConflict):
                refs.update(self._target, [one])
        self._refs = current


def _copy_tree(source: Path, target: Path, besides: str = "") -> None:
    def ignored(folder: str, names: list[str]) -> set[str]:
        top = {besides} if besides and Path(folder) == source else set()
        return {*_PASSING(folder, names), *top}

    try:
        shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
    except shutil.Error as error:
        # A branch that was deleted meanwhile, or a push that ended.
        if any(Path(name).exists() for name, _, _ in error.args[0]):
            raise_for(target, ["copy"], 1, str(error))
