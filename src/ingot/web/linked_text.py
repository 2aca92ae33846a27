"""Plain text, such as the message of a commit, with links to what it names."""

from collections.abc import Iterator

from markupsafe import Markup

from ingot.kit.mentions import SEARCHED
from ingot.kit.patterns import pattern
from ingot.web.call import PageCall
from ingot.web.references import references_of

_ADDRESSES = pattern(r"https?://[^\s<>\"]+")
_ENDS = ".,;:!?')]}"  # belong to the sentence, not to the address before them
_ADDRESS = Markup('<a href="{0}" rel="nofollow noopener noreferrer">{0}</a>')
_REFERENCE = Markup('<a href="{}">{}</a>')


def linked_text(call: PageCall, text: str) -> Markup:
    """The escaped text; what the visitor may not see stays as it was written."""
    searched = text[:SEARCHED]
    found = [(match.start(), match[0].rstrip(_ENDS), "") for match in _ADDRESSES.finditer(searched)]
    for name, address in references_of(call, text).links.items():
        found += [(start, name, address) for start in _places(searched, name)]
    result, end = Markup(), 0
    for start, words, address in sorted(found, key=lambda one: (one[0], -len(one[1]))):
        if start >= end:
            link = _REFERENCE.format(address, words) if address else _ADDRESS.format(words)
            result += text[end:start] + link
            end = start + len(words)
    return result + text[end:]


def _places(text: str, name: str) -> Iterator[int]:
    """Where the name stands for itself, not within a longer word."""
    start = text.find(name)
    while start >= 0:
        if not (_is_of_word(text[start - 1 : start]) or _is_of_word(text[start + len(name) :][:1])):
            yield start
        start = text.find(name, start + 1)


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign in ("_", "/", "-")
