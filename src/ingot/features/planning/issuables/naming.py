"""References in texts: `#4`, `group/app!7`, or the address of an issue or merge request."""

from functools import cache

from ingot.kit.mentions import SEARCHED
from ingot.kit.patterns import Pattern, pattern

Reference = tuple[str | None, int]  # path of the project (None: the same one) and number

_PATH = r"(?:[A-Za-z0-9_.][A-Za-z0-9_.-]*/)*[A-Za-z0-9_.][A-Za-z0-9_.-]*"
_ANY = pattern(r"[#!]\d|/-/")
_FOLDERS = {"#": "(?:issues|work_items)", "!": "merge_requests"}


def may_name(text: str | None) -> bool:
    """Whether the text can hold a reference at all; cheap, for all those that hold none."""
    return text is not None and _ANY.search(text[:SEARCHED]) is not None


def references(text: str, sign: str) -> list[Reference]:
    """What a text names by this sign or by addresses, in order, each once."""
    result: dict[Reference, None] = {}
    searched = text[:SEARCHED]
    for one in _named_by(sign).finditer(searched):
        if searched[one.end() : one.end() + 1].isalnum():  # letters of other languages than English
            continue
        path, number = (one["path"], one["iid"]) if one["iid"] else (one["url"], one["url_iid"])
        result[path or None, int(number)] = None
    return list(result)


@cache
def _named_by(sign: str) -> Pattern:
    short = rf"(?:^|[^\w/#!&;])(?P<path>{_PATH})?{sign}(?P<iid>\d{{1,9}})\b"
    address = rf"https?://[^\s/]+/(?P<url>{_PATH})/-/{_FOLDERS[sign]}/(?P<url_iid>\d{{1,9}})\b"
    return pattern(f"{short}|{address}")
