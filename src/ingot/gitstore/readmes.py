"""Which file of a folder introduces it."""

from collections.abc import Iterable

from ingot.gitstore.model import TreeEntry
from ingot.kit.patterns import pattern

# Common names; the first one that exists is shown.
_README = pattern(
    r"readme(?:\.(md|markdown|mdown|rst|adoc|asciidoc|org|txt|textile|creole|rdoc|pod))?", ignore_case=True
)
_RANK = {"md": 0, "markdown": 1, "mdown": 2, "rst": 3, "adoc": 4, "asciidoc": 5, "org": 6, "txt": 8, None: 7}


def find_readme(entries: Iterable[TreeEntry]) -> TreeEntry | None:
    """The README among the entries of a folder."""
    candidates = []
    for entry in entries:
        match = _README.fullmatch(entry.name)
        if match is not None and entry.type == "blob":
            ending = match[1].lower() if match[1] else None
            candidates.append((_RANK.get(ending, 9), entry.name, entry))
    return min(candidates)[2] if candidates else None
