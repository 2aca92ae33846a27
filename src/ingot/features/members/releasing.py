"""Whoever can no longer read an open issue or merge request is taken off it, with a note; what waited for them there
goes too. What is closed or merged keeps its people: it tells who they were."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, case, delete, exists, or_, select, true

from ingot.access.levels import GUEST, PLANNER, REPORTER, Feature, Visibility
from ingot.access.tables import project_authorizations, projects
from ingot.features.issues import issue_assignees, issues
from ingot.features.merge_requests import merge_request_assignees, merge_request_reviewers, merge_requests
from ingot.features.notes import Target, record_changes, snapshot
from ingot.features.todos import todos
from ingot.identity.tables import users

Condition = ColumnElement[bool]
BATCH = 100

# What is switched off comes back with everybody on it.
_requests_on = and_(
    projects.c.merge_requests_access_level > Feature.DISABLED, projects.c.repository_access_level > Feature.DISABLED
)
_requests_open = and_(
    projects.c.merge_requests_access_level >= Feature.ENABLED, projects.c.repository_access_level >= Feature.ENABLED
)


@dataclass(frozen=True, slots=True)
class Link:
    """People on things of one type, and the role that reading them takes."""

    type: str
    links: Any
    things: Any
    key: str
    is_on: Condition
    is_open: Condition
    level: Any


LINKS = (
    *(
        Link(
            "MergeRequest", table, merge_requests, "merge_request_id", _requests_on, _requests_open,
            case((_requests_open, PLANNER), else_=REPORTER),
        )
        for table in (merge_request_assignees, merge_request_reviewers)
    ),
    Link(
        "Issue", issue_assignees, issues, "issue_id", projects.c.issues_access_level > Feature.DISABLED,
        projects.c.issues_access_level >= Feature.ENABLED, GUEST,
    ),
)  # fmt: skip


def _sees(is_open: Condition, level: Any) -> Condition:
    """The user of the statement reads what the project of the statement has of this kind."""
    rights = project_authorizations
    is_member = exists().where(
        rights.c.project_id == projects.c.id, rights.c.user_id == users.c.id, rights.c.access_level >= level
    )
    in_public = projects.c.visibility == Visibility.PUBLIC
    in_internal = and_(projects.c.visibility == Visibility.INTERNAL, ~users.c.is_external)
    return or_(users.c.is_admin, is_member, and_(is_open, or_(in_public, in_internal)))


def _lost(link: Link, user_id: int) -> Select[Any]:
    things, links = link.things, link.links
    return (
        select(things.c.id, things.c.project_id)
        .join_from(links, things, things.c.id == links.c[link.key])
        .join(projects, projects.c.id == things.c.project_id)
        .join(users, users.c.id == links.c.user_id)
        .where(users.c.id == user_id, things.c.state == "opened", link.is_on, ~_sees(link.is_open, link.level))
    )


def has_something_to_lose(conn: Connection, user_id: int) -> bool:
    """The user is on something, or something waits for them."""
    tables = (*(link.links for link in LINKS), todos)
    return bool(conn.execute(select(or_(*(exists().where(table.c.user_id == user_id) for table in tables)))).scalar())


def release(tx: Connection, user_id: int) -> int:
    """Take the user off a batch of what they cannot read; returns how many things that were."""
    tx.execute(_forget_todos(user_id))
    for link in LINKS:
        lost = tx.execute(_lost(link, user_id).order_by(link.things.c.id).limit(BATCH)).all()
        for row in lost:
            target = Target(link.type, row.id, row.project_id)
            before = snapshot(tx, target)
            tx.execute(delete(link.links).where(link.links.c.user_id == user_id, link.links.c[link.key] == row.id))
            record_changes(tx, target, user_id, before, snapshot(tx, target))
        if lost:
            return len(lost)
    return 0


def _forget_todos(user_id: int) -> Any:
    """Items in projects that the user cannot see at all."""
    unseen = (
        select(projects.c.id)
        .join_from(projects, users, users.c.id == user_id)
        .where(projects.c.id.in_(select(todos.c.project_id).where(todos.c.user_id == user_id)), ~_sees(true(), GUEST))
    )
    return delete(todos).where(todos.c.user_id == user_id, todos.c.project_id.in_(unseen))
