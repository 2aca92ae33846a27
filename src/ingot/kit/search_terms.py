"""The words of a search, and its phrases in double quotes."""

from typing import NamedTuple


class Term(NamedTuple):
    text: str
    is_phrase: bool


def split_terms(search: str) -> list[Term]:
    """In the order of the text; a quote that opens or closes inside a word is an ordinary character."""
    text = " ".join(search.split())
    terms = []
    at = 0
    while at < len(text):
        end = text.find('"', at + 1) if text[at] == '"' else -1
        if end > at + 1 and text[end + 1 : end + 2] in ("", " "):
            terms.append(Term(text[at + 1 : end], is_phrase=True))
            at = end + 2
            continue
        end = text.find(" ", at)
        end = len(text) if end < 0 else end
        terms.append(Term(text[at:end], is_phrase=False))
        at = end + 1
    return terms
