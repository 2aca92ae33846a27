"""Presenting rows in the list form, with one bulk load per kind of related record."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    Select,
    Table,
    bindparam,
    literal_column,
    null,
    select,
    union_all,
)

from ingot.access.call import Call
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.planning.issuables import References, TaskCompletion
from ingot.features.planning.labels import LabelDetail, label_detail, labels
from ingot.features.planning.milestones import Milestone, milestones_by_id
from ingot.features.planning.time_tracking import time_stats
from ingot.features.review.merge_requests import mergeability, states
from ingot.features.review.merge_requests.entities import (
    MergeRequestBasic,
    MergeRequestSimple,
)
from ingot.features.review.merge_requests.extensions import approval_numbers
from ingot.features.review.merge_requests.params import CommitRequests, ListFilters
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject, ReviewerRow
from ingot.features.review.merge_requests.tables import (
    merge_request_assignees,
    merge_request_labels,
    merge_request_reviewers,
)
from ingot.features.spaces.projects import ProjectSettings
from ingot.kit.entity import UNSET, group_by, wire, wire_or_none
from ingot.kit.statements import sent_together
from ingot.kit.unchanged import Unchanged


class PageLoads:
    """Related records of a page of merge requests."""

    def __init__(self, call: Call, rows: Sequence[MergeRequestWithProject]) -> None:
        conn, ids = call.conn, [row.id for row in rows]
        self.assignees: dict[int, list[int]] = {}
        self.reviewers: dict[int, list[int]] = {}
        user_ids: set[int | None] = set()
        with sent_together(conn, (_PEOPLE, {"ids": ids}), (_LABELS, {"ids": ids})):
            people_of_page = conn.execute(_PEOPLE, {"ids": ids}).all()
            self.labels = _labels(conn, ids)
        for is_reviewer, merge_request_id, user_id, *_ in people_of_page:
            people = self.reviewers if is_reviewer else self.assignees
            people.setdefault(merge_request_id, []).append(user_id)
            user_ids.add(user_id)
        for row in rows:
            user_ids |= {row.author_id, row.merged_by_id, row.auto_merge_user_id, row.closed_by_id}
        self.users = users_by_id(conn, user_ids, call.base_url)
        self.milestones = milestones_by_id(conn, (row.milestone_id for row in rows), call.base_url)
        self.approval_numbers = approval_numbers(conn, rows)
        self.settings = mergeability.settings_by_project(rows)
        self.statuses = mergeability.detailed_statuses(
            conn, rows, paid=call.services.settings.has_tier("premium"), settings=self.settings
        )

    def user(self, user_id: int | None) -> UserBasic | None:
        """A user by id; None for removed users."""
        return self.users.get(user_id) if user_id is not None else None

    def people(self, ids: list[int]) -> list[UserBasic]:
        """Users in the order of assignment."""
        return [self.users[user_id] for user_id in ids if user_id in self.users]

    def milestone(self, milestone_id: int | None) -> Milestone | None:
        """The request's milestone."""
        return self.milestones.get(milestone_id) if milestone_id is not None else None

    def parts(self, row: MergeRequestWithProject) -> tuple[object, ...]:
        """All that the list form of a request is made from."""
        number, find = row.id, self.users.get
        assigned, reviewing = self.assignees.get(number), self.reviewers.get(number)
        return (
            row,
            self.labels.get(number),
            assigned and self.people(assigned),
            reviewing and self.people(reviewing),
            find(row.author_id or 0),
            find(row.merged_by_id or 0),
            find(row.auto_merge_user_id or 0),
            find(row.closed_by_id or 0),
            self.milestone(row.milestone_id),
            self.approval_numbers.get(number),
            self.statuses[number],
        )


_shown: Unchanged[MergeRequestBasic] = Unchanged()


def _of_page(table: Table) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = table.c.merge_request_id.in_(bindparam("ids", expanding=True))
    return condition


