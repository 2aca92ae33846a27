"""Issues as a kind of issuable."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.access.levels import GUEST, PLANNER, Feature, Visibility
from ingot.access.rows import ProjectRow
from ingot.features.planning.issuables import Audience, IssuableKind, Noteable, Shown, register
from ingot.features.planning.issues import lookup, policy, queries, quick
from ingot.features.planning.issues.params_single import OneIssue
from ingot.features.planning.issues.present import presenter, web_url
from ingot.features.planning.issues.tables import issue_assignees, issue_labels, issue_subscriptions, issues


def _find(call: Call[OneIssue]) -> Noteable:
    return Noteable.of_row("Issue", call.project, lookup.find_issue(call))


def _audience(conn: Connection, project: ProjectRow, issue_id: int) -> Audience:
    row = conn.execute(select(issues.c.confidential, issues.c.author_id).where(issues.c.id == issue_id)).one()
    if not row.confidential:
        is_open = project.issues_access_level >= Feature.ENABLED and project.visibility > Visibility.PRIVATE
        return Audience(GUEST, is_open)
    assignees = conn.execute(select(issue_assignees.c.user_id).where(issue_assignees.c.issue_id == issue_id)).scalars()
    return Audience(PLANNER, False, [user_id for user_id in (row.author_id, *assignees) if user_id is not None])


def _show(call: Call, ids: Sequence[int]) -> dict[int, Shown]:
    rows = call.conn.execute(queries.with_project().where(issues.c.id.in_(ids))).all()
    entities = presenter("project")(call, rows)
    return {row.id: Shown(entity, web_url(row, call.base_url)) for row, entity in zip(rows, entities, strict=True)}


ISSUE = register(
    IssuableKind(
        type="Issue",
        word="issue",
        title="issue",
        path="/projects/{id}/issues/{issue_iid}",
        number=OneIssue,
        find=_find,
        sign="#",
        table=issues,
        key="issue_id",
        labels=issue_labels,
        assignees=issue_assignees,
        subscriptions=issue_subscriptions,
        may_track_time=policy.may_admin,
        audience=_audience,
        readable=policy.readable_issues,
        show=_show,
        run_actions=quick.run,
    )
)
