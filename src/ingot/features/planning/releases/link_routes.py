"""Endpoints of the links of releases."""

from collections.abc import Sequence

from sqlalchemy import delete

from ingot.access.call import Call
from ingot.features.code.repository import project_url
from ingot.features.planning.releases import links, queries
from ingot.features.planning.releases.entities import ReleaseLink
from ingot.features.planning.releases.params import CreateLink, LinkPath, ListLinks, ReleasePath, UpdateLink
from ingot.features.planning.releases.policy import READ_RELEASE, WRITE_RELEASES, may_create_tag
from ingot.features.planning.releases.presenting import release_link
from ingot.features.planning.releases.rows import ReleaseLinkRow, ReleaseRow
from ingot.features.planning.releases.tables import release_links
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden, RecordNotFound

link_routes = Routes("Release links", job_token=True)
ALL = "/projects/{id}/releases/{tag_name}/assets/links"
ONE = ALL + "/{link_id}"


def _release(call: Call[ReleasePath | ListLinks]) -> ReleaseRow:
    row = queries.find(call.conn, call.project.id, call.params.tag_name)
    if row is None:
        raise RecordNotFound
    return row


def _own_release(call: Call[ReleasePath]) -> ReleaseRow:
    """The release, if the caller may change it."""
    row = _release(call)
    if not may_create_tag(call, row.tag):
        raise Forbidden
    return row


def _own_link(call: Call[LinkPath]) -> ReleaseLinkRow:
    _own_release(call)
    return _link(call)


def _link(call: Call[LinkPath]) -> ReleaseLinkRow:
    row = queries.find_link(call.conn, _release(call).id, call.params.link_id)
    if row is None:
        raise RecordNotFound
    return row


def _present(call: Call[ReleasePath | ListLinks], row: ReleaseLinkRow) -> ReleaseLink:
    return release_link(row, call.params.tag_name, project_url(call.base_url, call.project.row))


def _present_all(call: Call[ListLinks], rows: Sequence[ReleaseLinkRow]) -> list[ReleaseLink]:
    return [_present(call, row) for row in rows]


@link_routes.get(ALL, guard=READ_RELEASE, params=ListLinks, returns=list[ReleaseLink])
def list_release_links(call: Call[ListLinks]) -> Answer:
    """Links of a release, newest first."""
    query = queries.links_of(_release(call).id)
    return call.page(query, _present_all, keyset=queries.NEWEST_LINKS_FIRST)


@link_routes.get(ONE, guard=READ_RELEASE, params=LinkPath, returns=ReleaseLink)
def get_release_link(call: Call[LinkPath]) -> Answer:
    """One link of a release."""
    return _present(call, _link(call))


@link_routes.post(ALL, guard=WRITE_RELEASES, params=CreateLink, returns=ReleaseLink)
def create_release_link(call: Call[CreateLink]) -> Answer:
    """Add a link to a release."""
    release = _own_release(call)
    with call.write() as tx:
        return _present(call, links.create(tx, release.id, call.params))


@link_routes.put(ONE, guard=WRITE_RELEASES, params=UpdateLink, returns=ReleaseLink)
def update_release_link(call: Call[UpdateLink]) -> Answer:
    """Change a link of a release."""
    row = _own_link(call)
    with call.write() as tx:
        return _present(call, links.change(tx, row, call.params))


@link_routes.delete(ONE, guard=WRITE_RELEASES, params=LinkPath, returns=ReleaseLink, status=200)
def delete_release_link(call: Call[LinkPath]) -> Answer:
    """Delete a link of a release; returns it."""
    row = _own_link(call)
    call.require_unmodified(row.updated_at)
    with call.write() as tx:
        tx.execute(delete(release_links).where(release_links.c.id == row.id))
    return _present(call, row)
