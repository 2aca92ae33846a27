"""Which of a request's changes a page shows, by its address, so that links and forms lead back to the same."""

from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse, Response

from ingot.web.call import PageCall
from ingot.web.sending import text

# The version, the page of files, and whether white space is hidden.
NAMES = ("diff_id", "page", "w")


def shown_query(call: PageCall, names: tuple[str, ...] = NAMES) -> str:
    """The part of the address that says it."""
    return urlencode({name: value for name in names if (value := text(call, name)).isdecimal()})


def back_to_request(call: PageCall, fragment: str = "", otherwise: str = "") -> Response:
    """The page that a form of a request was sent from: the overview, or the changes (`back`)."""
    part, _, query = (text(call, "back") or otherwise).partition("?")
    kept = urlencode([(name, value) for name, value in parse_qsl(query) if name in NAMES and value.isdecimal()])
    path = f"/{call.project.full_path}/-/merge_requests/{call.path['iid']}{'/diffs' if part == 'diffs' else ''}"
    return RedirectResponse(f"{path}{'?' if kept else ''}{kept}{fragment}", 303)
