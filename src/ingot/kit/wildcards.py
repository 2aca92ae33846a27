"""Matching names against patterns in which only `*` is special and stands for anything, slashes included."""

from collections.abc import Callable


def matches_wildcard(text: str, pattern: str) -> bool:
    """Whether the whole text matches the pattern, case-sensitively."""
    return wildcard(pattern)(text) if "*" in pattern else text == pattern


def wildcard(pattern: str) -> Callable[[str], bool]:
    """The test of a pattern, in time that grows with the length of the text.

    Between two stars the earliest place is always the best one, so nothing has to be tried twice.
    """
    first, *others = pattern.split("*")
    if not others:
        return lambda text: text == pattern
    middle, last = [part for part in others[:-1] if part], others[-1]
    shortest = len(first) + sum(map(len, middle)) + len(last)

    def matches(text: str) -> bool:
        if len(text) < shortest or not text.startswith(first) or not text.endswith(last):
            return False
        at, end = len(first), len(text) - len(last)
        for part in middle:
            place = text.find(part, at, end)
            if place < 0:
                return False
            at = place + len(part)
        return True

    return matches
