"""Task lists that can be ticked: the boxes of a rendered text become buttons of a form."""

import hashlib

import msgspec
from markupsafe import Markup

from ingot.kit.errors import Conflict
from ingot.kit.patterns import pattern
from ingot.web.call import PageCall
from ingot.web.sending import text as sent_text

_BOX = pattern(r"<input[^>]*>")  # of sanitised HTML, which has no others than boxes
_TASK = pattern(r"\s{0,12}(?:>\s?){0,4}(?:[-*+]|[0-9]{1,9}[.)])\s{1,4}\[([ xX~])\]\s")
INAPPLICABLE = "~"  # neither open nor done: nothing to tick
_FENCE = pattern(r"\s{0,12}(`{3,20}|~{3,20})")


def tickable(html: Markup, text: str | None, form: str = "tasks") -> Markup:
    """The text with buttons of a form; unchanged if its boxes are not those of its task lists alone."""
    tasks = _tasks(text or "")
    if not tasks or text is None or sum(1 for _ in _BOX.finditer(html)) != len(tasks):
        return html
    parts, end = [], 0
    for number, box in enumerate(_BOX.finditer(html)):
        if text[tasks[number]] != INAPPLICABLE:
            parts += [html[end : box.start()], _button(form, number, is_done="checked" in box[0])]
            end = box.end()
    return Markup("").join([*parts, html[end:]])


class TickableText(msgspec.Struct, frozen=True):
    """A comment with buttons, and the form that they belong to."""

    form: str
    html: Markup
    seen: str


def tickable_text(html: Markup, text: str, number: int) -> TickableText | None:
    """A comment whose tasks can be ticked; None for one without tasks."""
    form = f"tasks_{number}"
    buttons = tickable(html, text, form)
    return None if buttons == html else TickableText(form, buttons, version_of(text))


def _button(form: str, number: int, *, is_done: bool) -> Markup:
    words = "Done: mark as open" if is_done else "Open: mark as done"
    button = Markup('<button class="tick" form="{}" name="task" value="{}" aria-label="{}">{}</button>')
    return button.format(form, number, words, "\u2713" if is_done else "")


def version_of(text: str | None) -> str:
    """A short name of a text, by which a form says what it was made from."""
    return hashlib.sha256((text or "").encode()).hexdigest()[:16]


def ticked(call: PageCall, text: str | None) -> str:
    """The text with the box that was pressed changed; 409 if somebody changed the text meanwhile."""
    number = sent_text(call, "task")
    if text is None or sent_text(call, "seen") != version_of(text) or len(number) > 9 or not number.isdecimal():
        raise Conflict("The text was changed by someone else. Reload the page.")
    tasks = _tasks(text)
    if int(number) >= len(tasks) or text[tasks[int(number)]] == INAPPLICABLE:
        raise Conflict("The text was changed by someone else. Reload the page.")
    place = tasks[int(number)]
    return text[:place] + (" " if text[place] in "xX" else "x") + text[place + 1 :]


def _tasks(text: str) -> list[int]:
    """Where the marks of task items are, code left out."""
    result, start, fence = [], 0, ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
        elif mark:
            fence = mark[1]
        elif match := _TASK.match(line):
            result.append(start + match.start(1))
        start += len(line)
    return result
