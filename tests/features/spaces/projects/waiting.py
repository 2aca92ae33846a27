"""Waiting for background work, with a limit."""

import time
from collections.abc import Callable
from typing import Any


def until(look: Callable[[], Any], seconds: float = 20.0) -> Any:
    """Look again until the answer is truthy."""
    limit = time.monotonic() + seconds
    while True:
        found = look()
        if found or time.monotonic() > limit:
            assert found, "what was waited for did not happen"
            return found
        time.sleep(0.02)
