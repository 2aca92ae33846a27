"""Filling in licences: the year, the holder and the project stand between brackets of some kind."""

from ingot.kit.clock import now
from ingot.kit.patterns import pattern

_YEAR = pattern(r"[<{\[](year|yyyy)[>}\]]", ignore_case=True)
_HOLDER = pattern(r"[<{\[](fullname|name of (author|copyright owner))[>}\]]", ignore_case=True)
_PROJECT = pattern(
    r"[<{\[](project|description|one line to give the (program|library)'s name and [a-z ]+\.)[>}\]]", ignore_case=True
)


def fill_in(text: str, *, holder: str | None, project: str | None) -> str:
    """The text of a licence for one holder and project; what is not known stays as it is."""
    text = _YEAR.sub(str(now().year), text)
    text = _HOLDER.sub(lambda _: str(holder), text) if holder else text
    return _PROJECT.sub(lambda _: str(project), text) if project else text
