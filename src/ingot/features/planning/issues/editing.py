"""Opening, changing and deleting issues."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from ingot.access.levels import Feature, Visibility
from ingot.access.subjects import Project
from ingot.access.tables import project_authorizations
from ingot.features.people.event_log import record_event
from ingot.features.planning.issuable_changes import snapshot
from ingot.features.planning.issuables import Target, count_tasks, text_problems
from ingot.features.planning.issues.commands import close_issue, count_open, reopen_issue
from ingot.features.planning.issues.rows import IssueRow
from ingot.features.planning.issues.tables import issue_assignees, issue_labels, issues
from ingot.features.planning.labels import labels, resolve_names
from ingot.features.planning.milestones import milestones, usable_in_project
from ingot.features.planning.notes import forget, record_changes
from ingot.features.planning.todos import follow, settle
from ingot.features.spaces.projects import touch_activity
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.counters import next_value, raise_to
from ingot.kit.db import hold_row
from ingot.kit.errors import Conflict, Invalid

MOST_ASSIGNEES = 200


class IssueOptions(msgspec.Struct):
    """The sent parameters, and the caller's rights."""

    given: dict[str, Any]
    manages: bool  # planners: labels, milestone, assignees, dates, weight, lock
    creates_labels: bool
    is_paid: bool  # many assignees, and scoped labels
    created_at: datetime | None = None
    iid: int | None = None


_INSERT = insert(issues).returning(issues.c.id)
_STORE = update(issues).where(issues.c.id == bindparam("issue"))


def open_issue(tx: Connection, actor: Actor, project: Project, options: IssueOptions) -> int:
    """A new issue; returns its id."""
    given = options.given
    _check(given.get("title"), given.get("description"), given.get("weight"))
    moment = options.created_at or now()
    tasks, done = count_tasks(given.get("description"))
    values: dict[str, Any] = {
        "iid": _number(tx, project.id, options.iid),
        "project_id": project.id,
        "author_id": actor.id,
        "title": given["title"].strip(),
        "description": given.get("description"),
        "state": "opened",
        "confidential": bool(given.get("confidential")),
        "issue_type": given.get("issue_type") or "issue",
        "task_count": tasks,
        "task_completed_count": done,
        "created_at": moment,
        "updated_at": moment,
    }
    if options.manages:
        values |= _managed(tx, project, given)
    created = tx.execute(_INSERT, values).scalar_one()
    count_open(tx, created, 1)
    if options.manages:
        _set_links(tx, created, project, options)
    if not values["confidential"]:  # the time of the last activity is visible to everybody
        touch_activity(tx, project.id, actor.id)
    record_event(tx, "created", project.id, actor.id, ("Issue", created), moment)
    target = Target("Issue", created, project.id)
    opened = snapshot(tx, target)
    follow(tx, target, actor.id, None, opened)
    details = {"created": opened}
    report_change(tx, Change("issue", "open", created, project_id=project.id, user_id=actor.id, details=details))
    return int(created)


def _number(tx: Connection, project_id: int, iid: int | None) -> int:
    if not iid or iid < 1 or iid > 2**31 - 1:
        return next_value(tx, f"project:{project_id}", "issues")
    taken = select(issues.c.id).where(issues.c.project_id == project_id, issues.c.iid == iid)
    if tx.execute(taken).first() is not None:
        raise Conflict("Duplicated issue")
    raise_to(tx, f"project:{project_id}", "issues", iid)
    return iid


def _check(title: str | None, description: str | None, weight: int | None) -> None:
    problems = text_problems(title, description)
    if weight is not None and weight < 0:
        problems["weight"] = ["must be greater than or equal to 0"]
    if problems:
        raise Invalid(problems)


def update_issue(tx: Connection, actor: Actor, row: IssueRow, project: Project, options: IssueOptions) -> None:
    """Apply a change; an impossible state transition changes nothing."""
    given = options.given
    _check(given.get("title"), given.get("description"), given.get("weight"))
    hold_row(tx, issues, row.id)  # labels and users are replaced as a whole
    target = Target("Issue", row.id, project.id)
    before = snapshot(tx, target)
    values = _texts(options)
    changed = False
    if options.manages:
        values |= _managed(tx, project, given)
        changed = _set_links(tx, row.id, project, options)
    differs = {name: value for name, value in values.items() if getattr(row, name) != value}
    if differs or changed:
        moment = now()
        if differs.keys() & {"title", "description"}:
            differs |= {"last_edited_at": moment, "last_edited_by_id": actor.user_id}
        differs |= {"updated_at": options.created_at or moment, "updated_by_id": actor.user_id}
        tx.execute(_STORE, {"issue": row.id, **differs})
        if not (row.confidential and differs.get("confidential", True)):
            touch_activity(tx, project.id, actor.user_id)
    after = snapshot(tx, target)
    record_changes(tx, target, actor.user_id, before, after)
    follow(tx, target, actor.user_id, before, after)
    if given.get("state_event") == "close" and close_issue(tx, row.id, actor.user_id):
        settle(tx, target, actor.user_id)
    elif given.get("state_event") == "reopen":
        reopen_issue(tx, row.id, actor.user_id)


