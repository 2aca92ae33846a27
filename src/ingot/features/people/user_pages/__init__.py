"""Pages outside the API: the frame, cookies and forms, and signing out."""

from ingot.features.people.user_pages.browser import (
    TWO_FACTOR_PAGE,
    base_url,
    current_session,
    identify_browser,
    identify_reader,
    is_excused,
    is_genuine,
    local_path,
    read_form,
)
from ingot.features.people.user_pages.cookies import (
    OWN_COOKIE,
    SESSION_COOKIE,
    cookie_name,
    delete_cookie,
    read_cookie,
    set_cookie,
)
from ingot.features.people.user_pages.flash import forget_flash, read_flash, set_flash
from ingot.features.people.user_pages.frame import (
    TAB_COOKIE,
    TAB_WIDTHS,
    THEME_COOKIE,
    THEMES,
    page,
    problem,
    tab_width_of,
    theme_of,
)
from ingot.features.people.user_pages.origins import is_from_here, is_surely_from_here

__all__ = [
    "OWN_COOKIE",
    "SESSION_COOKIE",
    "TAB_COOKIE",
    "TAB_WIDTHS",
    "THEMES",
    "THEME_COOKIE",
    "TWO_FACTOR_PAGE",
    "base_url",
    "cookie_name",
    "current_session",
    "delete_cookie",
    "forget_flash",
    "identify_browser",
    "identify_reader",
    "is_excused",
    "is_from_here",
    "is_genuine",
    "is_surely_from_here",
    "local_path",
    "page",
    "problem",
    "read_cookie",
    "read_flash",
    "read_form",
    "set_cookie",
    "set_flash",
    "tab_width_of",
    "theme_of",
]
