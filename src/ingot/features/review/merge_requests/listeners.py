"""Reactions of merge requests to pushes and pipelines."""

from collections.abc import Iterator

from sqlalchemy import Connection, select

from ingot.events import MergeRequestChanged, PipelineChanged, Pushed
from ingot.features.review.merge_requests import of_pushes, queries
from ingot.features.review.merge_requests.commands import auto_merge, pushes
from ingot.features.review.merge_requests.tables import (
    merge_request_context_commits,
    merge_request_diffs,
    merge_requests,
)
from ingot.features.spaces.projects import keeps_commits
from ingot.kit.events import listen
from ingot.kit.services import Services

REGISTERED = (of_pushes,)  # importing it registers what it has to do with pushes
ENDED = ("success", "failed", "canceled", "skipped")


@listen(Pushed, order=30)
def follow_branches(services: Services, event: Pushed) -> None:
    """Every moved branch may be the source or the target of open requests."""
    for change in event.changes:
        pushes.branch_changed(services, event.project_id, event.user_id, change)


@listen(PipelineChanged)
def wake_auto_merge(services: Services, event: PipelineChanged) -> None:
    """A pipeline ended: requests that wait for it may merge now."""
    if event.status in ENDED:
        for merge_request_id in auto_merge.waiting_in(services, event.project_id, event.sha):
            auto_merge.try_waiting(services, merge_request_id)


@listen(MergeRequestChanged, order=90)
def wake_after_change(services: Services, event: MergeRequestChanged) -> None:
    """Recheck waiting auto-merges after a merged blocker, a resolved thread or an approval."""
    if event.what in ("merged", "closed"):
        return
    with services.db.read() as conn:
        row = queries.find_by_id(conn, event.merge_request_id)
    if row is not None and row.auto_merge and row.state == "opened":
        auto_merge.try_waiting(services, row.id)


@keeps_commits
def commits_of_requests(conn: Connection, project_id: int) -> Iterator[str | None]:
    """Commits of merge requests: versions, merges and context commits."""
    here = merge_requests.c.project_id == project_id
    requests, versions, beside = merge_requests.c, merge_request_diffs.c, merge_request_context_commits.c
    own = select(
        requests.head_sha, requests.base_sha, requests.start_sha, requests.merge_commit_sha, requests.squash_commit_sha
    )
    older = select(versions.head_sha, versions.base_sha, versions.start_sha).join_from(
        merge_request_diffs, merge_requests, requests.id == versions.merge_request_id
    )
    context = select(beside.sha).join_from(
        merge_request_context_commits, merge_requests, requests.id == beside.merge_request_id
    )
    for statement in (own, older, context):
        for row in conn.execute(statement.where(here)):
            yield from row
