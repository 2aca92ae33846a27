"""Changes become messages to the hooks that want to know of them, in the same transaction."""

from sqlalchemy import Connection

from ingot.features.integrations.web_hooks.messages import new_mark, queue_messages
from ingot.features.integrations.web_hooks.payloads import BUILDERS, Blocks
from ingot.features.integrations.web_hooks.payloads.notes import project_of_award
from ingot.features.integrations.web_hooks.queries import concerned_hooks
from ingot.kit.changes import Change, follows


@follows(*BUILDERS)
def write_messages(tx: Connection, change: Change) -> None:
    """Store what is to be sent; without hooks this is one statement."""
    project_id = change.project_id
    if change.kind == "emoji":
        project_id = project_of_award(tx, change.record_id)
        if project_id is None:
            return
    hooks = concerned_hooks(tx, project_id, change.group_id)
    if not hooks:
        return
    mark = new_mark()
    queue_messages(tx, hooks, BUILDERS[change.kind](Blocks(tx, mark), change), mark)