def _people_of_page(table: Table, *, are_reviewers: bool) -> Select[Any]:
    kind = literal_column("1" if are_reviewers else "0", Integer).label("is_reviewer")
    columns = (kind, table.c.merge_request_id, table.c.user_id, table.c.position)
    none = (null().label("state"), null().label("created_at"))
    verdict = (table.c.state, table.c.created_at) if are_reviewers else none
    return select(*columns, *verdict).where(_of_page(table))


# Built once: these take most of the time of a page.
_PEOPLE = union_all(  # the types are those of the first part
    _people_of_page(merge_request_reviewers, are_reviewers=True),
    _people_of_page(merge_request_assignees, are_reviewers=False),
).order_by("position")
_LABELS = (
    select(merge_request_labels.c.merge_request_id, labels.c.id, labels.c.name, labels.c.description, labels.c.color)
    .join_from(merge_request_labels, labels, labels.c.id == merge_request_labels.c.label_id)
    .where(_of_page(merge_request_labels))
    .order_by(labels.c.name, labels.c.id)
)


def _labels(conn: Connection, ids: list[int]) -> dict[int, list[Any]]:
    return group_by(conn.execute(_LABELS, {"ids": ids}), lambda row: row.merge_request_id)


def reviewers_of(conn: Connection, merge_request_id: int) -> list[ReviewerRow]:
    """The reviewers of a request with their review states, in the order in which it names them."""
    return [row for row in conn.execute(_PEOPLE, {"ids": [merge_request_id]}) if row.is_reviewer]


def label_details(conn: Connection, merge_request_id: int) -> list[LabelDetail]:
    """The labels of a request with their colours, in the order in which it names them."""
    return [label_detail(row) for row in conn.execute(_LABELS, {"ids": [merge_request_id]})]


def web_url(row: MergeRequestWithProject, base_url: str) -> str:
    """The merge request's page."""
    return f"{base_url}/{row.project_path}/-/merge_requests/{row.iid}"


def references(row: MergeRequestWithProject, *, scope: str, group_id: int | None = None) -> References:
    """`scope`: `project` (also single), `group`, `global`, or `none` (embedded in a dependency)."""
    short, full = f"!{row.iid}", f"{row.project_path}!{row.iid}"
    if scope == "group":
        is_direct = row.project_namespace_id == group_id
        relative = f"{row.project_path.rsplit('/', 1)[-1]}!{row.iid}" if is_direct else full
    else:
        relative = full if scope == "global" else short
    return References(short=short, relative=relative, full=full)


def squashes_on_merge(row: MergeRequestRow, settings: ProjectSettings) -> bool:
    """The request's own choice, unless the project decides."""
    match settings.squash_option:
        case "always":
            return True
        case "never":
            return False
        case _:
            return bool(row.squash)


