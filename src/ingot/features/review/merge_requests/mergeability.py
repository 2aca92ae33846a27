"""Mergeability: one function that computes the reason from which all answers are derived.

The checks run in the documented order; the first that fails names the reason. Git itself is not asked here: its state
was stored by `commands.check`, so a list of a hundred requests costs a handful of queries.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from ingot.features.review.merge_requests import states
from ingot.features.review.merge_requests.checks import failing_checks, head_pipeline_statuses
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.features.spaces.projects import ProjectSettings, project_settings
from ingot.kit.clock import now
from ingot.kit.unchanged import Unchanged

MERGEABLE = "mergeable"
CI_MUST_PASS = "ci_must_pass"
CI_STILL_RUNNING = "ci_still_running"
ACTIVE = ("created", "waiting_for_resource", "preparing", "waiting_for_callback", "pending", "running")
IN_PROGRESS = (*ACTIVE, "manual", "scheduled")

# Hard checks decide whether auto-merge may be set at all; the others may still become true by waiting.
HARD = ("not_open", "commits_status", "conflict", "need_rebase")
GIT = ("conflict", "need_rebase")

SENTENCES = {
    "requested_changes": "A reviewer has requested changes.",
    "not_approved": "The request lacks required approvals.",
    "merge_request_blocked": "Another merge request has to be merged first.",
    "status_checks_must_pass": "An external status check has not passed.",
    "not_open": "The request is not open.",
    "merge_time": "The request may be merged only after its merge_after time.",
    "draft_status": "The request is a draft.",
    "commits_status": "There is nothing to merge: no commits, or a branch is missing.",
    "discussions_not_resolved": "Unresolved threads are left and the project demands resolution.",
    CI_MUST_PASS: "A pipeline must succeed first.",
    CI_STILL_RUNNING: "The pipeline is still running.",
    "conflict": "Source and target branch are in conflict.",
    "need_rebase": "The source branch has to be rebased onto the target branch.",
    "unchecked": "Mergeability has not been checked yet.",
    "checking": "Mergeability is being checked.",
    "preparing": "The request is being prepared.",
}


SettingsByProject = dict[int, ProjectSettings]


def settings_of(row: MergeRequestWithProject) -> ProjectSettings:
    """The target project's settings, from a row of `queries.COLUMNS`."""
    parts = (row.project_settings,)
    known = _settings.find(row.project_id, parts)
    if known is not None:
        return known
    return _settings.keep(row.project_id, parts, project_settings(_SettingsHolder(row.project_settings)), None)


_settings: Unchanged[ProjectSettings] = Unchanged(are_parts=True)


def settings_by_project(rows: Sequence[MergeRequestWithProject]) -> dict[int, ProjectSettings]:
    """The settings of the target projects of a page; mostly there is one."""
    first = {row.project_id: row for row in rows}
    return {project_id: settings_of(row) for project_id, row in first.items()}


class _SettingsHolder:
    __slots__ = ("settings",)

    def __init__(self, settings: dict[str, object]) -> None:
        self.settings = settings


def _own_failures(row: MergeRequestRow, settings: ProjectSettings) -> list[tuple[int, str]]:
    """The checks that need only the row, with their place in the order."""
    failing = []
    if row.state != states.OPENED:
        failing.append((8, "not_open"))
    if row.merge_after is not None and row.merge_after > now():
        failing.append((9, "merge_time"))
    if row.is_draft:
        failing.append((10, "draft_status"))
    if row.commits_count == 0 or not row.source_branch_exists or not row.target_branch_exists:
        failing.append((11, "commits_status"))
    if settings.only_allow_merge_if_all_discussions_are_resolved and row.unresolved_threads > 0:
        failing.append((12, "discussions_not_resolved"))
    if row.merge_status in (states.CANNOT_BE_MERGED, states.RECHECK):
        failing.append((16, "conflict"))
    if settings.merge_method in ("rebase_merge", "ff") and row.needs_rebase:
        failing.append((17, "need_rebase"))
    return failing


def ci_failure(row: MergeRequestRow, settings: ProjectSettings, status: str | None) -> str | None:
    """The CI check: `ci_must_pass`, `ci_still_running`, or None where it holds or does not apply."""
    required = settings.only_allow_merge_if_pipeline_succeeds
    if not required and not (row.auto_merge and status is not None):
        return None
    if status == "success" or (status == "skipped" and settings.allow_merge_on_skipped_pipeline):
        return None
    in_progress = status in (IN_PROGRESS if required else ACTIVE)
    return CI_STILL_RUNNING if in_progress else CI_MUST_PASS


def failures(conn: Connection, rows: Sequence[MergeRequestWithProject], *, paid: bool) -> dict[int, list[str]]:
    """All failing checks of each request, in order; the CI check is last, as it is the last to name the reason."""
    settings = settings_by_project(rows)
    return _with_ci(conn, rows, settings, _without_ci(conn, rows, settings, paid))


def _without_ci(
    conn: Connection, rows: Sequence[MergeRequestWithProject], settings: SettingsByProject, paid: bool
) -> dict[int, list[str]]:
    result: dict[int, list[tuple[int, str]]] = {row.id: _own_failures(row, settings[row.project_id]) for row in rows}
    if paid:  # spec: approvals, requested changes and dependencies are of the paid tiers
        for check, merge_request_id in failing_checks(conn, rows):
            result[merge_request_id].append((check.order, check.identifier))
    return {
        merge_request_id: [name for _, name in sorted(failing)] if failing else []
        for merge_request_id, failing in result.items()
    }


def _with_ci(
    conn: Connection,
    rows: Sequence[MergeRequestWithProject],
    settings: SettingsByProject,
    items: dict[int, list[str]],
) -> dict[int, list[str]]:
    # Where the check does not apply, nobody looks for pipelines.
    concerned = [
        row for row in rows if row.auto_merge or settings[row.project_id].only_allow_merge_if_pipeline_succeeds
    ]
    pipelines = head_pipeline_statuses(conn, concerned) if concerned else {}
    for row in concerned:
        if (ci := ci_failure(row, settings[row.project_id], pipelines.get(row.id))) is not None:
            items[row.id].append(ci)
    return items


def can_wait(failing: Sequence[str], pipeline: str | None) -> bool:
    """Whether auto-merge may be set: what is missing can still come, from people or from the pipeline that runs."""
    if pipeline == "success" or any(name in HARD for name in failing):
        return False
    return bool(failing) or pipeline in IN_PROGRESS


def detailed_status(row: MergeRequestRow, failing: Sequence[str]) -> str:
    """The one reason: the state of the check itself, else the first failing check, else mergeable."""
    if row.state == states.OPENED:
        if row.merge_status == states.PREPARING:
            return "preparing"
        if row.merge_status in (states.CHECKING, states.RECHECKING):
            return "checking"
        if row.merge_status == states.UNCHECKED:
            return "unchecked"
    return failing[0] if failing else MERGEABLE


def detailed_statuses(
    conn: Connection, rows: Sequence[MergeRequestWithProject], *, paid: bool, settings: SettingsByProject | None = None
) -> dict[int, str]:
    """`detailed_merge_status` of a page of requests; `settings` are those of their projects, where they are known."""
    settings = settings_by_project(rows) if settings is None else settings
    result = _without_ci(conn, rows, settings, paid)
    _with_ci(conn, [row for row in rows if not result[row.id]], settings, result)  # the others already have a reason
    return {row.id: detailed_status(row, result[row.id]) for row in rows}
