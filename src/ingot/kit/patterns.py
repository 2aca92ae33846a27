"""Patterns over texts that a caller chose: matched in linear time, without holding the interpreter.

They look like those of the standard library, whose backtracking can take minutes for a few kilobytes. Three things
differ: there is no looking ahead or behind and no reference to an earlier group; `$` is the very end; digits and word
boundaries are ASCII. `\\s` and `\\w` know the letters of every language, as usual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from string import ascii_letters
from typing import Any, Protocol

from ingot.kit.regexps import compile_own, encodable, escape

__all__ = ["ALPHANUMERIC", "DIGITS", "HEX", "SPACE", "WORD", "Match", "Pattern", "consists_of", "escape", "pattern"]

DIGITS = "0123456789"
ALPHANUMERIC = ascii_letters + DIGITS
HEX = DIGITS + "abcdef"
# What stands between the brackets of a class.
SPACE = r"\t-\r\x1c-\x20\x{85}\p{Z}"
WORD = r"\p{L}\p{N}_"
_CLASSES = {"s": SPACE, "w": WORD}


class Match(Protocol):
    """A match; groups are counted from 1 or named."""

    def __getitem__(self, group: int | str) -> Any: ...
    def groups(self) -> tuple[Any, ...]: ...
    def groupdict(self) -> dict[str, Any]: ...
    def start(self, group: int = 0) -> int: ...
    def end(self, group: int = 0) -> int: ...
    @property
    def lastgroup(self) -> str | None: ...


class Pattern:
    """A pattern, compiled when first used. Halves of surrogate pairs, which no encoding has, count as U+FFFD."""

    __slots__ = ("_engine", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._engine: Any = None

    @property
    def _compiled(self) -> Any:
        if self._engine is None:
            self._engine = compile_own(self.text)
        return self._engine

    def fullmatch(self, text: str) -> Match | None:
        return self._compiled.fullmatch(encodable(text))  # type: ignore[no-any-return]

    def match(self, text: str) -> Match | None:
        return self._compiled.match(encodable(text))  # type: ignore[no-any-return]

    def search(self, text: str) -> Match | None:
        return self._compiled.search(encodable(text))  # type: ignore[no-any-return]

    def finditer(self, text: str) -> Iterator[Match]:
        return self._compiled.finditer(encodable(text))  # type: ignore[no-any-return]

    def findall(self, text: str) -> list[Any]:
        return self._compiled.findall(encodable(text))  # type: ignore[no-any-return]

    def sub(self, replacement: str | Callable[[Match], str], text: str, count: int = 0) -> str:
        return self._compiled.sub(replacement, encodable(text), count)  # type: ignore[no-any-return]

    def split(self, text: str, maxsplit: int = 0) -> list[Any]:
        return self._compiled.split(encodable(text), maxsplit)  # type: ignore[no-any-return]


def pattern(
    text: str, *, ascii: bool = False, dot_all: bool = False, ignore_case: bool = False, multi_line: bool = False
) -> Pattern:
    """A pattern of our own; those that users write are for `ingot.kit.regexps`."""
    flags = "".join(letter for letter, is_set in (("i", ignore_case), ("m", multi_line), ("s", dot_all)) if is_set)
    body = text if ascii else _with_all_letters(text)
    return Pattern(f"(?{flags}){body}" if flags else body)


def consists_of(text: str, characters: str) -> bool:
    """Whether a text has characters of this set only, and at least one; much faster than a pattern."""
    return bool(text) and not text.strip(characters)


def _with_all_letters(text: str) -> str:
    """The engine's `\\s`, `\\w` and their opposites mean ASCII; ours do not."""
    result: list[str] = []
    in_class = False
    at = 0
    while at < len(text):
        char = text[at]
        escaped = text[at + 1] if char == "\\" else ""
        if escaped.lower() in _CLASSES:
            members = _CLASSES[escaped.lower()]
            if in_class and escaped.isupper():
                raise ValueError(f"write the members of the class out: {text}")
            result.append(members if in_class else f"[{'^' if escaped.isupper() else ''}{members}]")
        else:
            result.append(char + escaped)
            if char == "[" and not in_class:
                in_class = True
            elif char == "]" and in_class:
                in_class = False
        at += 2 if escaped else 1
    return "".join(result)
