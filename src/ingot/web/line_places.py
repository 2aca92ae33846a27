"""Where comments stand in the changes that a page shows, whichever version they were written about."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ingot.gitstore.moved_lines import Moves, moves
from ingot.gitstore.names import is_sha
from ingot.gitstore.repository import Repository
from ingot.web.read_positions import ReadPosition

MOST_VERSIONS = 8  # whose lines are looked up; the newest that comments are about

Moved = Mapping[str | None, Moves]  # by commit


class Place(NamedTuple):
    """A line of the new file; of the old one where it was removed; the whole file without either."""

    path: str
    old: int | None
    new: int | None


def places_of(
    repository: Repository, positions: Sequence[ReadPosition], refs: Mapping[str, str | None]
) -> dict[ReadPosition, Place]:
    """The places of positions between the commits that are shown; those whose lines are gone or different have none."""
    now = _moves(repository, ((one.head_sha, one.path) for one in positions), refs.get("head_sha"))
    removed = (one for one in positions if one.new_line is None and one.old_line is not None)
    before = _moves(repository, ((one.base_sha, one.old_path or one.path) for one in removed), refs.get("base_sha"))
    places = {one: _place(one, now, before) for one in positions}
    return {one: place for one, place in places.items() if place is not None}


def _moves(repository: Repository, files: Iterable[tuple[str | None, str]], shown: str | None) -> Moved:
    """What became of the files until the commit that is shown."""
    paths: dict[str, list[str]] = {}
    for sha, path in files:
        if sha and is_sha(sha):
            paths[sha] = [*paths.pop(sha, []), path]  # the last one is the newest
    return {sha: moves(repository, sha, shown, paths[sha]) for sha in list(paths)[-MOST_VERSIONS:] if shown}


def _place(position: ReadPosition, now: Moved, before: Moved) -> Place | None:
    in_new, in_old = now.get(position.head_sha), before.get(position.base_sha)
    if in_new is None:
        return None
    path = in_new.path(position.path)
    if position.new_line is not None:
        line = in_new.line(position.path, position.new_line)
        return None if line is None else Place(path, None, line)
    if position.old_line is None:
        return Place(path, None, None)
    line = None if in_old is None else in_old.line(position.old_path or position.path, position.old_line)
    return None if line is None else Place(path, line, None)
