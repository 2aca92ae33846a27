"""Pages outside the API: the frame, cookies and forms, and the page of personal access tokens."""

from ingot.features.people.user_pages.browser import (
    OWN_COOKIE,
    SESSION_COOKIE,
    TWO_FACTOR_PAGE,
    base_url,
    current_session,
    identify_browser,
    identify_reader,
    is_excused,
    is_genuine,
    local_path,
    read_form,
    set_cookie,
)
from ingot.features.people.user_pages.frame import THEME_COOKIE, THEMES, own_pages, page, problem, theme_of
from ingot.features.people.user_pages.origins import is_from_here

__all__ = [
    "OWN_COOKIE",
    "SESSION_COOKIE",
    "THEMES",
    "THEME_COOKIE",
    "TWO_FACTOR_PAGE",
    "base_url",
    "current_session",
    "identify_browser",
    "identify_reader",
    "is_excused",
    "is_from_here",
    "is_genuine",
    "local_path",
    "own_pages",
    "page",
    "problem",
    "read_form",
    "set_cookie",
    "theme_of",
]
