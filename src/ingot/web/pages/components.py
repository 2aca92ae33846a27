"""The components of the pages, side by side and in their states: for developers."""

from functools import cache

from markupsafe import Markup

from ingot.web.assets import FOLDER
from ingot.web.call import PageCall, Rows, View
from ingot.web.diffs import rows_of
from ingot.web.fields import FormField
from ingot.web.filters import STATUS_KINDS
from ingot.web.frames import site_view
from ingot.web.logs import LogSection, LogWindow
from ingot.web.merge_box import MergeBox
from ingot.web.merge_steps import Reason, Step
from ingot.web.registry import Pages
from ingot.web.shown_files import FileDiff

pages = Pages("site")
TOKENS = (
    "bg", "surface", "sunken", "line", "rim", "edge", "text", "muted", "accent", "accent-bg", "on-accent", "ok",
    "ok-bg", "warn", "warn-bg", "bad", "bad-bg", "info", "info-bg", "add", "add-word", "del", "del-word", "keyword",
    "string", "number", "comment", "function", "type", "operator",
)  # fmt: skip
HERE = "#main"
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
KEYED = Rows([], 1, None, None, None, before="a", after="b", is_keyed=True)
MOMENT = "2026-11-16T10:02:00.000Z"
DIFF = "@@ -12,3 +12,3 @@ def strike(coin):\n     heat(coin)\n-    wait(3)\n+    wait(coin.weight)\n     return coin\n"
LOG = LogWindow(
    48_230,
    [Markup("script"), Markup("$ make test"), Markup('<span class="k1">ERROR die.py:14</span>'), Markup("exit code 1")],
    48_233,
    {48_230: LogSection("script", 48_232, 100, is_folded=False)},
)
BOXES = (
    MergeBox("ready", "Ready to merge", [], can_merge=False),
    MergeBox("waiting", "Not ready to merge", [Reason("The pipeline is running, about 2 min left.")], can_merge=False),
    MergeBox(
        "blocked", "Not ready to merge: 2 reasons",
        [Reason("1 more approval is needed.", [Step("Ask Bo", HERE)]), Reason("2 threads are open.")], can_merge=False,
    ),
    MergeBox("merged", "Merged", [], can_merge=False),
    MergeBox("closed", "Closed", [Reason("Ada Smith closed it.")], can_merge=False),
)  # fmt: skip


def _note(number: int, text: str, **more: object) -> dict[str, object]:
    return {"id": number, "author": PERSON, "created_at": MOMENT, "html": Markup("<p>{}</p>").format(text), **more}


def _thread(number: int, *notes: dict[str, object], **more: object) -> dict[str, object]:
    return {"id": f"sample{number}", "notes": list(notes), "individual_note": True, **more}


THREADS = (
    _thread(1, _note(1, "changed the description", system=True), is_system=True),
    _thread(2, _note(2, "Why three?"), _note(3, "Because it cools down.", edited_at=MOMENT)),
    _thread(3, _note(4, "Fixed.", resolved_by=PERSON), resolved=True),
    _thread(4, _note(5, "Between us.", internal=True)),
)


@cache
def icon_names() -> list[str]:
    """The icons of the sprite."""
    symbols = (FOLDER / "icons.svg").read_text().split('<symbol id="')[1:]
    return sorted(symbol.partition('"')[0] for symbol in symbols)


def _sample_files() -> list[FileDiff]:
    files = []
    for path, note in (("src/die.py", ""), ("src/mint.lock", "generated")):
        anchor = path.rpartition("/")[2].replace(".", "-")
        file = FileDiff(path, path, anchor, note, is_folded=bool(note))
        file.rows, file.added, file.removed = rows_of(DIFF, anchor, path)
        files.append(file)
    return files


@pages.get("-/components")
def show_components(call: PageCall) -> View:
    """Every component in its states."""
    return site_view(
        call, "components", tokens=TOKENS, icons=icon_names(), person=PERSON, fields=FIELDS, labels=LABELS,
        sample_rows=ROWS, keyed_rows=KEYED, states=sorted(STATUS_KINDS), sample_threads=THREADS, log=LOG,
        draft={"id": 6, "html": Markup("<p>Only for me.</p>")}, files=_sample_files(), boxes=BOXES,
        request={"merged_at": MOMENT, "merge_user": PERSON},
    )  # fmt: skip


@pages.get("help/shortcuts")
def show_shortcuts(call: PageCall) -> View:
    """The keys of the pages."""
    return site_view(call, "shortcuts")
