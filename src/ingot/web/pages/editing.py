"""Changing files in the browser: each form is one commit, on the branch that was open or on a new one."""

import base64
from urllib.parse import urlencode

import msgspec
from starlette.responses import Response

from ingot.access.policy import READ_CODE
from ingot.kit.errors import ApiError, Forbidden, Unprocessable
from ingot.kit.params import UploadedFile
from ingot.web.answers import RepositoryFile
from ingot.web.call import PageCall, View
from ingot.web.filters import path_part
from ingot.web.frames import project_view
from ingot.web.guards import InProject, can_push
from ingot.web.pages.ci_lint import LINT, ci_file_name
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.revisions import branch_behind_tag, split
from ingot.web.sending import done, text

pages = Pages("project")
WRITERS = InProject(READ_CODE, needs_user=True)
COMMITS = "/projects/:id/repository/commits"
FILE = "/projects/:id/repository/files/:file_path"
LONGEST_EDITED = 1024 * 1024
VERBS = {"new": "Add", "edit": "Update", "upload": "Upload", "create_dir": "Add folder", "delete": "Delete"}
REFUSALS = (400, 403, 409, 422)
EXECUTABLE = "execute_filemode"


class Place(msgspec.Struct, frozen=True):
    """The revision and the path of an address; a new repository has no commit yet."""

    ref: str
    path: str
    commit_id: str | None
    is_branch: bool
    can_push: bool


class Edited(msgspec.Struct):
    """What a form holds."""

    path: str
    content: str = ""
    message: str = ""
    branch: str = ""
    seen: str = ""  # the commit that last changed the file when the form was opened
    wants_request: bool = True
    is_executable: bool = False


@pages.get("new/{rest*}", guard=WRITERS)
def show_new_file(call: PageCall) -> View:
    """The form of a new file in a folder."""
    place = _place(call)
    name = text(call, "file_name")
    return _form(call, "new", place, Edited(f"{place.path}/{name}" if place.path else name))


@pages.get("edit/{rest*}", guard=WRITERS)
def show_edit(call: PageCall) -> View:
    """The form of an existing file."""
    place = _place(call)
    file = _file(call, place)
    edited = Edited(place.path, _text_of(file), seen=file["last_commit_id"], is_executable=file["execute_filemode"])
    return _form(call, "edit", place, edited)


@pages.get("delete/{rest*}", guard=WRITERS)
def show_delete(call: PageCall) -> View:
    """Ask before a file is deleted."""
    place = _place(call)
    return _form(call, "delete", place, Edited(place.path, seen=_file(call, place)["last_commit_id"]))


@pages.get("upload/{rest*}", guard=WRITERS)
def show_upload(call: PageCall) -> View:
    """The form for a file from the visitor's machine."""
    place = _place(call)
    return _form(call, "upload", place, Edited(place.path))


@pages.get("create_dir/{rest*}", guard=WRITERS)
def show_new_folder(call: PageCall) -> View:
    """The form of a new folder."""
    place = _place(call)
    return _form(call, "create_dir", place, Edited(f"{place.path}/" if place.path else ""))


def _place(call: PageCall) -> Place:
    """The revision and path of the address."""
    if not can_push(call):
        raise Forbidden("You cannot push to this project. Fork it to change its files.")
    rest = call.path["rest"].strip("/")
    if not call.ask_rows("/projects/:id/repository/branches", page="1", per_page="1").items:
        return Place(rest, "", None, is_branch=True, can_push=True)
    ref, path = split(call, rest)
    branch = call.ask_or_none("/projects/:id/repository/branches/:branch", branch=ref)
    commit = branch["commit"] if branch else call.ask("/projects/:id/repository/commits/:sha", sha=ref, stats=False)
    return Place(ref, path, commit["id"], branch is not None, branch is not None and branch["can_push"])


def _file(call: PageCall, place: Place) -> RepositoryFile:
    # By its commit: the name may also be that of a tag, which would be read instead.
    file: RepositoryFile = call.ask(FILE, file_path=place.path, ref=place.commit_id or place.ref)
    return file


# Any: an answer of the API.
def _text_of(file: RepositoryFile) -> str:
    if file["size"] > LONGEST_EDITED:
        raise Unprocessable("The file is too large to edit here. Change it with git or upload a new version.")
    try:
        return base64.b64decode(file["content"]).decode()
    except UnicodeDecodeError:
        raise Unprocessable("The file is not UTF-8 text. Change it with git or upload a new version.") from None


