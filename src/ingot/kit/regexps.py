"""Regular expressions that users write: compiled with bounded memory, matched in linear time."""

from collections.abc import Iterator, Sequence
from typing import Any

import re2

RegexpError = re2.error
TOGETHER = 50  # expressions that one pass over a text looks for; more could need more memory than they get


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 8 << 20
    return options


def compile_regexp(text: str) -> Any:
    """The compiled expression; raises `RegexpError`."""
    try:
        return re2.compile(text, _options())
    except UnicodeEncodeError as error:
        raise RegexpError("half of a surrogate pair") from error


def escape(text: str) -> str:
    """An expression that matches this very text."""
    return str(re2.escape(text.encode(errors="replace").decode()))


class Expressions:
    """Many expressions matched against a text in one pass: hundreds of times faster than one by one."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._parts = [(start, _together(texts[start : start + TOGETHER])) for start in range(0, len(texts), TOGETHER)]

    def matching(self, text: str) -> Iterator[int]:
        """The indexes of those that match, in order."""
        for start, part in self._parts:
            if isinstance(part, list):
                yield from (start + place for place, one in enumerate(part) if one.fullmatch(text))
            else:
                yield from (start + place for place in sorted(part.Match(text) or ()))


def _together(texts: Sequence[str]) -> Any:
    """A set, or where it would be too large the expressions themselves."""
    result = re2.Set.FullMatchSet(_options())
    for text in texts:
        result.Add(text)
    try:
        result.Compile()
    except RegexpError:
        return [compile_regexp(text) for text in texts]
    return result


def regexp_error(text: str) -> str | None:
    """The engine's complaint about an expression, or None where it is valid."""
    try:
        compile_regexp(text)
    except RegexpError as error:
        message = error.args[0] if error.args else ""
        return message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
    return None
