"""Regular expressions written by users: `/pattern/flags`, matched in linear time."""

from __future__ import annotations

from functools import lru_cache

from ingot.features.ci.config.problems import ConfigInvalid
from ingot.kit import regexps

_MAX_LENGTH = 16_384
SECONDS = 5  # of processor time for all expressions of a configuration


class BadRegexp(ValueError):
    """Not of the form /pattern/flags, or refused by the engine."""


def looks_like_regexp(text: object) -> bool:
    return isinstance(text, str) and _parts(text) is not None


@lru_cache(maxsize=512)
def compile_regexp(text: str) -> regexps.Expression:
    """The compiled form of `/pattern/flags`."""
    parts = _parts(text)
    if parts is None or len(text) > _MAX_LENGTH:
        raise BadRegexp(text)
    pattern, flags = parts
    return compile_plain(f"(?{flags}){pattern}" if flags else pattern)


def _parts(text: str) -> tuple[str, str] | None:
    """The pattern between the first and the last slash, and the flags after it."""
    start, slash, flags = text.rpartition("/")
    is_regexp = slash and start.startswith("/") and not flags.strip("ismU")
    return (start[1:], flags) if is_regexp else None


def compile_plain(pattern: str, memory: int = regexps.SMALL) -> regexps.Expression:
    """A bare pattern in the same syntax, without slashes."""
    try:
        return regexps.compile_regexp(pattern, memory)
    except regexps.RegexpError as error:
        raise BadRegexp(pattern) from error
    except regexps.TooMuchWork as error:
        raise ConfigInvalid([error.text]) from None


def is_regexp(text: object) -> bool:
    try:
        return isinstance(text, str) and compile_regexp(text) is not None
    except BadRegexp:
        return False


def regexp_matches(regexp: str, text: str) -> bool:
    """Whether `/pattern/` is found anywhere in the text; a faulty pattern matches nothing."""
    try:
        return compile_regexp(regexp).search(text) is not None
    except BadRegexp:
        return False
    except regexps.TooMuchWork as error:
        raise ConfigInvalid([error.text]) from None
