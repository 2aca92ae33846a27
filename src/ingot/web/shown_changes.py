"""Which of a request's changes a page shows, by its address, so that links and forms lead back to the same."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

import msgspec
from starlette.responses import Response

from ingot.kit.patterns import HEX, consists_of
from ingot.web.call import PageCall, View
from ingot.web.sending import done, text
from ingot.web.threads import threads_query

# The version and the one that it is compared with, or the commit; whether white space is hidden and columns are two;
# the page of files, the file that is shown alone, how many of its unchanged lines, and which part of it.
NAMES = ("diff_id", "start_sha", "commit_id", "w", "view", "page", "file", "context", "part")
CHOICES, OF_PAGE = NAMES[:5], NAMES[:6]
VIEW_COOKIE = "_ingot_diff_view"
YEAR = 365 * 24 * 3600  # seconds
SHAS = ("file", "commit_id", "start_sha")
DRAFTED = "Draft saved. Only you can see it until you submit the review."
WORDS = {"view": ("inline", "parallel")}
WHOLE = "all"  # lines of a file


def shown_query(call: PageCall, names: tuple[str, ...] = NAMES, **others: str) -> str:
    """The part of the address that says it, with some of it changed."""
    given = {name: text(call, name) for name in names} | others
    return urlencode({name: value for name, value in given.items() if _fits(name, value)})


class Look(msgspec.Struct, frozen=True):
    """How changes are shown."""

    hides_space: bool
    is_split: bool  # in two columns


def look_queries(call: PageCall, look: Look) -> dict[str, object]:
    """Addresses of the same changes, shown otherwise, and what the list of files is narrowed by."""
    return {
        "spaces_query": shown_query(call, w="0" if look.hides_space else "1"),
        "columns_query": shown_query(call, view="inline" if look.is_split else "parallel"),
        "list_fields": parse_qsl(shown_query(call, OF_PAGE)),
        "list_words": text(call, "list"),
    }


def hides_white_space(call: PageCall, wishes: Mapping[str, object]) -> bool:
    """Lines in which only white space changed look unchanged: as the address says (`w=1`), else the visitor's wish."""
    asked = text(call, "w")
    return asked == "1" if asked in ("0", "1") else not wishes.get("show_whitespace_in_diffs", True)


def is_in_two_columns(call: PageCall) -> bool:
    """Old lines stand beside the new ones: as the address says (`view=parallel`), else as this browser did last."""
    asked = text(call, "view")
    return (asked if asked in WORDS["view"] else call.request.cookies.get(VIEW_COOKIE)) == "parallel"


def remembering(call: PageCall, view: View) -> View:
    """The page, which lets the browser remember the columns that its address asks for."""
    asked = text(call, "view")
    if asked not in WORDS["view"]:
        return view
    cookie = f"{VIEW_COOKIE}={asked}; Path=/; HttpOnly; SameSite=Lax; Max-Age={YEAR}"
    return msgspec.structs.replace(view, headers={**view.headers, "Set-Cookie": cookie})


def back_to_request(call: PageCall, words: str, fragment: str = "", otherwise: str = "") -> Response:
    """The page that a form of a request was sent from: the overview, or the changes (`back`)."""
    part = (text(call, "back") or otherwise).partition("?")[0]
    path = f"/{call.project.full_path}/-/merge_requests/{call.path['iid']}{'/diffs' if part == 'diffs' else ''}"
    return done(call, f"{path}{query_back(call) or threads_query(call)}{fragment}", words)


def query_back(call: PageCall) -> str:
    """What the address of the page that a form was sent from says of changes (`back`), with its question mark."""
    given = parse_qsl(text(call, "back").partition("?")[2])
    query = urlencode([(name, value) for name, value in given if name in NAMES and _fits(name, value)])
    return f"?{query}" if query else ""


def is_context(value: str) -> bool:
    """How many lines are shown around those that changed: a number, or all of them."""
    return value == WHOLE or (value.isdecimal() and len(value) <= 3)


def _fits(name: str, value: str) -> bool:
    if name in WORDS:
        return value in WORDS[name]
    if name == "context":
        return is_context(value)
    return len(value) == 40 and consists_of(value, HEX) if name in SHAS else value.isdecimal()
