"""Markdown on a page: its references are looked up with the visitor's rights before it is rendered."""

from markupsafe import Markup

from ingot.kit.mentions import SEARCHED
from ingot.kit.patterns import ALPHANUMERIC, pattern
from ingot.web.call import PageCall
from ingot.web.texts import LONGEST_MARKDOWN, plain, rendered_markdown

MOST = 50
_NUMBERS = pattern(r"[#!][1-9][0-9]{0,8}")
_NAMES = pattern(rf"@[{ALPHANUMERIC}_][{ALPHANUMERIC}_.-]{{0,60}}")


def markdown(call: PageCall, text: str | None, *, ref: str = "", folder: str = "", base: str = "") -> Markup:
    """The text as safe HTML. Relative addresses begin in a folder of a revision, or at `base`."""
    if not text:
        return Markup("")
    if call.rendering_left <= 0 or len(text) > LONGEST_MARKDOWN:
        return plain(text)
    place = {}
    if call.project_or_none is not None:
        path = f"/{call.project.full_path}"
        place["project"] = path
        if ref:
            below = f"{ref}/{folder}".strip("/")
            place |= {"blob": f"{path}/-/blob/{below}", "raw": f"{path}/-/raw/{below}"}
    if base:
        place |= {"blob": base, "raw": base}
    html, seconds = rendered_markdown(text, _links(call, text), place)
    call.rendering_left -= seconds
    return html


def _links(call: PageCall, text: str) -> dict[str, str]:
    links: dict[str, str] = {}
    text = text[:SEARCHED]
    numbers = {match[0] for match in _NUMBERS.finditer(text)} if call.project_or_none is not None else set()
    for sign, collection in (("#", "issues"), ("!", "merge_requests")):
        iids = [str(iid) for iid in sorted(int(number[1:]) for number in numbers if number[0] == sign)[:MOST]]
        if iids:
            rows = call.ask_or_none(f"/projects/:id/{collection}", iids=iids, per_page="100") or []
            links |= {f"{sign}{row['iid']}": _path(call, collection, row["iid"]) for row in rows}
    names = sorted({match[0].rstrip(".") for match in _NAMES.finditer(text)})[:MOST]
    for name in names[:10]:
        for row in call.ask_or_none("/users", username=name[1:]) or []:
            links[name] = f"/{row['username']}"
    return links


def _path(call: PageCall, collection: str, number: int) -> str:
    return f"/{call.project.full_path}/-/{collection}/{number}"
