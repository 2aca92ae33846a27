from __future__ import annotations

import pytest

from ingot.kit.time_spans import is_never, parse_duration

CASES = [
    ("42", 42),
    (42, 42),
    ("42 seconds", 42),
    ("3 mins 4 sec", 184),
    ("2 hrs 20 min", 8400),
    ("2h20min", 8400),
    ("6 mos 1 day", 6 * 2_592_000 + 86_400),
    ("47 yrs 6 mos and 4d", 47 * 31_557_600 + 6 * 2_592_000 + 4 * 86_400),
    ("3 weeks and 2 days", 23 * 86_400),
    ("1.5 hours", 5400),
    ("1:30:00", 5400),
    ("1 HOUR", 3600),
    ("a week", 604_800),
    ("one day", 86_400),
    ("soon", None),
    ("", None),
    ("5 apples", None),
    ("week", None),
    ("-5", None),
    ("1 2 days", None),
    ("9" * 300, None),
    (True, None),
    (None, None),
    ([], None),
]


@pytest.mark.parametrize(("text", "seconds"), CASES)
def test_a_duration_is_read_as_people_write_it(text: object, seconds: int | None) -> None:
    assert parse_duration(text) == seconds


def test_never_is_told_in_any_case() -> None:
    assert is_never("never")
    assert is_never("Never ")
    assert not is_never("1 day")
