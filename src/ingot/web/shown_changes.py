"""Which of a request's changes a page shows, by its address, so that links and forms lead back to the same."""

from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse, Response

from ingot.kit.patterns import HEX, consists_of
from ingot.web.call import PageCall
from ingot.web.sending import text

# The version, whether white space is hidden, the page of files, and the file that is shown alone.
NAMES = ("diff_id", "w", "page", "file")


def shown_query(call: PageCall, names: tuple[str, ...] = NAMES) -> str:
    """The part of the address that says it."""
    return urlencode({name: value for name in names if _fits(name, value := text(call, name))})


def back_to_request(call: PageCall, fragment: str = "", otherwise: str = "") -> Response:
    """The page that a form of a request was sent from: the overview, or the changes (`back`)."""
    part, _, query = (text(call, "back") or otherwise).partition("?")
    kept = urlencode([(name, value) for name, value in parse_qsl(query) if name in NAMES and _fits(name, value)])
    path = f"/{call.project.full_path}/-/merge_requests/{call.path['iid']}{'/diffs' if part == 'diffs' else ''}"
    return RedirectResponse(f"{path}{'?' if kept else ''}{kept}{fragment}", 303)


def _fits(name: str, value: str) -> bool:
    return len(value) == 40 and consists_of(value, HEX) if name == "file" else value.isdecimal()
