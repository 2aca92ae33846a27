"""People named in texts: `@ada`, outside of code and mail addresses."""

import re
from collections.abc import Iterable

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_MENTION = re.compile(r"(?<![\w.@/`-])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)", re.ASCII)


# Nobody means more people; databases take only so many values in one statement.
MOST_NAMES = 1000


def mentioned_names(texts: Iterable[str]) -> list[str]:
    """Lower-cased user names, each once, in order; the first thousand."""
    found: dict[str, None] = {}
    for text in texts:
        for name in _MENTION.findall(_CODE.sub(" ", text)):
            found[name.lower()] = None
        if len(found) >= MOST_NAMES:
            break
    return list(found)[:MOST_NAMES]
