"""Endpoints of the templates that a project can use."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.access.policy import READ_PROJECT
from ingot.features.code.file_templates.params import GetTemplate
from ingot.features.code.file_templates.sources import FOLDERS, find_template, template_names
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import UNSET, Entity, UnsetType
from ingot.kit.errors import NotFound, ParamError
from ingot.kit.params import Paging

routes = Routes("Templates of projects", guard=READ_PROJECT, waits=True)


class TemplateName(Entity):
    """A template that can be asked for by its key."""

    key: str
    name: str


class Template(Entity):
    """A template; licences have more fields."""

    name: str
    content: str
    key: str | UnsetType = UNSET
    nickname: str | UnsetType | None = UNSET
    html_url: str | UnsetType | None = UNSET
    source_url: str | UnsetType | None = UNSET
    popular: bool | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    conditions: list[str] | UnsetType = UNSET
    permissions: list[str] | UnsetType = UNSET
    limitations: list[str] | UnsetType = UNSET


@routes.get("/projects/{id}/templates/{type}", params=Paging, returns=list[TemplateName])
def list_project_templates(call: Call[Paging]) -> Answer:
    """Templates of a type: `dockerfiles`, `gitignores`, `gitlab_ci_ymls`, `licenses`, `issues` or `merge_requests`."""
    return call.page_of_list(template_names(call, _type(call)), _present)


def _present(_call: Call, names: Sequence[str]) -> list[TemplateName]:
    return [TemplateName(key=name, name=name) for name in names]


@routes.get("/projects/{id}/templates/{type}/{name}", params=GetTemplate, returns=Template)
def get_project_template(call: Call[GetTemplate]) -> Answer:
    """One template by its key."""
    kind, name = _type(call), call.path["name"]
    content = find_template(call, kind, name, call.params.source_template_project_id)
    if content is None:
        raise NotFound("Template")
    if kind != "licenses":
        return Template(name=name, content=content)
    return Template(
        key=name,
        name=name,
        content=_filled_in(call, content),
        nickname=None,
        html_url=None,
        source_url=None,
        popular=False,
        description=None,
        conditions=[],
        permissions=[],
        limitations=[],
    )


def _type(call: Call) -> str:
    kind: str = call.path["type"]
    if kind not in FOLDERS:
        raise ParamError("type does not have a valid value")
    return kind


def _filled_in(call: Call[GetTemplate], content: str) -> str:
    fullname = call.params.fullname or call.actor.name or ""
    content = content.replace("[year]", str(now().year)).replace("[fullname]", fullname)
    return content.replace("[project]", call.params.project or call.project.name)
