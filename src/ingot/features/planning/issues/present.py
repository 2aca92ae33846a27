"""Presenting rows in the list form, with one bulk load per kind of related record."""

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Connection, Select, bindparam, func, select

from ingot.access.call import Call
from ingot.access.kinds import ActorKind, actor_values, kind_of
from ingot.access.tables import projects
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.planning.issuables import References, TaskCompletion, get_kind
from ingot.features.planning.issues.entities import Issue, IssueBasic, Links
from ingot.features.planning.issues.policy import readable_issues
from ingot.features.planning.issues.rows import IssueRow, IssueWithProject
from ingot.features.planning.issues.tables import (
    issue_assignees,
    issue_labels,
    issue_links,
    issue_mentions,
    issue_subscriptions,
    issues,
)
from ingot.features.planning.labels import LabelDetail, label_detail, labels
from ingot.features.planning.milestones import Milestone, milestones_by_id
from ingot.features.planning.time_tracking import time_stats
from ingot.kit.entity import UNSET, group_by, wire, wire_or_none
from ingot.kit.statements import sent_together


class PageLoads:
    """Related records of a page of issues."""

    def __init__(self, call: Call, rows: Sequence[IssueWithProject]) -> None:
        conn, ids = call.conn, [row.id for row in rows]
        with sent_together(
            conn,
            (_ASSIGNEES, {"ids": ids}),
            (_LABELS, {"ids": ids}),
            (_closing_query(kind_of(call.actor)), _of_caller(call, ids)),
            (_blocked_query(kind_of(call.actor)), _of_caller(call, ids)),
        ):
            self.assignees, self.labels = _assignees(conn, ids), _labels(conn, ids)
            self.closing, self.blocking = _closing_requests(call, ids), _blocked_issues(call, ids)
        user_ids: set[int | None] = {user for users in self.assignees.values() for user in users}
        for row in rows:
            user_ids |= {row.author_id, row.closed_by_id}
        self.users = users_by_id(conn, user_ids, call.base_url)
        self.milestones = milestones_by_id(conn, (row.milestone_id for row in rows), call.base_url)
        self.destinations = _readable_ids(call, {row.moved_to_id for row in rows if row.moved_to_id is not None})

    def user(self, user_id: int | None) -> UserBasic | None:
        """A user by id; None for removed users."""
        return self.users.get(user_id) if user_id is not None else None

    def people(self, issue_id: int) -> list[UserBasic]:
        """The assignees."""
        return [self.users[user_id] for user_id in self.assignees.get(issue_id, []) if user_id in self.users]

    def milestone(self, milestone_id: int | None) -> Milestone | None:
        """The issue's milestone."""
        return self.milestones.get(milestone_id) if milestone_id is not None else None


_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_ASSIGNEES = (
    select(issue_assignees)
    .where(issue_assignees.c.issue_id.in_(_IDS))
    .order_by(issue_assignees.c.issue_id, issue_assignees.c.user_id)
)
_LABELS = (
    select(issue_labels.c.issue_id, labels)
    .join_from(issue_labels, labels, labels.c.id == issue_labels.c.label_id)
    .where(issue_labels.c.issue_id.in_(_IDS))
    .order_by(labels.c.name, labels.c.id)
)


def _assignees(conn: Connection, ids: list[int]) -> dict[int, list[int]]:
    rows = conn.execute(_ASSIGNEES, {"ids": ids})
    return {key: [row.user_id for row in group] for key, group in group_by(rows, lambda row: row.issue_id).items()}


def _labels(conn: Connection, ids: list[int]) -> dict[int, list[Any]]:
    return group_by(conn.execute(_LABELS, {"ids": ids}), lambda row: row.issue_id)


def label_details(conn: Connection, issue_id: int) -> list[LabelDetail]:
    """The labels of an issue with their colours, in the order in which it names them."""
    return [label_detail(row) for row in conn.execute(_LABELS, {"ids": [issue_id]})]


def _closing_requests(call: Call, ids: list[int]) -> dict[int, int]:
    """How many merge requests close each issue, as far as the caller may read them."""
    rows = call.conn.execute(_closing_query(kind_of(call.actor)), _of_caller(call, ids))
    return {row[0]: row[1] for row in rows}


def _of_caller(call: Call, ids: Collection[int]) -> dict[str, object]:
    return {"ids": ids, **actor_values(call.actor)}


@cache
def _closing_query(kind: ActorKind) -> Select[Any]:
    table, request = issue_mentions, get_kind("MergeRequest")
    return (
        select(table.c.issue_id, func.count())
        .join_from(table, request.table, request.table.c.id == table.c[request.key])
        .join(projects, projects.c.id == request.table.c.project_id)
        .where(table.c.issue_id.in_(_IDS), table.c.closes, request.readable(kind.anybody()))
        .group_by(table.c.issue_id)
    )


def _blocked_issues(call: Call, ids: list[int]) -> dict[int, int]:
    """How many issues each issue blocks, as far as the caller may read them."""
    rows = call.conn.execute(_blocked_query(kind_of(call.actor)), _of_caller(call, ids))
    return {row[0]: row[1] for row in rows}


@cache
def _blocked_query(kind: ActorKind) -> Select[Any]:
    table = issue_links
    return (
        select(table.c.source_id, func.count())
        .join_from(table, issues, issues.c.id == table.c.target_id)
        .join(projects, projects.c.id == issues.c.project_id)
        .where(table.c.source_id.in_(_IDS), table.c.link_type == "blocks", readable_issues(kind.anybody()))
        .group_by(table.c.source_id)
    )


