"""The form that runs a pipeline: it asks for the variables and inputs that the file of the branch describes."""

from starlette.responses import Response

from ingot.access.policy import READ_BUILDS, READ_CODE
from ingot.features.ci.engine import find_ref
from ingot.features.ci.lint import Offers, offers_of
from ingot.features.spaces.projects import repository_of
from ingot.kit.errors import ApiError
from ingot.web.call import PageCall, View
from ingot.web.fields import input_value
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import done, text

pages = Pages("project")
BUILDS = InProject(READ_BUILDS)
NEW = "/projects/:id/pipeline"
# What the names of fields begin with; an input is sent with its type.
VARIABLE, INPUT = "variable:", "input:"
NO_REF = "There is no branch or tag {}."
OTHER_REF = "The pipeline has not run yet. Review the inputs and variables of {} below, then run it."


@pages.get("pipelines/new", guard=BUILDS)
def show_new_pipeline(call: PageCall) -> View:
    """The form for a branch or tag."""
    call.require("POST", NEW)
    return _form(call)


@pages.post("pipelines/new", guard=BUILDS)
def show_for_another_ref(call: PageCall) -> View:
    """The same with what is filled in already."""
    call.require("POST", NEW)
    return _form(call)


@pages.post("pipelines", guard=BUILDS)
def run_pipeline(call: PageCall) -> View | Response:
    """Run a pipeline for a branch or tag; what another one asked for is not given to it."""
    ref = text(call, "ref")
    if text(call, "described") not in ("", ref) and any(name.startswith((VARIABLE, INPUT)) for name in call.values):
        return _form(call, OTHER_REF.format(ref), 422)
    described = [
        {"key": name.removeprefix(VARIABLE), "value": str(value).replace("\r\n", "\n")}
        for name, value in call.values.items()
        if name.startswith(VARIABLE)
    ]
    given = {
        "variables": [*described, *read_variables(text(call, "variables"))] or None,
        "inputs": _inputs(call) or None,
    }
    try:
        pipeline = call.ask(NEW, "POST", ref=ref, **given)
    except ApiError as error:
        if error.status not in (400, 422):
            raise
        return _form(call, refusal_of(error), error.status)
    return done(call, f"/{call.project.full_path}/-/pipelines/{pipeline['id']}", "Pipeline started.")


def read_variables(written: str) -> list[dict[str, str]]:
    """Lines of `NAME=value` as the API takes variables."""
    parts = [line.partition("=") for line in written.splitlines() if line.strip()]
    return [{"key": name.strip(), "value": value.strip()} for name, _, value in parts]


def _inputs(call: PageCall) -> dict[str, object]:
    """By name: the values of inputs; those of texts are not read as numbers."""
    result: dict[str, object] = {}
    for field, value in call.values.items():
        if field.startswith(INPUT):
            kind, _, name = field.removeprefix(INPUT).partition(":")
            result[name] = str(value) if kind == "string" else input_value(str(value))
    return result


def _form(call: PageCall, problem: str = "", status: int = 200) -> View:
    ref = text(call, "ref") or str(call.project.default_branch or "")
    branches = call.ask_or_none("/projects/:id/repository/branches", per_page="100") or []
    reads_code = READ_CODE.allows(call.actor, call.project)
    offers = offers_of(call, ref) if reads_code else Offers()
    repository = repository_of(call.services, call.project)
    if reads_code and ref and not problem and repository.exists() and find_ref(repository, ref) is None:
        problem, status = NO_REF.format(ref), 404
    typed = _asked_for(call, offers) | _typed(call, ref)
    return project_view(
        call, "pipeline_form", "pipelines", status, names=[row["name"] for row in branches], ref=ref, offers=offers,
        problem=problem, typed=typed,
    )  # fmt: skip


def _typed(call: PageCall, ref: str) -> dict[str, str]:
    """What was typed, without the defaults of another branch or tag that the form described before."""
    typed = {name: value for name, value in call.values.items() if isinstance(value, str)}
    described = typed.get("described", ref)
    if described == ref or not READ_CODE.allows(call.actor, call.project):
        return typed
    before = offers_of(call, described)
    defaults = {f"{VARIABLE}{one.key}": one.value for one in before.variables}
    defaults |= {f"{INPUT}{one.kind}:{one.name}": one.written for one in before.inputs}
    return {name: value for name, value in typed.items() if value.replace("\r\n", "\n") != defaults.get(name)}


def _asked_for(call: PageCall, offers: Offers) -> dict[str, str]:
    """What a link such as `?var[NAME]=value` fills in."""
    given = call.values.get("var")
    if not isinstance(given, dict):
        return {}
    described = {one.key for one in offers.variables}
    fields = {f"{VARIABLE}{name}": str(value) for name, value in given.items() if name in described}
    others = "\n".join(f"{name}={value}" for name, value in given.items() if name not in described)
    return {**fields, "variables": others}
