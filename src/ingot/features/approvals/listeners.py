"""What approvals do when requests are opened and pushed to, and their say in merging."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from ingot.access.events import MergeRequestChanged
from ingot.features.approval_settings import for_project
from ingot.features.approvals import code_owner_rules, commands, legacy
from ingot.features.approvals.patches import patch_id_of
from ingot.features.approvals.rule_commands import REQUEST
from ingot.features.approvals.state import has_rules, states
from ingot.features.approvals.tables import approvals
from ingot.features.merge_requests import checks, queries
from ingot.features.merge_requests.commands import check
from ingot.features.merge_requests.tables import merge_request_diffs, merge_request_reviewers
from ingot.kit.events import listen
from ingot.kit.services import Services

_CHANGES_REQUESTED = select(merge_request_reviewers.c.merge_request_id).where(
    merge_request_reviewers.c.merge_request_id.in_(bindparam("ids", expanding=True)),
    merge_request_reviewers.c.state == "requested_changes",
)


@checks.register(1, "requested_changes")
def changes_requested(conn: Connection, rows: Sequence[Any]) -> set[int]:
    """A reviewer wants changes."""
    return set(conn.execute(_CHANGES_REQUESTED, {"ids": [row.id for row in rows]}).scalars())


@checks.register(2, "not_approved")
def lacking_approvals(conn: Connection, rows: Sequence[Any]) -> set[int]:
    """Some applicable rule is not approved."""
    if not has_rules(conn, rows):
        return set()
    found = states(conn, rows)
    return {row.id for row in rows if row.state != "merged" and not found[row.id].is_approved}


@listen(MergeRequestChanged, order=10)
def follow_request(services: Services, event: MergeRequestChanged) -> None:
    """Rules for a new request; committers and removals after a push or a new target."""
    if event.what not in ("opened", "pushed", "retargeted", "reopened"):
        return
    with services.db.read() as conn:
        row = queries.find_by_id(conn, event.merge_request_id)
    if row is None:
        return
    emails = {
        mail for commit in check.commits_of(services, row) for mail in (commit.author.email, commit.committer.email)
    }
    with services.db.write() as tx:
        commands.store_committers(tx, row.id, emails)
        if event.what == "opened":
            commands.copy_project_rules(tx, row.id, row.project_id, row.target_branch)
            if row.approvals_before_merge is not None:
                legacy.set_required(tx, REQUEST, row.id, max(0, row.approvals_before_merge), is_modified=True)
    code_owner_rules.refresh(services, row)
    if event.what in ("pushed", "retargeted") and services.settings.has_tier("premium"):
        remove_outdated(services, row)


def remove_outdated(services: Services, row: Any) -> None:
    """Approvals of something else than what the request is now, as the settings say."""
    with services.db.read() as conn:
        given = conn.execute(select(approvals).where(approvals.c.merge_request_id == row.id)).all()
        if not given:
            return
        settings = for_project(conn, _Home(row))
        if settings["retain_approvals_on_push"].value:
            return
        patch = patch_id_of(services, row)
        outdated = [one.user_id for one in given if one.patch_id_sha is None or one.patch_id_sha != patch]
        if settings["selective_code_owner_removals"].value:
            owners = _owners_of_changed_files(services, conn, row)
            outdated = [user_id for user_id in outdated if user_id in owners]
    if outdated:
        with services.db.write() as tx:
            commands.remove_approvals(tx, row.id, outdated)


class _Home:
    """The target project of a request, as the settings need it."""

    __slots__ = ("id", "namespace_id")

    def __init__(self, row: Any) -> None:
        self.id = row.project_id
        self.namespace_id = row.project_namespace_id


def _owners_of_changed_files(services: Services, conn: Connection, row: Any) -> set[int]:
    """Code owners of what the last push changed."""
    table = merge_request_diffs
    versions = conn.execute(
        select(table).where(table.c.merge_request_id == row.id).order_by(table.c.id.desc()).limit(2)
    ).all()
    before = versions[1].head_sha if len(versions) > 1 else row.base_sha
    return code_owner_rules.owner_ids(conn, row.project_id, code_owner_rules.owning_entries(services, row, before))
