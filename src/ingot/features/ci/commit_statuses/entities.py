"""Commit statuses on the wire."""

from collections.abc import Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.features.ci.commit_statuses.rows import CommitStatusRow
from ingot.features.people.users import UserBasic, users_by_id
from ingot.kit.entity import Entity, wire, wire_or_none


class CommitStatus(Entity):
    """One status of a commit."""

    id: int
    sha: str
    ref: str
    status: str
    name: str
    target_url: str | None
    description: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    allow_failure: bool
    coverage: float | None
    pipeline_id: int
    author: UserBasic | None


def present(call: Call, rows: Sequence[CommitStatusRow]) -> list[CommitStatus]:
    """A page of statuses; rows carry the sha of their pipeline."""
    people = users_by_id(call.conn, [row.user_id for row in rows], call.base_url)
    url = f"{call.base_url}/{call.project.full_path}/-/jobs"
    return [
        CommitStatus(
            id=row.id,
            sha=row.sha,
            ref=row.ref,
            status=row.status,
            name=row.name,
            target_url=row.target_url if row.kind == "external" else f"{url}/{row.id}",
            description=row.description,
            created_at=wire(row.created_at),
            started_at=wire_or_none(row.started_at),
            finished_at=wire_or_none(row.finished_at),
            allow_failure=row.allow_failure,
            coverage=row.coverage,
            pipeline_id=row.pipeline_id,
            author=people.get(row.user_id or 0),
        )
        for row in rows
    ]
