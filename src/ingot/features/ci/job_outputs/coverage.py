"""The coverage figure in a job's log."""

from __future__ import annotations

from collections.abc import Iterable

from ingot.features.ci.config import BadRegexp, compile_regexp
from ingot.kit.patterns import pattern

_NUMBER = pattern(r"\d+(?:\.\d+)?")
_MAX_LINE = 65_536


def extract_coverage(regexp: str, lines: Iterable[str]) -> float | None:
    """The number in the last line that matches, from the first group if the expression has one."""
    try:
        pattern = compile_regexp(regexp)
    except BadRegexp:
        return None
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
