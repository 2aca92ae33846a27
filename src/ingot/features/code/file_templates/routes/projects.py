"""Endpoints of the templates that a project can use."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.access.policy import READ_PROJECT
from ingot.features.code.file_templates.built_in import license_facts
from ingot.features.code.file_templates.entities import Template, TemplateName, license_of
from ingot.features.code.file_templates.params import GetTemplate
from ingot.features.code.file_templates.sources import FOLDERS, find_template, template_names
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound, ParamError
from ingot.kit.params import Paging

routes = Routes("Templates of projects", guard=READ_PROJECT, waits=True)


@routes.get("/projects/{id}/templates/{type}", params=Paging, returns=list[TemplateName])
def list_project_templates(call: Call[Paging]) -> Answer:
    """Templates of a type: `dockerfiles`, `gitignores`, `gitlab_ci_ymls`, `licenses`, `issues` or `merge_requests`."""
    kind = _type(call)
    titles = {key: facts.name for key, facts in license_facts().items()} if kind == "licenses" else {}

    def present(_call: Call, names: Sequence[str]) -> list[TemplateName]:
        return [TemplateName(key=name, name=titles.get(name, name)) for name in names]

    return call.page_of_list(template_names(call, kind), present)


@routes.get("/projects/{id}/templates/{type}/{name}", params=GetTemplate, returns=Template)
def get_project_template(call: Call[GetTemplate]) -> Answer:
    """One template by its key."""
    kind, name = _type(call), call.path["name"]
    content = find_template(call, kind, name, call.params.source_template_project_id)
    if content is None:
        raise NotFound("Template")
    if kind != "licenses":
        return Template(name=name, content=content)
    holder, project = call.params.fullname or call.actor.name, call.params.project or call.project.name
    return license_of(name, content, holder=holder, project=project)


def _type(call: Call) -> str:
    kind: str = call.path["type"]
    if kind not in FOLDERS:
        raise ParamError("type does not have a valid value")
    return kind
