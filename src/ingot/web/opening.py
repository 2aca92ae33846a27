"""Files that people open where they may run: links to the host for that, for those who may read the file."""

from starlette.responses import RedirectResponse, Response

from ingot.features.transfer.uploads import find_upload
from ingot.kit.content_links import content_link
from ingot.kit.errors import NotFound
from ingot.web.call import PageCall

PERSONAL = "0"  # instead of a project, for snippets of people
# What links name of a wiki: its attached files. Not `uploads`, as their folder: our own host has such addresses.
ATTACHED = "attached"
WIKIS = {"project": "/projects/:id/wikis", "group": "/groups/:id/wikis"}


def open_artifact(call: PageCall, project_id: str, job_id: str, path: str) -> Response:
    """A file of a job's archive."""
    folder = path.rpartition("/")[0] or None
    tree = "/projects/:id/jobs/:job_id/artifacts/tree"
    call.ask(tree, id=project_id, job_id=job_id, path=folder, per_page="1")
    return _onward(call, "artifacts", project_id, job_id, path)


def open_committed(call: PageCall, project_id: str, revision: str, path: str) -> Response:
    """A file of a repository; what it links to is of the same commit."""
    commit = call.ask("/projects/:id/repository/commits/:sha", id=project_id, sha=revision, stats=False)
    return _onward(call, "files", project_id, commit["id"], path)


def open_snippet(call: PageCall, project_id: str, number: str, path: str) -> Response:
    """A file of a snippet; the path begins with a revision."""
    if project_id == PERSONAL:
        call.ask("/snippets/:id", id=number)
    else:
        call.ask("/projects/:id/snippets/:snippet_id", id=project_id, snippet_id=number)
    return _onward(call, "snippets", project_id, number, path)


def open_upload(call: PageCall, owner: str, secret: str, filename: str) -> Response:
    """An uploaded file."""
    kind, _, owner_id = owner.partition("-")
    is_known = owner_id.isdecimal() and find_upload(call.conn, call.actor, kind, int(owner_id), secret, filename)
    if not is_known:
        raise NotFound
    return _onward(call, "uploads", owner, secret, filename)


def open_attached(call: PageCall, owner: str, part: str, path: str) -> Response:
    """A file that was attached to a wiki."""
    kind, _, owner_id = owner.partition("-")
    if kind not in WIKIS or not owner_id.isdecimal() or part != ATTACHED:
        raise NotFound
    call.prepare(f"{WIKIS[kind]}/-/files/:path", id=owner_id, path=path)
    return _onward(call, "wikis", owner, part, path)


OPENERS = {
    "artifacts": open_artifact, "files": open_committed, "snippets": open_snippet, "uploads": open_upload,
    "wikis": open_attached,
}  # fmt: skip


def _onward(call: PageCall, kind: str, place: str, name: str, path: str) -> Response:
    if not call.services.settings.content_url:
        raise NotFound
    link = content_link(call.services, call.actor, kind, place, name, path)
    return RedirectResponse(link, 302, {"Cache-Control": "no-store"})
