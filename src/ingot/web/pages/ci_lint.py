"""Checking a CI file before it is committed."""

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_CODE
from ingot.features.people.user_pages import local_path
from ingot.web.call import PageCall, View
from ingot.web.filters import path_part
from ingot.web.frames import framed_project, project_view
from ingot.web.guards import InProject, can_push
from ingot.web.registry import Pages
from ingot.web.sending import flat_fields, refused

pages = Pages("project")
READERS = InProject(READ_CODE, needs_user=True)
LINT = "/projects/:id/ci/lint"
FILE = ".gitlab-ci.yml"
CI_FILE = "/projects/:id/repository/files/:file_path"


@pages.get("ci/lint", guard=READERS)
def show_lint(call: PageCall) -> View:
    """The file of the default branch with its findings, and a form for another text."""
    ref = call.project.default_branch
    result = call.ask_or_none(LINT, content_ref=ref, include_jobs=True) if ref else None
    raw = call.ask_or_none(CI_FILE, file_path=ci_file_name(call), ref=ref) if ref else None
    return _view(call, _text(raw), result if raw else None)


@pages.post("ci/lint", guard=READERS)
def check_text(call: PageCall) -> View | Response:
    """Check a text; that of the editor is sent on from here, with the other fields of its form."""
    content = str(call.values.get("content", "")).replace("\r\n", "\n")
    result: dict[str, object] = {}
    view = refused(
        lambda: result.update(call.ask(LINT, "POST", content=content, include_jobs=True)),
        lambda problem, status: _view(call, content, None, problem, status),
    )
    return view or _view(call, content, result)


@pages.get("ci/editor", guard=READERS)
def redirect_to_editor(call: PageCall) -> Response:
    """The form that edits the file, or begins one."""
    ref = str(call.project.default_branch or "main")
    root, name = f"/{call.project.full_path}/-", ci_file_name(call)
    if call.ask_or_none(CI_FILE, file_path=name, ref=ref):
        return RedirectResponse(f"{root}/edit/{path_part(ref)}/{path_part(name)}", 302)
    return RedirectResponse(f"{root}/new/{path_part(ref)}?file_name={path_part(name)}", 302)


def ci_file_name(call: PageCall) -> str:
    """The path of the project's CI file."""
    return str(framed_project(call).get("ci_config_path") or FILE)


def _text(file: dict[str, str] | None) -> str:
    from base64 import b64decode

    return b64decode(file["content"]).decode(errors="replace") if file else ""


def _view(
    call: PageCall, content: str, result: dict[str, object] | None, problem: str = "", status: int = 200
) -> View:  # fmt: skip
    asked = call.request.query_params
    # A link of somebody else must not choose what a button sends, and where.
    to = "" if call.is_read else local_path(asked.get("to", ""), fallback="")
    others = (
        {name: value for name, value in call.values.items() if name not in ("content", "to", "words")} if to else {}
    )
    return project_view(
        call, "ci_lint", "pipelines", status, content=content, result=result, problem=problem,
        to=to, words=asked.get("words", "") or "Save changes", others=list(flat_fields(others)),
        can_check=call.may("POST", LINT), name=ci_file_name(call), can_write=can_push(call),
    )  # fmt: skip