def basic_values(
    call: Call, row: MergeRequestWithProject, loads: PageLoads, *, scope: str, label_details: bool
) -> dict[str, Any]:
    """The values of the list form; the single form adds to them."""
    settings = loads.settings[row.project_id]
    result = loads.labels.get(row.id, [])
    shown_labels: list[Any] = (
        [label_detail(label) for label in result] if label_details else [label.name for label in result]
    )
    merged_by = loads.user(row.merged_by_id)
    demands_resolution = settings.only_allow_merge_if_all_discussions_are_resolved
    assignees = loads.people(loads.assignees.get(row.id, []))
    is_fork = row.source_project_id != row.project_id
    values: dict[str, Any] = {
        "id": row.id,
        "iid": row.iid,
        "project_id": row.project_id,
        "title": row.title,
        "description": row.description,
        "state": row.state,
        "created_at": wire(row.created_at),
        "updated_at": wire(row.updated_at),
        "merged_by": merged_by,
        "merge_user": merged_by or loads.user(row.auto_merge_user_id),
        "merged_at": wire_or_none(row.merged_at),
        "closed_by": loads.user(row.closed_by_id),
        "closed_at": wire_or_none(row.closed_at),
        "target_branch": row.target_branch,
        "source_branch": row.source_branch,
        "user_notes_count": row.user_notes_count,
        "upvotes": row.upvotes,
        "downvotes": row.downvotes,
        "author": loads.user(row.author_id),
        "assignees": assignees,
        "assignee": assignees[0] if assignees else None,
        "reviewers": loads.people(loads.reviewers.get(row.id, [])),
        "source_project_id": row.source_project_id,
        "target_project_id": row.project_id,
        "labels": shown_labels,
        "draft": row.is_draft,
        "imported": row.imported_from != "none",
        "imported_from": row.imported_from,
        "work_in_progress": row.is_draft,
        "milestone": loads.milestone(row.milestone_id),
        "merge_when_pipeline_succeeds": row.auto_merge,
        "merge_status": states.shown(row.merge_status),
        "detailed_merge_status": loads.statuses[row.id],
        "merge_after": wire_or_none(row.merge_after),
        "sha": row.head_sha,
        "merge_commit_sha": row.merge_commit_sha,
        "squash_commit_sha": row.squash_commit_sha,
        "discussion_locked": row.discussion_locked,
        "should_remove_source_branch": row.should_remove_source_branch,
        "force_remove_source_branch": row.force_remove_source_branch,
        "prepared_at": wire_or_none(row.prepared_at),
        "reference": f"!{row.iid}",
        "references": references(row, scope=scope, group_id=call.group.id if call.group_or_none is not None else None),
        "web_url": web_url(row, call.base_url),
        "time_stats": time_stats(row),
        "squash": row.squash,
        "squash_on_merge": squashes_on_merge(row, settings),
        "task_completion_status": TaskCompletion(count=row.task_count, completed_count=row.task_completed_count),
        "has_conflicts": row.merge_status == states.CANNOT_BE_MERGED,
        "blocking_discussions_resolved": not demands_resolution or row.unresolved_threads == 0,
        "allow_collaboration": row.allow_collaboration if is_fork else UNSET,
        "allow_maintainer_to_push": row.allow_collaboration if is_fork else UNSET,
    }
    if call.services.settings.has_tier("premium"):
        values["approvals_before_merge"] = loads.approval_numbers.get(row.id)
    return values


def present_list(
    call: Call[ListFilters | CommitRequests], rows: Sequence[MergeRequestWithProject], *, scope: str
) -> list[Any]:
    """A page of one of the three lists."""
    options = call.params
    if options.view == "simple":
        return [simple(row, call.base_url) for row in rows]
    return present_rows(call, rows, scope=scope, label_details=options.with_labels_details)


def present_rows(
    call: Call, rows: Sequence[MergeRequestWithProject], *, scope: str, label_details: bool = False
) -> list[MergeRequestBasic]:
    """The list form."""
    loads = PageLoads(call, rows)
    group_id = call.group.id if call.group_or_none is not None else None
    form = (scope, label_details, group_id, call.base_url, call.services.settings.tier)
    result = []
    for row in rows:
        key, parts = (row.id, form), loads.parts(row)
        shown = _shown.find(key, parts)
        if shown is None:
            values = basic_values(call, row, loads, scope=scope, label_details=label_details)
            if scope == "group":
                values["group_id"] = row.project_namespace_id
            shown = _shown.keep(key, parts, MergeRequestBasic(**values), row.description)
        result.append(shown)
    return result


def present_embedded(call: Call, rows: Sequence[MergeRequestWithProject]) -> list[MergeRequestBasic]:
    """The list form without a scope, as dependencies embed it."""
    loads = PageLoads(call, rows)
    return [MergeRequestBasic(**basic_values(call, row, loads, scope="none", label_details=False)) for row in rows]


def simple(row: MergeRequestWithProject, base_url: str) -> MergeRequestSimple:
    """`view=simple`."""
    return MergeRequestSimple(
        id=row.id,
        iid=row.iid,
        project_id=row.project_id,
        title=row.title,
        description=row.description,
        state=row.state,
        created_at=wire(row.created_at),
        updated_at=wire(row.updated_at),
        web_url=web_url(row, base_url),
    )
