"""Waiting for what happens in the background. The limit only ends a test that would never end."""

import time
from collections.abc import Callable
from typing import TypeVar

import httpx

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


def until_refused(ask: Callable[[], httpx.Response], usual: int) -> httpx.Response:
    """Ask again until a limit per minute is reached, over windows that end meanwhile; returns what is said then."""
    answers: list[httpx.Response] = []

    def is_refused() -> bool:
        answers.append(ask())
        return answers[-1].status_code != usual

    until(is_refused)
    return answers[-1]
