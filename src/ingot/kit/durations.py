"""Durations as people write them: `1w 2d 3h`, with working weeks of five days and days of eight hours."""

from ingot.kit.patterns import pattern

UNITS = {"mo": 20 * 8 * 3600, "w": 5 * 8 * 3600, "d": 8 * 3600, "h": 3600, "m": 60, "s": 1}
LONGEST = 100 * 12 * UNITS["mo"]  # a hundred years: more is a typing error
_PART = pattern(r"(\d+(?:\.\d+)?)\s*(mo|w|d|h|m|s)", ascii=True)
_NUMBER = pattern(r"\d+(?:\.\d+)?", ascii=True)


def parse(text: str) -> int | None:
    """Seconds, or None where the text is not a duration. A bare number means hours; a leading minus subtracts."""
    text = text.strip().lower()
    sign = -1 if text.startswith("-") else 1
    text = text.lstrip("+-").strip()
    if len(text) > 64:
        return None
    if _NUMBER.fullmatch(text):
        seconds = round(float(text) * 3600)
    else:
        if not text or _PART.sub("", text).strip():
            return None
        seconds = sum(round(float(amount) * UNITS[unit]) for amount, unit in _PART.findall(text))
    return sign * seconds if seconds <= LONGEST else None


def human(seconds: int) -> str | None:
    """`1w 1d 1h 40m`; nothing at all for zero."""
    if seconds == 0:
        return None
    rest = abs(seconds)
    parts = []
    for unit, size in UNITS.items():
        count, rest = divmod(rest, size)
        if count:
            parts.append(f"{count}{unit}")
    return ("-" if seconds < 0 else "") + " ".join(parts)
