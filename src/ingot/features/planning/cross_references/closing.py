"""Closing patterns in commits of the default branch (`Closes #4`) close the named issues."""

from sqlalchemy import and_, or_, select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.planning.issuables import Source, name_in, path_of
from ingot.features.planning.issues import closable_issues, close_issue, closed_by, issues
from ingot.features.spaces.projects import project_settings
from ingot.gitstore import Commit
from ingot.identity.authentication import actor_of_user
from ingot.identity.tables import users
from ingot.kit.services import Services

MOST_CLOSED = 100


def close_named(services: Services, project: ProjectRow, user_id: int | None, commit: Commit) -> None:
    """Close the named open issues that the pusher may close."""
    named = closed_by(commit.message)[:MOST_CLOSED]
    if not named or not project_settings(project).autoclose_referenced_issues:
        return
    with services.db.read() as conn:
        user = conn.execute(select(users).where(users.c.id == user_id)).one_or_none()
        if user is None:
            return
        conditions = (
            and_(projects.c.full_path_lower == path_of(place, project.full_path), issues.c.iid == iid)
            for place, iid in named
        )
        rows = conn.execute(
            select(issues.c.id.label("issue_id"), projects)
            .join_from(issues, projects, projects.c.id == issues.c.project_id)
            .where(or_(*conditions), issues.c.state == "opened", closable_issues(actor_of_user(user)))
        ).all()
    if rows:
        with services.db.write() as tx:
            for row in rows:
                via = f"commit {name_in(row.full_path, project.full_path, '@', commit.id)}"
                source = None if row.id == project.id else Source("Commit", project.id)
                close_issue(tx, row.issue_id, user.id, via, source)
