"""Changing a merge request: texts, people, state, target."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, bindparam, insert, select, update

from ingot.access.subjects import Project
from ingot.features.people.event_log import record_event
from ingot.features.planning.issuable_changes import snapshot
from ingot.features.planning.issuables import Target, count_tasks, is_draft, text_problems
from ingot.features.planning.notes import record_changes
from ingot.features.planning.todos import follow, settle
from ingot.features.review.merge_requests import states, versions
from ingot.features.review.merge_requests.commands import people
from ingot.features.review.merge_requests.commands.create import branch_problems, refuse_duplicate
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.review.merge_requests.tables import (
    merge_request_assignees,
    merge_request_reviewers,
    merge_request_state_events,
    merge_requests,
)
from ingot.kit import changes
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.counters import hold
from ingot.kit.db import hold_row
from ingot.kit.errors import Invalid, Texts

NO_AUTO_MERGE: dict[str, Any] = {
    "auto_merge": False,
    "auto_merge_user_id": None,
    "auto_merge_options": None,
    "should_remove_source_branch": None,
}


class Change(msgspec.Struct):
    """The sent parameters, and the caller's rights."""

    given: dict[str, Any]
    manages: bool  # Developer: people, labels, milestone and lock too
    creates_labels: bool
    pushes_to_source: bool
    may_collaborate: bool
    is_paid: bool  # many assignees, and scoped labels
    target_exists: bool = True


_STORE = update(merge_requests).where(merge_requests.c.id == bindparam("request_id"))


def update_merge_request(
    tx: Connection, actor: Actor, row: MergeRequestWithProject, project: Project, change: Change
) -> str | None:
    """Apply the change; returns `closed` or `reopened` where the state moved."""
    given = change.given
    if given.get("target_branch") or given.get("state_event") == "reopen":
        hold(tx, f"project:{row.project_id}", "merge_requests")  # one duplicate check at a time
    hold_row(tx, merge_requests, row.id)  # labels and users are replaced as a whole
    target = Target("MergeRequest", row.id, row.project_id)
    before = snapshot(tx, target)
    moved = _move(tx, actor, row, given.get("state_event"))
    values: dict[str, Any] = {**_texts(change), **_switches(given, change)}
    if given.get("target_branch") and given["target_branch"] != row.target_branch:
        values.update(_retarget(tx, row, given["target_branch"], exists=change.target_exists))
        if change.is_paid:
            versions.follow_retarget(tx, row)
    changed = False
    if change.manages:
        changed = _manage(tx, row, project, change, values)
    differs = {name: value for name, value in values.items() if getattr(row, name) != value}
    if differs or changed:
        tx.execute(_STORE, {"request_id": row.id, **differs, "updated_at": now()})
        after = snapshot(tx, target)
        record_changes(tx, target, actor.user_id, before, after)
        follow(tx, target, actor.user_id, before, after)
    if moved == "closed":
        settle(tx, target, actor.user_id)
    return moved


def _texts(change: Change) -> dict[str, Any]:
    given = change.given
    title, description = given.get("title"), given.get("description")
    if problems := text_problems(title, description):
        raise Invalid(problems)
    values: dict[str, Any] = {}
    if title is not None:
        values |= {"title": title.strip(), "is_draft": is_draft(title.strip())}
    if "description" in given:
        tasks, done = count_tasks(description)
        values |= {"description": description, "task_count": tasks, "task_completed_count": done}
    return values


def _switches(given: Mapping[str, object], change: Change) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if given.get("squash") is not None:
        values["squash"] = given["squash"]
    if given.get("remove_source_branch") is not None and change.pushes_to_source:
        values["force_remove_source_branch"] = given["remove_source_branch"]
    collaboration = given.get("allow_collaboration", given.get("allow_maintainer_to_push"))
    if collaboration is not None and change.pushes_to_source:
        values["allow_collaboration"] = bool(collaboration) and change.may_collaborate
    if "merge_after" in given:
        values["merge_after"] = given["merge_after"]
    return values


def retarget(tx: Connection, user_id: int | None, row: MergeRequestWithProject, branch: str, *, is_paid: bool) -> None:
    """Give an open request another target, as an update does. 409 for a duplicate, 422 if it is the source branch."""
    hold(tx, f"project:{row.project_id}", "merge_requests")  # one duplicate check at a time
    target = Target("MergeRequest", row.id, row.project_id)
    before = snapshot(tx, target)
    values = _retarget(tx, row, branch, exists=True)
    here = (merge_requests.c.id == row.id) & (merge_requests.c.state == states.OPENED)
    tx.execute(update(merge_requests).where(here).values(**values, updated_at=now()))
    if is_paid:
        versions.follow_retarget(tx, row)
    record_changes(tx, target, user_id, before, snapshot(tx, target))


