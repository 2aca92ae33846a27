"""Which users can read an issuable: only they are notified."""

from collections.abc import Iterable

from sqlalchemy import Connection, or_, select

from ingot.access.levels import Visibility
from ingot.access.tables import project_authorizations, projects
from ingot.features.planning.issuables import Target, get_kind
from ingot.identity.tables import users


def allowed(tx: Connection, target: Target, user_ids: Iterable[int]) -> list[int]:
    """The active users among these who can read the issuable, in the given order."""
    candidates = list(dict.fromkeys(user_ids))
    if not candidates:
        return []
    project = tx.execute(select(projects).where(projects.c.id == target.project_id)).one()
    level, is_open, people = get_kind(target.type).audience(tx, project, target.id)
    members = select(project_authorizations.c.user_id).where(
        project_authorizations.c.project_id == target.project_id, project_authorizations.c.access_level >= level
    )
    ways = [users.c.id.in_(members), users.c.is_admin, users.c.id.in_(people)]
    query = select(users.c.id).where(users.c.id.in_(candidates), users.c.state == "active")
    if is_open and project.visibility == Visibility.INTERNAL:
        ways.append(~users.c.is_external)
    if not (is_open and project.visibility == Visibility.PUBLIC):
        query = query.where(or_(*ways))
    readers = set(tx.execute(query).scalars())
    return [user_id for user_id in candidates if user_id in readers]
