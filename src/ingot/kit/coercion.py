"""Wire values to Python values, one function per parameter type. A value that does not fit raises `Unfit`."""

import math
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from ingot.kit.patterns import DIGITS, consists_of, pattern
from ingot.kit.request_limits import MAX_LIST

TRUE = frozenset(["true", "1", "t", "T", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "True", "TRUE"])
FALSE = frozenset(["false", "0", "f", "F", "n", "N", "no", "No", "NO", "off", "Off", "OFF", "False", "FALSE"])
LARGEST = 2**63 - 1

_BLANKS = " \t\n\r\f\v"
_DATE = pattern(r"(\d{4})-(\d{1,2})-(\d{1,2})", ascii=True)
_COMPACT = pattern(r"\d{8}", ascii=True)
_UNENCODED_PLUS = pattern(r"(:\d\d(?:\.\d+)?) (\d{2}:?\d{2})$", ascii=True)
_LENIENT = ("%Y/%m/%d", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%b %d, %Y", "%B %d, %Y", "%a, %d %b %Y %H:%M:%S %Z")


class Unfit(ValueError):
    """The value cannot be read as the parameter's type."""


def _is_integer(text: str) -> bool:
    digits = text.strip(_BLANKS)
    return consists_of(digits[1:] if digits[:1] in ("+", "-") else digits, DIGITS)


def to_integer(value: object) -> int | None:
    """Whole numbers, also as text; an empty text means no value."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        raise Unfit
    if isinstance(value, int):
        number = value
    elif (isinstance(value, float) and math.isfinite(value) and abs(value) < LARGEST) or (
        isinstance(value, str) and len(value) < 64 and _is_integer(value)
    ):
        number = int(value)
    else:
        raise Unfit
    if abs(number) > LARGEST:
        raise Unfit
    return number


def to_float(value: object) -> float | None:
    """Decimal numbers, also as text."""
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Unfit
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise Unfit from None
    if not math.isfinite(number):
        raise Unfit
    return number


def to_boolean(value: object) -> bool | None:
    """The many spellings of yes and no that clients send."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return value
    text = str(value) if isinstance(value, int | str) else ""
    if text in TRUE:
        return True
    if text in FALSE:
        return False
    raise Unfit


def to_string(value: object) -> str | None:
    """Text; JSON numbers and booleans are written out."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    raise Unfit


def to_datetime(value: object) -> datetime | None:
    """ISO 8601 with or without time, zone and fraction, and a few textual forms."""
    if value is None or value == "":
        return None
    if not isinstance(value, str) or len(value) > 64:
        raise Unfit
    text = value.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        # A space can be a plus sign that was not encoded: 2024-01-01T00:00:00 05:30.
        moment = _lenient_datetime(_UNENCODED_PLUS.sub(r"\1+\2", text))
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise Unfit from None


def _lenient_datetime(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    if (match := _DATE.fullmatch(text)) is not None:
        try:
            return datetime(int(match[1]), int(match[2]), int(match[3]), tzinfo=UTC)
        except ValueError:
            raise Unfit from None
    for form in _LENIENT:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise Unfit


def to_date(value: object) -> date | None:
    """A calendar date; a datetime is cut to its date."""
    if isinstance(value, str) and _COMPACT.fullmatch(value):
        value = f"{value[:4]}-{value[4:6]}-{value[6:]}"
    moment = to_datetime(value)
    return None if moment is None else moment.date()


def to_hash(value: object) -> dict[str, Any] | None:
    """`h[k]=v` or a JSON object; an empty text is an empty hash."""
    if value is None:
        return None
    if value == "":
        return {}
    if isinstance(value, Mapping):
        return dict(value)
    raise Unfit


def to_comma_list(value: object, item: Callable[[object], object]) -> list[Any]:
    """`a=1,2`, `a[]=1&a[]=2` and `a[]=1,2`; items are trimmed, empty ones dropped, invalid numbers become 0."""
    if value is None:
        return []
    parts = value if isinstance(value, list) else [value]
    texts: list[str] = []
    for part in parts:
        if isinstance(part, dict | list):
            continue
        texts.extend(piece.strip() for piece in str(part).split(",", MAX_LIST))
    if len(texts) > MAX_LIST:
        raise Unfit
    result = []
    for text in texts:
        if not text:
            continue
        try:
            result.append(item(text))
        except Unfit:
            result.append(0)
    return result


def to_strict_list(value: object, item: Callable[[object], object]) -> list[Any]:
    """`a[]=1&a[]=2` or a JSON array; a bare text is refused, an empty one is an empty list."""
    if value is None or value == "":
        return []
    if not isinstance(value, list) or len(value) > MAX_LIST:
        raise Unfit
    return [entry for entry in (item(part) for part in value) if entry is not None]