def _texts(options: IssueOptions) -> dict[str, Any]:
    given = options.given
    values: dict[str, Any] = {}
    if given.get("title") is not None:
        values["title"] = given["title"].strip()
    if "description" in given:
        tasks, done = count_tasks(given["description"])
        values |= {"description": given["description"], "task_count": tasks, "task_completed_count": done}
    if given.get("issue_type") is not None:
        values["issue_type"] = given["issue_type"]
    return values


def _managed(tx: Connection, project: Project, given: Mapping[str, object]) -> dict[str, Any]:
    """Attributes that only planners may set."""
    values: dict[str, Any] = {
        name: given[name] for name in ("due_date", "weight", "discussion_locked") if name in given
    }
    if given.get("confidential") is not None:
        values["confidential"] = given["confidential"]
    if "milestone_id" in given:
        milestone_id = given["milestone_id"]
        known = select(milestones.c.id).where(usable_in_project(project), milestones.c.id == (milestone_id or 0))
        rows = tx.execute(known).scalar_one_or_none() if milestone_id else None
        if not milestone_id or rows is not None:
            values["milestone_id"] = rows
    return values


def _set_links(tx: Connection, issue_id: int, project: Project, options: IssueOptions) -> bool:
    given, changed = options.given, False
    assignees = given.get("assignee_ids")
    if assignees is None and "assignee_id" in given:
        assignees = [given["assignee_id"]] if given["assignee_id"] else []
    if assignees is not None:
        changed = _assign(tx, issue_id, project, assignees, many=options.is_paid)
    if given.keys() & {"labels", "add_labels", "remove_labels"}:
        changed |= _set_labels(tx, issue_id, project, options)
    return changed


def _assign(tx: Connection, issue_id: int, project: Project, user_ids: list[int], *, many: bool) -> bool:
    real = list(dict.fromkeys(user_id for user_id in user_ids if user_id and user_id > 0))
    chosen = acceptable(tx, project, real) if real else []
    if real and not chosen:
        return False
    chosen = chosen if many else chosen[:1]
    if len(chosen) > MOST_ASSIGNEES:
        raise Invalid({"assignees": [f"total must be less than or equal to {MOST_ASSIGNEES}"]})
    table = issue_assignees
    current = set(tx.execute(select(table.c.user_id).where(table.c.issue_id == issue_id)).scalars())
    if current == set(chosen):
        return False
    tx.execute(delete(table).where(table.c.issue_id == issue_id, table.c.user_id.not_in(chosen)))
    fresh = [{"issue_id": issue_id, "user_id": user_id} for user_id in chosen if user_id not in current]
    if fresh:
        tx.execute(insert(table), fresh)
    return True


def acceptable(tx: Connection, project: Project, user_ids: list[int]) -> list[int]:
    """The users among these who can read issues of the project."""
    query = select(users.c.id).where(users.c.id.in_(user_ids), users.c.state == "active")
    is_open = project.visibility > Visibility.PRIVATE and project.feature("issues") >= Feature.ENABLED
    if not is_open or project.visibility == Visibility.INTERNAL:
        members = select(project_authorizations.c.user_id).where(project_authorizations.c.project_id == project.id)
        allowed = [users.c.id.in_(members), users.c.is_admin]
        if is_open:
            allowed.append(~users.c.is_external)
        query = query.where(or_(*allowed))
    readers = set(tx.execute(query).scalars())
    return [user_id for user_id in user_ids if user_id in readers]


def _set_labels(tx: Connection, issue_id: int, project: Project, options: IssueOptions) -> bool:
    given, table = options.given, issue_labels
    query = (
        select(labels.c.id, labels.c.name)
        .join_from(table, labels, labels.c.id == table.c.label_id)
        .where(table.c.issue_id == issue_id)
    )
    current = {row.id: row.name for row in tx.execute(query)}
    remove = given.get("remove_labels") or []
    names = (given["labels"] or []) if "labels" in given else list(current.values())
    label_names = [name for name in [*names, *(given.get("add_labels") or [])] if name not in remove]
    chosen = set(resolve_names(tx, project, label_names, create=options.creates_labels, scoped=options.is_paid))
    if chosen == current.keys():
        return False
    tx.execute(delete(table).where(table.c.issue_id == issue_id, table.c.label_id.not_in(chosen)))
    fresh = [{"issue_id": issue_id, "label_id": label_id} for label_id in sorted(chosen - current.keys())]
    if fresh:
        tx.execute(insert(table), fresh)
    return True


def delete_issue(tx: Connection, row: IssueRow) -> None:
    """Remove an issue with its comments and reactions."""
    if row.state == "opened":
        count_open(tx, row.id, -1)
    forget(tx, "Issue", [row.id])
    tx.execute(delete(issues).where(issues.c.id == row.id))
