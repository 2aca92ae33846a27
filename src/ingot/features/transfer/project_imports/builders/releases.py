"""Releases with their links and milestones."""

from collections.abc import Mapping

from sqlalchemy import Connection, insert, select

from ingot.features.planning.releases import (
    LINK_TYPES,
    is_link_address,
    release_links,
    release_milestones,
    releases,
)
from ingot.features.transfer.project_imports.builders.milestones import milestone_id
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import moment_or, one, records, text

MODELLED = frozenset(
    [
        "tag", "name", "description", "sha", "author_id", "released_at", "project_id", "created_at", "updated_at",
        "links", "milestone_releases",
    ]
)  # fmt: skip


def build(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `releases`."""
    tag = text(record, "tag", longest=255, required=True)
    known = select(releases.c.id).where(releases.c.project_id == context.project.id, releases.c.tag == tag)
    if tx.execute(known).first() is not None:
        return
    created = moment_or(record, "created_at", context.started)
    values = {
        "project_id": context.project.id,
        "author_id": context.people.of(record.get("author_id")),
        "tag": tag,
        "name": text(record, "name", longest=255) or tag,
        "description": text(record, "description"),
        "sha": text(record, "sha", longest=64),
        "released_at": moment_or(record, "released_at", created),
        "created_at": created,
        "updated_at": moment_or(record, "updated_at", created),
    }
    release_id = tx.execute(insert(releases).values(values).returning(releases.c.id)).scalar_one()
    names = set()
    for link in records(record, "links"):
        name = text(link, "name", longest=255, required=True)
        url = str(text(link, "url", longest=2048, required=True))
        if name in names or not is_link_address(url):
            continue
        names.add(name)
        added = moment_or(link, "created_at", created)
        row = {
            "release_id": release_id,
            "name": name,
            "url": url,
            "filepath": text(link, "filepath", longest=128),
            "link_type": link.get("link_type") if link.get("link_type") in LINK_TYPES else "other",
            "created_at": added,
            "updated_at": moment_or(link, "updated_at", added),
        }
        tx.execute(insert(release_links).values(row))
    milestones = [one(pair, "milestone") for pair in records(record, "milestone_releases")]
    planned = {milestone_id(context, tx, milestone) for milestone in milestones if milestone is not None}
    for number in sorted(planned):
        tx.execute(insert(release_milestones).values(release_id=release_id, milestone_id=number))
    context.keep_rest(tx, "releases", release_id, record, MODELLED)
