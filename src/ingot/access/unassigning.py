"""Unassigns users who lost access from what they can no longer read.

Queued in the transaction that removes the rights, after they were refreshed, and done in the background: nobody waits
for it, and it is not lost when the process dies.
"""

from sqlalchemy import Connection

from ingot.kit.jobs import enqueue


def unassign_user_later(tx: Connection, user_id: int) -> None:
    """Call it when roles of the user changed."""
    enqueue(tx, "members.release", args={"user_id": user_id}, key=f"members.release-{user_id}", rerun=True)


def unassign_in_project_later(tx: Connection, project_id: int) -> None:
    """Call it when a share of the project ended, or it was moved or became less visible."""
    args = {"project_id": project_id}
    enqueue(tx, "members.release", args=args, key=f"members.release-project-{project_id}", rerun=True)


def unassign_in_group_later(tx: Connection, group_id: int) -> None:
    """The same for a group and all projects below it."""
    args = {"group_id": group_id}
    enqueue(tx, "members.release", args=args, key=f"members.release-group-{group_id}", rerun=True)
