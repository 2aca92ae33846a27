"""Bars for work on archives: bytes of the file, and records of each relation."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PIECE = 1024 * 1024


class Bars:
    """One bar for the archive's bytes and one for each relation."""

    def __init__(self, progress: "Progress") -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}

    def bytes(self, label: str, done: int, total: int | None = None) -> None:
        """So many bytes went through."""
        self._show(label, done, total, f"{done / 1e6:,.1f} MB")

    def records(self, relation: str, done: int, *, ended: bool = False) -> None:
        """So many records of a relation are done."""
        self._show(relation, done, done if ended else None, f"{done:,} records")

    def _show(self, label: str, done: int, total: int | None, shown: str) -> None:
        if label not in self._tasks:
            self._tasks[label] = self._progress.add_task(label, total=total, shown=shown)
        self._progress.update(self._tasks[label], completed=done, total=total, shown=shown)


@contextmanager
def bars() -> Iterator[Bars]:
    """Bars on the terminal for as long as the block lasts."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description:28}"),
        BarColumn(),
        TextColumn("{task.fields[shown]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns) as progress:
        yield Bars(progress)


def read_with_bar(file: Path, shown: Bars) -> Iterator[bytes]:
    """The file piece by piece, counted."""
    total, done = file.stat().st_size, 0
    with file.open("rb") as source:
        while piece := source.read(PIECE):
            yield piece
            done += len(piece)
            shown.bytes("archive", done, total)
