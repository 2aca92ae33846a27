"""Reading status checks and what they say."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select

from ingot.features.code.protected_branches import protected_branches
from ingot.features.integrations.status_checks.rows import CheckRow
from ingot.features.integrations.status_checks.tables import (
    external_status_checks,
    status_check_branches,
    status_check_responses,
)
from ingot.features.review.merge_requests import MergeRequestRow
from ingot.gitstore.listing import matches_pattern
from ingot.kit.entity import group_by
from ingot.kit.errors import RecordNotFound

_CHECKS = (
    select(external_status_checks)
    .where(external_status_checks.c.project_id.in_(bindparam("places", expanding=True)))
    .order_by(external_status_checks.c.id)
)
_ANY = (
    select(external_status_checks.c.id).where(external_status_checks.c.project_id == bindparam("project_id")).limit(1)
)


def has_checks(conn: Connection, project_id: int) -> bool:
    """Whether the project has any check."""
    return conn.execute(_ANY, {"project_id": project_id}).first() is not None


def listed(project_id: int) -> Select[Any]:
    """The checks of a project, oldest first."""
    table = external_status_checks
    return select(table).where(table.c.project_id == project_id).order_by(table.c.id)


def get(conn: Connection, project_id: int, check_id: int) -> CheckRow:
    """One check of a project."""
    row = conn.execute(listed(project_id).where(external_status_checks.c.id == check_id)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


def checks_for(conn: Connection, requests: Sequence[MergeRequestRow]) -> dict[int, list[CheckRow]]:
    """Of each request: the checks of its project that are for its target branch."""
    places = sorted({row.project_id for row in requests})
    checks: list[CheckRow] = list(conn.execute(_CHECKS, {"places": places})) if places else []
    if not checks:
        return {}
    links = status_check_branches
    query = (
        select(links.c.check_id, protected_branches.c.name)
        .join_from(links, protected_branches, protected_branches.c.id == links.c.protected_branch_id)
        .where(links.c.check_id.in_([check.id for check in checks]))
    )
    names = group_by(conn.execute(query), lambda row: row.check_id)

    def is_for(check: CheckRow, request: MergeRequestRow) -> bool:
        patterns = [row.name for row in names.get(check.id, [])]
        here = check.project_id == request.project_id
        return here and (not patterns or any(matches_pattern(request.target_branch, one) for one in patterns))

    return {row.id: [check for check in checks if is_for(check, row)] for row in requests}


def statuses_of(conn: Connection, requests: Sequence[MergeRequestRow]) -> dict[tuple[int, int], str]:
    """What the checks said last about the heads of these requests: (request, check) -> status."""
    table = status_check_responses
    heads = {row.id: row.head_sha for row in requests}
    newest = (
        select(func.max(table.c.id))
        .where(table.c.merge_request_id.in_(heads), table.c.sha.in_({sha for sha in heads.values() if sha}))
        .group_by(table.c.merge_request_id, table.c.check_id, table.c.sha)
    )
    rows = conn.execute(select(table).where(table.c.id.in_(newest)))
    return {(row.merge_request_id, row.check_id): row.status for row in rows if row.sha == heads[row.merge_request_id]}
