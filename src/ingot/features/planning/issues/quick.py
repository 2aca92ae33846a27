"""Quick actions on issues: from a comment, or from the description when it is written."""

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import select

from ingot.access.call import Call
from ingot.features.planning.issuables import Target
from ingot.features.planning.issues import policy
from ingot.features.planning.issues.editing import IssueOptions, update_issue
from ingot.features.planning.issues.rows import IssueRow
from ingot.features.planning.issues.tables import issue_assignees, issues
from ingot.features.planning.labels import ADMIN_LABELS
from ingot.features.planning.quick_actions import Command, Outcome, Subject, interpret, people_of
from ingot.features.planning.quick_effects import apply_extras
from ingot.kit.db import hold_row
from ingot.kit.errors import ApiError


def run(call: Call, row: IssueRow, commands: Sequence[Command]) -> Outcome:
    """Carry out quick actions as the caller."""
    query = select(issue_assignees.c.user_id).where(issue_assignees.c.issue_id == row.id)
    assignees = list(call.conn.execute(query).scalars())
    manages = policy.may_admin(call.actor, call.project)
    subject = Subject(
        type="Issue",
        project=call.project,
        title=row.title,
        assignees=assignees,
        reviewers=(),
        user_id=call.actor.id,
        may_update=policy.may_update(call.actor, call.project, row, is_assignee=call.actor.user_id in assignees),
        manages=manages,
    )
    outcome = interpret(call.conn, subject, commands)
    options = IssueOptions(
        given=outcome.given,
        manages=manages,
        creates_labels=ADMIN_LABELS.allows(call.actor, call.project),
        is_paid=call.services.settings.has_tier("premium"),
    )
    target = Target("Issue", row.id, call.project.id)
    try:
        with call.write() as tx:
            if people_of(outcome.given):
                hold_row(tx, issues, row.id)  # users assigned meanwhile stay assigned
                now_there = replace(subject, assignees=list(tx.execute(query).scalars()))
                outcome.given |= people_of(interpret(tx, now_there, commands).given)
            if outcome.given:
                update_issue(tx, call.actor, row, call.project, options)
            if outcome.extras:
                apply_extras(tx, target, call.actor.id, outcome.extras, row.title)
    except ApiError as refusal:  # the comment itself is kept
        outcome.summary = [f"Could not apply the quick actions: {refusal.text}"]
    return outcome
