"""The code that threads of a request's overview are about, as it was in the version of each.

Positions name their commits. Git is asked once for all threads of a version, and of a few versions only.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from markupsafe import Markup, escape

from ingot.access.policy import READ_CODE
from ingot.features.spaces.projects import repository_of
from ingot.gitstore.diff import diff
from ingot.gitstore.errors import GitError
from ingot.gitstore.moved_lines import LIMITS, Moves, moves
from ingot.gitstore.names import is_sha
from ingot.gitstore.remembered import remembered
from ingot.gitstore.repository import Repository
from ingot.web.answers import MergeRequest
from ingot.web.call import PageCall
from ingot.web.diff_lines import KINDS, numbered
from ingot.web.diffs import anchor_of
from ingot.web.merge_steps import REQUEST
from ingot.web.read_positions import ReadPosition, read_position
from ingot.web.texts import highlighted_diffs
from ingot.web.threads import Thread

MOST_VERSIONS = 4  # of which the lines are looked up; the newest that threads are about
LINES_BEFORE = 3
MOST_LINES = 12  # of a comment on a range
WHOLE_FILE = 1_000_000

Version = tuple[str, str]  # the commits before and after


class Place(NamedTuple):
    """Where a thread stands."""

    path: str
    old_path: str  # another one where the file was renamed
    old_line: int | None
    new_line: int | None
    first: int | None  # number of a range


class ThreadCode(msgspec.Struct, frozen=True):
    """What stands above a thread."""

    rows: Markup
    version: int | None  # of the diff that it is about; None for the newest
    is_outdated: bool  # the line has changed since
    anchor: str  # of the file


class Excerpt(msgspec.Struct, frozen=True):
    """Lines of a diff with the numbers of the first."""

    old: int
    new: int
    lines: list[str]

    @property
    def text(self) -> str:
        """The lines below a heading, as git writes them."""
        return "\n".join((f"@@ -{self.old},0 +{self.new},0 @@", *self.lines))


def thread_code(call: PageCall, request: MergeRequest, threads: Sequence[Thread]) -> dict[str, ThreadCode]:
    """By thread: the lines that it is about, for those who may read code."""
    head = request["sha"]
    wanted = _wanted(threads) if READ_CODE.allows(call.actor, call.project) else {}
    if not wanted or not head:
        return {}
    repository = repository_of(call.services, call.project)
    excerpts: dict[str, Excerpt] = {}
    outdated: set[str] = set()
    paths: dict[str, str] = {}  # of today
    for version in list(wanted)[-MOST_VERSIONS:]:
        places = wanted[version]
        lines = _excerpts(repository, version, sorted(set(places.values()), key=str))
        excerpts |= {thread: lines[key] for thread, place in places.items() if (key := _digest(place)) in lines}
        if version[1] != head:
            moved = moves(repository, version[1], head, [place.path for place in places.values()])
            outdated |= {thread for thread, place in places.items() if _is_gone(moved, place)}
            paths |= {thread: moved.path(place.path) for thread, place in places.items()}
    versions = _versions(call, request) if any(version[1] != head for version in wanted) else {}
    heads = {thread: version[1] for version, places in wanted.items() for thread in places}
    rows = _rendered(excerpts, {thread: place.path for places in wanted.values() for thread, place in places.items()})
    return {
        thread: ThreadCode(
            rows.get(thread, Markup()), versions.get(heads[thread]) if heads[thread] != head else None,
            thread in outdated, anchor_of(paths.get(thread, place.path)),
        )
        for places in wanted.values() for thread, place in places.items()
    }  # fmt: skip


def _is_gone(moved: Moves, place: Place) -> bool:
    """The new line is different now; of files that are too large nobody says so."""
    line, path = place.new_line, place.path
    return line is not None and path not in moved.unknown and moved.line(path, line) is None


def _wanted(threads: Sequence[Thread]) -> dict[Version, dict[str, Place]]:
    """By version, in the order of their last threads: where each thread stands."""
    result: dict[Version, dict[str, Place]] = {}
    for thread in threads:
        position = read_position(thread["notes"][0].get("position"))
        if position is None or position.position_type != "text" or not position.path:
            continue
        base, head = position.base_sha or "", position.head_sha or ""
        if is_sha(base) and is_sha(head):
            place = Place(
                position.path, position.old_path or position.path, position.old_line, position.new_line,
                _first(position),
            )  # fmt: skip
            result[base, head] = {**result.pop((base, head), {}), thread["id"]: place}
    return result


def _first(position: ReadPosition) -> int | None:
    """The first line of a range, in the file of the last one."""
    start = position.line_range.start if position.line_range is not None else None
    if start is None:
        return None
    return start.new_line if position.new_line else start.old_line


def _digest(value: object) -> str:
    return hashlib.sha1(repr(value).encode(), usedforsecurity=False).hexdigest()


def _excerpts(repository: Repository, version: Version, places: Sequence[Place]) -> Mapping[str, Excerpt]:
    """The lines of these places, by `_digest`; those of files that are too large are left out."""

    def ask() -> bytes:
        excerpts: dict[str, Excerpt] = {}
        # Without its old path a renamed file would be a new one.
        paths = tuple(dict.fromkeys(path for place in places for path in (place.path, place.old_path)))
        for file in diff(repository, *version, paths=paths, context=WHOLE_FILE, limits=LIMITS).files:
            inside = [place for place in places if place.path in (file.new_path, file.old_path)]
            excerpts |= _cut(file.diff, inside)
        return msgspec.json.encode(excerpts)

    try:
        answer = remembered(repository, ("thread_code", *version, _digest(places)), ask)
    except GitError:
        return {}
    return msgspec.json.decode(answer, type=dict[str, Excerpt])


def _cut(text: str, places: Sequence[Place]) -> dict[str, Excerpt]:
    lines = text.split("\n")
    rows = [(number, sign, old, new) for number, sign, old, new in numbered(lines) if sign]
    where = {
        (None if sign == "+" else old, None if sign == "-" else new): at for at, (_, sign, old, new) in enumerate(rows)
    }
    result = {}
    for place in places:
        last = where.get((place.old_line, place.new_line))
        if last is None:
            continue
        count = (place.new_line or place.old_line or 0) - place.first if place.first else LINES_BEFORE
        begin = max(0, last - min(max(count, LINES_BEFORE), MOST_LINES))
        part = rows[begin : last + 1]
        result[_digest(place)] = Excerpt(part[0][2], part[0][3], [lines[number] for number, *_ in part])
    return result


def _versions(call: PageCall, request: MergeRequest) -> dict[str, int]:
    """The versions of the request by their last commits."""
    rows = call.ask_or_none(f"{REQUEST}/versions", merge_request_iid=request["iid"], per_page="100") or []
    return {row["head_commit_sha"]: row["id"] for row in reversed(rows)}


def _rendered(excerpts: Mapping[str, Excerpt], paths: Mapping[str, str]) -> dict[str, Markup]:
    names = [(excerpt.text, paths[thread].rpartition("/")[2].lower()) for thread, excerpt in excerpts.items()]
    colours = highlighted_diffs(names)
    return {
        thread: _rows(excerpt.text.split("\n"), coloured)
        for (thread, excerpt), coloured in zip(excerpts.items(), colours, strict=True)
    }


def _rows(lines: list[str], coloured: Sequence[Markup] | None) -> Markup:
    parts = []
    for number, sign, old, new in numbered(lines):
        if sign:
            html = escape(lines[number][1:]) if coloured is None else coloured[number]
            left, right = "" if sign == "+" else old, "" if sign == "-" else new
            kind = KINDS.get(sign, "same")
            parts.append(f'<tr class="{kind}"><td>{left}</td><td>{right}</td><td data-sign="{sign}">{html}</td></tr>')
    return Markup("".join(parts))  # noqa: S704 - every text in it is escaped above
