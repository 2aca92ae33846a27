"""Durations as people write them: `2 hrs 20 min`, `6 mos 1 day`, `1:30:00`, `42`, `never`."""

from __future__ import annotations

from ingot.kit.patterns import pattern

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), _MINUTE),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), _HOUR),
    **dict.fromkeys(("d", "day", "days", "dy"), _DAY),
    **dict.fromkeys(("w", "wk", "wks", "week", "weeks"), 7 * _DAY),
    **dict.fromkeys(("mo", "mos", "mon", "mons", "month", "months"), 30 * _DAY),
    **dict.fromkeys(("y", "yr", "yrs", "year", "years"), 31_557_600),
}
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
} | {"a": "1", "an": "1", "half": "0.5"}
_TOKEN = pattern(r"(\d+(?:\.\d+)?)|([a-z]+)|[\s,]+")
_CLOCK = pattern(r"\d{1,6}(?::\d{1,2}){1,3}")
_CLOCK_UNITS = (1, _MINUTE, _HOUR, _DAY)
_MAX_LENGTH = 255
_MAX_SECONDS = 1000 * 31_557_600


def parse_duration(text: object) -> int | None:
    """Seconds, or None when the text is not a duration. `never` is handled by `is_never`."""
    if isinstance(text, bool):
        return None
    if isinstance(text, int):
        return text if 0 <= text <= _MAX_SECONDS else None
    if isinstance(text, float):
        return int(text) if 0 <= text <= _MAX_SECONDS else None
    if not isinstance(text, str) or not text.strip() or len(text) > _MAX_LENGTH:
        return None
    words = text.strip().lower()
    if _CLOCK.fullmatch(words):
        parts = [int(part) for part in reversed(words.split(":"))]
        return _within(sum(part * unit for part, unit in zip(parts, _CLOCK_UNITS, strict=False)))
    return _parse_words(words)


def is_never(text: object) -> bool:
    return isinstance(text, str) and text.strip().lower() == "never"


def _parse_words(words: str) -> int | None:
    total = 0.0
    number: str | None = None
    at = 0
    for token in _TOKEN.finditer(words):
        if token.start() != at:
            return None
        at = token.end()
        digits, word = token.groups()
        if word in _NUMBERS and number is None:
            digits, word = _NUMBERS[word], None
        if digits is not None:
            if number is not None:
                return None
            number = digits
        elif word is not None and word != "and":
            unit = _UNITS.get(word)
            if unit is None or number is None:
                return None
            total += float(number) * unit
            number = None
    if at != len(words):
        return None
    if number is not None:  # a bare number, or one at the end, counts seconds
        total += float(number)
    return _within(int(total))


def _within(seconds: int) -> int | None:
    return seconds if seconds <= _MAX_SECONDS else None
