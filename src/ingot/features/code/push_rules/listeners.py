"""New projects copy the rule of their group."""

from sqlalchemy import Connection

from ingot.features.code.push_rules.commands import copy_rule
from ingot.kit.changes import Change, follows


@follows("project")
def give_rule(tx: Connection, change: Change) -> None:
    """A project was created."""
    if change.action == "create":
        copy_rule(tx, change.record_id)
