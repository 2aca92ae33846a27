"""How a text will look: without a script a page with the text in a form that can be sent on, with one a part of it."""

from http import HTTPStatus
from urllib.parse import unquote

from markupsafe import Markup

from ingot.access.policy import SIGNED_IN
from ingot.features.people.user_pages import local_path
from ingot.kit.errors import ApiError, BadRequest, NotFound
from ingot.kit.params import UploadedFile
from ingot.web.call import PageCall, View
from ingot.web.commenting import may_attach, may_attach_to_wiki, wiki_files
from ingot.web.folders import MARKDOWN
from ingot.web.frames import group_view, project_view, site_view
from ingot.web.guards import InGroup, InProject
from ingot.web.markdown import markdown
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.revisions import split
from ingot.web.sending import REFUSALS, flat_fields
from ingot.web.texts import highlighted_lines, plain

site = Pages("site")
project = Pages("project")
group = Pages("group")
PATH = "preview_markdown"
FILE = "attachment"
WIKIS = "wikis"  # the value of `of` for pages of a wiki, which has files of its own


@site.post(f"-/{PATH}", guard=SIGNED_IN)
@project.post(PATH, guard=InProject(needs_user=True))
@group.post(PATH, guard=InGroup(needs_user=True))
def preview(call: PageCall) -> View:
    """The text of one field of a form, rendered; the address says which, and where the form is to be sent.

    A file that comes with it is stored, and the text links to it.
    """
    asked = call.request.query_params
    to = local_path(asked.get("to", ""), fallback="/")
    field = asked.get("field", "")
    written, problem, status = _written(call, field)
    others = {name: value for name, value in call.values.items() if name not in (field, FILE)}
    data: dict[str, object] = {
        "field": field, "words": asked.get("words", "") or "Save", "written": written, "problem": problem,
        "others": list(flat_fields(others)), "html": _rendered(call, written, to),
        "to": to, "of": WIKIS if _is_wiki(call) else "",
    }  # fmt: skip
    if call.project_or_none is not None:
        can_attach = may_attach_to_wiki(call) if _is_wiki(call) else may_attach(call) and _file_path(call) is None
        return project_view(call, "preview", "", status, can_attach=can_attach, **data)
    if call.group_or_none is not None:
        can_attach = _is_wiki(call) and may_attach_to_wiki(call)
        return group_view(call, "preview", "", status, can_attach=can_attach, **data)
    return site_view(call, "preview", status, **data)


def _written(call: PageCall, field: str) -> tuple[str, str, int]:
    """The text, with a link to the file that came with it; why the file was refused, and the status of that."""
    written = call.values.get(field)
    if not isinstance(written, str):
        raise BadRequest("The form has no text field with this name.")
    written, file = written.replace("\r\n", "\n"), call.values.get(FILE)
    if not isinstance(file, UploadedFile) or not file.filename:
        return written, "", 200
    try:
        return _with_file(call, written, file), "", 200
    except ApiError as error:
        if error.status not in (*REFUSALS, HTTPStatus.REQUEST_ENTITY_TOO_LARGE):
            raise
        return written, refusal_of(error), error.status


def _with_file(call: PageCall, written: str, file: UploadedFile) -> str:
    """The text with a link to the file, or the picture itself, which is stored with the project or in the wiki."""
    if _is_wiki(call):
        link = call.ask(wiki_files(call), "POST", file=file)["link"]["markdown"]
    elif call.project_or_none is not None:
        link = call.ask("/projects/:id/uploads", "POST", file=file)["markdown"]
    else:
        raise NotFound
    return f"{written.rstrip()}\n\n{link}\n".lstrip("\n")


def _is_wiki(call: PageCall) -> bool:
    is_in_place = call.project_or_none is not None or call.group_or_none is not None
    return is_in_place and call.request.query_params.get("of") == WIKIS


def _file_path(call: PageCall) -> str | None:
    """The name of a file of the repository, as its form has it; None for other texts."""
    name = call.values.get("file_path")
    return name if isinstance(name, str) else None


def _rendered(call: PageCall, written: str, to: str) -> Markup:
    """Markdown, but for files and pages of a wiki that are something else."""
    if _is_wiki(call):
        is_markdown = call.values.get("format", "markdown") == "markdown"
        return markdown(call, written, base=f"{call.own_root}/wikis") if is_markdown else plain(written)
    path = _file_path(call)
    if path is None:
        return markdown(call, written)
    folder, _, name = path.strip().strip("/").rpartition("/")
    if name.lower().endswith(MARKDOWN):
        return markdown(call, written, ref=_edited_revision(call, to), folder=folder)
    lines = highlighted_lines(written, name.lower())
    return Markup('<pre class="code">{}</pre>').format(Markup("\n").join(lines)) if lines else Markup("")


def _edited_revision(call: PageCall, to: str) -> str:
    """The branch in the address of a file's form; empty where the repository has none yet."""
    if call.project_or_none is None:
        return ""
    verb, _, rest = unquote(to.partition("?")[0]).removeprefix(f"/{call.project.full_path}/-/").partition("/")
    if verb not in ("edit", "new"):
        return ""
    try:
        return split(call, rest)[0]
    except NotFound:
        return ""
