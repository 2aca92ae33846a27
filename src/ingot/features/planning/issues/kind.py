"""Issues as a kind of issuable."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, or_, select, true

from ingot.access.call import Call
from ingot.access.levels import GUEST, PLANNER, Feature, Visibility
from ingot.access.rows import ProjectRow
from ingot.access.tables import project_authorizations
from ingot.features.planning.issuables import Audience, IssuableKind, Noteable, Shown, register
from ingot.features.planning.issues import lookup, policy, queries, quick
from ingot.features.planning.issues.params_single import OneIssue
from ingot.features.planning.issues.present import presenter, web_url
from ingot.features.planning.issues.tables import issue_assignees, issue_labels, issue_subscriptions, issues
from ingot.identity.tables import users


def _find(call: Call[OneIssue]) -> Noteable:
    return Noteable.of_row("Issue", call.project, lookup.find_issue(call))


def _audience(conn: Connection, project: ProjectRow, issue_id: int) -> Audience:
    row = conn.execute(select(issues.c.confidential, issues.c.author_id).where(issues.c.id == issue_id)).one()
    is_open = project.issues_access_level >= Feature.ENABLED and project.visibility > Visibility.PRIVATE
    if not row.confidential:
        return Audience(GUEST, is_open)
    assignees = conn.execute(select(issue_assignees.c.user_id).where(issue_assignees.c.issue_id == issue_id)).scalars()
    involved = [user_id for user_id in (row.author_id, *assignees) if user_id is not None]
    return Audience(PLANNER, False, _seeing(conn, project, involved, is_open=is_open))


def _seeing(conn: Connection, project: ProjectRow, user_ids: Sequence[int], *, is_open: bool) -> list[int]:
    """Those who can read issues of the project: an author may have left it."""
    rights = project_authorizations.c
    members = select(rights.user_id).where(rights.project_id == project.id, rights.access_level >= GUEST)
    ways: list[ColumnElement[bool]] = [users.c.id.in_(members)]
    if is_open:
        ways.append(true() if project.visibility == Visibility.PUBLIC else ~users.c.is_external)
    return list(conn.execute(select(users.c.id).where(users.c.id.in_(user_ids), or_(*ways))).scalars())


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
