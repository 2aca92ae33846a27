"""Where the forms and fields of a written page are, so that it can be marked after it was written."""

from collections.abc import Mapping
from html.parser import HTMLParser
from itertools import accumulate
from urllib.parse import unquote

import msgspec
from markupsafe import escape

from ingot.kit.patterns import pattern

Place = tuple[int, str]  # where a tag begins, and the tag
Attributes = Mapping[str, str | None]
UNSEEN = ("hidden", "submit", "button", "image", "reset")
_ATTRIBUTE = pattern(r"""\s+([^\s=>/"']+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?""")


class Control(msgspec.Struct):
    """A field; several boxes or buttons of one name are one."""

    name: str  # as the API writes it
    kind: str
    start: int
    tag: str
    end: int  # where something about it can be said
    id: str
    described: Place  # the tag that says what describes it: its own, or that of the group of boxes
    describes: str  # ids of what does so already
    folded: tuple[Place, ...]  # what is closed around it
    label: str = ""


class Form(msgspec.Struct):
    """A form with its fields by their names."""

    method: str
    action: str
    controls: dict[str, Control] = msgspec.field(default_factory=dict)
    hidden: dict[str, str] = msgspec.field(default_factory=dict)


class Alert(msgspec.Struct):
    """The line that says what is wrong."""

    start: int
    parts: str  # as JSON: names of parameters, with what is wrong with each
    end: int = 0


class _Group(msgspec.Struct):
    start: int
    tag: str
    describes: str
    legend: str = ""
    legend_end: int = 0


class _Label(msgspec.Struct):
    about: str  # the id of a field
    text: str = ""
    controls: list[Control] = msgspec.field(default_factory=list)


class FormMarkup(HTMLParser):
    """Reads a page of ours."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.alert: Alert | None = None
        self.focused: list[Place] = []  # what takes the focus when the page opens
        self._starts = [0, *accumulate(len(line) + 1 for line in html.split("\n"))]
        self._form: Form | None = None
        self._folds: list[Place | None] = []  # what can be folded, None where it is open
        self._groups: list[_Group] = []
        self._labels: dict[str, str] = {}
        self._label: _Label | None = None
        self._unfinished: Control | None = None
        self._reads_alert = self._reads_legend = False
        self.feed(html)
        self.close()
        for form in self.forms:
            for control in form.controls.values():
                control.label = " ".join((control.label or self._labels.get(control.id, "")).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what matters to forms."""
        given = dict(attrs)
        start, text = self._here(), self.get_starttag_text() or ""
        if "autofocus" in given:
            self.focused.append((start, text))
        if tag == "form":
            self._form = Form((given.get("method") or "get").upper(), unquote(given.get("action") or "").split("?")[0])
            self.forms.append(self._form)
        elif tag == "details":
            self._folds.append(None if "open" in given else (start, text))
        elif tag == "fieldset":
            self._groups.append(_Group(start, text, given.get("aria-describedby") or ""))
        elif tag == "legend":
            self._reads_legend = bool(self._groups)
        elif tag == "label":
            self._label = _Label(given.get("for") or "")
        elif tag in ("input", "select", "textarea"):
            self._note_field(tag, given, start, text)
        elif "data-parts" in given and self.alert is None:
            self.alert = Alert(start, given["data-parts"] or "")
            self._reads_alert = True

    def handle_endtag(self, tag: str) -> None:
        """End what was begun."""
        end = self._here() + len(f"</{tag}>")
        if tag == "form":
            self._form = None
        elif tag == "details" and self._folds:
            self._folds.pop()
        elif tag == "fieldset" and self._groups:
            self._groups.pop()
        elif tag == "legend" and self._reads_legend:
            self._groups[-1].legend_end, self._reads_legend = end, False
        elif tag == "label" and self._label is not None:
            self._end_label(self._label, end)
        elif tag in ("select", "textarea") and self._unfinished is not None:
            self._unfinished.end, self._unfinished = end, None
        elif tag == "p" and self._reads_alert and self.alert is not None:
            self.alert.end, self._reads_alert = end, False

    def handle_data(self, data: str) -> None:
        """The words of labels."""
        if self._unfinished is not None:  # what is typed or offered there
            return
        if self._reads_legend:
            self._groups[-1].legend += data
        if self._label is not None:
            self._label.text += data

    def _here(self) -> int:
        line, column = self.getpos()
        return self._starts[line - 1] + column

    def _note_field(self, tag: str, given: Attributes, start: int, text: str) -> None:
        name, kind = given.get("name") or "", (given.get("type") or "text") if tag == "input" else tag
        if self._form is None or not name:
            return
        if kind in UNSEEN:
            self._form.hidden.setdefault(name, given.get("value") or "")
            return
        known = api_name(name)
        control = Control(
            known, kind, start, text, start + len(text), given.get("id") or "", (start, text),
            given.get("aria-describedby") or "", tuple(fold for fold in self._folds if fold is not None),
        )  # fmt: skip
        group = self._groups[-1] if self._groups else None
        if group is not None and (kind == "radio" or name.endswith("[]")):
            control.described, control.describes = (group.start, group.tag), group.describes
            control.label, control.end = group.legend, group.legend_end
        elif self._label is not None:
            self._label.controls.append(control)
        if tag != "input":
            self._unfinished = control
        self._form.controls.setdefault(known, control)

    def _end_label(self, label: _Label, end: int) -> None:
        if label.about:
            self._labels.setdefault(label.about, label.text)
        for control in label.controls:
            control.label, control.end = label.text, end
        self._label = None


def with_attributes(tag: str, changes: Attributes) -> str:
    """The tag with these attributes in place of those of the same names; those that are None are taken away."""
    rest = _ATTRIBUTE.sub(lambda match: "" if match[1].lower() in changes else match[0], tag)
    added = "".join(
        f' {name}="{escape(value)}"' if value else f" {name}" for name, value in changes.items() if value is not None
    )
    end = rest.rindex("/>" if rest.endswith("/>") else ">")
    return rest[:end] + added + rest[end:]


def api_name(name: str) -> str:
    """`scopes[]` is `scopes`, and `user[login]` is `user.login`."""
    return name.removesuffix("[]").replace("[", ".").replace("]", "")
