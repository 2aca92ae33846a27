"""Status checks on the wire."""

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.code.protected_branches import protected_branches
from ingot.features.integrations.status_checks.policy import READ_CHECKS
from ingot.features.integrations.status_checks.rows import CheckRow
from ingot.features.integrations.status_checks.tables import status_check_branches
from ingot.features.review.merge_requests import MergeRequestBasic
from ingot.kit.entity import Entity, group_by, wire
from ingot.kit.outbound import without_secrets


class CheckedBranch(Entity):
    """A protected branch that a check is for."""

    id: int
    project_id: int
    name: str
    created_at: datetime
    updated_at: datetime
    code_owner_approval_required: bool


class ExternalStatusCheck(Entity):
    """A service that is told of merge requests."""

    id: int
    name: str
    project_id: int
    external_url: str
    hmac: bool
    protected_branches: list[CheckedBranch]


class StatusOfCheck(Entity):
    """What a check says about a merge request."""

    id: int
    name: str
    external_url: str
    status: str


class StatusCheckResponse(Entity):
    """An answer of a service."""

    id: int
    merge_request: MergeRequestBasic
    external_status_check: ExternalStatusCheck


def present_checks(call: Call, rows: Sequence[CheckRow]) -> list[ExternalStatusCheck]:
    """A page of checks, in one statement."""
    links = status_check_branches
    query = (
        select(links.c.check_id, protected_branches)
        .join_from(links, protected_branches, protected_branches.c.id == links.c.protected_branch_id)
        .where(links.c.check_id.in_([row.id for row in rows]))
        .order_by(protected_branches.c.id)
    )
    branches = group_by(call.conn.execute(query) if rows else (), lambda row: row.check_id)
    return [
        ExternalStatusCheck(
            id=row.id,
            name=row.name,
            project_id=row.project_id,
            external_url=_shown_url(call, row),
            hmac=row.sealed_secret is not None,
            protected_branches=[
                CheckedBranch(
                    id=branch.id,
                    project_id=branch.project_id,
                    name=branch.name,
                    created_at=wire(branch.created_at),
                    updated_at=wire(branch.updated_at),
                    code_owner_approval_required=branch.code_owner_approval_required,
                )
                for branch in branches.get(row.id, [])
            ],
        )
        for row in rows
    ]


def _shown_url(call: Call, row: CheckRow) -> str:
    """Where it is; passwords and queries of the address are for those who manage checks."""
    return row.external_url if READ_CHECKS.allows(call.actor, call.project) else without_secrets(row.external_url)


def present_statuses(statuses: dict[int, str]) -> Callable[[Call, Sequence[CheckRow]], list[StatusOfCheck]]:
    """Shows checks with what they say about one request."""

    def present(call: Call, rows: Sequence[CheckRow]) -> list[StatusOfCheck]:
        return [
            StatusOfCheck(
                id=row.id, name=row.name, external_url=_shown_url(call, row), status=statuses.get(row.id, "pending")
            )
            for row in rows
        ]

    return present
