"""Users mentioned in a text: `@ada`."""

from collections.abc import Callable, Iterator

from ingot.kit.patterns import pattern

# Characters at the beginning of a text where names and references count: finding each takes many times its length.
SEARCHED = 50_000
_NAME = pattern(r"@([A-Za-z0-9_][A-Za-z0-9_.-]*)")


def names_after_at(text: str, is_barred: Callable[[str], bool], longest: int | None = None) -> Iterator[str]:
    """The names in order; an `@` counts unless the character before it is barred. Names end in no dot or dash."""
    for match in _NAME.finditer(text):
        start = match.start()
        if start == 0 or not is_barred(text[start - 1]):
            yield match[1][:longest].rstrip(".-")
