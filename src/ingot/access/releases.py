"""Unassigns users who lost access from what they can no longer read.

Queued in the transaction that takes the rights away, after they were refreshed (all wait for the same turn first),
and done later: nobody waits for it, and it is not lost when the process dies.
"""

from sqlalchemy import Connection

from ingot.kit.jobs import enqueue


def release_user(tx: Connection, user_id: int) -> None:
    """The user's roles changed."""
    enqueue(tx, "members.release", args={"user_id": user_id}, key=f"members.release-{user_id}", rerun=True)


def release_project(tx: Connection, project_id: int) -> None:
    """A share of the project ended, or it is less visible or elsewhere now."""
    args = {"project_id": project_id}
    enqueue(tx, "members.release", args=args, key=f"members.release-project-{project_id}", rerun=True)


def release_group(tx: Connection, group_id: int) -> None:
    """The same for a group, with all projects below it."""
    args = {"group_id": group_id}
    enqueue(tx, "members.release", args=args, key=f"members.release-group-{group_id}", rerun=True)
