"""Artifacts of a job: folders, files, the whole archive."""

from dataclasses import replace

from starlette.responses import RedirectResponse, Response

from ingot.access.policy import READ_BUILDS
from ingot.kit.content_links import is_active
from ingot.web.call import PageCall, View
from ingot.web.downloads import Download
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.opening import open_artifact
from ingot.web.raw_types import headers_to_show
from ingot.web.registry import Pages
from ingot.web.sending import done

pages = Pages("project")
BUILDS = InProject(READ_BUILDS)
JOB = "/projects/:id/jobs/:job_id"
ARTIFACTS = f"{JOB}/artifacts"


@pages.get("jobs/{number:int}/artifacts/browse", guard=BUILDS)
def browse_root(call: PageCall) -> View:
    """The first folder."""
    return _folder(call, "")


@pages.get("jobs/{number:int}/artifacts/browse/{rest*}", guard=BUILDS)
def browse_folder(call: PageCall) -> View:
    """One folder."""
    return _folder(call, call.path["rest"].strip("/"))


@pages.get("jobs/{number:int}/artifacts/download", guard=BUILDS)
def download_artifacts(call: PageCall) -> Download:
    """The archive."""
    return call.download(ARTIFACTS, job_id=call.path["number"])


@pages.get("jobs/{number:int}/artifacts/raw/{rest*}", guard=BUILDS)
def download_file(call: PageCall) -> Download:
    """One file, never run as a page of this server."""
    return _file(call)


@pages.get("jobs/{number:int}/artifacts/external_file/{rest*}", guard=BUILDS)
def open_file(call: PageCall) -> Response:
    """One file where it may run: on the host for that, for those who may read it. Without such a host, as it is."""
    number, path = call.path["number"], call.path["rest"].strip("/")
    if not call.services.settings.content_url:
        return _raw(call)
    return open_artifact(call, str(call.project.id), number, path)


@pages.get("jobs/{number:int}/artifacts/file/{rest*}", guard=BUILDS)
def show_file(call: PageCall) -> Download:
    """One file, to read it in the browser if it is a picture or a text."""
    return replace(_file(call), headers=headers_to_show(call.path["rest"]))


@pages.post("jobs/{number:int}/artifacts/keep", guard=BUILDS)
def keep_artifacts(call: PageCall) -> Response:
    """Keep them beyond their date."""
    call.ask(f"{ARTIFACTS}/keep", "POST", job_id=call.path["number"])
    return done(call, f"/{call.project.full_path}/-/jobs/{call.path['number']}", "Artifacts will be kept.")


@pages.post("jobs/{number:int}/artifacts/remove", guard=BUILDS)
def remove_artifacts(call: PageCall) -> Response:
    """Delete them."""
    call.ask(ARTIFACTS, "DELETE", job_id=call.path["number"])
    return done(call, f"/{call.project.full_path}/-/jobs/{call.path['number']}", "Artifacts deleted.")


def _file(call: PageCall) -> Download:
    return call.download(f"{ARTIFACTS}/:artifact_path", job_id=call.path["number"], artifact_path=call.path["rest"])


def _raw(call: PageCall) -> Response:
    root = f"/{call.project.full_path}/-/jobs/{call.path['number']}/artifacts"
    return RedirectResponse(f"{root}/raw/{call.path['rest']}", 302)


def _folder(call: PageCall, path: str) -> View:
    number = call.path["number"]
    rows = call.ask_rows(f"{ARTIFACTS}/tree", job_id=number, path=path or None, per_page="100")
    parts = path.split("/") if path else []
    crumbs = [{"name": part, "path": "/".join(parts[: place + 1])} for place, part in enumerate(parts)]
    return project_view(
        call, "artifacts", "pipelines", job=call.ask(JOB, job_id=number), rows=rows, crumbs=crumbs, folder=path,
        can_delete=call.may("DELETE", ARTIFACTS, job_id=number), can_open=bool(call.services.settings.content_url),
        is_active=is_active, is_shown=headers_to_show,
    )  # fmt: skip
