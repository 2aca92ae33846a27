"""Waiting for what happens in the background. The limit only ends a test that would never end."""

import time
from collections.abc import Callable
from typing import TypeVar

Seen = TypeVar("Seen")

LIMIT = 300.0  # seconds; on a busy machine everything may take long


def until(look: Callable[[], Seen]) -> Seen:
    """Look again until the answer is true, and return it."""
    end = time.monotonic() + LIMIT
    while True:
        seen = look()
        if seen:
            return seen
        assert time.monotonic() < end, "what was waited for did not happen"
        time.sleep(0.02)
