"""Reading releases."""

from typing import Any

from sqlalchemy import Connection, Select, select

from ingot.access.levels import GUEST, REPORTER
from ingot.access.tables import projects
from ingot.access.visibility import feature_readable, visible_projects_below
from ingot.features.planning.releases.params import ListReleases
from ingot.features.planning.releases.rows import ReleaseLinkRow, ReleaseRow
from ingot.features.planning.releases.tables import release_links, releases
from ingot.kit.actor import Actor
from ingot.kit.clock import through
from ingot.kit.pagination import Keyset

NEWEST_LINKS_FIRST = Keyset(release_links.c.id, descending=True)


def listed(project_id: int, options: ListReleases) -> tuple[Select[Any], Keyset]:
    """The releases of a project, and how the list continues."""
    query = select(releases).where(releases.c.project_id == project_id)
    if options.updated_after is not None:
        query = query.where(releases.c.updated_at >= options.updated_after)
    if options.updated_before is not None:
        query = query.where(releases.c.updated_at <= through(options.updated_before))
    column, descending = releases.c[options.order_by], options.sort == "desc"
    query = query.order_by(*(key.desc() if descending else key.asc() for key in (column, releases.c.id)))
    return query, Keyset(column, descending, label=options.order_by, tie=releases.c.id)


def in_group(actor: Actor, group_id: int, sort: str) -> tuple[Select[Any], Keyset]:
    """Releases of all projects below a group whose code the actor may read, and how the list continues."""
    readable = select(projects.c.id).where(
        projects.c.id.in_(visible_projects_below(actor, group_id)),
        feature_readable(actor, "repository", REPORTER),
        feature_readable(actor, "releases", GUEST),
    )
    keyset = Keyset(releases.c.released_at, sort == "desc", label="released_at", tie=releases.c.id)
    keys = (keyset.column, releases.c.id)
    query = select(releases).where(releases.c.project_id.in_(readable))
    return query.order_by(*(key.desc() if keyset.descending else key.asc() for key in keys)), keyset


def find(conn: Connection, project_id: int, tag: str) -> ReleaseRow | None:
    """The release of a tag, or None."""
    query = select(releases).where(releases.c.project_id == project_id, releases.c.tag == tag)
    return conn.execute(query).one_or_none()


def latest(conn: Connection, project_id: int) -> ReleaseRow | None:
    """The release with the newest release date, or None."""
    query = select(releases).where(releases.c.project_id == project_id)
    keys = (releases.c.released_at.desc(), releases.c.id.desc())
    return conn.execute(query.order_by(*keys).limit(1)).one_or_none()


def links_of(release_id: int) -> Select[Any]:
    """The links of a release, newest first."""
    return select(release_links).where(release_links.c.release_id == release_id).order_by(release_links.c.id.desc())


def find_link(conn: Connection, release_id: int, link_id: int) -> ReleaseLinkRow | None:
    """One link of a release, or None."""
    return conn.execute(links_of(release_id).where(release_links.c.id == link_id)).one_or_none()


def find_link_by_path(conn: Connection, release_id: int, path: str) -> ReleaseLinkRow | None:
    """The link with this permanent path, or None."""
    return conn.execute(links_of(release_id).where(release_links.c.filepath == path).limit(1)).one_or_none()
