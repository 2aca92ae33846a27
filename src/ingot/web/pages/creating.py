"""New projects and groups, and the settings of a project."""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from ingot.access.policy import ADMIN_PROJECT, SIGNED_IN
from ingot.features.transfer.project_exports import export_progress
from ingot.instance import application_setting
from ingot.kit.errors import ApiError
from ingot.kit.params import UploadedFile
from ingot.web.call import PageCall, View
from ingot.web.fields import read_inputs
from ingot.web.frames import project_view, site_view
from ingot.web.grace import grace_days
from ingot.web.guards import InProject
from ingot.web.pages.project_settings import theme_tabs
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done, text
from ingot.web.states import transfer_state

pages = Pages("site")
settings = Pages("project")
SETTINGS = InProject(ADMIN_PROJECT, needs_user=True)
SWITCHES = ("issues", "merge_requests", "builds", "wiki", "snippets")
LEVELS = ("disabled", "private", "enabled")
IMPORT_TARGET = ("name", "path", "namespace")
BUCKET_SECRET = "secret_access_key"
BUCKET = ("region", "bucket_name", "file_key", "access_key_id", BUCKET_SECRET)
EMPTY = {"name": "", "namespace_id": "", "visibility": "private", "description": "", "path": "", "url": ""}


@pages.get("projects/new", guard=SIGNED_IN)
def show_new_project(call: PageCall) -> View:
    """The form of a new project."""
    return _project_form(call, {**EMPTY, "namespace_id": str(call.values.get("namespace_id", ""))})


@pages.post("projects", guard=SIGNED_IN)
def create_project(call: PageCall) -> View | Response:
    """Create a project, empty, from a repository elsewhere or from a template; a refused form comes back filled."""
    names = (
        "name", "namespace_id", "new_path", "visibility", "description", "topics", "default_branch", "import_url",
        "template_project_id",
    )  # fmt: skip
    values = {name: str(call.values.get(name, "")).strip() for name in names}
    given: dict[str, object] = {name.removeprefix("new_"): value for name, value in values.items() if value}
    if "template_project_id" in given:
        given["use_custom_template"] = True
    elif "import_url" not in given:
        given["initialize_with_readme"] = "readme" in call.values
    try:
        project = call.ask("/projects", "POST", **given)
    except ApiError as error:
        if error.status not in (400, 403, 422):
            raise
        return _project_form(call, values, refusal_of(error), error.status)
    return done(call, f"/{project['path_with_namespace']}", "Project created.")


@pages.post("projects/import", guard=SIGNED_IN)
def import_project(call: PageCall) -> View | Response:
    """Create a project from an archive that is sent with the form, or fetched from an address or a bucket."""
    values = {name: text(call, name) for name in (*IMPORT_TARGET, "url", *BUCKET, "override_params")}
    given: dict[str, object] = {name: values[name] for name in IMPORT_TARGET if values[name]}
    if "overwrite" in call.values:
        given["overwrite"] = True
    if values["override_params"]:
        given["override_params"] = read_inputs(values["override_params"])
    address, source = _archive(call, values)
    try:
        project = call.ask(address, "POST", **given, **source)
    except ApiError as error:
        if error.status not in (400, 403, 409, 422, 429):
            raise
        shown = {name: value for name, value in values.items() if name != BUCKET_SECRET}
        return _project_form(call, {**EMPTY, **shown}, refusal_of(error), error.status, is_import=True)
    return done(call, f"/{project['path_with_namespace']}/-/import", "Import started. You can leave this page.")


def _archive(call: PageCall, values: dict[str, str]) -> tuple[str, dict[str, object]]:
    """The endpoint that takes the archive, and where it finds it: the file, the bucket, or else the address."""
    archive = call.values.get("file")
    if isinstance(archive, UploadedFile) and archive.filename:
        return "/projects/import", {"file": archive}
    if values["bucket_name"] or values["file_key"]:
        return "/projects/remote-import-s3", {name: values[name] for name in BUCKET}
    return "/projects/remote-import", {"url": values["url"]} if values["url"] else {}


