"""Snippets with what was said of them."""

from collections.abc import Mapping

from sqlalchemy import Connection, insert

from ingot.access.levels import Visibility
from ingot.features.spaces.snippets import snippet_files, snippets
from ingot.features.transfer.project_imports.builders.notes import build_awards, build_notes
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import moment_or, number, text
from ingot.kit.request_limits import MAX_TEXT

MODELLED = frozenset(
    [
        "title", "content", "file_name", "description", "visibility_level", "author_id", "project_id", "created_at",
        "updated_at", "notes", "award_emoji",
    ]
)  # fmt: skip
UNNAMED = "snippetfile1.txt"


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `snippets`; an invalid visibility becomes private."""
    created = moment_or(record, "created_at", context.started)
    level = number(record, "visibility_level")
    values = {
        "project_id": context.project.id,
        "author_id": context.people.of(record.get("author_id")) or context.people.importer_id,
        "title": text(record, "title", longest=255, required=True),
        "description": text(record, "description"),
        "visibility": level if level in set(Visibility) else int(Visibility.PRIVATE),
        "created_at": created,
        "updated_at": moment_or(record, "updated_at", created),
    }
    snippet_id = tx.execute(insert(snippets).values(values).returning(snippets.c.id)).scalar_one()
    file = {
        "snippet_id": snippet_id,
        "path": text(record, "file_name", longest=255) or UNNAMED,
        "position": 0,
        "content": text(record, "content", longest=MAX_TEXT) or "",
    }
    tx.execute(insert(snippet_files).values(file))
    build_notes(context, tx, "Snippet", snippet_id, record)
    build_awards(context, tx, "Snippet", snippet_id, record)
    context.keep_rest(tx, "snippets", snippet_id, record, MODELLED)
