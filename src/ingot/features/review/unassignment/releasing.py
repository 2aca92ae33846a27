"""Unassigns users from open issues and merge requests that they can no longer read.

A system note says so, and their to-do items there are removed. Closed and merged ones keep their users, as a record.
"""

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, Table, and_, case, delete, exists, or_, select, true

from ingot.access.levels import GUEST, PLANNER, REPORTER, Feature, Visibility
from ingot.access.tables import namespace_ancestors, project_authorizations, projects
from ingot.features.planning.issuable_changes import snapshot
from ingot.features.planning.issuables import Target
from ingot.features.planning.issues import issue_assignees, issues
from ingot.features.planning.notes import record_changes
from ingot.features.planning.todos import todos
from ingot.features.review.merge_requests import merge_request_assignees, merge_request_reviewers, merge_requests
from ingot.identity.tables import users

Condition = ColumnElement[bool]
BATCH = 100

# Disabled features keep their assignees, for when they are enabled again.
_requests_on = and_(
    projects.c.merge_requests_access_level > Feature.DISABLED, projects.c.repository_access_level > Feature.DISABLED
)
_requests_open = and_(
    projects.c.merge_requests_access_level >= Feature.ENABLED, projects.c.repository_access_level >= Feature.ENABLED
)


class Link(msgspec.Struct, frozen=True):
    """Assignees or reviewers of one kind of issuable, and the role needed to read it."""

    type: str
    links: Table
    issuables: Table
    key: str
    is_on: Condition
    is_open: Condition
    level: int | ColumnElement[int]


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


def _sees(is_open: Condition, level: int | ColumnElement[int]) -> Condition:
    """Condition: the user can read this kind of issuable in the project."""
    rights = project_authorizations
    is_member = exists().where(
        rights.c.project_id == projects.c.id, rights.c.user_id == users.c.id, rights.c.access_level >= level
    )
    in_public = projects.c.visibility == Visibility.PUBLIC
    in_internal = and_(projects.c.visibility == Visibility.INTERNAL, ~users.c.is_external)
    return or_(users.c.is_admin, is_member, and_(is_open, or_(in_public, in_internal)))


def of_user(user_id: int) -> Condition:
    """The assignments of one user."""
    return users.c.id == user_id


def of_project(project_id: int) -> Condition:
    """The assignments in one project."""
    return projects.c.id == project_id


def of_group(group_id: int) -> Condition:
    """The assignments in the projects of a group and its subgroups."""
    tree = namespace_ancestors
    return projects.c.namespace_id.in_(select(tree.c.namespace_id).where(tree.c.ancestor_id == group_id))


def _lost(link: Link, scope: Condition) -> Select[Any]:
    items, links = link.issuables, link.links
    return (
        select(items.c.id, items.c.project_id, links.c.user_id)
        .join_from(links, items, items.c.id == links.c[link.key])
        .join(projects, projects.c.id == items.c.project_id)
        .join(users, users.c.id == links.c.user_id)
        .where(scope, items.c.state == "opened", link.is_on, ~_sees(link.is_open, link.level))
        .order_by(items.c.id, links.c.user_id)
    )


def release(tx: Connection, scope: Condition) -> int:
    """Unassign a batch; returns how many assignments were removed."""
    tx.execute(_forget_todos(scope))
    for link in LINKS:
        lost = tx.execute(_lost(link, scope).limit(BATCH)).all()
        for row in lost:
            target = Target(link.type, row.id, row.project_id)
            before = snapshot(tx, target)
            tx.execute(delete(link.links).where(link.links.c.user_id == row.user_id, link.links.c[link.key] == row.id))
            record_changes(tx, target, row.user_id, before, snapshot(tx, target))
        if lost:
            return len(lost)
    return 0


def _forget_todos(scope: Condition) -> Any:
    """Remove to-do items in projects that their user cannot see."""
    waiting = todos.alias("waiting")
    unseen = (
        select(waiting.c.id)
        .join_from(waiting, projects, projects.c.id == waiting.c.project_id)
        .join(users, users.c.id == waiting.c.user_id)
        .where(scope, ~_sees(true(), GUEST))
    )
    return delete(todos).where(todos.c.id.in_(unseen))
