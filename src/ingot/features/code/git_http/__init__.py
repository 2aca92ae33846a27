"""Git over HTTP: clone, fetch and push at a project's address. Exports what Git over SSH shares."""

from ingot.features.code.git_http.access import (
    GitRequest,
    Opened,
    open_for,
    open_repository,
    require_fetch,
    require_push,
)
from ingot.features.code.git_http.credentials import basic
from ingot.features.code.git_http.fetches import count_fetch
from ingot.features.code.git_http.receiving import receive
from ingot.features.code.git_http.receiving_wikis import receive_wiki
from ingot.features.code.git_http.refusals import (
    NO_DOWNLOAD,
    PROJECT_NOT_FOUND,
    TOO_MANY,
    GitRefused,
    forbidden,
    not_found,
    unauthorized,
    with_help,
)
from ingot.features.code.git_http.wikis import (
    WIKI_SUFFIX,
    OpenedWiki,
    WikiPlace,
    find_moved_wiki,
    find_wiki,
    open_wiki,
    require_machine_fetch,
    require_wiki_fetch,
    require_wiki_push,
)

__all__ = [
    "NO_DOWNLOAD", "PROJECT_NOT_FOUND", "TOO_MANY", "WIKI_SUFFIX", "GitRefused", "GitRequest", "Opened", "OpenedWiki",
    "WikiPlace", "basic", "count_fetch", "find_moved_wiki", "find_wiki", "forbidden", "not_found", "open_for",
    "open_repository", "open_wiki", "receive", "receive_wiki", "require_fetch", "require_machine_fetch",
    "require_push", "require_wiki_fetch", "require_wiki_push", "unauthorized", "with_help",
]  # fmt: skip
