"""Registrations with other rooms."""

from collections.abc import Iterable

from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.features.code.repository import TagReleases, release_source
from ingot.features.planning.releases.commands import delete_release
from ingot.features.planning.releases.policy import READ_RELEASES
from ingot.features.planning.releases.tables import releases
from ingot.features.spaces.projects import keeps_commits


@keeps_commits
def released_commits(conn: Connection, project_id: int) -> Iterable[str | None]:
    """A release keeps its commit when its tag is deleted."""
    return conn.execute(select(releases.c.sha).where(releases.c.project_id == project_id)).scalars()


def _descriptions(call: Call, tags: list[str]) -> dict[str, str | None]:
    if not READ_RELEASES.allows(call.actor, call.project):
        return {}
    query = select(releases.c.tag, releases.c.description).where(
        releases.c.project_id == call.project.id, releases.c.tag.in_(tags)
    )
    return {row.tag: row.description for row in call.conn.execute(query)}


def _forget(call: Call, tag: str) -> None:
    with call.write() as tx:
        query = select(releases).where(releases.c.project_id == call.project.id, releases.c.tag == tag)
        for row in tx.execute(query).all():
            delete_release(tx, row)


release_source(TagReleases(_descriptions, _forget))