def _retarget(tx: Connection, row: MergeRequestRow, branch: str, *, exists: bool) -> dict[str, Any]:
    if problems := branch_problems(branch, "target_branch", exists=exists):
        raise Invalid(problems)
    if row.source_project_id == row.project_id and branch == row.source_branch:
        raise Texts(422, ["You can't use same project/branch for source and target"])
    if row.state == states.OPENED:
        refuse_duplicate(tx, row.source_project_id, row.source_branch, row.project_id, branch)
    return {
        "target_branch": branch,
        "target_branch_exists": True,
        "merge_status": states.invalidated(row.merge_status),
        **(NO_AUTO_MERGE if row.auto_merge else {}),
    }


def _manage(tx: Connection, row: MergeRequestRow, project: Project, change: Change, values: dict[str, object]) -> bool:
    given, changed = change.given, False
    if "discussion_locked" in given:
        values["discussion_locked"] = given["discussion_locked"]
    if "milestone_id" in given:
        milestone_id = given["milestone_id"]
        milestone = people.find_milestone(tx, project, milestone_id) if milestone_id else None
        if not milestone_id or milestone is not None:
            values["milestone_id"] = milestone
    assignees = given.get("assignee_ids")
    if assignees is None and "assignee_id" in given:
        assignees = [given["assignee_id"]] if given["assignee_id"] else []
    only_assignees = given.keys() <= {"id", "merge_request_iid", "assignee_id", "assignee_ids"}
    for table, user_ids, whole in (
        (merge_request_assignees, assignees, only_assignees),
        (merge_request_reviewers, given.get("reviewer_ids"), False),
    ):
        if user_ids is not None:
            changed |= _set_people(tx, table, row, project, user_ids, many=change.is_paid, whole=whole)
    if given.keys() & {"labels", "add_labels", "remove_labels"}:
        changed |= people.set_labels(
            tx,
            project,
            row.id,
            labels_given=(given["labels"] or []) if "labels" in given else None,
            add=given.get("add_labels") or [],
            remove=given.get("remove_labels") or [],
            may_create=change.creates_labels,
            scoped=change.is_paid,
        )
    return changed


def _set_people(
    tx: Connection,
    table: Table,
    row: MergeRequestRow,
    project: Project,
    user_ids: list[int],
    *,
    many: bool,
    whole: bool,
) -> bool:
    """Replace the people; `whole`: one invalid user refuses all of them."""
    real = list(dict.fromkeys(user_id for user_id in user_ids if user_id))
    if not real:
        return people.set_people(tx, table, row.id, [])
    if not many:
        real = real[:1]
    result = people.acceptable(tx, project, real)
    # If no valid user is left, nothing changes.
    if not result or (whole and len(result) < len(real)):
        return False
    return people.set_people(tx, table, row.id, result)


def _move(tx: Connection, actor: Actor, row: MergeRequestRow, event: str | None) -> str | None:
    """Close or reopen; an impossible state transition changes nothing."""
    if event == "close" and row.state == states.OPENED:
        close(tx, row, actor.user_id)
        return "closed"
    if event == "reopen" and row.state == states.CLOSED and not row.discussion_locked:
        duplicate = tx.execute(
            select(merge_requests.c.id).where(
                merge_requests.c.source_project_id == row.source_project_id,
                merge_requests.c.source_branch == row.source_branch,
                merge_requests.c.project_id == row.project_id,
                merge_requests.c.target_branch == row.target_branch,
                merge_requests.c.state == states.OPENED,
            )
        ).first()
        if duplicate is None:
            _reopen(tx, row, actor.user_id)
            return "reopened"
    return None


def close(tx: Connection, row: MergeRequestRow, user_id: int | None) -> None:
    """Close an open request and cancel its auto-merge."""
    moment = now()
    tx.execute(
        update(merge_requests)
        .where(merge_requests.c.id == row.id, merge_requests.c.state == states.OPENED)
        .values(
            state=states.CLOSED,
            closed_at=moment,
            closed_by_id=user_id,
            merge_error=None,
            updated_at=moment,
            **(NO_AUTO_MERGE if row.auto_merge else {}),
        )
    )
    record_state(tx, row, user_id, "closed")


def _reopen(tx: Connection, row: MergeRequestRow, user_id: int | None) -> None:
    tx.execute(
        update(merge_requests)
        .where(merge_requests.c.id == row.id, merge_requests.c.state == states.CLOSED)
        .values(
            state=states.OPENED,
            closed_at=None,
            closed_by_id=None,
            merge_status=states.UNCHECKED,
            updated_at=now(),
        )
    )
    record_state(tx, row, user_id, "reopened")


_EVENT = insert(merge_request_state_events)


def record_state(tx: Connection, row: MergeRequestRow, user_id: int | None, state: str) -> None:
    """Record a state change."""
    values = {"merge_request_id": row.id, "user_id": user_id, "state": state, "created_at": now()}
    tx.execute(_EVENT, values)
    record_event(tx, state, row.project_id, user_id, ("MergeRequest", row.id))
    change = changes.Change("merge_request", state, row.id, project_id=row.project_id, user_id=user_id)
    changes.report_change(tx, change)
