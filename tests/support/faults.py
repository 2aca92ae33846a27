"""What the program logs as a fault while it serves the tests: listeners fail without an answer that shows it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(logging.Formatter("%(message)s").format(record))


@contextmanager
def no_listener_fails() -> Iterator[None]:
    """Raise at the end of the block when an event's listener failed inside it."""
    collector = _Collector()
    logger = logging.getLogger("ingot.events")
    logger.addHandler(collector)
    try:
        yield
    finally:
        logger.removeHandler(collector)
    assert not collector.texts, "\n".join(collector.texts)
