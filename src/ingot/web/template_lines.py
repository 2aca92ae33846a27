"""How templates are laid out: a line break beside a tag, with the indentation after it, counts for nothing.

So a template can be indented like code and says nothing that it does not show: spaces between inline elements are
written on one line. A break between words or attributes is a space, as in HTML. What stands in `<pre>` and
`<textarea>` is left as it is.
"""

from typing import Literal

from jinja2.ext import Extension

_ENDS = (">", "%}", "}}", "#}")
_STARTS = ("<", "{%", "{{", "{#")
_VERBATIM: tuple[Literal["pre"], Literal["textarea"]] = ("pre", "textarea")


class TemplateLines(Extension):
    """Takes breaks beside tags out of templates before Jinja reads them."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:  # noqa: ARG002 - as Jinja asks
        return without_breaks(source)


def without_breaks(source: str) -> str:
    """The template without breaks beside tags; a comment of Jinja holds each, so that numbers of lines stay right."""
    pieces: list[str] = []
    breaks = 0
    before, verbatim = "", ""
    for number, line in enumerate(source.split("\n")):
        breaks += number > 0
        text = line if verbatim or number == 0 else line.lstrip(" ")
        if not text and not verbatim:
            continue
        pieces.append(_gap(before, text, breaks, is_verbatim=bool(verbatim)) + text)
        before, breaks = line, 0
        verbatim = _open_verbatim(line, verbatim)
    return "".join(pieces) + "\n" * breaks


def _gap(before: str, text: str, breaks: int, *, is_verbatim: bool) -> str:
    lines = "\n" * breaks
    if breaks and not is_verbatim and (before.endswith(_ENDS) or text.startswith(_STARTS)):
        return "{#" + lines + "#}"
    return lines


def _open_verbatim(line: str, name: str) -> str:
    """The element that is open at the end of the line and holds text as it is, given the one open at its beginning."""
    for part in line.split("<")[1:]:
        if name:
            name = "" if part.startswith(f"/{name}") else name
        else:
            name = next((tag for tag in _VERBATIM if part.startswith((f"{tag}>", f"{tag} "))), "")
    return name
