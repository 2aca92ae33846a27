"""Cron expressions in words."""

import pytest

from ingot.web.cron_words import cron_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0 4 * * *", "every day at 04:00"),
        ("30 14 * * 1", "every Monday at 14:30"),
        ("0 9 * * mon-fri", "Monday to Friday at 09:00"),
        ("0 0 * * 7", "every Sunday at 00:00"),
        ("15 3 1 * *", "on day 1 of each month at 03:15"),
        ("*/15 * * * *", "every 15 minutes"),
        ("5 * * * *", "every hour at minute 5"),
        ("0 4 * 1 *", ""),
        ("0 4,5 * * *", ""),
        ("0 4 * * 1,3", ""),
        ("0 4 1 * 1", ""),
        ("nonsense", ""),
    ],
)
def test_the_usual_ones_are_said_in_words(text: str, words: str) -> None:
    assert cron_words(text) == words
