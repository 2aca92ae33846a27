"""Reading the groups of an archive: one file per group and relation, or one old document with all of them."""

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import msgspec

from ingot.archives.lines import read_document, read_lines
from ingot.archives.unpack import ArchiveRefused

MOST_GROUPS = 5000
MOST_RECORDS = 20_000  # of a relation: a group is stored in one transaction, and others wait for it
DEEPEST = 20
WRONG = "The archive holds no group"
TOO_MANY = "The archive holds too many groups or records"


class SourceGroup(msgspec.Struct, frozen=True):
    """A group of the archive; `key` names it there, and `parent` the one above, None for the first."""

    key: str
    parent: str | None
    attributes: Mapping[str, object]
    folder: Path | None = None

    def records(self, relation: str) -> Iterator[Mapping[str, object]]:
        """The records of a relation; raises `ArchiveRefused` where there are too many."""
        for number, record in enumerate(self._records(relation)):
            if number >= MOST_RECORDS:
                raise ArchiveRefused(TOO_MANY)
            yield record

    def _records(self, relation: str) -> Iterator[Mapping[str, object]]:
        if self.folder is None:
            values = self.attributes.get(relation)
            yield from (one for one in values if isinstance(one, dict)) if isinstance(values, list) else ()
            return
        path = self.folder / f"{relation}.ndjson"
        if path.is_file():
            yield from (record for _, record in read_lines(path))


def read_groups(folder: Path) -> list[SourceGroup]:
    """All groups, each after the one above it; the first is the root."""
    listed = folder / "tree" / "groups" / "_all.ndjson"
    if listed.is_file():
        groups = list(_of_files(listed))
    elif (document := folder / "group.json").is_file():
        groups = list(islice(_of_document(_object(read_document(document)), None, "0", 0), MOST_GROUPS + 1))
    else:
        raise ArchiveRefused(WRONG)
    if not groups:
        raise ArchiveRefused(WRONG)
    if len(groups) > MOST_GROUPS:
        raise ArchiveRefused(TOO_MANY)
    return groups


def _of_files(listed: Path) -> Iterator[SourceGroup]:
    numbers = listed.read_text("utf-8", "replace").split()
    if len(numbers) > MOST_GROUPS or not all(one.isascii() and one.isdigit() for one in numbers):
        raise ArchiveRefused(WRONG)
    seen: set[str] = set()
    for number in dict.fromkeys(numbers):
        path = listed.parent / f"{number}.json"
        if not path.is_file():
            raise ArchiveRefused(WRONG)
        attributes = _object(read_document(path))
        above = str(attributes.get("parent_id"))
        if seen and above not in seen:
            continue  # it hangs nowhere
        yield SourceGroup(number, above if seen else None, attributes, listed.parent / number)
        seen.add(number)


def _of_document(attributes: Mapping[str, object], parent: str | None, key: str, depth: int) -> Iterator[SourceGroup]:
    if depth > DEEPEST:
        raise ArchiveRefused(WRONG)
    yield SourceGroup(key, parent, attributes)
    below = attributes.get("children")
    for number, child in enumerate(below if isinstance(below, list) else []):
        yield from _of_document(_object(child), key, f"{key}/{number}", depth + 1)


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ArchiveRefused(WRONG)
    return value
