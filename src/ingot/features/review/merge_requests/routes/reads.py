"""Parts of a merge request: commits, diffs, versions, reviewers and history."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.code.repository import (
    CommitBasic,
    FileDiffEntity,
    commit_basic,
    file_diff,
    list_in_parts,
    present_commits,
    send_chunks,
)
from ingot.features.people.users import UserBasic, users_by_id
from ingot.features.planning.issuables import StateEvent
from ingot.features.planning.resource_events import find_resource
from ingot.features.review.merge_requests import lookup, policy
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.entities import MergeRequest
from ingot.features.review.merge_requests.kind import MERGE_REQUEST
from ingot.features.review.merge_requests.params_single import OneMergeRequest
from ingot.features.review.merge_requests.present import reviewers_of
from ingot.features.review.merge_requests.rows import (
    MergeRequestDiffRow,
    MergeRequestStateEventRow,
    MergeRequestWithProject,
)
from ingot.features.review.merge_requests.single import present_single
from ingot.features.review.merge_requests.tables import (
    merge_request_diffs,
    merge_request_state_events,
)
from ingot.gitstore import diff, log
from ingot.gitstore.diff import DiffLimits, FileDiff
from ingot.gitstore.log import LogQuery
from ingot.gitstore.model import EMPTY_TREE_ID
from ingot.kit.endpoint import Answer, Binary, Routes
from ingot.kit.entity import Entity, wire
from ingot.kit.errors import RecordNotFound
from ingot.kit.page_pieces import Pieces
from ingot.kit.pagination import Keyset, Page, offset_headers, page_of, per_page_of
from ingot.kit.params import CursorPaging, Paging, Param

routes = Routes("Merge requests", guard=policy.FIND_MERGE_REQUEST, waits=True)
PATH = "/projects/{id}/merge_requests/{merge_request_iid}"
RAW_DIFFS = DiffLimits(max_lines=1_000_000, max_bytes=8_000_000, max_patch_bytes=8_000_000)


class ListOf(OneMergeRequest, Paging):
    """A page of a part of the merge request."""


class ListStateEvents(OneMergeRequest, CursorPaging):
    """A page of the events of the merge request."""


class ListDiffs(ListOf):
    """A page of changed files."""

    unidiff: bool = Param("Diffs with their file headers.", default=False)


class Changes(OneMergeRequest):
    """Options of the deprecated changes."""

    access_raw_diffs: bool = Param("Show long diffs too, 8 MB in all.", default=False)
    unidiff: bool = Param("Diffs with their file headers.", default=False)


class OneVersion(OneMergeRequest):
    """One diff version."""

    version_id: int = Param("Id of the version.", required=True)
    unidiff: bool = Param("Diffs with their file headers.", default=False)


class MergeRequestWithChanges(MergeRequest, kw_only=True):
    """The single form with all changed files."""

    changes: list[FileDiffEntity]
    overflow: bool


class Version(Entity, kw_only=True):
    """A diff version: the request at one head."""

    id: int
    head_commit_sha: str
    base_commit_sha: str | None
    start_commit_sha: str | None
    created_at: datetime
    merge_request_id: int
    state: str
    real_size: str
    patch_id_sha: str | None


class VersionInFull(Version, kw_only=True):
    """A version with its commits and diffs."""

    commits: list[CommitBasic]
    diffs: list[FileDiffEntity]


class Reviewer(Entity):
    """A reviewer with the review state."""

    user: UserBasic
    state: str
    created_at: datetime


class MergeRequestStateEvent(StateEvent):
    """One state change; its cause is not recorded."""

    source_commit: str | None = None
    source_merge_request_id: int | None = None


def _get_checked(call: Call[OneMergeRequest]) -> MergeRequestWithProject:
    """The request, checked against git if it is open."""
    return check.check_to_show(call.services, call.conn, lookup.find_then_authorize(call))


@routes.get(f"{PATH}/commits", params=ListOf, returns=list[CommitBasic])
def list_merge_request_commits(call: Call[ListOf]) -> Answer:
    """The request's commits, newest first."""
    row = _get_checked(call)
    page, per_page = page_of(call), per_page_of(call)
    shown: Sequence[object] | Pieces = []
    number = total = 0
    if row.head_sha is not None:
        repository = check.target_repository(call.services, row)
        known = [] if row.base_sha is None else [row.base_sha]
        query = LogQuery(include=[row.head_sha], exclude=known, skip=(page - 1) * per_page, limit=per_page)
        shown, number = list_in_parts(call, repository, query, per_page, present_commits)
        total = row.commits_count
    more = page * per_page < total
    return Page(shown, offset_headers(call, page, per_page, total, has_more=more, empty=not number))


def _files(call: Call, row: MergeRequestWithProject, limits: DiffLimits | None) -> diff.Diff:
    if row.head_sha is None:
        return diff.Diff(files=[], overflow=False)
    base = row.base_sha or EMPTY_TREE_ID
    return diff.diff(check.target_repository(call.services, row), base, row.head_sha, limits=limits)


@routes.get(f"{PATH}/diffs", params=ListDiffs, returns=list[FileDiffEntity])
def list_merge_request_diffs(call: Call[ListDiffs]) -> Answer:
    """The changed files, a page at a time."""
    files = _files(call, _get_checked(call), DiffLimits()).files

    def present(_: Call, part: Sequence[FileDiff]) -> list[FileDiffEntity]:
        return [file_diff(file, unidiff=call.params.unidiff) for file in part]

    return call.page_of_list(files, present)