@pages.get("groups/new", guard=SIGNED_IN)
def show_new_group(call: PageCall) -> View:
    """The form of a new group, or of a subgroup of the one that `parent_id` names."""
    return group_form(call, {"name": "", "path": "", "visibility": "private", **_given(call, "parent_id")})


@pages.post("groups", guard=SIGNED_IN)
def create_group(call: PageCall) -> View | Response:
    """Create a group; a refused form is shown again with its values."""
    values = _given(call, "name", "path", "description", "visibility", "parent_id")
    try:
        group = call.ask("/groups", "POST", **{name: value for name, value in values.items() if value})
    except ApiError as error:
        if error.status not in (400, 403, 422):
            raise
        return group_form(call, values, refusal_of(error), error.status)
    return done(call, f"/groups/{group['full_path']}", "Group created.")


@settings.get("edit", guard=SETTINGS)
def show_settings(call: PageCall) -> View:
    """Name, visibility, features and how requests are merged."""
    return show_project_settings(call)


@settings.post("edit", guard=SETTINGS)
def save_settings(call: PageCall) -> View | Response:
    """Save what the form holds."""
    plain = ("name", "description", "default_branch", "visibility")
    names = (*plain, *(f"{switch}_access_level" for switch in SWITCHES))
    given = {name: str(call.values[name]) for name in names if name in call.values}
    try:
        call.ask("/projects/:id", "PUT", **given)
    except ApiError as error:
        if error.status not in (400, 422):
            raise
        return show_project_settings(call, refusal_of(error), error.status, given)
    return done(call, f"/{call.project.full_path}/-/edit", "Settings saved.")


def show_project_settings(
    call: PageCall, problem: str = "", status: int = 200, given: Mapping[str, str] | None = None
) -> View:
    """The settings, with what is wrong with a form that was sent; `given` is what the first form said."""
    branches = call.ask_or_none("/projects/:id/repository/branches", per_page="100") or []
    progress = export_progress(call.conn, call.project.id, call.actor.id)
    return project_view(
        call, "project_settings", "settings", status, problem=problem,
        section_tabs=theme_tabs(call), names=[row["name"] for row in branches], switches=SWITCHES, levels=LEVELS,
        export=call.ask_or_none("/projects/:id/export"), progress=progress, live=transfer_state(progress),
        is_watching=call.values.get("watch") == "export", can_archive=call.may("POST", "/projects/:id/archive"),
        can_transfer=call.may("PUT", "/projects/:id/transfer"), can_delete=call.may("DELETE", "/projects/:id"),
        grace=grace_days(call, "project"), sent=call.values if problem else {},
        given=given or {},
    )  # fmt: skip


def _given(call: PageCall, *names: str) -> dict[str, str]:
    return {name: str(call.values.get(name, "")).strip() for name in names}


def group_form(
    call: PageCall, values: dict[str, str], problem: str = "", status: int = 200, *, is_import: bool = False
) -> View:
    """The form of a new group, with one that makes it from an archive."""
    number = values["parent_id"]
    parent = call.ask_or_none("/groups/:id", id=number, with_projects=False) if number else None
    return site_view(call, "group_form", status, values=values, problem=problem, parent=parent, is_import=is_import)


def _project_form(
    call: PageCall, values: dict[str, str], problem: str = "", status: int = 200, *, is_import: bool = False
) -> View:
    namespaces = call.ask_or_none("/namespaces", per_page="100") or []
    return site_view(
        call, "project_form", status, values=values, namespaces=namespaces, problem=problem, is_import=is_import,
        can_fetch=call.may("POST", "/projects/remote-import"), templates=_templates(call),
        can_open_bucket=call.may("POST", "/projects/remote-import-s3"),
    )  # fmt: skip


# Any: a record of the API.
def _templates(call: PageCall) -> list[Any]:
    """The instance's templates of projects, as far as the visitor may see them."""
    with call.services.db.read() as conn:
        number = application_setting(conn, "custom_project_templates_group_id")
    projects = call.ask_or_none("/groups/:id/projects", id=number, per_page="100", simple=True) if number else None
    return projects or []
