"""References in texts: `#4`, `group/app!7`, or the address of an issue or merge request."""

from functools import cache

from ingot.kit.mentions import SEARCHED
from ingot.kit.patterns import Pattern, pattern

Reference = tuple[str | None, int]  # path of the project (None: the same one) and number

_PATH = r"(?:[A-Za-z0-9_.][A-Za-z0-9_.-]*/)*[A-Za-z0-9_.][A-Za-z0-9_.-]*"
_ANY = pattern(r"[#!]\d|/-/")
_FOLDERS = {"#": "(?:issues|work_items)", "!": "merge_requests"}


def may_name(text: str | None) -> bool:
    """Whether the text may contain a reference; a cheap check, because most texts contain none."""
    return text is not None and _ANY.search(text[:SEARCHED]) is not None


def references(text: str, sign: str) -> list[Reference]:
    """The references in a text, by this sign or by address, in order, each once."""
    result: dict[Reference, None] = {}
    searched = text[:SEARCHED]
    for one in _named_by(sign).finditer(searched):
        if searched[one.end() : one.end() + 1].isalnum():  # letters of other languages than English
            continue
        path, number = (one["path"], one["iid"]) if one["iid"] else (one["url"], one["url_iid"])
        result[path or None, int(number)] = None
    return list(result)


def path_of(place: str | None, reader: str) -> str:
    """The lower-case path of a project named in a text of project `reader`; a bare name is in the same namespace."""
    if place is None:
        return reader.lower()
    return (place if "/" in place else f"{reader.rpartition('/')[0]}/{place}").lower()


def name_in(reader: str, path: str, sign: str, number: int | str) -> str:
    """The reference from project `reader` to project `path`: `#4`, `app#4` in the same namespace, else in full."""
    if path.lower() == reader.lower():
        return f"{number}" if sign == "@" else f"{sign}{number}"  # ids of commits stand alone
    space, _, name = path.rpartition("/")
    is_beside = space.lower() == reader.lower().rpartition("/")[0]
    return f"{name if is_beside else path}{sign}{number}"


@cache
def _named_by(sign: str) -> Pattern:
    short = rf"(?:^|[^\w/#!&;])(?P<path>{_PATH})?{sign}(?P<iid>\d{{1,9}})\b"
    address = rf"https?://[^\s/]+/(?P<url>{_PATH})/-/{_FOLDERS[sign]}/(?P<url_iid>\d{{1,9}})\b"
    return pattern(f"{short}|{address}")
