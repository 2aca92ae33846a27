"""How a text will look: without a script a page with the text in a form that can be sent on, with one a part of it."""

from collections.abc import Iterator

from markupsafe import Markup

from ingot.access.policy import SIGNED_IN
from ingot.features.people.user_pages import local_path
from ingot.kit.errors import BadRequest
from ingot.web.call import PageCall, View
from ingot.web.frames import group_view, project_view, site_view
from ingot.web.guards import InGroup, InProject
from ingot.web.markdown import markdown
from ingot.web.pages.files import MARKDOWN
from ingot.web.registry import Pages
from ingot.web.texts import highlighted_lines

site = Pages("site")
project = Pages("project")
group = Pages("group")
PATH = "preview_markdown"


@site.post(f"-/{PATH}", guard=SIGNED_IN)
@project.post(PATH, guard=InProject(needs_user=True))
@group.post(PATH, guard=InGroup(needs_user=True))
def preview(call: PageCall) -> View:
    """The text of one field of a form, rendered; the address says which, and where the form is to be sent."""
    asked = call.request.query_params
    field, words = asked.get("field", ""), asked.get("words", "") or "Save"
    written = call.values.get(field)
    if not isinstance(written, str):
        raise BadRequest("the form has no such text")
    written = written.replace("\r\n", "\n")
    others = [pair for name, value in call.values.items() if name != field for pair in _flat(name, value)]
    to = local_path(asked.get("to", ""), fallback="/")
    data = {
        "field": field, "words": words, "to": to, "written": written, "others": others,
        "html": _rendered(call, written),
    }  # fmt: skip
    if call.project_or_none is not None:
        return project_view(call, "preview", "", **data)
    if call.group_or_none is not None:
        return group_view(call, "preview", "", **data)
    return site_view(call, "preview", **data)


def _rendered(call: PageCall, written: str) -> Markup:
    """Markdown, but for files that are something else."""
    name = call.values.get("file_path")
    if isinstance(name, str) and not name.lower().endswith(MARKDOWN):
        lines = highlighted_lines(written, name.rpartition("/")[2].lower())
        return Markup('<pre class="code">{}</pre>').format(Markup("\n").join(lines)) if lines else Markup("")
    return markdown(call, written)


def _flat(name: str, value: object) -> Iterator[tuple[str, str]]:
    """A value of the form as fields that are sent the same way again."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for one in value:
            yield from _flat(f"{name}[]", one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _flat(f"{name}[{key}]", one)
