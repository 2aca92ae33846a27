"""Entities: what goes over the wire, as msgspec structs. A field the caller may not see is `UNSET` and left out."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from ingot.kit.clock import wire, wire_or_none

__all__ = ["UNSET", "Entity", "UnsetType", "by_key", "group_by", "wire", "wire_or_none"]

T = TypeVar("T")


class Entity(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Base of everything sent; unknown fields are refused so that the contract check sees them."""


class MessageOnly(Entity):
    """`{"message": "202 Accepted"}` and its kind."""

    message: str


ACCEPTED = MessageOnly(message="202 Accepted")
Moment = datetime


def by_key(rows: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, Any]:
    """Index bulk-loaded rows by a key."""
    return {key(row): row for row in rows}


def group_by(rows: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    """Group bulk-loaded rows by a key, keeping their order."""
    result: dict[Any, list[Any]] = {}
    for row in rows:
        result.setdefault(key(row), []).append(row)
    return result
