"""Names and mail addresses in the form git accepts inside objects."""

from __future__ import annotations

from datetime import datetime

import pygit2

from ingot.gitstore.model import Person
from ingot.kit.patterns import pattern

_CRUD = pattern(r"[\x00-\x1f\x7f<>]+")
_EDGES = " .,:;\"'\\"


def clean(value: str, fallback: str) -> str:
    """What git itself drops: angle brackets and control characters anywhere, punctuation at the edges."""
    cleaned = _CRUD.sub("", value).strip(_EDGES)
    return cleaned.encode("utf-8", "replace").decode() or fallback


def offset_minutes(when: datetime) -> int:
    offset = when.utcoffset()
    return 0 if offset is None else int(offset.total_seconds() // 60)


def signature(person: Person) -> pygit2.Signature:
    email = _CRUD.sub("", person.email).strip() or "unknown"
    return pygit2.Signature(
        clean(person.name, email.partition("@")[0] or "unknown"),
        email,
        int(person.when.timestamp()),
        offset_minutes(person.when),
        "utf-8",
    )


def person_line(person: Person) -> str:
    """`Name <mail> 1700000000 +0100`, as in commit and tag objects."""
    created = signature(person)
    sign, minutes = ("-" if created.offset < 0 else "+"), abs(created.offset)
    return f"{created.name} <{created.email}> {created.time} {sign}{minutes // 60:02d}{minutes % 60:02d}"