def _content(call: PageCall) -> str:
    value = call.values.get("content", "")
    # Browsers send each line end as two characters; a file that had them keeps them.
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def _action(call: PageCall, verb: str, place: Place, edited: Edited) -> dict[str, object]:
    if verb == "delete":
        return {"action": "delete", "file_path": place.path, "last_commit_id": edited.seen or None}
    if verb == "upload":
        upload = call.values.get("file")
        if not isinstance(upload, UploadedFile) or not upload.filename:
            raise Unprocessable("Choose a file.")
        name = upload.filename.replace("\\", "/").rpartition("/")[2]
        path = "/".join(part for part in (place.path, name) if part)
        content = base64.b64encode(upload.file.read()).decode()
        exists = place.commit_id and call.ask_or_none(FILE, file_path=path, ref=place.ref)
        kind = "update" if exists and "replace" in call.values else "create"
        return {"action": kind, "file_path": path, "content": content, "encoding": "base64"}
    if not edited.path:
        raise Unprocessable("Enter a file name.")
    if verb == "create_dir":
        return {"action": "create", "file_path": f"{edited.path}/.gitkeep", "content": ""}
    if verb == "new":
        new = {"action": "create", "file_path": edited.path, "content": edited.content}
        return {**new, "execute_filemode": edited.is_executable}
    file = call.ask_or_none(FILE, file_path=place.path, ref=place.ref)
    if file is None:
        raise Unprocessable("The file was moved or deleted while you were editing. Copy your text into a new file.")
    before = _text_of(file)
    content = edited.content.replace("\n", "\r\n") if "\r\n" in before else edited.content
    changed: dict[str, object] = {"file_path": edited.path, "content": content, "last_commit_id": edited.seen or None}
    if edited.is_executable != file["execute_filemode"]:  # a symbolic link stays one
        changed[EXECUTABLE] = edited.is_executable
    if edited.path == place.path:
        return {"action": "update", **changed}
    return {"action": "move", "previous_path": place.path, **changed}


def _message(verb: str, path: str) -> str:
    name = path.removesuffix("/.gitkeep") or ("" if verb == "create_dir" else "file")
    return f"{VERBS[verb]} {name}".strip()


def _refused(call: PageCall, verb: str, place: Place, edited: Edited, error: ApiError) -> View:
    newest = ""
    if edited.seen and place.is_branch:
        file = call.ask_or_none(FILE, file_path=place.path, ref=place.commit_id or place.ref)
        if file is not None and file["last_commit_id"] != edited.seen:
            newest = file["last_commit_id"]
    compared = f"{edited.seen}...{newest}" if newest else ""
    edited.seen = newest or edited.seen
    return _form(call, verb, place, edited, refusal_of(error), error.status, compared)


def _next_page(call: PageCall, place: Place, branch: str, action: dict[str, object], edited: Edited) -> str:
    root = f"/{call.project.full_path}/-"
    if edited.wants_request and branch != place.ref and place.is_branch:
        names = {"merge_request[source_branch]": branch, "merge_request[target_branch]": place.ref}
        return f"{root}/merge_requests/new?{urlencode(names)}"
    path = str(action["file_path"])
    branch = branch_behind_tag(call, branch) or branch  # pages of the bare name show a tag, if there is one
    if action["action"] == "delete" or path.endswith("/.gitkeep"):
        folder = path.rpartition("/")[0]
        left = call.ask_or_none("/projects/:id/repository/tree", path=folder, ref=branch, per_page="1")
        return (
            f"{root}/tree/{path_part(branch)}/{path_part(folder)}"
            if left and folder
            else f"{root}/tree/{path_part(branch)}"
        )
    return f"{root}/blob/{path_part(branch)}/{path_part(path)}"


def _new_branch(call: PageCall) -> str:
    """A free name for a branch of the visitor's own."""
    start = f"{call.actor.username}-patch-"
    rows = call.ask_or_none("/projects/:id/repository/branches", search=f"^{start}", per_page="100") or []
    taken = {row["name"] for row in rows}
    return next((name for number in range(1, len(taken) + 2) if (name := f"{start}{number}") not in taken), start)


def _form(
    call: PageCall, verb: str, place: Place, edited: Edited, problem: str = "", status: int = 200, compared: str = ""
) -> View:  # fmt: skip
    edited.branch = edited.branch or (place.ref if place.can_push else _new_branch(call))
    edited.message = edited.message or _message(verb, edited.path.rpartition("/")[2])
    return project_view(
        call, "file_form", "code", status, verb=verb, place=place, edited=edited, problem=problem, compared=compared,
        can_request=call.may("POST", "/projects/:id/merge_requests"),
        can_check=verb in ("new", "edit") and edited.path == ci_file_name(call) and call.may("POST", LINT),
    )  # fmt: skip


def _change(call: PageCall, verb: str) -> View | Response:
    place = _place(call)
    edited = Edited(
        text(call, "file_path").strip("/"), _content(call), text(call, "commit_message"), text(call, "branch"),
        text(call, "last_commit_id"), "create_merge_request" in call.values, EXECUTABLE in call.values,
    )  # fmt: skip
    branch = edited.branch or place.ref
    try:
        action = _action(call, verb, place, edited)
        message = edited.message or _message(verb, str(action["file_path"]))
        start = {} if branch == place.ref or place.commit_id is None else {"start_sha": place.commit_id}
        call.ask(COMMITS, "POST", branch=branch, commit_message=message, actions=[action], stats=False, **start)
    except ApiError as error:
        if error.status not in REFUSALS:
            raise
        return _refused(call, verb, place, edited, error)
    return done(call, _next_page(call, place, branch, action, edited), f"Committed to {branch}.")


def _declare_change(verb: str) -> None:
    def change_file(call: PageCall) -> View | Response:
        """Commit what the form holds; a refused form comes back with its text and the reason."""
        return _change(call, verb)

    pages.post(f"{verb}/{{rest*}}", guard=WRITERS)(change_file)


for _verb in VERBS:
    _declare_change(_verb)
