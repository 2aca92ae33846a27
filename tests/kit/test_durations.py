import pytest

from ingot.kit.durations import human, parse


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(12600, "3h 30m"), (28800, "1d"), (178800, "1w 1d 1h 40m"), (0, None), (-3600, "-1h"), (576000, "1mo")],
)
def test_seconds_are_shown_in_working_time(seconds: int, words: str | None) -> None:
    assert human(seconds) == words


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("3h30m", 12600), ("1w 2d", 201600), ("2", 7200), ("1.5h", 5400), ("-1h", -3600), ("1mo", 576000),
        ("", None), ("soon", None), ("3 parsecs", None), ("9" * 80 + "h", None),
    ],
)  # fmt: skip
def test_words_become_seconds(text: str, seconds: int | None) -> None:
    assert parse(text) == seconds
