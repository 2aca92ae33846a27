"""Quick actions on merge requests: from a comment, or from the description when it is written."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace
from sqlalchemy import Connection, Table, select

from ingot.access.call import Call
from ingot.access.subjects import find_project
from ingot.events import MergeRequestChanged
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.planning.issuables import Target
from ingot.features.planning.labels import ADMIN_LABELS
from ingot.features.planning.quick_actions import Command, Outcome, Subject, interpret, people_of, reason_of
from ingot.features.planning.quick_effects import apply_extras
from ingot.features.review.merge_requests import policy, queries
from ingot.features.review.merge_requests.commands import check
from ingot.features.review.merge_requests.commands.accept import accept
from ingot.features.review.merge_requests.commands.asking_again import ask_again
from ingot.features.review.merge_requests.commands.requested import has_branch
from ingot.features.review.merge_requests.commands.update import Change, update_merge_request
from ingot.features.review.merge_requests.merge_options import MergeOptions
from ingot.features.review.merge_requests.rows import MergeRequestWithProject
from ingot.features.review.merge_requests.tables import merge_request_assignees, merge_request_reviewers, merge_requests
from ingot.kit.db import hold_row
from ingot.kit.errors import ApiError
from ingot.kit.events import announce


def run(call: Call, row: MergeRequestWithProject, commands: Sequence[Command]) -> Outcome:
    """Carry out quick actions as the caller."""
    manages = policy.is_developer(call.actor, call.project)
    subject = Subject(
        type="MergeRequest",
        project=call.project,
        title=row.title,
        assignees=_people(call.conn, merge_request_assignees, row.id),
        reviewers=_people(call.conn, merge_request_reviewers, row.id),
        user_id=call.actor.id,
        may_update=policy.may_update(call, row),
        manages=manages,
    )
    outcome = interpret(call.conn, subject, commands)
    moved = _edit(call, row, outcome, lambda tx: _again(tx, row.id, subject, commands), manages=manages)
    target = Target("MergeRequest", row.id, row.project_id)
    if outcome.extras:
        with call.write() as tx:
            apply_extras(tx, target, call.actor.id, outcome.extras, row.title)
            ask_again(tx, target, call.actor.user_id, outcome.extras.get("asked_again", []))
    if outcome.given:
        fresh = check.check(call.services, call.conn, queries.get_by_id(call.conn, row.id))
        retargeted = fresh.target_branch != row.target_branch
        what = moved or ("retargeted" if retargeted else "updated")
        announce(call.services, MergeRequestChanged(row.id, row.project_id, what, call.actor.user_id))
    if outcome.extras.get("merge"):
        # The head that a comment was written against; a description does not say.
        _merge(call, row.id, getattr(call.params, "merge_request_diff_head_sha", None), outcome)
    return outcome


def _people(conn: Connection, table: Table, merge_request_id: int) -> list[int]:
    query = select(table.c.user_id).where(table.c.merge_request_id == merge_request_id)
    return list(conn.execute(query.order_by(table.c.position)).scalars())


def _again(tx: Connection, merge_request_id: int, subject: Subject, commands: Sequence[Command]) -> dict[str, Any]:
    """The users that result from the commands and the current ones; locked against concurrent changes."""
    hold_row(tx, merge_requests, merge_request_id)
    now_there = replace(
        subject,
        assignees=_people(tx, merge_request_assignees, merge_request_id),
        reviewers=_people(tx, merge_request_reviewers, merge_request_id),
    )
    return people_of(interpret(tx, now_there, commands).given)


def _edit(
    call: Call,
    row: MergeRequestWithProject,
    outcome: Outcome,
    again: Callable[[Connection], dict[str, object]],
    *,
    manages: bool,
) -> str | None:
    given = outcome.given
    if not given:
        return None
    branch = given.get("target_branch")
    source = find_project(call.conn, call.actor, row.source_project_id) if row.source_project_id else None
    change = Change(
        given=given,
        manages=manages,
        creates_labels=ADMIN_LABELS.allows(call.actor, call.project),
        pushes_to_source=policy.may_push_to_source(call.actor, source),
        may_collaborate=False,
        is_paid=call.services.settings.has_tier("premium"),
        target_exists=branch is None or has_branch(call, call.project, branch),
    )
    try:
        with call.write() as tx:
            if people_of(given):
                given |= again(tx)
            return update_merge_request(tx, call.actor, row, call.project, change)
    except ApiError as refusal:  # the comment itself is kept
        outcome.given, outcome.summary = {}, [f"Could not apply the quick actions: {refusal.text}"]
        return None


def _merge(call: Call, merge_request_id: int, head_sha: str | None, outcome: Outcome) -> None:
    """Merge now, or when the checks pass; only the head that the writer saw."""
    row = queries.get_by_id(call.conn, merge_request_id)
    may = load_protection(call.conn, call.actor, call.project).may_merge(row.target_branch)
    if may and head_sha == row.head_sha:
        for later in (False, True):
            try:
                accept(call.services, call.conn, row, call.actor, MergeOptions(auto_merge=later, sha=head_sha))
            except ApiError:
                continue
            return
    outcome.changes.pop("merge", None)
    outcome.summary = [text for text in outcome.summary if not text.startswith("Scheduled to merge")]
    outcome.refuse("merge", reason_of("merge"))
