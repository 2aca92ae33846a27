"""Payloads of releases."""

from urllib.parse import quote

from sqlalchemy import select

from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload, moment
from ingot.features.planning.releases import ReleaseRow, release_links, releases, sources_of
from ingot.kit.changes import Change


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a release that is new, changed or about to go. Its commit is a late part."""
    row: ReleaseRow | None = blocks.row(releases, change.record_id)
    if row is None:
        return []
    url = blocks.project_url(row.project_id)
    payload: Payload = {
        "id": row.id,
        "created_at": moment(row.created_at),
        "description": blocks.absolute(row.description),
        "name": row.name,
        "released_at": moment(row.released_at),
        "tag": row.tag,
        "object_kind": "release",
        "project": blocks.project(row.project_id),
        "url": f"{url}/-/releases/{quote(row.tag, safe='')}",
        "action": "create" if change.action == "test" else change.action,
        "assets": _assets(blocks, row, url),
        "commit": None,
    }
    late: list[dict[str, object]] = []
    if row.sha is not None:
        late = [{"kind": "commit", "at": ["commit"], "project_id": row.project_id, "sha": row.sha}]
    return [Message("releases_events", f"release:{row.id}", payload, late_parts=late)]


def _assets(blocks: Blocks, row: ReleaseRow, url: str) -> Payload:
    query = select(release_links).where(release_links.c.release_id == row.id).order_by(release_links.c.id.desc())
    links = [
        {"id": link.id, "link_type": link.link_type, "name": link.name, "url": link.url}
        for link in blocks.tx.execute(query)
    ]
    path = blocks.project_row(row.project_id).path
    sources = [{"format": one.format, "url": one.url} for one in sources_of(path, row.tag, url)]
    return {"count": len(links) + len(sources), "links": links, "sources": sources}
