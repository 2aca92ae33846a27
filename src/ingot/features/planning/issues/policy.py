"""Who may read, open, change and delete issues; confidential ones are for planners, their author and assignees."""

from sqlalchemy import ColumnElement, and_, exists, or_

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import GUEST, OWNER, PLANNER
from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.access.visibility import feature_readable, is_member, visible_projects
from ingot.features.planning.issues.rows import IssueRow
from ingot.features.planning.issues.tables import issue_assignees, issues
from ingot.kit.actor import Actor

# The project is visible; rights on the issue itself are part of finding it.
FIND_ISSUE = ProjectAbility(ability="find_issue", outsiders=True)
FIND_ISSUE_SIGNED_IN = ProjectAbility(ability="find_issue", outsiders=True, needs_user=True)
CREATE_ISSUE = ProjectAbility(
    ability="create_issue", level=GUEST, feature="issues", outsiders=True, writes=True, needs_user=True
)
# Labels, milestone, assignees, dates, weight and state of any issue.
ADMIN_ISSUES = ProjectAbility(ability="admin_issue", level=PLANNER, feature="issues", writes=True, needs_user=True)


def is_assigned(user_id: int | None) -> ColumnElement[bool]:
    """Condition on `issues`: the user is an assignee."""
    mine = exists().where(issue_assignees.c.issue_id == issues.c.id, issue_assignees.c.user_id == user_id)
    return mine.correlate(issues)


def readable_issues(actor: Actor) -> ColumnElement[bool]:
    """Condition on `issues` joined with `projects`: visibility, the feature's switch and confidentiality."""
    base = and_(visible_projects(actor), feature_readable(actor, "issues", GUEST))
    if actor.is_admin:
        return base
    if actor.user_id is None:
        return and_(base, ~issues.c.confidential)
    return and_(
        base,
        or_(
            ~issues.c.confidential,
            issues.c.author_id == actor.user_id,
            is_assigned(actor.user_id),
            is_member(actor, PLANNER),
        ),
    )


def closable_issues(actor: Actor) -> ColumnElement[bool]:
    """Condition on `issues` joined with `projects`: the actor may close them."""
    base = and_(readable_issues(actor), ~projects.c.archived)
    if actor.is_admin:
        return base
    return and_(
        base,
        or_(issues.c.author_id == (actor.user_id or 0), is_assigned(actor.user_id or 0), is_member(actor, PLANNER)),
    )


def may_admin(actor: Actor, project: Project) -> bool:
    """Planners and above."""
    return ADMIN_ISSUES.allows(actor, project)


def may_update(actor: Actor, project: Project, row: IssueRow, *, is_assignee: bool) -> bool:
    """Planners and above; the author and assignees."""
    if actor.is_anonymous or project.archived:
        return False
    return may_admin(actor, project) or row.author_id == actor.user_id or is_assignee


def may_delete(actor: Actor, project: Project, row: IssueRow) -> bool:
    """Owners and administrators, and planners who wrote it."""
    if project.archived:
        return False
    wrote_it = row.author_id is not None and row.author_id == actor.user_id and project.level in (PLANNER, OWNER)
    return actor.is_admin or bool(project.level >= OWNER) or wrote_it


def may_set_times(actor: Actor, project: Project) -> bool:
    """Owners and administrators may set `created_at` and internal ids."""
    return actor.is_admin or bool(project.level >= OWNER)
