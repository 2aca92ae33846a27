"""Merge requests in pushes: opened branches, push options, merges to complete, links."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, select

from ingot.access.levels import Feature
from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.code.pushing import (
    OpenedBranch,
    PushOptions,
    follows_merges,
    obeys_options,
    opens_branches,
    prints_links,
)
from ingot.features.review.merge_requests.commands.by_push import apply_push_options
from ingot.features.review.merge_requests.commands.follow_up import follow_merge
from ingot.features.review.merge_requests.push_options import read_options
from ingot.features.review.merge_requests.tables import merge_requests
from ingot.features.spaces.projects import project_settings

MOST_LINKS = 5


@opens_branches
def collaborations(conn: Connection, project_id: int) -> list[OpenedBranch]:
    """Source branches that allow pushes by members who may merge."""
    columns = merge_requests.c
    query = select(columns.project_id, columns.target_branch, columns.source_branch).where(
        columns.source_project_id == project_id,
        columns.project_id != project_id,
        columns.state == "opened",
        columns.allow_collaboration.is_(True),
    )
    return [OpenedBranch(*row) for row in conn.execute(query)]


def _has_any(options: Sequence[str]) -> bool:
    return read_options(options) is not None


obeys_options(PushOptions(_has_any, apply_push_options))
follows_merges(follow_merge)


@prints_links
def links(conn: Connection, project: ProjectRow, branches: Sequence[str], base_url: str) -> list[str]:
    """Links to the merge request of each pushed branch, or to open one."""
    if not project_settings(project).printing_merge_request_link_enabled:
        return []
    if project.merge_requests_access_level == Feature.DISABLED:
        return []
    shown = [branch for branch in branches if branch != project.default_branch][:MOST_LINKS]
    if not shown:
        return []
    requests = _open_requests(conn, project.id, shown)
    lines = [""]
    for branch in shown:
        request = requests.get(branch)
        if request is not None:
            title, url = f"View merge request for {branch}:", f"{request.full_path}/-/merge_requests/{request.iid}"
        else:
            title = f"To create a merge request for {branch}, visit:"
            query = f"merge_request%5Bsource_branch%5D={quote(branch, safe='')}"
            url = f"{project.full_path}/-/merge_requests/new?{query}"
        lines += [title, f"  {base_url}/{url}", ""]
    return lines


def _open_requests(conn: Connection, project_id: int, branches: Sequence[str]) -> dict[str, Any]:
    query = (
        select(merge_requests.c.source_branch, merge_requests.c.iid, projects.c.full_path.label("full_path"))
        .join_from(merge_requests, projects, projects.c.id == merge_requests.c.project_id)
        .where(
            merge_requests.c.source_project_id == project_id,
            merge_requests.c.source_branch.in_(branches),
            merge_requests.c.state == "opened",
        )
        .order_by(merge_requests.c.id)
    )
    return {row.source_branch: row for row in conn.execute(query)}
