"""Regular expressions that users write: compiled with bounded memory, matched in linear time.

Linear in the text, but each letter may cost as much as the expression is large, and a few hundred letters such as
`(a?){1000}` make a large one. So their size is limited, the length of the text by their size, and what many matches
cost together by `limited_work`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time
from typing import Any

import re2

from ingot.kit.errors import Failure

RegexpError = re2.error
TOGETHER = 50  # expressions that one pass over a text looks for; more could need more memory than they get
SMALL = 64 << 10  # bytes of what users write: about 5,000 instructions, compiled in milliseconds
LONGEST = 4096  # letters of what users write: larger ones take long to refuse
LARGE = 8 << 20  # of what we write, or make of shell patterns
MOST_STEPS = 50_000_000  # instructions times letters of one match: about a second at worst
_work: ContextVar[list[float] | None] = ContextVar("seconds_for_expressions", default=None)


class TooMuchWork(Failure):
    """An expression is too costly for the text, or for all texts together."""

    def __init__(self) -> None:
        super().__init__(400, "A regular expression takes too long to match. Use a simpler one.")


@contextmanager
def limited_work(seconds: float) -> Iterator[None]:
    """All expressions inside get this much processor time together, then `TooMuchWork` is raised."""
    token = _work.set([seconds])
    try:
        yield
    finally:
        _work.reset(token)


@contextmanager
def _counted() -> Iterator[None]:
    left = _work.get()
    if left is None:
        yield
        return
    if left[0] <= 0:
        raise TooMuchWork
    started = thread_time()
    try:
        yield
    finally:
        left[0] -= thread_time() - started


def _options(memory: int) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = memory
    return options


def compile_own(text: str, memory: int = LARGE) -> Any:
    """The engine's form of an expression; raises `RegexpError`."""
    try:
        return re2.compile(text, _options(memory))
    except UnicodeEncodeError as error:
        raise RegexpError("half of a surrogate pair") from error


class Expression:
    """A compiled expression of a user."""

    __slots__ = ("_engine", "_longest")

    def __init__(self, text: str, memory: int = SMALL) -> None:
        with _counted():
            self._engine = compile_own(text, memory)
        self._longest = MOST_STEPS // max(1, self._engine.programsize)

    @property
    def groups(self) -> int:
        """How many groups it has."""
        return int(self._engine.groups)

    def search(self, text: str) -> Any:
        """The first match, or None."""
        return self._run(self._engine.search, text)

    def fullmatch(self, text: str) -> Any:
        """The match of the whole text, or None."""
        return self._run(self._engine.fullmatch, text)

    # Any: the engine has no types.
    def _run(self, match: Callable[[str], Any], text: str) -> Any:
        if len(text) > self._longest:
            raise TooMuchWork
        with _counted():
            return match(encodable(text))


def compile_regexp(text: str, memory: int = SMALL) -> Expression:
    """The compiled expression; raises `RegexpError`."""
    if memory == SMALL and len(text) > LONGEST:
        raise RegexpError(f"pattern too large - more than {LONGEST} characters")
    return Expression(text, memory)


def encodable(text: str) -> str:
    """The text with U+FFFD for halves of surrogate pairs."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


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
    result = re2.Set.FullMatchSet(_options(LARGE))
    for text in texts:
        result.Add(text)
    try:
        result.Compile()
    except RegexpError:
        return [compile_own(text) for text in texts]
    return result


def regexp_error(text: str) -> str | None:
    """The engine's complaint about an expression, or None where it is valid."""
    try:
        compile_regexp(text)
    except RegexpError as error:
        message = error.args[0] if error.args else ""
        return message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
    return None
