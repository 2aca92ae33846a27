"""A refused form in its page: what is wrong stands below each field, and on top as links to the fields.

Pages only say where the sentence of the API belongs (`problem_line`). Here the written page is read once more: of the
form that was sent, the fields are found by the names that the API uses.
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup, escape

from ingot.kit.patterns import pattern
from ingot.web.filters import label as words_of
from ingot.web.form_markup import Control, Form, FormMarkup, api_name, with_attributes
from ingot.web.refusal_words import said_of_field
from ingot.web.sending import flat_fields

WITHOUT_STATE = ("radio",)  # ARIA knows no wrong buttons of a group
# What the API calls otherwise than our forms: `path` is typed as `new_path`, `visibility_level` chosen as `visibility`.
BEGINNINGS, ENDS = ("new_",), ("_id", "_level", "_ids", "s")
OTHERWISE = {"title": "name"}  # of labels
LONGEST_LABEL = 40
# A sentence that begins with the words of a field: what stands before them, and what follows.
STATUS = "400 Bad request - "
_BEFORE = pattern("(?:The |Invalid )?")
_VERBS = (
    "is are was has have can can't cannot could must may does do did should already not contains needs invalid given"
)
_AFTER = pattern(rf"(?:name )?(?:{'|'.join(_VERBS.split())})(?: .*)?", dot_all=True)
_QUOTED = pattern(r"""["'“`]([^"'“”`]+)["'”`]""")


def mark_refusal(html: str, path: str, values: Mapping[str, object], *, is_answer: bool = True) -> str:
    """The page that answers a form which was sent to `path`, or another that says what is wrong with something."""
    page = FormMarkup(html)
    alert = page.alert
    if alert is None:
        return html
    sent = dict(flat_fields(values))
    form = _sent_form(page.forms, path, sent) if is_answer else None
    marks = _Marks(html)
    lines = [_line(form, name, text, sent, marks) for name, text in json.loads(alert.parts)]
    first = marks.first_wrong
    # A field that the page itself chose, as that of a password, keeps the focus where no other is known to be wrong.
    if first is not None:
        for start, tag in page.focused:
            marks.change(start, tag, {"autofocus": None})
        marks.change(first.start, first.tag, {"autofocus": ""})
    takes_focus = is_answer and first is None and not page.focused
    marks.replace(alert.start, alert.end, _summary(lines, takes_focus=takes_focus))
    return marks.written()


def _sent_form(forms: Sequence[Form], path: str, sent: Mapping[str, str]) -> Form | None:
    """The form that was sent: by its address, and among several of one address by what they hold unseen."""

    def likeness(form: Form) -> int:
        return sum(1 if sent.get(name) == value else -1 for name, value in form.hidden.items() if name in sent)

    same = [form for form in forms if form.method == "POST" and form.action in ("", path)]
    return max(same, key=likeness, default=None)


def _line(form: Form | None, name: str, text: str, sent: Mapping[str, str], marks: "_Marks") -> Markup:
    """One line of the summary; the field that it is about is marked."""
    control, sentence = _find(form, name, text, sent) if form is not None else (None, "")
    if control is None:
        return escape(_sentence(words_of(name) if name and name != "base" else "", text))
    marks.mark(control, sentence)
    return Markup('<a href="#{}">{}</a>').format(marks.id_of(control), sentence)


def _find(form: Form, name: str, text: str, sent: Mapping[str, str]) -> tuple[Control | None, str]:
    """The field that a problem is about, with the sentence that names it."""
    if name:
        control = next((form.controls[known] for known in _spellings(name) if known in form.controls), None)
        if control is None:
            return None, ""
        return control, _sentence(_short(control.label) or words_of(name), said_of_field(control.name, text))
    text = text.removeprefix(STATUS)
    known = _begun_with(form, text) or _quoted_in(text, sent)
    return (form.controls[known], text) if known in form.controls else (None, "")


def _begun_with(form: Form, text: str) -> str:
    """The field whose words a sentence begins with."""
    before = _BEFORE.match(text)
    plain = text[before.end() if before else 0 :]
    for known in sorted(form.controls, key=len, reverse=True):
        words = known.replace("_", " ")
        if plain.lower().startswith(f"{words} ") and _AFTER.fullmatch(plain[len(words) + 1 :]):
            return known
    return ""


def _quoted_in(text: str, sent: Mapping[str, str]) -> str:
    """The only field with a name that a sentence quotes, as `There is no group “acme”.` does."""
    quoted = set(_QUOTED.findall(text))
    holders = [
        api_name(name) for name, value in sent.items() if not quoted.isdisjoint(map(str.strip, value.split(",")))
    ]
    return holders[0] if len(holders) == 1 else ""


def _spellings(name: str) -> Iterable[str]:
    """The names that a field may have in a form; that of a part of an object may stand alone."""
    for known in dict.fromkeys((name.replace("[", ".").replace("]", ""), name.rpartition("[")[2].rstrip("]"))):
        yield known
        yield from (begin + known for begin in BEGINNINGS)
        yield from (known + end for end in ENDS)
        yield from (known.removesuffix(end) for end in ENDS if known.endswith(end))
    if name in OTHERWISE:
        yield OTHERWISE[name]


def _short(label: str) -> str:
    """The words of a label before it explains itself."""
    words = label
    for sign in (":", " (", ","):
        words = words.partition(sign)[0]
    return words if len(words) <= LONGEST_LABEL else ""


def _sentence(words: str, text: str) -> str:
    """`Name has already been taken`; a text that is a sentence of its own stays as it is."""
    return f"{words} {text}" if words and not text[:1].isupper() else text


def _summary(lines: Sequence[Markup], *, takes_focus: bool) -> Markup:
    focus = Markup(' tabindex="-1" autofocus') if takes_focus else Markup()
    if len(lines) == 1:
        return Markup('<p class="problem" role="alert"{}>{}</p>').format(focus, lines[0])
    items = Markup().join(Markup("<li>{}</li>").format(line) for line in lines)
    return Markup('<div class="problem" role="alert"{}><ul class="plain">{}</ul></div>').format(focus, items)


class _Marks:
    """The changes of a page, made together, since each moves what comes after it."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._tags: dict[int, tuple[str, dict[str, str | None]]] = {}
        self._pieces: dict[tuple[int, int], str] = {}
        self._wrong: dict[str, tuple[Control, list[str]]] = {}

    @property
    def first_wrong(self) -> Control | None:
        """The first wrong field of the page."""
        return min((control for control, _ in self._wrong.values()), key=lambda one: one.start, default=None)

    def id_of(self, control: Control) -> str:
        """Where a link leads that goes to the field."""
        return control.id or f"wrong-{control.name}"

    def mark(self, control: Control, sentence: str) -> None:
        """Let the field be wrong for this reason, or for this one too."""
        self._wrong.setdefault(control.name, (control, []))[1].append(sentence)

    def change(self, start: int, tag: str, attributes: Mapping[str, str | None]) -> None:
        """Give a tag these attributes; those that are None are taken away."""
        self._tags.setdefault(start, (tag, {}))[1].update(attributes)

    def replace(self, start: int, end: int, text: Markup) -> None:
        """Put a text in the place of another."""
        self._pieces[start, end] = text

    def written(self) -> str:
        """The page with all changes."""
        for control, sentences in self._wrong.values():
            self._write(control, sentences)
        for start, (tag, attributes) in self._tags.items():
            self._pieces[start, start + len(tag)] = with_attributes(tag, attributes)
        result, at = [], 0
        for (start, end), text in sorted(self._pieces.items()):
            result += [self._html[at:start], text]
            at = end
        return "".join((*result, self._html[at:]))

    def _write(self, control: Control, sentences: Sequence[str]) -> None:
        problem_id = f"problem-{self.id_of(control)}"
        self.change(*control.described, {"aria-describedby": " ".join((problem_id, *control.describes.split()))})
        self.change(control.start, control.tag, {"id": self.id_of(control)})
        if control.kind not in WITHOUT_STATE:
            self.change(control.start, control.tag, {"aria-invalid": "true"})
        for start, tag in control.folded:
            self.change(start, tag, {"open": ""})
        said = Markup("<br>").join(map(escape, dict.fromkeys(sentences)))
        self._pieces[control.end, control.end] = Markup('<span class="problem at-field" id="{}">{}</span>').format(
            problem_id, said
        )
