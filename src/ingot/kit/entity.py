"""Entities: what goes over the wire, as msgspec structs. A field the caller may not see is `UNSET` and left out."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from ingot.kit.clock import wire, wire_or_none

__all__ = ["UNSET", "Entity", "UnsetType", "by_key", "group_by", "wire", "wire_or_none"]

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


class Entity(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Base of everything sent; unknown fields are refused so that the contract check sees them."""


class MessageOnly(Entity):
    """`{"message": "202 Accepted"}` and its kind."""

    message: str


ACCEPTED = MessageOnly(message="202 Accepted")


def by_key(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, T]:
    """Index bulk-loaded rows by a key."""
    return {key(row): row for row in rows}


def group_by(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Group bulk-loaded rows by a key, keeping their order."""
    result: dict[K, list[T]] = {}
    for row in rows:
        result.setdefault(key(row), []).append(row)
    return result
