"""Hits in files: chunks of lines around each match."""

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

CONTEXT = 2  # lines before and after
BEGINNING = 1024  # characters of a file that was found by its path
LONGEST_DATA = 16_384  # characters of one chunk: files of one long line are common


@dataclass(frozen=True, slots=True)
class Hit:
    """A file that has the phrase in its path (`data` is None until it is shown), or a chunk of its lines."""

    project_id: int
    path: str
    ref: str
    sha: str
    line: int = 1
    data: str | None = None

    @property
    def is_by_path(self) -> bool:
        """The path has the phrase, not the content."""
        return self.data is None


@dataclass(slots=True)
class HitPage:
    """Hits in their order: those of one page are kept, the others only counted. `most` are worth finding."""

    start: int
    size: int
    most: int
    number: int = 0
    shown: list[Hit] = field(default_factory=list)

    @property
    def missing(self) -> int:
        """How many more are worth finding."""
        return self.most - self.number

    def add(self, hit: Hit) -> None:
        """The next hit."""
        if self.start <= self.number < self.start + self.size:
            self.shown.append(hit)
        self.number += 1


def pack_text(text: str) -> bytes:
    """A text as it is stored."""
    return zlib.compress(text.encode("utf-8", "replace"), 3)


def unpack_text(stored: bytes) -> str:
    """The stored text."""
    return zlib.decompress(stored).decode()


def unpack_beginning(stored: bytes) -> str:
    """The beginning of the stored text."""
    return zlib.decompressobj().decompress(stored, 4 * BEGINNING).decode("utf-8", "ignore")[:BEGINNING]


def chunks(text: str, phrase: str) -> Iterator[tuple[int, str]]:
    """The number of the first line and the text of each chunk; chunks that touch are one."""
    lowered = text.lower()
    if phrase not in lowered:
        return
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    first = last = -1
    for at, line in enumerate(lowered.split("\n")):
        if phrase not in line:
            continue
        if first >= 0 and at - CONTEXT > last + 1:
            yield first + 1, _joined(lines[first : last + 1])
            first = -1
        first = max(0, at - CONTEXT) if first < 0 else first
        last = at + CONTEXT
    if first >= 0:
        yield first + 1, _joined(lines[first : last + 1])


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)[:LONGEST_DATA]


def with_beginnings(hits: Iterable[Hit], read: Callable[[list[str]], dict[str, str]]) -> list[Hit]:
    """Hits by path get the beginning of their file; `read` gives beginnings by the ids of contents."""
    shown = list(hits)
    texts = read([hit.sha for hit in shown if hit.is_by_path])
    return [replace(hit, data=texts.get(hit.sha, "")) if hit.is_by_path else hit for hit in shown]
