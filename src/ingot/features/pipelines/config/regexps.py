"""Regular expressions written by users: `/pattern/flags`, matched in linear time."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import re2

from ingot.kit import regexps

_SYNTAX = re.compile(r"/(?P<pattern>.*)/(?P<flags>[ismU]*)", re.DOTALL)
_MAX_LENGTH = 16_384


class BadRegexp(ValueError):
    """Not of the form /pattern/flags, or refused by the engine."""


def looks_like_regexp(text: Any) -> bool:
    return isinstance(text, str) and _SYNTAX.fullmatch(text) is not None


@lru_cache(maxsize=512)
def compile_regexp(text: str) -> Any:
    """The compiled form of `/pattern/flags`."""
    parts = _SYNTAX.fullmatch(text)
    if parts is None or len(text) > _MAX_LENGTH:
        raise BadRegexp(text)
    flags = f"(?{parts['flags']})" if parts["flags"] else ""
    return compile_plain(flags + parts["pattern"])


def compile_plain(pattern: str) -> Any:
    """A bare pattern in the same syntax, without slashes."""
    try:
        return regexps.compile_regexp(pattern)
    except re2.error as error:
        raise BadRegexp(pattern) from error


def is_regexp(text: Any) -> bool:
    try:
        return isinstance(text, str) and compile_regexp(text) is not None
    except BadRegexp:
        return False


def regexp_matches(regexp: str, text: str) -> bool:
    """Whether `/pattern/` is found anywhere in the text; a faulty pattern matches nothing."""
    try:
        return compile_regexp(regexp).search(text) is not None
    except (BadRegexp, UnicodeError):
        return False
