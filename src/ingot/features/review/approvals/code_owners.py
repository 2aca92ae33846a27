"""CODEOWNERS: who owns which files, read from the target branch."""

from collections.abc import Iterable, Sequence

import msgspec

from ingot.gitstore import Repository, objects
from ingot.kit.patterns import escape, pattern
from ingot.kit.regexps import Expressions

PLACES = ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
DEFAULT_SECTION = "codeowners"
LARGEST_FILE = 1024 * 1024
MOST_LINES = 5_000
LONGEST_PATTERN = 1_024
MOST_OWNERS = 500  # of one line
NOTHING = r"[^\x00-\x{10FFFF}]"
WILDCARDS = {"**/": "(?:.*/)?", "**": "[^/]*", "*": "[^/]*", "?": "[^/]"}

_SECTION = pattern(r"(\^?)\[([^\]]+)\](?:\[(\d{1,3})\])?\s*(.*)")
_BLANK = pattern(r"\s")
_WILDCARD = pattern(r"((?:\*\*/)+|\*\*|\*|\?)")
_OWNER = pattern(r"@{1,2}[\w./-]+|[^\s@]+@[^\s@]+")


class Section(msgspec.Struct, frozen=True):
    """A section of the file, whose entries are matched separately."""

    name: str
    required: int  # approvals of each entry; 0 where the section is optional
    owners: tuple[str, ...]  # of entries that name none


class Entry(msgspec.Struct, frozen=True):
    """A line: a pattern and who owns what it matches, as written and lower-cased (`@name`, `@@role`, mail address)."""

    section: Section
    pattern: str
    expression: str  # what paths have to match
    owners: tuple[str, ...]
    is_exclusion: bool  # matching files have no owners in this section


def read_entries(repository: Repository, sha: str) -> list[Entry]:
    """The entries at a commit; without the file there are none."""
    for place in PLACES:
        blob = objects.find_blob(repository, sha, place, LARGEST_FILE)
        if blob is not None:
            return parse(blob.content.decode(errors="replace"))
    return []


def file_ids(repository: Repository, sha: str) -> list[str | None]:
    """Object ids of the possible CODEOWNERS files at a commit."""
    entries = (objects.find_entry(repository, sha, place) for place in PLACES)
    return [None if entry is None else entry.id for entry in entries]


def parse(text: str) -> list[Entry]:
    """Lines of `pattern owner owner`; sections of one name are one, and may have owners for all their lines."""
    entries: list[Entry] = []
    names: dict[str, str] = {}
    section = Section(DEFAULT_SECTION, 1, ())
    for raw in text.splitlines()[:MOST_LINES]:
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        head = _SECTION.fullmatch(line)
        if head is not None:
            name = names.setdefault(head[2].strip().lower(), head[2].strip())
            section = Section(name, 0 if head[1] else max(1, int(head[3] or 1)), _owners(head[4]))
        else:
            entries.append(_entry(section, line))
    return entries


def _entry(section: Section, line: str) -> Entry:
    path, owned_by = _split_path(line)
    path = path.replace("\\ ", " ").removeprefix("\\")
    is_exclusion = line.startswith("!")
    owners = _owners(owned_by)
    return Entry(section, path, _expression(path.removeprefix("!")), owners or section.owners, is_exclusion)


def _split_path(line: str) -> tuple[str, str]:
    """The text before and after the first unescaped space."""
    for blank in _BLANK.finditer(line):
        at = blank.start()
        if at == 0 or line[at - 1] != "\\":
            return line[:at], line[at:].lstrip()
    return line, ""


def _owners(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(owner.lower() for owner in _OWNER.findall(text)))[:MOST_OWNERS]


def _expression(path: str) -> str:
    """Like a shell pattern: `*` stays inside a folder, a folder matches everything below it."""
    anchored = path.startswith("/")
    body = path.lstrip("/")
    if body.endswith("/"):
        body += "**/*"
    if len(body) > LONGEST_PATTERN:
        return NOTHING
    parts = _WILDCARD.split(body)
    parts[1::2] = ["**/" if part.startswith("**/") else part for part in parts[1::2]]
    inner = "".join(WILDCARDS.get(part, escape(part)) for part in parts)
    return "(?s)" + ("" if anchored else "(?:.*/)?") + inner


def matching(entries: Sequence[Entry], paths: Iterable[str]) -> list[Entry]:
    """The entries that own some of these files, in the order of the file; the last match of each section counts."""
    expressions = Expressions([entry.expression for entry in entries])
    result: set[int] = set()
    for path in paths:
        chosen: dict[str, int] = {}
        excluded = set()
        for place in expressions.matching(path):
            name = entries[place].section.name
            chosen[name] = place
            if entries[place].is_exclusion:
                excluded.add(name)
        result.update(place for section, place in chosen.items() if section not in excluded)
    return [entries[place] for place in sorted(result) if entries[place].owners]
