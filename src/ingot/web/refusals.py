"""What the API says when it refuses a form: a sentence for people, which knows the field of each of its parts."""

from collections.abc import Iterable, Iterator

from ingot.kit.error_texts import sentence_of_body
from ingot.kit.errors import ApiError, ParamError, Unsaved
from ingot.kit.patterns import pattern
from ingot.web.refusal_words import of_fields, said_of_form

_NAME = r"[a-z_]\w*(?:\[\w*\])*"
_LONE_NAME = pattern(_NAME)
_NAMED = pattern(rf"({_NAME}) ((?:is|are|does|has|have|should|must|allows|cannot|provide) .+)", dot_all=True)


class Refusal(str):
    """The whole sentence; `parts` has the name of a parameter, or nothing, and what is wrong with it."""

    __slots__ = ("parts",)
    parts: tuple[tuple[str, str], ...]


def refusal_of(error: ApiError) -> Refusal:
    """What an error of the API says, for people."""
    content = error.body()
    sentence = _without_status(error, sentence_of_body(content))
    of_form = said_of_form(sentence)
    if of_form is not None:
        return about_field(*of_form)
    return refusal_in_parts(sentence, of_fields(_parts(error, content)) or [("", sentence)])


def refusal_in_parts(sentence: str, parts: Iterable[tuple[str, str]]) -> Refusal:
    """A sentence whose parts are known."""
    refusal = Refusal(sentence)
    refusal.parts = tuple(parts)
    return refusal


def about_field(name: str, sentence: str) -> Refusal:
    """A sentence of our own about one field of a form."""
    return refusal_in_parts(sentence, [(name, sentence)])


def _without_status(error: ApiError, text: str) -> str:
    """Texts such as `403 Forbidden - reason` and `404 User Not Found` without what programs read."""
    if not text.startswith(f"{error.status} "):
        return text
    name, dash, reason = text.removeprefix(f"{error.status} ").partition(" - ")
    said = reason if dash else name.capitalize()
    return f"{said[:1].upper()}{said[1:].rstrip('.')}."


def _parts(error: ApiError, content: object) -> Iterator[tuple[str, str]]:
    message = content.get("message") if isinstance(content, dict) else content
    if isinstance(error, ParamError):
        yield from _parameters(error.text)
    elif isinstance(error, Unsaved):
        yield from ((name, text) for name, texts in error.problems.items() for text in texts)
    elif isinstance(message, dict):
        for name, texts in message.items():
            for text in texts if isinstance(texts, list) else [texts]:
                yield str(name), sentence_of_body(text)
    elif isinstance(message, list):
        yield from (("", sentence_of_body(text)) for text in message)


def _parameters(text: str) -> Iterator[tuple[str, str]]:
    """The parts of `cron is missing, ref, sha are mutually exclusive`; commas may be inside a sentence, too."""
    groups: list[tuple[list[str], str]] = []
    names: list[str] = []
    for piece in text.split(", "):
        named = _NAMED.fullmatch(piece)
        if named is not None:
            groups.append(([*names, named[1]], named[2]))
            names = []
        elif _LONE_NAME.fullmatch(piece):
            names.append(piece)
        elif groups:
            groups[-1] = (groups[-1][0], ", ".join((groups[-1][1], *names, piece)))
            names = []
    if groups:
        groups[-1] = (groups[-1][0], ", ".join((groups[-1][1], *names)))
    for names, sentence in groups:
        whole = f"{', '.join(names)} {sentence}"
        yield from ((name, sentence if len(names) == 1 else whole[:1].upper() + whole[1:]) for name in names)
