"""Updates approvals, committers and code owners when a merge request changes.

All of it is stored together with the new head, so no approval counts for code that it was not given for.
"""

import msgspec
from sqlalchemy import Connection, select

from ingot.features.review.approval_settings import for_project
from ingot.features.review.approvals import code_owner_rules, commands
from ingot.features.review.approvals.patches import changed_files, patch_id_of
from ingot.features.review.approvals.tables import approvals
from ingot.features.review.merge_requests import (
    MergeRequestRow,
    MergeRequestWithProject,
    Store,
    commits_of,
    target_repository,
)
from ingot.gitstore import GitError
from ingot.kit.services import Services


class TargetProject(msgspec.Struct, frozen=True):
    """The target project of a request, as the settings need it."""

    id: int
    namespace_id: int


def follow_change(
    services: Services, conn: Connection, before: MergeRequestWithProject, after: MergeRequestWithProject
) -> Store:
    """Committers, code owners and approvals follow a new head or base; code owners a new CODEOWNERS file too."""
    is_paid = services.settings.has_tier("premium")
    is_changed = (before.head_sha, before.base_sha) != (after.head_sha, after.base_sha)
    if not is_changed and before.prepared_at is not None:
        if is_paid and code_owner_rules.file_differs(services, before, after):
            return code_owner_rules.prepare(services, after)
        return _store_nothing
    emails = {mail for commit in commits_of(services, after) for mail in (commit.author.email, commit.committer.email)}
    if not is_paid:
        return lambda tx: commands.store_committers(tx, after.id, emails)
    store_owners = code_owner_rules.prepare(services, after)
    remove = _prepare_removal(services, conn, before, after)

    def store(tx: Connection) -> None:
        commands.store_committers(tx, after.id, emails)
        store_owners(tx)
        remove(tx)

    return store


def _store_nothing(tx: Connection) -> None:
    """Nothing relevant has changed."""


def _prepare_removal(
    services: Services, conn: Connection, before: MergeRequestRow, after: MergeRequestWithProject
) -> Store:
    """Remove approvals of older code, as the settings say."""
    settings = for_project(conn, TargetProject(after.project_id, after.project_namespace_id))
    if before.prepared_at is None or settings["retain_approvals_on_push"].value:
        return _store_nothing
    patch_id = owners = None
    # An approval stored after this query was given for the old code, and is removed too.
    has_approvals = conn.execute(
        select(approvals.c.id).where(approvals.c.merge_request_id == after.id).limit(1)
    ).first()
    if has_approvals:
        patch_id = patch_id_of(services, after)
    if has_approvals and settings["selective_code_owner_removals"].value:
        owners = _owners_of_changed_files(services, conn, before, after)

    def remove(tx: Connection) -> None:
        given = tx.execute(select(approvals).where(approvals.c.merge_request_id == after.id)).all()
        outdated = [one.user_id for one in given if one.patch_id_sha is None or one.patch_id_sha != patch_id]
        if owners is not None:
            outdated = [user_id for user_id in outdated if user_id in owners]
        was_approved = bool(outdated) and commands.is_approved(tx, after.id)
        commands.remove_approvals(tx, after.id, outdated)
        if outdated:
            word = "approvals_reset_on_push" if owners is None else "code_owner_approvals_reset_on_push"
            commands.report_withdrawal(tx, after, after.author_id, was_approved=was_approved, system_action=word)

    return remove


def _owners_of_changed_files(
    services: Services, conn: Connection, before: MergeRequestRow, after: MergeRequestWithProject
) -> set[int] | None:
    """Code owners of the files that the request changes otherwise than before; None, so everybody, if unreadable."""
    try:
        paths = changed_files(target_repository(services, after), before, after)
        entries = code_owner_rules.entries_of(services, after, paths)
    except GitError:
        return None
    return code_owner_rules.owner_ids(conn, after.project_id, entries)


def follow_retarget(tx: Connection, row: MergeRequestWithProject) -> None:
    """Remove approvals when the target branch changes."""
    settings = for_project(tx, TargetProject(row.project_id, row.project_namespace_id))
    if not settings["retain_approvals_on_push"].value:
        everyone = tx.execute(select(approvals.c.user_id).where(approvals.c.merge_request_id == row.id)).scalars()
        commands.remove_approvals(tx, row.id, list(everyone))
