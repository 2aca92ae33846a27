"""What merge requests and checks have to do with each other: merging waits, and changes are told."""

from collections.abc import Sequence

from sqlalchemy import Connection, exists, select

from ingot.features.integrations.status_checks.commands import tell
from ingot.features.integrations.status_checks.queries import checks_for, has_checks, statuses_of
from ingot.features.integrations.status_checks.tables import external_status_checks
from ingot.features.review.merge_requests import (
    PAGE,
    MergeRequestWithProject,
    find_by_id,
    merge_requests,
    register_check,
    settings_by_project,
)
from ingot.kit.changes import Change, follows

_OF_CHECKED_PROJECTS = select(merge_requests.c.id).where(
    merge_requests.c.id.in_(PAGE), exists().where(external_status_checks.c.project_id == merge_requests.c.project_id)
)


@register_check(6, "status_checks_must_pass", _OF_CHECKED_PROJECTS)
def unpassed(conn: Connection, rows: Sequence[MergeRequestWithProject]) -> set[int]:
    """Requests of projects that demand it whose checks have not all passed."""
    settings = settings_by_project(rows)
    strict = [row for row in rows if settings[row.project_id].only_allow_merge_if_all_status_checks_passed]
    checks = checks_for(conn, strict)
    if not any(checks.values()):
        return set()
    said = statuses_of(conn, strict)
    return {
        row.id for row in strict if any(said.get((row.id, check.id)) != "passed" for check in checks.get(row.id, []))
    }


@follows("merge_request")
def tell_checks(tx: Connection, change: Change) -> None:
    """A request changed: its checks are told."""
    if change.action == "create":
        return  # told once its commits are known
    if change.project_id is None or not has_checks(tx, change.project_id):
        return
    row = find_by_id(tx, change.record_id)
    if row is not None and (checks := checks_for(tx, [row]).get(row.id)):
        tell(tx, checks, change)
