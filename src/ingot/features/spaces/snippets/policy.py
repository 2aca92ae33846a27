"""Who reads and writes snippets."""

from sqlalchemy import ColumnElement, and_, or_, true

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import GUEST, MAINTAINER, REPORTER, Visibility
from ingot.access.subjects import Project
from ingot.access.visibility import feature_readable, is_member, open_levels, visible_projects
from ingot.features.spaces.snippets.tables import snippets
from ingot.kit.actor import Actor

READ_SNIPPETS = ProjectAbility(ability="read_snippet", feature="snippets", outsiders=True)
CREATE_SNIPPETS = ProjectAbility(
    ability="create_snippet", level=REPORTER, feature="snippets", writes=True, needs_user=True
)
# Checked after the snippet was read: its author, or a Maintainer.
CHANGE_SNIPPETS = ProjectAbility(ability="change_snippet", feature="snippets", writes=True, needs_user=True)


def readable_snippets(actor: Actor) -> ColumnElement[bool]:
    """Condition on `snippets` with the `projects` of those that have one."""
    is_open = snippets.c.visibility.in_(open_levels(actor))
    personal = snippets.c.project_id.is_(None)
    if actor.is_admin:
        return or_(personal, and_(visible_projects(actor), feature_readable(actor, "snippets", GUEST)))
    own = snippets.c.author_id == actor.user_id if actor.user_id is not None else ~true()
    of_project = and_(
        snippets.c.project_id.is_not(None), visible_projects(actor), feature_readable(actor, "snippets", GUEST)
    )
    return or_(and_(personal, or_(own, is_open)), and_(of_project, or_(is_open, own, is_member(actor, GUEST))))


def public_snippets() -> ColumnElement[bool]:
    """Condition on `snippets`: open to everybody, and of a person."""
    return and_(snippets.c.project_id.is_(None), snippets.c.visibility == int(Visibility.PUBLIC))


def may_change(actor: Actor, project: Project | None, author_id: int | None) -> bool:
    """A personal snippet: its author. In a project: an author who may still write here, Maintainers, administrators."""
    is_own = author_id is not None and author_id == actor.user_id
    if project is None:
        return is_own
    return actor.is_admin or project.level >= MAINTAINER or (is_own and CREATE_SNIPPETS.allows(actor, project))
