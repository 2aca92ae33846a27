"""Closing patterns: the issues that a text closes (`Closes #4 and group/app#7`)."""

from ingot.kit.mentions import SEARCHED
from ingot.kit.patterns import pattern

_WORD = r"(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?)"
_PATH = r"(?:[A-Za-z0-9_.][A-Za-z0-9_.-]*/)+[A-Za-z0-9_.-]+|[A-Za-z0-9_.][A-Za-z0-9_.-]*"
_REFERENCE = rf"(?:(?:{_PATH})?#\d+|https?://\S+?/-/(?:issues|work_items)/\d+)"
_CLOSING = pattern(
    rf"\b{_WORD}:?\s+(?:issues?\s+)?(?P<list>{_REFERENCE}(?:(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)(?:issues?\s+)?{_REFERENCE})*)",
    ignore_case=True,
)
_ONE = pattern(
    rf"(?P<path>{_PATH})?#(?P<iid>\d{{1,9}})|https?://[^\s/]+/(?P<url>\S+?)/-/(?:issues|work_items)/(?P<url_iid>\d{{1,9}})"
)
_MENTION = pattern(rf"(?:^|[^\w/#&;])(?P<path>{_PATH})?#(?P<iid>\d{{1,9}})\b")

Reference = tuple[str | None, int]  # project path (None: the same project) and internal id


def closed_by(text: str | None) -> list[Reference]:
    """The issues that a text closes, in order, each once."""
    result: dict[Reference, None] = {}
    for sentence in _CLOSING.finditer((text or "")[:SEARCHED]):
        for one in _ONE.finditer(sentence["list"]):
            path, iid = (one["path"], one["iid"]) if one["iid"] else (one["url"], one["url_iid"])
            result[path or None, int(iid)] = None
    return list(result)


def mentioned_in(text: str | None) -> list[Reference]:
    """All issues that a text names, in order, each once."""
    searched = (text or "")[:SEARCHED]
    result: dict[Reference, None] = dict.fromkeys(closed_by(searched))
    for one in _MENTION.finditer(searched):
        if searched[one.end() : one.end() + 1].isalnum():  # letters of other languages than English
            continue
        result[one["path"] or None, int(one["iid"])] = None
    return list(result)