@routes.get(f"{PATH}/changes", params=Changes, returns=MergeRequestWithChanges)
def get_merge_request_changes(call: Call[Changes]) -> Answer:
    """The request with all its changed files (deprecated: use diffs)."""
    row = _get_checked(call)
    result = _files(call, row, RAW_DIFFS if call.params.access_raw_diffs else DiffLimits())
    single = present_single(call, row)
    values = {name: getattr(single, name) for name in single.__struct_fields__}
    return MergeRequestWithChanges(
        **values,
        changes=[file_diff(file, unidiff=call.params.unidiff) for file in result.files],
        overflow=result.overflow,
    )


@routes.get(f"{PATH}/raw_diffs", params=OneMergeRequest, returns=Binary("text/plain"))
async def get_merge_request_raw_diffs(call: Call[OneMergeRequest]) -> Answer:
    """The whole change as one unified diff, streamed."""
    return await send_chunks(call, await call.run(_raw_diff, call), "text/plain", {"Cache-Control": "no-store"})


def _raw_diff(call: Call[OneMergeRequest]) -> Iterator[bytes]:
    row = _get_checked(call)
    if row.head_sha is None:
        return iter(())
    base = row.base_sha or EMPTY_TREE_ID
    return diff.raw_diff(check.target_repository(call.services, row), base, row.head_sha)


def _version(row: MergeRequestDiffRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "head_commit_sha": row.head_sha,
        "base_commit_sha": row.base_sha,
        "start_commit_sha": row.start_sha,
        "created_at": wire(row.created_at),
        "merge_request_id": row.merge_request_id,
        "state": row.state,
        "real_size": row.real_size,
        "patch_id_sha": row.patch_id_sha,
    }


def _present_versions(_: Call, rows: Sequence[MergeRequestDiffRow]) -> list[Version]:
    return [Version(**_version(row)) for row in rows]


@routes.get(f"{PATH}/versions", guard=policy.FIND_MERGE_REQUEST_SIGNED_IN, params=ListOf, returns=list[Version])
def list_merge_request_versions(call: Call[ListOf]) -> Answer:
    """Diff versions, newest first."""
    row = _get_checked(call)
    query = select(merge_request_diffs).where(merge_request_diffs.c.merge_request_id == row.id)
    return call.page(query.order_by(merge_request_diffs.c.id.desc()), _present_versions)


@routes.get(
    f"{PATH}/versions/{{version_id}}",
    guard=policy.FIND_MERGE_REQUEST_SIGNED_IN,
    params=OneVersion,
    returns=VersionInFull,
)
def get_merge_request_version(call: Call[OneVersion]) -> Answer:
    """One diff version with its commits and diffs."""
    row = _get_checked(call)
    query = select(merge_request_diffs).where(
        merge_request_diffs.c.merge_request_id == row.id, merge_request_diffs.c.id == call.params.version_id
    )
    version = call.conn.execute(query).one_or_none()
    if version is None:
        raise RecordNotFound
    repository = check.target_repository(call.services, row)
    known = [] if version.base_sha is None else [version.base_sha]
    commits = log.commits(repository, LogQuery(include=[version.head_sha], exclude=known))
    base = version.base_sha or EMPTY_TREE_ID
    files = diff.diff(repository, base, version.head_sha, limits=DiffLimits()).files if commits else []
    return VersionInFull(
        **_version(version),
        commits=[commit_basic(commit, call.base_url, call.project) for commit in commits],
        diffs=[file_diff(file, unidiff=call.params.unidiff) for file in files],
    )


@routes.get(f"{PATH}/reviewers", params=OneMergeRequest, returns=list[Reviewer])
def list_merge_request_reviewers(call: Call[OneMergeRequest]) -> Answer:
    """Reviewers with their review states."""
    rows = reviewers_of(call.conn, lookup.find_then_authorize(call).id)
    users = users_by_id(call.conn, (one.user_id for one in rows), call.base_url)
    return [
        Reviewer(user=users[one.user_id], state=one.state, created_at=wire(one.created_at))
        for one in rows
        if one.user_id in users
    ]


@routes.get(
    f"{PATH}/resource_state_events",
    guard=policy.FIND_MERGE_REQUEST_SIGNED_IN,
    params=ListStateEvents,
    returns=list[MergeRequestStateEvent],
)
def list_merge_request_state_events(call: Call[ListStateEvents]) -> Answer:
    """State events of a merge request."""
    row, table = find_resource(call, MERGE_REQUEST), merge_request_state_events
    query = select(table).where(table.c.merge_request_id == row.id).order_by(table.c.id)
    return call.page(query, _present_events, keyset=Keyset(table.c.id, descending=False))


@routes.get(
    f"{PATH}/resource_state_events/{{event_id:int}}",
    guard=policy.FIND_MERGE_REQUEST_SIGNED_IN,
    params=OneMergeRequest,
    returns=MergeRequestStateEvent,
)
def get_merge_request_state_event(call: Call[OneMergeRequest]) -> Answer:
    """One event of the history."""
    row = find_resource(call, MERGE_REQUEST)
    table = merge_request_state_events
    query = select(table).where(table.c.merge_request_id == row.id, table.c.id == int(call.path["event_id"]))
    event = call.conn.execute(query).one_or_none()
    if event is None:
        raise RecordNotFound
    return _present_events(call, [event])[0]


def _present_events(call: Call, rows: Sequence[MergeRequestStateEventRow]) -> list[MergeRequestStateEvent]:
    users = users_by_id(call.conn, (row.user_id for row in rows), call.base_url)
    return [
        MergeRequestStateEvent(
            id=row.id,
            user=users.get(row.user_id or 0),
            created_at=wire(row.created_at),
            resource_type="MergeRequest",
            resource_id=row.merge_request_id,
            state=row.state,
        )
        for row in rows
    ]
