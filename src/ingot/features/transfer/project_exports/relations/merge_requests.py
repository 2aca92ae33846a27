"""Merge requests with their newest diff, and the approval rules of the project."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol, TypedDict

from sqlalchemy import Connection, Table, select

from ingot.access.rows import ProjectRow
from ingot.features.code.protected_branches import protected_branches
from ingot.features.review.approvals import (
    approval_project_rule_branches,
    approval_project_rule_users,
    approval_project_rules,
    approvals,
)
from ingot.features.review.merge_requests import (
    MergeRequestRow,
    MergeRequestWithProject,
    merge_request_assignees,
    merge_request_diffs,
    merge_request_labels,
    merge_request_reviewers,
    merge_request_state_events,
    merge_requests,
    target_repository,
    with_project,
)
from ingot.features.spaces.projects import repository_of
from ingot.features.transfer.project_exports.children import REST_KEY, put_back
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import batches, mapped, stamp, times
from ingot.features.transfer.project_exports.relations.events import events_of
from ingot.features.transfer.project_exports.relations.hunks import Hunks
from ingot.features.transfer.project_exports.relations.issues import label_links
from ingot.features.transfer.project_exports.relations.metrics import metrics_of
from ingot.features.transfer.project_exports.relations.milestones import milestones_by_id
from ingot.features.transfer.project_exports.relations.notes import awards_of, notes_of, portions
from ingot.features.transfer.project_exports.relations.resource_events import resource_events_of, with_events
from ingot.features.transfer.project_exports.relations.times import timelogs_of
from ingot.gitstore import GitError, Repository, diff, log, refs
from ingot.gitstore.diff import DiffLimits, FileDiff
from ingot.gitstore.model import Commit
from ingot.kit.entity import group_by
from ingot.kit.services import Services


def _grouped(conn: Connection, table: Table, ids: Sequence[int]) -> dict[int, list[Any]]:
    order = table.c.position if "position" in table.c else table.c.id
    rows = conn.execute(select(table).where(table.c.merge_request_id.in_(ids)).order_by(order))
    return group_by(rows, lambda row: row.merge_request_id)


def records(services: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """Requests into the project."""
    query = with_project().where(merge_requests.c.project_id == project.id)
    hunks = Hunks(repository_of(services, project))
    for batch in batches(conn, query, merge_requests.c.id):
        for rows in portions(conn, "MergeRequest", batch):
            yield from _portion(services, conn, project, rows, hunks)


def _portion(
    services: Services, conn: Connection, project: ProjectRow, rows: Sequence[MergeRequestWithProject], hunks: Hunks
) -> Iterator[dict[str, Any]]:
    ids = [row.id for row in rows]
    loads: dict[str, dict[int, Any]] = {
        "notes": notes_of(conn, project.id, "MergeRequest", ids, hunks),
        "award_emoji": awards_of(conn, "MergeRequest", ids),
        "label_links": label_links(conn, project.id, merge_request_labels, "merge_request_id", "MergeRequest", ids),
        "timelogs": timelogs_of(conn, "MergeRequest", ids),
    }
    people = (merge_request_assignees, merge_request_reviewers, approvals)
    assignees, reviewers, approved = (_grouped(conn, table, ids) for table in people)
    versions, moves = (_grouped(conn, table, ids) for table in (merge_request_diffs, merge_request_state_events))
    milestones = milestones_by_id(conn, project.id, {row.milestone_id for row in rows if row.milestone_id})
    remaining = preserved_for(conn, project.id, "merge_requests", ids)
    done = events_of(conn, ["MergeRequest"], ids)
    changes = resource_events_of(conn, project.id, "merge_request_id", ids)
    for row in rows:
        mine: _Children = {
            "assignees": assignees.get(row.id, []),
            "reviewers": reviewers.get(row.id, []),
            "approvals": approved.get(row.id, []),
            "versions": versions.get(row.id, []),
            "events": moves.get(row.id, []),
        }
        rest = remaining.get(row.id, {})
        children = {REST_KEY: rest.pop(REST_KEY, None)}
        record = _record(services, row, rest, mine)
        record |= {name: values.get(row.id, []) for name, values in loads.items()}
        record |= with_events(rest, changes, row.id)
        record["events"] = [*rest.get("events", []), *done.get(row.id, [])]
        if row.milestone_id in milestones:
            record["milestone"] = milestones[row.milestone_id]
        put_back(record, children)
        yield record


class _PersonRow(Protocol):
    """A link to a user, or what a user did."""

    user_id: int
    created_at: datetime
    state: str


class _VersionRow(Protocol):
    """A version of the diff."""

    state: str
    base_sha: str | None
    head_sha: str
    start_sha: str | None
    real_size: str
    created_at: datetime


class _Children(TypedDict):
    """Rows of one request."""

    assignees: list[_PersonRow]
    reviewers: list[_PersonRow]
    approvals: list[_PersonRow]
    versions: list[_VersionRow]
    events: list[_PersonRow]


def _record(
    services: Services, row: MergeRequestWithProject, remaining: Mapping[str, object], mine: _Children
) -> dict[str, Any]:
    repository = target_repository(services, row)
    exists = repository.exists()
    force = (
        {}
        if row.force_remove_source_branch is None
        else {"force_remove_source_branch": "1" if row.force_remove_source_branch else "0"}
    )
    own_source = row.source_project_id == row.project_id
    versions, preserved = mine["versions"], mapped(remaining, "merge_request_diff")
    changes = _diff(repository, row, versions[-1], preserved) if versions else preserved or None
    first = min((one.created_at for one in mine["approvals"]), default=None)
    return {
        "updated_by_id": None,
        "lock_version": 0,
        "in_progress_merge_commit_sha": None,
        "rebase_commit_sha": None,
        "last_edited_at": None,
        "last_edited_by_id": None,
        "merge_ref_sha": None,
        **remaining,
        "iid": row.iid,
        "title": row.title,
        "description": row.description,
        "state": row.state,
        "merge_status": row.merge_status,
        "source_branch": row.source_branch,
        "target_branch": row.target_branch,
        "source_project_id": row.source_project_id,
        "target_project_id": row.project_id,
        "author_id": row.author_id,
        **times(row),
        "merge_error": row.merge_error,
        "merge_params": {**mapped(remaining, "merge_params"), **force},
        "merge_user_id": row.merged_by_id or row.auto_merge_user_id,
        "merge_commit_sha": row.merge_commit_sha,
        "squash_commit_sha": row.squash_commit_sha,
        "approvals_before_merge": row.approvals_before_merge,
        "time_estimate": row.time_estimate,
        "squash": row.squash,
        "discussion_locked": row.discussion_locked,
        "allow_maintainer_to_push": row.allow_collaboration,
        "draft": row.is_draft,
        "diff_head_sha": row.head_sha,
        "source_branch_sha": refs.find_branch(repository, row.source_branch) if exists and own_source else row.head_sha,
        "target_branch_sha": refs.find_branch(repository, row.target_branch) if exists else None,
        "approvals": [
            {"user_id": one.user_id, "created_at": stamp(one.created_at), "updated_at": stamp(one.created_at)}
            for one in mine["approvals"]
        ],
        "metrics": metrics_of(row, first, changes, mapped(remaining, "metrics")),
        "merge_request_assignees": [
            {"user_id": one.user_id, "created_at": stamp(row.created_at)} for one in mine["assignees"]
        ],
        "merge_request_reviewers": [
            {"user_id": one.user_id, "created_at": stamp(one.created_at), "state": one.state}
            for one in mine["reviewers"]
        ],
        "resource_state_events": [
            {
                "state": one.state,
                "user_id": one.user_id,
                "created_at": stamp(one.created_at),
                "source_commit": None,
                "close_after_error_tracking_resolve": False,
                "close_auto_resolve_prometheus_alert": False,
            }
            for one in mine["events"]
        ],
        "merge_request_diff": changes,
    }


def _diff(
    repository: Repository, row: MergeRequestRow, newest: _VersionRow, remaining: Mapping[str, object]
) -> dict[str, Any]:
    """The newest version; from preserved data where git no longer has it."""
    result: dict[str, Any] = {
        "state": newest.state,
        "base_commit_sha": newest.base_sha,
        "head_commit_sha": newest.head_sha,
        "start_commit_sha": newest.start_sha,
        "real_size": newest.real_size,
        "commits_count": row.commits_count,
        "files_count": None,
        "sorted": True,
        "diff_type": "regular",
        "created_at": stamp(newest.created_at),
        "updated_at": stamp(newest.created_at),
        "merge_request_diff_commits": [],
        "merge_request_diff_files": [],
    }
    try:
        if newest.base_sha is None or _is_gone(repository, newest.base_sha, newest.head_sha):
            return {**result, **remaining}
        commits = log.between(repository, newest.base_sha, newest.head_sha)
        files = diff.diff(repository, newest.base_sha, newest.head_sha, limits=DiffLimits()).files
    except GitError:
        return {**result, **remaining}
    result["merge_request_diff_commits"] = [_commit(order, commit) for order, commit in enumerate(commits)]
    result["merge_request_diff_files"] = [_file(order, file) for order, file in enumerate(files)]
    result["files_count"] = len(files)
    return result


def _is_gone(repository: Repository, *shas: str) -> bool:
    """Checked here, because git would start a process per merge request."""
    return not repository.exists() or any(repository.find_object(sha) is None for sha in shas)


def _commit(order: int, commit: Commit) -> dict[str, Any]:
    return {
        "relative_order": order,
        "sha": commit.id,
        "message": commit.message,
        "authored_date": stamp(commit.author.when),
        "committed_date": stamp(commit.committer.when),
        "author_name": commit.author.name,
        "author_email": commit.author.email,
        "committer_name": commit.committer.name,
        "committer_email": commit.committer.email,
        "commit_author": {"name": commit.author.name, "email": commit.author.email},
        "committer": {"name": commit.committer.name, "email": commit.committer.email},
        "trailers": commit.trailers,
    }


def _file(order: int, file: FileDiff) -> dict[str, Any]:
    return {
        "relative_order": order,
        "new_file": file.new_file,
        "renamed_file": file.renamed_file,
        "deleted_file": file.deleted_file,
        "too_large": file.too_large,
        "binary": file.binary,
        "a_mode": file.a_mode,
        "b_mode": file.b_mode,
        "new_path": file.new_path,
        "old_path": file.old_path,
        "encoded_file_path": False,
        "utf8_diff": file.diff,
    }


def approval_rules(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """Approval rules of the project."""
    table = approval_project_rules
    for rows in batches(conn, select(table).where(table.c.project_id == project.id), table.c.id):
        ids = [row.id for row in rows]
        people = group_by(
            conn.execute(select(approval_project_rule_users).where(approval_project_rule_users.c.rule_id.in_(ids))),
            lambda row: row.rule_id,
        )
        links = approval_project_rule_branches
        branches = group_by(
            conn.execute(
                select(links.c.rule_id, protected_branches.c.name)
                .join_from(links, protected_branches, protected_branches.c.id == links.c.protected_branch_id)
                .where(links.c.rule_id.in_(ids))
            ),
            lambda row: row.rule_id,
        )
        remaining = preserved_for(conn, project.id, "approval_rules", ids)
        for row in rows:
            yield {
                "scanners": [],
                "severity_levels": [],
                "vulnerability_states": [],
                "vulnerabilities_allowed": 0,
                **remaining.get(row.id, {}),
                "name": row.name,
                "approvals_required": row.approvals_required,
                "rule_type": row.rule_type,
                "report_type": row.report_type,
                "applies_to_all_protected_branches": row.applies_to_all_protected_branches,
                "approval_project_rules_protected_branches": [
                    {"branch_name": one.name} for one in branches.get(row.id, [])
                ],
                "approval_project_rules_users": [{"user_id": one.user_id} for one in people.get(row.id, [])],
            }
