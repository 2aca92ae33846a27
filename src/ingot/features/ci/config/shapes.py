"""Checks of single values, with GitLab's error messages."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, TypeGuard

from ingot.features.ci.config.budget import Budget
from ingot.features.ci.config.problems import Problems

Scalar = str | int | float | bool
MAX_NESTING = 10


def is_scalar(value: object) -> TypeGuard[Scalar]:
    return isinstance(value, str | int | float)


def as_text(value: object) -> str:
    """A scalar as CI variables show it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def is_strings(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_strings_or_string(value: object) -> TypeGuard[list[str] | str]:
    return isinstance(value, str) or is_strings(value)


def as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]


def flatten(value: object, budget: Budget, levels: int = MAX_NESTING) -> list[Any] | None:
    """A nested list as one list; None when it nests deeper than allowed."""
    if not isinstance(value, list):
        return [value]
    budget.spend(len(value) + 1)
    if levels <= 0:
        return None
    flat: list[Any] = []
    for item in value:
        if isinstance(item, list):
            inner = flatten(item, budget, levels - 1)
            if inner is None:
                return None
            flat.extend(inner)
        else:
            flat.append(item)
    return flat


class Entry:
    """One mapping of the configuration and its location, with checks that report problems."""

    def __init__(self, where: str, value: dict[str, object], problems: Problems) -> None:
        self.where = where
        self.value = value
        self.problems = problems

    def get(self, key: str) -> Any:
        return self.value.get(key)

    def fail(self, sentence: str) -> None:
        self.problems.add(self.where, sentence)

    def allow_keys(self, allowed: Collection[str]) -> None:
        unknown = [key for key in self.value if key not in allowed]
        if unknown:
            self.fail(f"config contains unknown keys: {', '.join(unknown)}")

    def forbid_together(self, keys: Iterable[str]) -> None:
        present = [key for key in self.value if key in keys]
        if len(present) > 1:
            self.fail(f"config these keys cannot be used together: {', '.join(present)}")

    def text(self, key: str) -> str | None:
        value = self.get(key)
        if value is None or isinstance(value, str):
            return value
        self.fail(f"{_words(key)} should be a string")
        return None

    def boolean(self, key: str) -> bool | None:
        value = self.get(key)
        if value is None or isinstance(value, bool):
            return value
        self.fail(f"{_words(key)} should be a boolean value")
        return None

    def strings(self, key: str) -> tuple[str, ...] | None:
        value = self.get(key)
        if value is None:
            return None
        if is_strings(value):
            return tuple(value)
        self.fail(f"{_words(key)} should be an array of strings")
        return None

    def strings_or_string(self, key: str) -> tuple[str, ...] | None:
        value = self.get(key)
        if value is None:
            return None
        if is_strings_or_string(value):
            return tuple(as_list(value))
        self.fail(f"{_words(key)} should be an array of strings or a string")
        return None

    def one_of(self, key: str, allowed: Collection[str]) -> str | None:
        value = self.get(key)
        if value is None:
            return None
        if isinstance(value, str) and value in allowed:
            return value
        self.fail(f"{_words(key)} should be one of: {', '.join(allowed)}")
        return None


def _words(key: str) -> str:
    return key.replace("_", " ")
