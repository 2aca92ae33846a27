"""How templates are laid out: a line break beside a tag, with the indentation after it, counts for nothing.

So a template can be indented like code, and pages are as small as if it were written on one line. A space between
inline elements stands on one line with them. A break between words or attributes becomes a space. What stands in
`<pre>` and `<textarea>` is left as it is.
"""

from typing import Literal

from jinja2.ext import Extension

from ingot.kit.patterns import pattern

_ENDS = (">", "%}", "}}", "#}")
_STARTS = ("<", "{%", "{{", "{#")
_VERBATIM: tuple[Literal["pre"], Literal["textarea"]] = ("pre", "textarea")
_OF_JINJA = pattern(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}")
_ELEMENT = pattern(r"<[a-z/!]")


class TemplateLines(Extension):
    """Takes line breaks out of templates before Jinja reads them."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - as Jinja asks
        return without_breaks(source)


def without_breaks(source: str) -> str:
    """The template without breaks; a comment of Jinja holds each, so that numbers of lines stay right."""
    pieces: list[str] = []
    breaks, before, place = 0, "", _Place()
    for number, line in enumerate(source.split("\n")):
        breaks += number > 0
        text = line if place.verbatim or number == 0 else line.lstrip(" ")
        if not text and not place.verbatim:
            continue
        pieces.append(place.gap(before, text, breaks) + text)
        before, breaks = line, 0
        place.pass_line(line)
    return "".join(pieces) + "\n" * breaks


class _Place:
    """Inside what the end of a line is."""

    def __init__(self) -> None:
        self.verbatim = ""  # the element that holds text as it is
        self.is_in_jinja = False
        self.is_in_element = False  # between `<` and `>`

    def gap(self, before: str, text: str, breaks: int) -> str:
        """What takes the place of breaks."""
        lines = "\n" * breaks
        if not breaks or self.verbatim or self.is_in_jinja:  # there a comment would be text, or a fault
            return lines
        is_beside_tag = before.endswith(_ENDS) or text.startswith(_STARTS)
        return ("" if is_beside_tag and not self.is_in_element else " ") + "{#" + lines + "#}"

    def pass_line(self, line: str) -> None:
        """Go to the end of the next line."""
        self.verbatim = _open_verbatim(line, self.verbatim)
        html = line
        if self.is_in_jinja:
            ended = min((html.find(mark) for mark in ("}}", "%}", "#}") if mark in html), default=len(html) - 2)
            html = html[ended + 2 :]
        html = _OF_JINJA.sub("", html)
        begun = min((html.find(mark) for mark in ("{{", "{%", "{#") if mark in html), default=-1)
        self.is_in_jinja = begun >= 0 or (self.is_in_jinja and not any(mark in line for mark in ("}}", "%}", "#}")))
        html = html[:begun] if begun >= 0 else html
        opened = max((found.start() for found in _ELEMENT.finditer(html)), default=-1)
        closed = html.rfind(">")
        self.is_in_element = self.is_in_element if opened == closed else opened > closed


def _open_verbatim(line: str, name: str) -> str:
    """The element that is open at the end of the line and holds text as it is, given the one open at its beginning."""
    for part in line.split("<")[1:]:
        if name:
            name = "" if part.startswith(f"/{name}") else name
        else:
            name = next((tag for tag in _VERBATIM if part.startswith((f"{tag}>", f"{tag} "))), "")
    return name
