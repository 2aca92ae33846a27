"""Suggestions: fenced blocks in a diff note that propose other lines."""

import re
from typing import Any

from sqlalchemy import Connection, delete, insert

from ingot.features.notes.tables import suggestions
from ingot.gitstore import Repository, objects
from ingot.gitstore.model import text

_BLOCK = re.compile(
    r"^(?P<fence>`{3,})suggestion(?::-(?P<above>\d{1,3})\+(?P<below>\d{1,3}))?[ \t]*\n(?P<body>.*?)^(?P=fence)[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
MOST_LINES = 100
LARGEST_FILE = 10 * 1024 * 1024


def proposed(repository: Repository, body: str, position: dict[str, Any] | None) -> list[dict[str, Any]]:
    """What the note proposes; only lines of the new file can be replaced."""
    blocks = list(_BLOCK.finditer(body.replace("\r\n", "\n")))
    line = (position or {}).get("new_line")
    if not blocks or position is None or not line:
        return []
    blob = objects.find_blob(repository, position["head_sha"], position["new_path"], LARGEST_FILE)
    if blob is None:
        return []
    lines = text(blob.content).splitlines(keepends=True)
    found = []
    for order, block in enumerate(blocks):
        above = min(int(block["above"] or 0), MOST_LINES, line - 1)
        below = min(int(block["below"] or 0), MOST_LINES, max(0, len(lines) - line))
        found.append(
            {
                "relative_order": order,
                "lines_above": above,
                "lines_below": below,
                "from_content": "".join(lines[line - 1 - above : line + below]),
                "to_content": block["body"],
            }
        )
    return found


def store(tx: Connection, note_id: int, proposals: list[dict[str, Any]]) -> None:
    """Replace the suggestions of a note."""
    tx.execute(delete(suggestions).where(suggestions.c.note_id == note_id, ~suggestions.c.applied))
    if proposals:
        tx.execute(insert(suggestions), [{**one, "note_id": note_id} for one in proposals])
