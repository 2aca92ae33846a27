"""Releases with their links and milestones."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.features.planning.releases import release_links, release_milestones, releases
from ingot.features.transfer.project_exports.leftovers import preserved_for
from ingot.features.transfer.project_exports.records import batches, stamp, times
from ingot.features.transfer.project_exports.relations.milestones import milestones_by_id
from ingot.kit.entity import group_by
from ingot.kit.services import Services


def records(_: Services, conn: Connection, project: ProjectRow) -> Iterator[dict[str, Any]]:
    """The project's releases."""
    for rows in batches(conn, select(releases).where(releases.c.project_id == project.id), releases.c.id):
        ids = [row.id for row in rows]
        remaining = preserved_for(conn, project.id, "releases", ids)
        links = select(release_links).where(release_links.c.release_id.in_(ids)).order_by(release_links.c.id)
        links_of = group_by(conn.execute(links).all(), lambda link: link.release_id)
        planned = conn.execute(select(release_milestones).where(release_milestones.c.release_id.in_(ids))).all()
        planned_of = group_by(planned, lambda pair: pair.release_id)
        milestones = milestones_by_id(conn, project.id, {pair.milestone_id for pair in planned})
        for row in rows:
            yield {
                **remaining.get(row.id, {}),
                "tag": row.tag,
                "name": row.name,
                "description": row.description,
                "sha": row.sha,
                "author_id": row.author_id,
                "released_at": stamp(row.released_at),
                "project_id": row.project_id,
                **times(row),
                "links": [
                    {
                        "url": link.url,
                        "name": link.name,
                        "filepath": link.filepath,
                        "link_type": link.link_type,
                        **times(link),
                    }
                    for link in links_of.get(row.id, [])
                ],
                "milestone_releases": [
                    {"milestone": milestones[pair.milestone_id]} for pair in planned_of.get(row.id, [])
                ],
            }
