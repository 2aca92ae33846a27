"""Variables about the ref of a pipeline: open merge requests of the branch, message of the tag."""

from sqlalchemy import Connection, bindparam, select

from ingot.access.tables import projects
from ingot.features.review.merge_requests import merge_requests
from ingot.gitstore import GitError, Repository, listing

_MAX_REQUESTS = 4


_OPEN = (
    select(projects.c.full_path, merge_requests.c.iid)
    .join_from(merge_requests, projects, projects.c.id == merge_requests.c.project_id)
    .where(
        merge_requests.c.source_project_id == bindparam("from_project"),
        merge_requests.c.source_branch == bindparam("branch"),
        merge_requests.c.state == "opened",
    )
    .order_by(merge_requests.c.id.desc())
    .limit(_MAX_REQUESTS)
)


def open_merge_requests(conn: Connection, project_id: int, branch: str) -> tuple[str, ...]:
    """Open merge requests from this branch, as `group/project!7`."""
    rows = conn.execute(_OPEN, {"from_project": project_id, "branch": branch})
    return tuple(f"{row.full_path}!{row.iid}" for row in rows)


def tag_message(repository: Repository, name: str) -> str | None:
    """The message of an annotated tag."""
    try:
        tag = listing.find_tag(repository, name)
    except GitError:
        return None
    return None if tag is None else listing.tag_message(repository, tag)
