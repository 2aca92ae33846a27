"""Presenting releases: related records are loaded once per page."""

from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from sqlalchemy import Connection, Row, Table, case, func, select

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.features.code.repository import CommitBasic, commit_basic, project_url
from ingot.features.people.users import users_by_id
from ingot.features.planning.issues import issues, readable_issues
from ingot.features.planning.milestones import milestones_by_id, milestones_shown
from ingot.features.planning.releases.entities import (
    IssueStats,
    Release,
    ReleaseAddresses,
    ReleaseAssets,
    ReleaseEvidence,
    ReleaseLink,
    ReleaseMilestone,
    ReleaseSource,
    SimpleRelease,
)
from ingot.features.planning.releases.policy import WRITE_RELEASES
from ingot.features.planning.releases.rows import ReleaseLinkRow, ReleaseRow
from ingot.features.planning.releases.tables import release_evidences, release_links, release_milestones, releases
from ingot.features.spaces.projects import repository_of, to_html_together
from ingot.gitstore import GitError, objects
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.entity import UNSET, UnsetType, group_by, wire

FORMATS = ("zip", "tar.gz", "tar.bz2", "tar")


def present(call: Call, rows: Sequence[ReleaseRow]) -> list[Release]:
    """A page of releases of the call's project."""
    return _present(call, rows, {call.project.id: call.project})


def present_of_group(call: Call, rows: Sequence[ReleaseRow]) -> list[Release]:
    """A page of releases of several projects, whose code the caller may read."""
    query = select(projects).where(projects.c.id.in_({row.project_id for row in rows}))
    return _present(call, rows, {row.id: Project(row, 0) for row in call.conn.execute(query)})


def present_simple(_: Call, rows: Sequence[ReleaseRow]) -> list[SimpleRelease]:
    """A page of releases in their short form."""
    return [
        SimpleRelease(
            name=row.name,
            tag_name=row.tag,
            description=row.description,
            created_at=wire(row.created_at),
            released_at=wire(row.released_at),
            upcoming_release=row.released_at > now(),
        )
        for row in rows
    ]


def _present(call: Call, rows: Sequence[ReleaseRow], places: dict[int, Project]) -> list[Release]:
    conn, ids = call.conn, [row.id for row in rows]
    in_group = call.project_or_none is None
    authors = users_by_id(conn, [row.author_id for row in rows], call.base_url)
    links = group_by(_rows(conn, release_links, ids), lambda row: row.release_id)
    evidences = group_by(_rows(conn, release_evidences, ids), lambda row: row.release_id)
    milestones = _milestones(call, ids)
    with_html = getattr(call.params, "include_html_description", False)
    html = to_html_together(row.description for row in rows) if with_html else []
    result = []
    for number, row in enumerate(rows):
        project = places[row.project_id]
        url = project_url(call.base_url, project.row)
        tag = quote(row.tag, safe="")
        reads_code = in_group or READ_CODE.allows(call.actor, project)
        release = Release(
            name=row.name if reads_code else f"Release-{row.id}",
            description=row.description,
            created_at=wire(row.created_at),
            released_at=wire(row.released_at),
            upcoming_release=row.released_at > now(),
            author=authors.get(row.author_id or 0, UNSET),
            milestones=milestones.get(row.id, UNSET),
            assets=_assets(row, project.row, links.get(row.id, []), url, reads_code=reads_code),
        )
        if with_html:
            release.description_html = html[number]
        if reads_code:
            release.tag_name = row.tag
            release.commit = _commit(call, project, row)
            release.commit_path = f"/{project.full_path}/-/commit/{row.sha}" if row.sha else UNSET
            release.tag_path = f"/{project.full_path}/-/tags/{tag}"
            release.evidences = [
                ReleaseEvidence(
                    sha=one.sha,
                    filepath=f"{url}/-/releases/{tag}/evidences/{one.id}.json",
                    collected_at=wire(one.created_at),
                )
                for one in evidences.get(row.id, [])
            ]
            release.links = _addresses(
                url, row.tag, may_edit=not in_group and WRITE_RELEASES.allows(call.actor, project)
            )
        result.append(release)
    return result


