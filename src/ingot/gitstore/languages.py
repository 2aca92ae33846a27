"""Share of each programming language in a commit, by bytes."""

from __future__ import annotations

from collections import Counter

import pygit2

from ingot.gitstore.errors import RevisionNotFound
from ingot.gitstore.generated import is_documentation, is_generated, is_vendored
from ingot.gitstore.language_names import EXTENSIONS, FILE_NAMES, INTERPRETERS
from ingot.gitstore.model import text
from ingot.gitstore.objects import blob_size, read_blob
from ingot.gitstore.repository import Repository

_SNIFFED_FILES = 200
_FIRST_LINE = 120
_LARGEST_SCRIPT = 1 << 20


def languages(repo: Repository, sha: str) -> dict[str, float]:
    """Percent by language name, largest first, two decimals; {} when nothing is recognised.

    Vendored, generated and documentation files do not count, nor do data and prose formats.
    """
    if not isinstance(repo.find_object(sha), pygit2.Commit):
        raise RevisionNotFound(sha)
    output = repo.git("ls-tree", "-r", "-l", "-z", "--full-tree", sha).stdout
    sizes: Counter[str] = Counter()
    sniffed = 0
    for record in output.split(b"\0")[:-1]:
        meta, _, raw = record.partition(b"\t")
        mode, _, blob, size = meta.split()
        path = text(raw)
        if not mode.startswith(b"100") or is_vendored(path) or is_generated(path) or is_documentation(path):
            continue
        name = language_of(path)
        if name is None and "." not in path.rpartition("/")[2] and mode == b"100755" and sniffed < _SNIFFED_FILES:
            sniffed += 1
            name = _by_interpreter(repo, blob.decode())
        if name is not None:
            sizes[name] += int(size)
    total = sum(sizes.values())
    return {name: round(size * 100 / total, 2) for name, size in sizes.most_common() if size} if total else {}


def language_of(path: str) -> str | None:
    """By file name or extension alone."""
    name = path.rpartition("/")[2]
    if name in FILE_NAMES:
        return FILE_NAMES[name]
    stem, dot, extension = name.lower().rpartition(".")
    if not dot:
        return None
    double = f"{stem.rpartition('.')[2]}.{extension}"
    return EXTENSIONS.get(double) or EXTENSIONS.get(extension)


def _by_interpreter(repo: Repository, blob: str) -> str | None:
    if (blob_size(repo, blob) or 0) > _LARGEST_SCRIPT:
        return None
    line = read_blob(repo, blob)[:_FIRST_LINE].partition(b"\n")[0]
    if not line.startswith(b"#!"):
        return None
    words = text(line[2:]).split()
    while words and (words[0].endswith("/env") or words[0].startswith("-")):
        words = words[1:]
    program = words[0].rpartition("/")[2] if words else ""
    return INTERPRETERS.get(program.rstrip("0123456789."))
