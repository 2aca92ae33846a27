"""Events of the records of an archive; those without an author are dropped."""

from collections.abc import Mapping

from sqlalchemy import Connection

from ingot.features.people.event_log import COMMENTS, events
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import event_action, moment_or, records


def build_events(
    context: ImportContext, tx: Connection, target_type: str, target_id: int, record: Mapping[str, object]
) -> None:
    """The events of one record; those of comments say how the comment stands in its thread."""
    for child in records(record, "events"):
        action, author_id = event_action(child), context.people.of(child.get("author_id"))
        if action is None or author_id is None:
            continue
        is_comment = target_type == "Note" and child.get("target_type") in COMMENTS
        values = {
            "project_id": context.project.id,
            "author_id": author_id,
            "action": action,
            "target_type": child["target_type"] if is_comment else target_type,
            "target_id": target_id,
            "imported_from": "gitlab_project",
            "created_at": moment_or(child, "created_at", context.started),
        }
        context.add(tx, events, values)
