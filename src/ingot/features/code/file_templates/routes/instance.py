"""Endpoints of the templates that come with the server; anybody may read them."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.access.policy import ANYONE
from ingot.features.code.file_templates.built_in import built_in_keys, built_in_template, license_facts
from ingot.features.code.file_templates.entities import Template, TemplateName, license_of
from ingot.features.code.file_templates.params import GetLicense, ListLicenses
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import NotFound
from ingot.kit.params import Paging

routes = Routes("Templates", guard=ANYONE)


def _page(call: Call[Paging], kind: str) -> Answer:
    return call.page_of_list(built_in_keys(kind), _present)


def _present(_call: Call, keys: Sequence[str]) -> list[TemplateName]:
    return [TemplateName(key=key, name=key) for key in keys]


def _one(call: Call, kind: str) -> Template:
    key: str = call.path["key"]
    content = built_in_template(kind, key)
    if content is None:
        raise NotFound(kind.removesuffix("s"))
    return Template(name=key, content=content)


@routes.get("/templates/gitignores", params=Paging, returns=list[TemplateName])
def list_gitignores(call: Call[Paging]) -> Answer:
    """Templates of `.gitignore` files."""
    return _page(call, "gitignores")


@routes.get("/templates/gitignores/{key}", returns=Template)
def get_gitignore(call: Call) -> Answer:
    """A template of a `.gitignore` file."""
    return _one(call, "gitignores")


@routes.get("/templates/gitlab_ci_ymls", params=Paging, returns=list[TemplateName])
def list_ci_templates(call: Call[Paging]) -> Answer:
    """Templates of CI configurations; `include:template` takes them as `<key>.gitlab-ci.yml`."""
    return _page(call, "gitlab_ci_ymls")


@routes.get("/templates/gitlab_ci_ymls/{key}", returns=Template)
def get_ci_template(call: Call) -> Answer:
    """A template of a CI configuration."""
    return _one(call, "gitlab_ci_ymls")


@routes.get("/templates/dockerfiles", params=Paging, returns=list[TemplateName])
def list_dockerfiles(call: Call[Paging]) -> Answer:
    """Templates of Dockerfiles."""
    return _page(call, "dockerfiles")


@routes.get("/templates/dockerfiles/{key}", returns=Template)
def get_dockerfile(call: Call) -> Answer:
    """A template of a Dockerfile."""
    return _one(call, "dockerfiles")


@routes.get("/templates/licenses", params=ListLicenses, returns=list[Template])
def list_licenses(call: Call[ListLicenses]) -> Answer:
    """Licences with their texts; `popular` chooses the most used ones."""
    popular = call.params.popular
    keys = [key for key, facts in license_facts().items() if not popular or facts.popular]
    return call.page_of_list(keys, _present_licenses)


def _present_licenses(_call: Call, keys: Sequence[str]) -> list[Template]:
    return [license_of(key, built_in_template("licenses", key) or "") for key in keys]


@routes.get("/templates/licenses/{key}", params=GetLicense, returns=Template)
def get_license(call: Call[GetLicense]) -> Answer:
    """A licence, filled in for its holder and project."""
    key: str = call.path["key"]
    content = built_in_template("licenses", key)
    if content is None:
        raise NotFound("License")
    return license_of(key, content, holder=call.params.fullname or call.actor.name, project=call.params.project)
