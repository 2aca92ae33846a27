"""Changes become messages to the integrations that want to know of them, in the same transaction."""

import msgspec
from sqlalchemy import Connection, insert

from ingot.features.integrations.project_integrations.commands import MESSAGES, queue_delivery
from ingot.features.integrations.project_integrations.kinds import KINDS
from ingot.features.integrations.project_integrations.queries import sending_ones
from ingot.features.integrations.project_integrations.rows import EffectiveRow
from ingot.features.integrations.web_hooks import BUILDERS, Blocks, new_mark
from ingot.instance.outbound import is_silent
from ingot.kit.changes import Change, follows, shared_reads
from ingot.kit.clock import now


@follows("push", "issue", "merge_request", "note", "pipeline", "wiki_page", "deployment")
def tell_integrations(tx: Connection, change: Change) -> None:
    """Store what is to be sent. Without an integration this is one statement for all changes of a project."""
    if change.project_id is None or "system_action" in change.details:
        return
    builder = BUILDERS[change.kind]
    rows = [row for row in _rows(tx, change.project_id) if any(_wants(row, flag) for flag in builder.flags)]
    if not rows or is_silent(tx):
        return
    mark = new_mark()
    for message in builder.messages(Blocks(tx, mark), change):
        for row in rows:
            if message.flag is None or "project" not in message.kinds or not _wants(row, message.flag):
                continue
            values: dict[str, object] = {
                "integration_id": row.id,
                "flag": message.flag,
                "mark": mark,
                "payload": msgspec.json.encode(message.payload).decode(),
                "late_parts": message.late_parts,
                "created_at": now(),
            }
            kind = "group" if row.level > 0 else "project"
            if kind == "group":
                values["project_id"] = change.project_id
            tx.execute(insert(MESSAGES[kind]).values(**values))
            queue_delivery(tx, kind, row.id)


def _wants(row: EffectiveRow, flag: str | None) -> bool:
    return flag in KINDS[row.slug].sends and row.events.get(flag or "", True)


def _rows(tx: Connection, project_id: int) -> list[EffectiveRow]:
    shared, key = shared_reads(tx), ("integrations", project_id)
    if key not in shared:
        shared[key] = sending_ones(tx, project_id)
    rows: list[EffectiveRow] = shared[key]
    return rows
