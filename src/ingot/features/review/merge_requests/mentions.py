"""Users mentioned in texts: `@ada`, outside of code and e-mail addresses."""

from collections.abc import Iterable

from ingot.kit.mentions import SEARCHED, names_after_at
from ingot.kit.patterns import ALPHANUMERIC, pattern

_CODE = pattern(r"```.*?```|`[^`\n]*`", dot_all=True)
_NOT_AFTER = frozenset(f"{ALPHANUMERIC}_.@/`-")
# Nobody mentions more on purpose, and databases limit the values of one statement.
MOST_NAMES = 1000


def mentioned_names(texts: Iterable[str]) -> list[str]:
    """Lower-cased user names, each once, in order; the first thousand."""
    result: dict[str, None] = {}
    for text in texts:
        for name in names_after_at(_CODE.sub(" ", text[:SEARCHED]), _NOT_AFTER.__contains__):
            result[name.lower()] = None
            if len(result) >= MOST_NAMES:
                break
    return list(result)
