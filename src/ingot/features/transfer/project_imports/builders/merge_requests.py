"""Merge requests with their newest diff, people, notes and approvals."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert

from ingot.features.planning.issuables import count_tasks, is_draft
from ingot.features.review.approvals import approvals
from ingot.features.review.merge_requests import (
    merge_request_assignees,
    merge_request_diffs,
    merge_request_labels,
    merge_request_reviewers,
    merge_request_state_events,
    merge_requests,
)
from ingot.features.transfer.project_imports.builders.events import build_events
from ingot.features.transfer.project_imports.builders.labels import link
from ingot.features.transfer.project_imports.builders.milestones import milestone_id
from ingot.features.transfer.project_imports.builders.notes import build_awards, build_notes, build_times
from ingot.features.transfer.project_imports.builders.numbers import mark_unnumbered, take_number
from ingot.features.transfer.project_imports.builders.resource_events import build_resource_events
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.forks import is_from_fork
from ingot.features.transfer.project_imports.values import (
    BadRecord,
    flag,
    flag_or_none,
    iid,
    moment,
    moment_or,
    number,
    one,
    records,
    sha,
    text,
)

MODELLED = frozenset(
    [
        "iid",
        "title",
        "description",
        "state",
        "merge_status",
        "source_branch",
        "target_branch",
        "source_project_id",
        "target_project_id",
        "author_id",
        "created_at",
        "updated_at",
        "merge_error",
        "merge_params",
        "merge_user_id",
        "merge_commit_sha",
        "squash_commit_sha",
        "approvals_before_merge",
        "time_estimate",
        "squash",
        "discussion_locked",
        "allow_maintainer_to_push",
        "draft",
        "diff_head_sha",
        "source_branch_sha",
        "target_branch_sha",
        "approvals",
        "metrics",
        "award_emoji",
        "merge_request_assignees",
        "merge_request_reviewers",
        "notes",
        "merge_request_diff",
        "timelogs",
        "label_links",
        "milestone",
        "resource_state_events",
        "state_id",
        "merge_when_pipeline_succeeds",
        "head_pipeline_id",
        "assignee_id",
    ]
)
METRICS = frozenset(
    [
        "merged_at",
        "merged_by_id",
        "commits_count",
        "target_project_id",
        "merge_request_id",
        "pipeline_id",
    ]
)
# Children that may have unmodelled attributes.
KINDS = ("label_links", "merge_request_assignees", "merge_request_reviewers", "approvals", "timelogs")
STATES = ("closed", "reopened", "merged")
ADD = insert(merge_requests).returning(merge_requests.c.id)
REVIEW_STATES = ("unreviewed", "reviewed", "requested_changes", "approved", "unapproved", "review_started")


def head_of(record: Mapping[str, object]) -> str | None:
    """The head: what the exporter computed, else the diff's, else its newest commit."""
    diff = one(record, "merge_request_diff") or {}
    newest = next((c for c in records(diff, "merge_request_diff_commits") if c.get("relative_order") == 0), {})
    return sha(record, "diff_head_sha") or sha(diff, "head_commit_sha") or sha(newest, "sha")


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `merge_requests`."""
    archived_iid = iid(record)
    if context.skips_existing and archived_iid in context.existing_iids:
        return
    given = take_number(context, tx, merge_requests, "merge_requests", archived_iid)
    diff = one(record, "merge_request_diff")
    _check_diff(diff)
    created = tx.execute(ADD, {"iid": given, **_values(context, tx, record, diff or {})}).scalar_one()
    _version(context, tx, created, record, diff)
    link(context, tx, merge_request_labels, "merge_request_id", created, record)
    _people(context, tx, created, record)
    _events(context, tx, created, record)
    build_events(context, tx, "MergeRequest", created, record)
    counts = build_notes(context, tx, "MergeRequest", created, record)
    votes = build_awards(context, tx, "MergeRequest", created, record)
    spent = build_times(context, tx, "merge_request_id", created, record)
    context.change(tx, merge_requests, created, {**counts, **votes, "total_time_spent": spent})
    _keep(context, tx, created, record, diff)
    if archived_iid is None:
        mark_unnumbered(context, tx, "merge_requests", created)


def _check_diff(diff: Mapping[str, object] | None) -> None:
    for file in records(diff or {}, "merge_request_diff_files"):
        if not any(isinstance(file.get(key), str) for key in ("utf8_diff", "diff_export", "diff")):
            raise BadRecord("A diff file has no text")


def _values(
    context: ImportContext, tx: Connection, record: Mapping[str, object], diff: Mapping[str, object]
) -> dict[str, Any]:
    people, metrics = context.people, one(record, "metrics") or {}
    created = moment_or(record, "created_at", context.started)
    state = record.get("state") if record.get("state") in ("opened", "closed", "merged") else "opened"
    title = (text(record, "title", longest=255, required=True) or "").strip()
    description = text(record, "description")
    tasks, done = count_tasks(description)
    here = not is_from_fork(record) or sha(record, "diff_head_sha") is not None
    head = head_of(record)
    milestone = one(record, "milestone")
    params = one(record, "merge_params") or {}
    commits = records(diff, "merge_request_diff_commits")
    base = sha(diff, "base_commit_sha")
    merged = state == "merged"
    merged_by = metrics.get("merged_by_id") or (record.get("merge_user_id") if merged else None)
    return {
        "project_id": context.project.id,
        "source_project_id": context.project.id if here else None,
        "source_branch": text(record, "source_branch", longest=255, required=True),
        "target_branch": text(record, "target_branch", longest=255, required=True),
        "author_id": people.of(record.get("author_id")) or people.importer_id,
        "title": title,
        "description": description,
        "state": state,
        "is_draft": is_draft(title),
        "milestone_id": None if milestone is None else milestone_id(context, tx, milestone),
        "squash": flag(record, "squash"),
        "discussion_locked": flag_or_none(record, "discussion_locked"),
        "force_remove_source_branch": flag_or_none(params, "force_remove_source_branch"),
        "allow_collaboration": False,
        "approvals_before_merge": number(record, "approvals_before_merge"),
        "merge_status": "unchecked" if state == "opened" else _merge_status(record),
        "merge_error": text(record, "merge_error"),
        "head_sha": head,
        "base_sha": base,
        "start_sha": sha(diff, "start_commit_sha") or base,
        "commits_count": len(commits) or number(diff, "commits_count") or 0,
        "changes_count": str(diff["real_size"]) if diff.get("real_size") is not None else None,
        "merge_commit_sha": sha(record, "merge_commit_sha"),
        "squash_commit_sha": sha(record, "squash_commit_sha"),
        "prepared_at": created,
        "merged_at": moment(metrics, "merged_at") or (moment(record, "updated_at") if merged else None),
        "merged_by_id": people.of(merged_by),
        "closed_at": moment(metrics, "latest_closed_at") if state == "closed" else None,
        "closed_by_id": people.of(metrics.get("latest_closed_by_id")) if state == "closed" else None,
        "task_count": tasks,
        "task_completed_count": done,
        "time_estimate": number(record, "time_estimate") or 0,
        "imported_from": "gitlab_project",
        "created_at": created,
        "updated_at": moment_or(record, "updated_at", created),
    }


def _merge_status(record: Mapping[str, object]) -> str:
    known = ("can_be_merged", "cannot_be_merged", "cannot_be_merged_recheck")
    result = record.get("merge_status")
    return result if result in known else "unchecked"


def _version(
    context: ImportContext,
    tx: Connection,
    created: int,
    record: Mapping[str, object],
    diff: Mapping[str, object] | None,
) -> None:
    head = head_of(record)
    if diff is None or head is None:
        return
    base = sha(diff, "base_commit_sha")
    context.add(
        tx,
        merge_request_diffs,
        {
            "merge_request_id": created,
            "head_sha": head,
            "base_sha": base,
            "start_sha": sha(diff, "start_commit_sha") or base,
            "state": text(diff, "state", longest=16) or "collected",
            "real_size": str(diff.get("real_size") or "0")[:16],
            "created_at": moment_or(diff, "created_at", context.started),
        },
    )


def _people(context: ImportContext, tx: Connection, result: int, record: Mapping[str, object]) -> None:
    people = context.people
    assignees = [people.of(child.get("user_id")) for child in records(record, "merge_request_assignees")]
    if not assignees and record.get("assignee_id") is not None:
        assignees = [people.of(record["assignee_id"])]
    for position, user_id in enumerate(dict.fromkeys(item for item in assignees if item is not None)):
        values = {"merge_request_id": result, "user_id": user_id, "position": position}
        context.add(tx, merge_request_assignees, values)
    seen: set[int] = set()
    for position, child in enumerate(records(record, "merge_request_reviewers")):
        reviewer = people.of(child.get("user_id"))
        if reviewer is None or reviewer in seen:
            continue
        seen.add(reviewer)
        context.add(
            tx,
            merge_request_reviewers,
            {
                "merge_request_id": result,
                "user_id": reviewer,
                "position": position,
                "state": child.get("state") if child.get("state") in REVIEW_STATES else "unreviewed",
                "created_at": moment_or(child, "created_at", context.started),
            },
        )
    approvers: set[int] = set()
    for child in records(record, "approvals"):
        approver = people.of(child.get("user_id"))
        if approver is None or approver in approvers:
            continue
        approvers.add(approver)
        created = moment_or(child, "created_at", context.started)
        context.add(tx, approvals, {"merge_request_id": result, "user_id": approver, "created_at": created})


def _events(context: ImportContext, tx: Connection, created: int, record: Mapping[str, object]) -> None:
    for child in records(record, "resource_state_events"):
        if child.get("state") in STATES:
            context.add(
                tx,
                merge_request_state_events,
                {
                    "merge_request_id": created,
                    "user_id": context.people.of(child.get("user_id")),
                    "state": child["state"],
                    "created_at": moment_or(child, "created_at", context.started),
                },
            )


def _keep(
    context: ImportContext,
    tx: Connection,
    created: int,
    record: Mapping[str, object],
    diff: Mapping[str, object] | None,
) -> None:
    """Preserve what is not modelled: rare keys, metrics, and a diff that git no longer has."""
    rest = {key: value for key, value in record.items() if key not in MODELLED}
    params = {
        key: value for key, value in (one(record, "merge_params") or {}).items() if key != "force_remove_source_branch"
    }
    metrics = {
        key: value for key, value in (one(record, "metrics") or {}).items() if key not in METRICS and value is not None
    }
    if params:
        rest["merge_params"] = params
    if metrics:
        rest["metrics"] = metrics
    ends = (head_of(record), sha(diff or {}, "base_commit_sha"))
    if diff is not None and any(end is None or context.repository.find_object(end) is None for end in ends):
        rest["merge_request_diff"] = diff
    unplaced, rest_of_events = build_resource_events(context, tx, "merge_request_id", created, record)
    rest |= unplaced
    events = [child for child in records(record, "resource_state_events") if child.get("state") in STATES]
    children = {
        **rest_of_events,
        **context.rest_of("resource_state_events", events),
        **{name: rest for kind in KINDS for name, rest in context.rest_of(kind, records(record, kind)).items()},
    }
    context.keep_rest(tx, "merge_requests", created, rest, frozenset(), children)
