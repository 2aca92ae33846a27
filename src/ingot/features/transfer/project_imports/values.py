"""Reading values of archive records: each function converts an unchecked value to a storable one."""

from collections.abc import Container, Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from ingot.archives.lines import Pieces
from ingot.kit import coercion

Record = Mapping[str, object]
USER_KEYS = frozenset(
    [
        "author_id",
        "assignee_id",
        "updated_by_id",
        "merged_by_id",
        "latest_closed_by_id",
        "user_id",
        "created_by_id",
        "last_edited_by_id",
        "merge_user_id",
        "resolved_by_id",
        "closed_by_id",
        "owner_id",
    ]
)
SHA_LENGTHS = (40, 64)
LONGEST_TEXT = 1_048_576  # characters
# Old archives write numbers. Pushes are not part of archives: they would name refs that may be gone.
EVENT_ACTIONS = {
    1: "created", 2: "updated", 3: "closed", 4: "reopened", 6: "commented", 7: "merged", 8: "joined", 9: "left",
    10: "destroyed", 11: "expired", 12: "approved",
}  # fmt: skip
HARMLESS = ("runner_token_expiration_interval",)


class BadRecord(Exception):
    """The record cannot be stored; the message has the form of validation errors."""


def _words(key: str) -> str:
    """A key as validations name it: `Source branch`."""
    return key.replace("_", " ").capitalize()


def moment(record: Record, key: str) -> datetime | None:
    """A time in any of the forms that archives use."""
    value = record.get(key)
    if value in (None, ""):
        return None
    text = str(value).replace(" UTC", "+00:00").replace(" ", "T", 1)
    try:
        return coercion.to_datetime(text)
    except coercion.Unfit:
        raise BadRecord(f"{_words(key)} is invalid") from None


def moment_or(record: Record, key: str, fallback: datetime) -> datetime:
    """As `moment`, with a default."""
    result = moment(record, key)
    return fallback if result is None else result.astimezone(UTC)


def day(record: Record, key: str) -> date | None:
    """A calendar date."""
    result = moment(record, key)
    return None if result is None else result.date()


def text(record: Record, key: str, *, longest: int | None = None, required: bool = False) -> str | None:
    """A text without NUL bytes. Without a limit of its own it is cut where a description would be refused."""
    value = record.get(key)
    if value is None:
        if required:
            raise BadRecord(f"{_words(key)} can't be blank")
        return None
    if not isinstance(value, str):
        raise BadRecord(f"{_words(key)} is invalid")
    result = (value if longest is not None else value[:LONGEST_TEXT]).replace("\x00", "")
    if required and not result.strip():
        raise BadRecord(f"{_words(key)} can't be blank")
    if longest is not None and len(result) > longest:
        raise BadRecord(f"{_words(key)} is too long (maximum is {longest} characters)")
    return result


def number(record: Record, key: str, default: int | None = None) -> int | None:
    """A whole number."""
    try:
        result = coercion.to_integer(record.get(key))
    except coercion.Unfit:
        raise BadRecord(f"{_words(key)} is not a number") from None
    return default if result is None else result


def iid(record: Record) -> int | None:
    """The record's number in the project, where it has one."""
    result = number(record, "iid")
    if result is not None and not 0 < result < 2**31:
        raise BadRecord("Iid is invalid")
    return result


def flag(record: Record, key: str, *, default: bool = False) -> bool:
    """Yes or no."""
    value = record.get(key)
    return default if value is None else value in (True, 1, "1", "true", "t")


def flag_or_none(record: Record, key: str) -> bool | None:
    """Yes, no or nothing."""
    return None if record.get(key) is None else flag(record, key)


def sha(record: Record, key: str) -> str | None:
    """A full commit id."""
    value = record.get(key)
    if not isinstance(value, str) or len(value) not in SHA_LENGTHS:
        return None
    return value if all(c in "0123456789abcdef" for c in value) else None


def children(record: Record, key: str) -> Iterable[dict[str, Any]]:
    """As `records`, for lists that may be too long to hold."""
    value = record.get(key)
    if isinstance(value, Pieces):
        return (child for child in value if isinstance(child, dict))
    return records(record, key)


def records(record: Record, key: str) -> list[dict[str, Any]]:
    """Children of a record; one object counts as a list of one."""
    value = record.get(key)
    if isinstance(value, dict):
        return [value]
    if isinstance(value, Pieces):
        value = list(value)
    return [child for child in value if isinstance(child, dict)] if isinstance(value, list) else []


def one(record: Record, key: str) -> dict[str, Any] | None:
    """A single child."""
    value = record.get(key)
    return value if isinstance(value, dict) else None


def word(value: object, words: Mapping[int, str], allowed: Container[str], fallback: str) -> str:
    """An enumeration that old archives write as a number."""
    result = words.get(value) if isinstance(value, int) else value
    return str(result) if result in allowed else fallback


def leftover(record: Record, modelled: frozenset[str]) -> dict[str, Any]:
    """The unmodelled attributes of a record: neither modelled, nor ids of the source, nor derived."""
    return {
        key: value
        for key, value in ({**record, "events": _unknown_events(record)} if "events" in record else record).items()
        if key not in modelled and value not in (None, [], {}) and not _is_derived(key)
    }


def event_action(event: Record) -> str | None:
    """The action of an event, or None if it is unknown."""
    return word(event.get("action"), EVENT_ACTIONS, EVENT_ACTIONS.values(), "") or None


def _unknown_events(record: Record) -> list[dict[str, Any]]:
    """Events that the log cannot hold; those without an author are dropped."""
    events = records(record, "events")
    return [event for event in events if event_action(event) is None and event.get("author_id") is not None]


def _is_derived(key: str) -> bool:
    if key in USER_KEYS:
        return False
    return key == "id" or key.endswith(("_id", "_ids")) or is_ignored(key)


def is_ignored(key: str) -> bool:
    """Secrets of the source, and rendered texts: never used or stored."""
    secret = "token" in key or key.startswith("encrypted_") or key in ("trace", "commands", "artifacts_metadata")
    return (secret and key not in HARMLESS) or key.endswith("_html") or key == "cached_markdown_version"
