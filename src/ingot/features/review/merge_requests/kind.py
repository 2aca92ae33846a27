"""Merge requests as a kind of issuable."""

from collections.abc import Sequence

from sqlalchemy import Connection

from ingot.access.call import Call
from ingot.access.levels import PLANNER, REPORTER, Feature, Visibility
from ingot.access.rows import ProjectRow
from ingot.features.planning.issuables import Audience, IssuableKind, Noteable, Shown, register
from ingot.features.review.merge_requests import lookup, policy, quick
from ingot.features.review.merge_requests.params_single import OneMergeRequest
from ingot.features.review.merge_requests.present import present_embedded, web_url
from ingot.features.review.merge_requests.queries import with_project
from ingot.features.review.merge_requests.tables import (
    merge_request_assignees,
    merge_request_labels,
    merge_request_reviewers,
    merge_requests,
    subscriptions,
)


def _find(call: Call[OneMergeRequest]) -> Noteable:
    return Noteable.of_row("MergeRequest", call.project, lookup.find_visible(call))


def _audience(_conn: Connection, project: ProjectRow, _merge_request_id: int) -> Audience:
    is_narrow = min(project.merge_requests_access_level, project.repository_access_level) < Feature.ENABLED
    is_open = not is_narrow and project.visibility > Visibility.PRIVATE
    return Audience(REPORTER if is_narrow else PLANNER, is_open)


def _show(call: Call, ids: Sequence[int]) -> dict[int, Shown]:
    rows = call.conn.execute(with_project().where(merge_requests.c.id.in_(ids))).all()
    entities = present_embedded(call, rows)
    return {row.id: Shown(entity, web_url(row, call.base_url)) for row, entity in zip(rows, entities, strict=True)}


MERGE_REQUEST = register(
    IssuableKind(
        type="MergeRequest",
        word="merge_request",
        title="merge request",
        path="/projects/{id}/merge_requests/{merge_request_iid}",
        number=OneMergeRequest,
        find=_find,
        sign="!",
        table=merge_requests,
        key="merge_request_id",
        labels=merge_request_labels,
        assignees=merge_request_assignees,
        reviewers=merge_request_reviewers,
        subscriptions=subscriptions,
        counts_unresolved_threads=True,
        may_track_time=policy.is_developer,
        audience=_audience,
        readable=policy.readable_merge_requests,
        show=_show,
        run_actions=quick.run,
    )
)
