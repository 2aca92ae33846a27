"""The components of the pages, side by side: for developers."""

from ingot.web.call import PageCall, Rows, View
from ingot.web.fields import FormField
from ingot.web.filters import STATUS_KINDS
from ingot.web.frames import site_view
from ingot.web.registry import Pages

pages = Pages("site")
TOKENS = (
    "bg", "surface", "sunken", "line", "rim", "edge", "text", "muted", "accent", "accent-bg", "ok", "ok-bg", "warn",
    "warn-bg", "bad", "bad-bg", "info", "info-bg", "add", "del",
)  # fmt: skip
ICONS = (
    "branch", "bell", "check", "comment", "cross", "dot", "eye", "file", "folder", "link", "lock", "merge", "open",
    "play", "plus", "star",
)  # fmt: skip
PERSON = {"name": "Ada Smith", "username": "ada"}
FIELDS = (
    FormField("text", "Text", "text", "What the parameter says.", "value"),
    FormField("long", "Long text", "long", "", "First line\nsecond line"),
    FormField("choice", "Choice", "choice", "", "b", options=[("a", "First"), ("b", "Second")]),
    FormField("many", "Several", "many", "", ["a"], options=[("a", "First"), ("b", "Second")]),
    FormField("check", "Box", "check", "What it does.", value=True),
    FormField("date", "Date", "date", "", "2026-11-16"),
    FormField("secret", "Secret", "secret", "", ""),
    FormField("needed", "Required number", "number", "", 3, is_required=True),
)
LABELS = ({"name": "bug", "color": "#b3261e"}, {"name": "size::small", "color": "#176b3a"})
ROWS = Rows([], 2, 3, 1, 60)


@pages.get("-/components")
def show_components(call: PageCall) -> View:
    """Every component in its states."""
    return site_view(
        call, "components", tokens=TOKENS, icons=ICONS, person=PERSON, fields=FIELDS, labels=LABELS,
        sample_rows=ROWS, states=sorted(STATUS_KINDS),
    )  # fmt: skip


@pages.get("help/shortcuts")
def show_shortcuts(call: PageCall) -> View:
    """The keys of the pages."""
    return site_view(call, "shortcuts")
