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
from ingot.features.code.git_http.refusals import (
    NO_DOWNLOAD,
    PROJECT_NOT_FOUND,
    TOO_MANY,
    GitRefused,
    forbidden,
    not_found,
    unauthorized,
)

__all__ = [
    "NO_DOWNLOAD", "PROJECT_NOT_FOUND", "TOO_MANY", "GitRefused", "GitRequest", "Opened", "basic", "count_fetch",
    "forbidden", "not_found", "open_for", "open_repository", "receive", "require_fetch", "require_push",
    "unauthorized",
]  # fmt: skip
