"""Issues that a merge request closes or mentions in its texts and commits, if they exist and are visible."""

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from ingot.access.tables import projects
from ingot.features.planning.issuables import path_of
from ingot.features.planning.issues import closed_by, issues, mentioned_in
from ingot.features.review.merge_requests.rows import MergeRequestRow, MergeRequestWithProject
from ingot.gitstore import Commit


def _matching(row: MergeRequestWithProject, references: Iterable[tuple[str | None, int]]) -> ColumnElement[bool] | None:
    conditions = []
    for path, iid in references:
        place = projects.c.full_path_lower == path_of(path, row.project_path)
        conditions.append(and_(place, issues.c.iid == iid))
    return or_(*conditions) if conditions else None


def texts_of(row: MergeRequestRow, commits: Sequence[Commit]) -> list[str]:
    """The texts where closing patterns count: description and commit messages."""
    return [row.description or "", *(commit.message for commit in commits)]


def closing_condition(row: MergeRequestWithProject, commits: Sequence[Commit]) -> ColumnElement[bool] | None:
    """Condition on `issues` joined with `projects`; None where nothing is closed."""
    if row.target_branch != row.project_default_branch:
        return None
    references = [item for text in texts_of(row, commits) for item in closed_by(text)]
    return _matching(row, references)


def related_condition(
    row: MergeRequestWithProject, commits: Sequence[Commit], notes: Iterable[str]
) -> ColumnElement[bool] | None:
    """Condition on `issues` joined with `projects` for every issue that is named anywhere."""
    texts = [row.title, *texts_of(row, commits), *notes]
    return _matching(row, [item for text in texts for item in mentioned_in(text)])


def closing_references(conn: Connection, row: MergeRequestWithProject, commits: Sequence[Commit]) -> list[str]:
    """`#4`, `group/app#7`: for the merge message."""
    condition = closing_condition(row, commits)
    if condition is None:
        return []
    query = (
        select(issues.c.iid, issues.c.project_id, projects.c.full_path)
        .join_from(issues, projects, projects.c.id == issues.c.project_id)
        .where(condition, issues.c.state == "opened")
        .order_by(issues.c.project_id != row.project_id, issues.c.project_id, issues.c.iid)
    )
    return [
        f"#{issue.iid}" if issue.project_id == row.project_id else f"{issue.full_path}#{issue.iid}"
        for issue in conn.execute(query)
    ]
