"""Importing the members of another project."""

from sqlalchemy import Connection, or_, select

from ingot.access.levels import MAINTAINER, OWNER
from ingot.access.policy import OWN_PROJECT
from ingot.access.subjects import Project
from ingot.access.tables import members
from ingot.features.people.members import AlreadyMember, add_member, project_source
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.clock import today
from ingot.kit.errors import Invalid


def import_members(tx: Connection, actor: Actor, source: Project, target: Project) -> tuple[dict[str, str], int]:
    """Copy the direct members; existing members keep their role. Returns failures by user name, and the total."""
    rows = tx.execute(
        select(members.c.user_id, members.c.access_level, members.c.expires_at, users.c.username)
        .join_from(members, users, users.c.id == members.c.user_id)
        .where(
            members.c.project_id == source.id,
            or_(members.c.expires_at.is_(None), members.c.expires_at > today()),
            users.c.state == "active",
        )
        .order_by(members.c.id)
    ).all()
    # Nobody can grant more than their own role.
    highest = OWNER if OWN_PROJECT.allows(actor, target) else MAINTAINER
    failed: dict[str, str] = {}
    for row in rows:
        level = min(row.access_level, highest)
        try:
            add_member(
                tx,
                project_source(target),
                row.user_id,
                level,
                expires_at=row.expires_at,
                created_by_id=actor.user_id,
            )
        except AlreadyMember:
            continue
        except Invalid as problem:
            failed[row.username] = ", ".join(
                f"{name.replace('_', ' ').capitalize()} {text}"
                for name, texts in problem.problems.items()
                for text in texts
            )
    return failed, len(rows)
