"""Wikis of projects and groups: pages in a git repository each."""

from ingot.features.code.wikis.following import TARGET as WIKI_PAGE_TARGET
from ingot.features.code.wikis.following import begin_write, follow, settle_branch
from ingot.features.code.wikis.policy import DOWNLOAD_GROUP_WIKI, DOWNLOAD_WIKI, WRITE_GROUP_WIKI, WRITE_WIKI
from ingot.features.code.wikis.queries import known_pages
from ingot.features.code.wikis.reading import list_pages
from ingot.features.code.wikis.rows import WikiPageRow
from ingot.features.code.wikis.tables import wiki_pages, wikis
from ingot.features.code.wikis.wiki import Wiki, make_repository, wiki_of_group, wiki_of_project

__all__ = [
    "DOWNLOAD_GROUP_WIKI",
    "DOWNLOAD_WIKI",
    "WIKI_PAGE_TARGET",
    "WRITE_GROUP_WIKI",
    "WRITE_WIKI",
    "Wiki",
    "WikiPageRow",
    "begin_write",
    "follow",
    "known_pages",
    "list_pages",
    "make_repository",
    "settle_branch",
    "wiki_of_group",
    "wiki_of_project",
    "wiki_pages",
    "wikis",
]
