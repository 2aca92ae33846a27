"""Who sees which events, as SQL."""

from sqlalchemy import ColumnElement, Table, and_, exists, literal, or_, select, true

from ingot.access.levels import GUEST, PLANNER, REPORTER
from ingot.access.tables import projects
from ingot.access.visibility import feature_readable, is_member, visible_projects
from ingot.features.code.wikis import WIKI_PAGE_TARGET
from ingot.features.people.event_log import COMMENTS, events
from ingot.features.planning.issuables import kinds
from ingot.features.planning.milestones import milestones
from ingot.features.planning.notes import notes
from ingot.features.spaces.snippets import readable_snippets, snippets
from ingot.identity.rows import UserRow
from ingot.kit.actor import Actor


def visible_events(actor: Actor) -> ColumnElement[bool]:
    """Condition on `events` joined with `projects`: the actor reads the project and what was done there."""
    of_the_project = and_(events.c.target_type.is_(None), events.c.action != "pushed")
    pushes = and_(events.c.action == "pushed", _reads_code(actor))
    there = exists().where(milestones.c.id == events.c.target_id, milestones.c.project_id == events.c.project_id)
    of_milestones = and_(events.c.target_type == "Milestone", or_(events.c.action == "destroyed", there))
    of_issuables = _on_issuables(actor, events, events.c.target_type, events.c.target_id)
    of_wikis = and_(events.c.target_type == WIKI_PAGE_TARGET, feature_readable(actor, "wiki", GUEST))
    return and_(
        visible_projects(actor),
        or_(of_the_project, pushes, of_milestones, of_issuables, of_wikis, _visible_comments(actor)),
    )


def _visible_comments(actor: Actor) -> ColumnElement[bool]:
    of_issuables = _on_issuables(actor, notes, notes.c.noteable_type, notes.c.noteable_id)
    of_commits = and_(notes.c.noteable_type == "Commit", _reads_code(actor))
    known = true() if actor.is_admin else or_(~notes.c.internal, is_member(actor, PLANNER))
    readable = (
        select(literal(1))
        .join_from(notes, projects, projects.c.id == notes.c.project_id)
        .where(notes.c.id == events.c.target_id, known, or_(of_commits, of_issuables, _on_snippets(actor)))
    )
    return and_(events.c.target_type.in_(COMMENTS), readable.correlate(events).exists())


def _on_issuables(
    actor: Actor, table: Table, type_: ColumnElement[str], id_: ColumnElement[int]
) -> ColumnElement[bool]:
    """Rows of `table` whose type and id name an issue or merge request that the actor reads.

    Each question joins the projects anew: what it asks about rights must not look at the projects around it.
    """
    conditions = []
    for kind in kinds():
        readable = (
            select(literal(1))
            .join_from(kind.table, projects, projects.c.id == kind.table.c.project_id)
            .where(kind.table.c.id == id_, kind.readable(actor))
        )
        conditions.append(and_(type_ == kind.type, readable.correlate(table).exists()))
    return or_(*conditions)


def _on_snippets(actor: Actor) -> ColumnElement[bool]:
    readable = (
        select(literal(1))
        .join_from(snippets, projects, projects.c.id == snippets.c.project_id)
        .where(snippets.c.id == notes.c.noteable_id, readable_snippets(actor))
    )
    return and_(notes.c.noteable_type == "Snippet", readable.correlate(notes).exists())


def _reads_code(actor: Actor) -> ColumnElement[bool]:
    return feature_readable(actor, "repository", REPORTER)


def may_see(actor: Actor, user: UserRow) -> bool:
    """Banned users are hidden."""
    return user.state != "banned" or actor.is_admin


def shows_activity(actor: Actor, user: UserRow) -> bool:
    """Private profiles hide their activity."""
    return not user.private_profile or actor.is_admin or actor.user_id == user.id
