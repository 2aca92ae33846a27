"""The coverage figure in a job's log."""

from __future__ import annotations

from collections.abc import Iterable

from ingot.features.ci.config import BadRegexp, ConfigInvalid, compile_regexp
from ingot.kit.patterns import pattern
from ingot.kit.regexps import Expression, TooMuchWork, limited_work

_NUMBER = pattern(r"\d+(?:\.\d+)?")
_MAX_LINE = 65_536
_SECONDS = 5  # of processor time for a log


def extract_coverage(regexp: str, lines: Iterable[str]) -> float | None:
    """The number in the last line that matches, from the first group if the expression has one.

    None for an expression that is faulty, or too costly for the log.
    """
    try:
        with limited_work(_SECONDS):
            return _last_number(compile_regexp(regexp), lines)
    except (BadRegexp, ConfigInvalid, TooMuchWork):
        return None


def _last_number(pattern: Expression, lines: Iterable[str]) -> float | None:
    result: float | None = None
    for line in lines:
        match = pattern.search(line[:_MAX_LINE])
        if match is None:
            continue
        text = match.group(1) if pattern.groups else match.group(0)
        number = _NUMBER.search(text or "")
        if number is not None:
            result = float(number[0])
    return result
