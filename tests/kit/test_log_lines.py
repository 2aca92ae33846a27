"""What a person at a terminal reads of the log."""

import logging
from typing import Any

import pytest

from ingot.kit.log_lines import ShortLines


@pytest.mark.parametrize(
    ("level", "message", "more", "line"),
    [
        ("INFO", "request", {"method": "GET", "path": "/user", "status": 200, "ms": 3.14}, "GET /user 200 in 3 ms"),
        ("INFO", "request", {"method": "GET", "path": "/\x1b[2J", "status": 404, "ms": 1.0}, "GET /?[2J 404 in 1 ms"),
        ("INFO", "Job 1 is running", {}, "Job 1 is running"),
        ("WARNING", "slow request", {"route": "/user", "ms": 1500.0}, "warning: slow request route=/user in 1500 ms"),
    ],
)  # fmt: skip
def test_a_line_on_a_terminal_is_short(level: str, message: str, more: dict[str, Any], line: str) -> None:
    record = logging.makeLogRecord({"levelno": getattr(logging, level), "levelname": level, "msg": message, **more})

    time_of_day, rest = ShortLines().format(record).split(" ", 1)

    assert (len(time_of_day), rest) == (8, line)
