from datetime import UTC, date, datetime
from typing import Any

import pytest

from ingot.kit import coercion
from ingot.kit.coercion import Unfit

WORDS_OF_YES = ["true", "1", "t", "T", "y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "True", "TRUE", True, 1]
WORDS_OF_NO = ["false", "0", "f", "F", "n", "N", "no", "No", "NO", "off", "Off", "OFF", "False", "FALSE", False, 0]


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (5, 5), ("5", 5), ("-5", -5), ("+5", 5), (" 5 ", 5), ("007", 7), (5.9, 5), (-5.9, -5), ("", None), (None, None),
        ("9223372036854775807", 2**63 - 1),
    ],
)  # fmt: skip
def test_integers_are_read(raw: Any, value: int | None) -> None:
    assert coercion.to_integer(raw) == value


@pytest.mark.parametrize(
    "raw",
    ["abc", "1.5", "0x1", "1e3", "\u0661", [1], {"a": 1}, True, float("inf"), "9223372036854775808", 2**64,
     "1" * 100, "1 2"],
)  # fmt: skip
def test_other_things_are_no_integers(raw: Any) -> None:
    with pytest.raises(Unfit):
        coercion.to_integer(raw)


@pytest.mark.parametrize("raw", WORDS_OF_YES)
def test_every_spelling_of_yes(raw: Any) -> None:
    assert coercion.to_boolean(raw) is True


@pytest.mark.parametrize("raw", WORDS_OF_NO)
def test_every_spelling_of_no(raw: Any) -> None:
    assert coercion.to_boolean(raw) is False


@pytest.mark.parametrize("raw", ["enabled", "2", 2, "tRuE", [], {}, 1.0])
def test_other_words_are_no_booleans(raw: Any) -> None:
    with pytest.raises(Unfit):
        coercion.to_boolean(raw)


@pytest.mark.parametrize(("raw", "value"), [("a", "a"), ("", ""), (5, "5"), (1.5, "1.5"), (True, "true"), (None, None)])
def test_texts_are_read(raw: Any, value: str | None) -> None:
    assert coercion.to_string(raw) == value


@pytest.mark.parametrize("raw", [["a"], {"a": "b"}])
def test_arrays_and_objects_are_no_texts(raw: Any) -> None:
    with pytest.raises(Unfit):
        coercion.to_string(raw)


NOON = datetime(2024, 6, 16, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("2024-06-16T12:00:00Z", NOON),
        ("2024-06-16T12:00:00", NOON),
        ("2024-06-16 12:00:00", NOON),
        ("2024-06-16T12:00:00.000Z", NOON),
        ("2024-06-16T17:30:00+05:30", NOON),
        ("2024-06-16T17:30:00 05:30", NOON),  # a plus that was not encoded
        ("2024-06-16T12:00:00.25Z", NOON.replace(microsecond=250_000)),
        ("2024-06-16", NOON.replace(hour=0)),
        ("20240616T120000Z", NOON),
        ("16 Jun 2024", NOON.replace(hour=0)),
        ("Sun, 16 Jun 2024 12:00:00 GMT", NOON),
        ("", None),
        (None, None),
    ],
)
def test_datetimes_are_read(raw: Any, value: datetime | None) -> None:
    assert coercion.to_datetime(raw) == value


@pytest.mark.parametrize("raw", ["foo", "2024-13-01", 1718539200, ["2024-01-01"], "2024-06-16T25:00:00Z", "9" * 80])
def test_other_things_are_no_datetimes(raw: Any) -> None:
    with pytest.raises(Unfit):
        coercion.to_datetime(raw)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("2024-06-16", date(2024, 6, 16)),
        ("2024-6-1", date(2024, 6, 1)),
        ("2024-06-16T12:00:00Z", date(2024, 6, 16)),
        ("20240616", date(2024, 6, 16)),
        ("", None),
    ],
)
def test_dates_are_read(raw: Any, value: date | None) -> None:
    assert coercion.to_date(raw) == value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("1,2", [1, 2]),
        (["1", "2"], [1, 2]),
        (["1,2", 3], [1, 2, 3]),
        (" 1 , 2 ", [1, 2]),
        ("1,,2", [1, 2]),
        ("", []),
        (None, []),
        ({"a": 1}, []),
        ("x,2", [0, 2]),
        (7, [7]),
    ],
)
def test_comma_lists_of_numbers_are_never_refused(raw: Any, value: list[int]) -> None:
    assert coercion.to_comma_list(raw, coercion.to_integer) == value


def test_strict_lists_refuse_a_bare_text() -> None:
    assert coercion.to_strict_list(["1", 2], coercion.to_integer) == [1, 2]
    assert coercion.to_strict_list("", coercion.to_integer) == []
    with pytest.raises(Unfit):
        coercion.to_strict_list("1", coercion.to_integer)


@pytest.mark.parametrize(("raw", "value"), [({"a": 1}, {"a": 1}), ("", {}), (None, None)])
def test_hashes_are_read(raw: Any, value: Any) -> None:
    assert coercion.to_hash(raw) == value
    with pytest.raises(Unfit):
        coercion.to_hash("text")
