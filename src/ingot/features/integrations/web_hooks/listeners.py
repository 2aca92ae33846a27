"""Changes become messages to the hooks that want to know of them, in the same transaction."""

from sqlalchemy import Connection

from ingot.features.integrations.web_hooks.messages import is_wanted, new_mark, queue_messages
from ingot.features.integrations.web_hooks.payloads import BUILDERS, Blocks
from ingot.features.integrations.web_hooks.payloads.notes import project_of_award
from ingot.features.integrations.web_hooks.queries import concerned_hooks
from ingot.features.integrations.web_hooks.rows import WebHookRow
from ingot.kit.changes import Change, follows, shared_reads


@follows(*BUILDERS)
def write_messages(tx: Connection, change: Change) -> None:
    """Store what is to be sent. While no hook wants it, this is one statement for all changes of a place."""
    project_id = change.project_id
    if change.kind == "emoji":
        project_id = project_of_award(tx, change.record_id)
        if project_id is None:
            return
    builder = BUILDERS[change.kind]
    hooks = [
        hook for hook in _hooks(tx, project_id, change.group_id) if any(is_wanted(hook, flag) for flag in builder.flags)
    ]
    if not hooks:
        return
    mark = new_mark()
    queue_messages(tx, hooks, builder.messages(Blocks(tx, mark), change), mark)


def _hooks(tx: Connection, project_id: int | None, group_id: int | None) -> list[WebHookRow]:
    shared, key = shared_reads(tx), ("web_hooks", project_id, group_id)
    if key not in shared:
        shared[key] = concerned_hooks(tx, project_id, group_id)
    hooks: list[WebHookRow] = shared[key]
    return hooks