def _readable_ids(call: Call, ids: set[int]) -> set[int]:
    """Those of these issues that the caller may read."""
    if not ids:
        return set()
    return set(call.conn.execute(_readable_query(kind_of(call.actor)), _of_caller(call, ids)).scalars())


@cache
def _readable_query(kind: ActorKind) -> Select[Any]:
    query = select(issues.c.id).join_from(issues, projects, projects.c.id == issues.c.project_id)
    return query.where(issues.c.id.in_(_IDS), readable_issues(kind.anybody()))


def web_url(row: IssueWithProject, base_url: str) -> str:
    """The issue's page."""
    return f"{base_url}/{row.project_path}/-/issues/{row.iid}"


def references(row: IssueWithProject, *, scope: str, group_id: int | None = None) -> References:
    """`scope`: `project` (also single), `group` or `global`."""
    short, full = f"#{row.iid}", f"{row.project_path}#{row.iid}"
    if scope == "group" and row.project_namespace_id == group_id:
        relative = f"{row.project_path.rsplit('/', 1)[-1]}#{row.iid}"
    else:
        relative = short if scope == "project" else full
    return References(short=short, relative=relative, full=full)


def _task_status(row: IssueRow) -> str:
    noun = "checklist item" if row.task_count == 1 else "checklist items"
    return f"{row.task_completed_count} of {row.task_count} {noun} completed" if row.task_count else ""


def basic_values(
    call: Call, row: IssueWithProject, loads: PageLoads, *, scope: str, label_details: bool
) -> dict[str, Any]:
    """The values of the list form; other forms add to them."""
    result = loads.labels.get(row.id, [])
    assignees = loads.people(row.id)
    home = f"{call.base_url}/api/v4/projects/{row.project_id}"
    paid = call.services.settings.has_tier("premium")
    return {
        "id": row.id,
        "iid": row.iid,
        "project_id": row.project_id,
        "title": row.title,
        "description": row.description,
        "state": row.state,
        "created_at": wire(row.created_at),
        "updated_at": wire(row.updated_at),
        "closed_at": wire_or_none(row.closed_at),
        "closed_by": loads.user(row.closed_by_id),
        "labels": [label_detail(label) for label in result] if label_details else [label.name for label in result],
        "milestone": loads.milestone(row.milestone_id),
        "assignees": assignees,
        "author": loads.user(row.author_id),
        "type": row.issue_type.upper(),
        "assignee": assignees[0] if assignees else None,
        "user_notes_count": row.user_notes_count,
        "merge_requests_count": loads.closing.get(row.id, 0),
        "upvotes": row.upvotes,
        "downvotes": row.downvotes,
        "due_date": row.due_date,
        "confidential": row.confidential,
        "discussion_locked": row.discussion_locked,
        "issue_type": row.issue_type,
        "web_url": web_url(row, call.base_url),
        "time_stats": time_stats(row),
        "task_completion_status": TaskCompletion(count=row.task_count, completed_count=row.task_completed_count),
        "weight": row.weight if paid else UNSET,
        "blocking_issues_count": loads.blocking.get(row.id, 0),
        "has_tasks": row.task_count > 0,
        "task_status": _task_status(row),
        "links": Links(
            self_=f"{home}/issues/{row.iid}",
            notes=f"{home}/issues/{row.iid}/notes",
            award_emoji=f"{home}/issues/{row.iid}/award_emoji",
            project=home,
        ),
        "references": references(row, scope=scope, group_id=call.group.id if call.group_or_none is not None else None),
        "severity": "UNKNOWN",
        "moved_to_id": row.moved_to_id if row.moved_to_id in loads.destinations else None,
        "imported": row.imported_from != "none",
        "imported_from": row.imported_from,
        "health_status": row.health_status if call.services.settings.has_tier("ultimate") else UNSET,
    }


def presenter(scope: str) -> Any:
    """The presenter of one of the lists."""

    def present(call: Call, rows: Sequence[IssueWithProject]) -> list[IssueBasic]:
        loads = PageLoads(call, rows)
        details = bool(getattr(call.params, "with_labels_details", False))
        return [IssueBasic(**basic_values(call, row, loads, scope=scope, label_details=details)) for row in rows]

    return present


def present_single(call: Call, row: IssueWithProject) -> Issue:
    """One issue in full."""
    loads = PageLoads(call, [row])
    values = basic_values(call, row, loads, scope="project", label_details=False)
    return Issue(**values, subscribed=is_subscribed(call, row, loads.assignees.get(row.id, [])))


_SUBSCRIBED = select(issue_subscriptions.c.subscribed).where(
    issue_subscriptions.c.issue_id == bindparam("issue"), issue_subscriptions.c.user_id == bindparam("user")
)


def is_subscribed(call: Call, row: IssueRow, assignees: Sequence[int]) -> bool:
    """The explicit choice, else whether the caller is a participant."""
    user_id = call.actor.user_id
    if user_id is None:
        return False
    chosen = call.conn.execute(_SUBSCRIBED, {"issue": row.id, "user": user_id}).scalar_one_or_none()
    return bool(chosen) if chosen is not None else user_id in (row.author_id, *assignees)