def _rows(conn: Connection, table: Table, ids: Collection[int]) -> Sequence[Row[Any]]:
    return conn.execute(select(table).where(table.c.release_id.in_(ids)).order_by(table.c.id.desc())).all()


def release_link(row: ReleaseLinkRow, tag: str, url: str) -> ReleaseLink:
    """A link; with a path it has a permanent address here."""
    lasting = f"{url}/-/releases/{quote(tag, safe='')}/downloads{row.filepath}"
    return ReleaseLink(
        id=row.id,
        name=row.name,
        url=row.url,
        direct_asset_url=lasting if row.filepath else row.url,
        link_type=row.link_type,
    )


def sources_of(path: str, tag: str, url: str) -> list[ReleaseSource]:
    """The archives of a tag, of the project with this path and address."""
    name = f"{path}-{tag.replace('/', '-')}"
    address = f"{url}/-/archive/{quote(tag, safe='')}/{quote(name)}"
    return [ReleaseSource(format=kind, url=f"{address}.{kind}") for kind in FORMATS]


def _assets(
    row: ReleaseRow, project: ProjectRow, links: Sequence[ReleaseLinkRow], url: str, *, reads_code: bool
) -> ReleaseAssets:
    shown = [release_link(link, row.tag, url) for link in links]
    if not reads_code:
        return ReleaseAssets(count=len(shown), links=shown)
    sources = sources_of(project.path, row.tag, url)
    return ReleaseAssets(count=len(shown) + len(sources), sources=sources, links=shown)


def _addresses(url: str, tag: str, *, may_edit: bool) -> ReleaseAddresses:
    own = f"{url}/-/releases/{quote(tag, safe='')}"

    def listed(kind: str, state: str) -> str:
        return f"{url}/-/{kind}?{urlencode({'release_tag': tag, 'scope': 'all', 'state': state})}"

    return ReleaseAddresses(
        self_=own,
        edit_url=f"{own}/edit" if may_edit else UNSET,
        closed_issues_url=listed("issues", "closed"),
        opened_issues_url=listed("issues", "opened"),
        closed_merge_requests_url=listed("merge_requests", "closed"),
        merged_merge_requests_url=listed("merge_requests", "merged"),
        opened_merge_requests_url=listed("merge_requests", "opened"),
    )


def _commit(call: Call, project: Project, row: ReleaseRow) -> CommitBasic | UnsetType:
    if row.sha is None:
        return UNSET
    try:
        commit = objects.get_commit(repository_of(call.services, project), row.sha)
    except GitError:
        return UNSET  # no tag or branch has it any more
    return commit_basic(commit, call.base_url, project.row)


def _milestones(call: Call, ids: Collection[int]) -> dict[int, list[ReleaseMilestone]]:
    table = release_milestones
    query = (
        select(table)
        .join(releases, releases.c.id == table.c.release_id)
        .join(projects, projects.c.id == releases.c.project_id)
        .where(table.c.release_id.in_(ids), milestones_shown(call.actor))
    )
    pairs = call.conn.execute(query.order_by(table.c.milestone_id)).all()
    shown = milestones_by_id(call.conn, [pair.milestone_id for pair in pairs], call.base_url)
    stats = _issue_stats(call.conn, call.actor, list(shown)) if shown else {}
    result: dict[int, list[ReleaseMilestone]] = {}
    for pair in pairs:
        milestone = shown[pair.milestone_id]
        fields = {name: getattr(milestone, name) for name in milestone.__struct_fields__}
        counted = stats.get(milestone.id, IssueStats(total=0, closed=0))
        result.setdefault(pair.release_id, []).append(ReleaseMilestone(**fields, issue_stats=counted))
    return result


def _issue_stats(conn: Connection, actor: Actor, milestone_ids: Collection[int]) -> dict[int, IssueStats]:
    """Only issues count that the actor may read."""
    closed = func.sum(case((issues.c.state == "closed", 1), else_=0))
    query = (
        select(issues.c.milestone_id, func.count(), closed)
        .join_from(issues, projects, projects.c.id == issues.c.project_id)
        .where(issues.c.milestone_id.in_(milestone_ids), readable_issues(actor))
        .group_by(issues.c.milestone_id)
    )
    return {row[0]: IssueStats(total=row[1], closed=int(row[2])) for row in conn.execute(query)}
