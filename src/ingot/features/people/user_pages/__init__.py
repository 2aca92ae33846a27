"""Pages outside the API: the frame, cookies and forms, and the page of personal access tokens."""

from ingot.features.people.user_pages.browser import (
    SESSION_COOKIE,
    TWO_FACTOR_PAGE,
    base_url,
    current_session,
    identify_reader,
    is_genuine,
    is_of_provider,
    local_path,
    read_form,
    set_cookie,
)
from ingot.features.people.user_pages.frame import own_pages, page, problem

__all__ = [
    "SESSION_COOKIE",
    "TWO_FACTOR_PAGE",
    "base_url",
    "current_session",
    "identify_reader",
    "is_genuine",
    "is_of_provider",
    "local_path",
    "own_pages",
    "page",
    "problem",
    "read_form",
    "set_cookie",
]
