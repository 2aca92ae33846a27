"""Reading what is known of the pages of a wiki."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from ingot.features.code.wikis.tables import wiki_pages
from ingot.features.code.wikis.wiki import Wiki

AT_ONCE = 500


def known_pages(conn: Connection, wiki: Wiki, slugs: Sequence[str] | None = None) -> dict[str, int]:
    """The ids of pages by their slugs; of all, or of these."""
    query = select(wiki_pages.c.slug, wiki_pages.c.id).where(wiki.owns(wiki_pages))
    if slugs is not None and len(slugs) < AT_ONCE:
        query = query.where(wiki_pages.c.slug.in_(slugs))
    return {row.slug: row.id for row in conn.execute(query)}
