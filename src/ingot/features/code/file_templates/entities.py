"""Templates on the wire."""

from ingot.features.code.file_templates.built_in import LicenseFacts, license_facts
from ingot.features.code.file_templates.filling import fill_in
from ingot.kit.entity import UNSET, Entity, UnsetType


class TemplateName(Entity):
    """A template that can be asked for by its key."""

    key: str
    name: str


class Template(Entity):
    """A template with its text; licences have more fields."""

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


def license_of(key: str, content: str, *, holder: str | None = None, project: str | None = None) -> Template:
    """A licence on the wire, its text filled in."""
    facts = license_facts().get(key) or LicenseFacts(key, key)
    return Template(
        key=key,
        name=facts.name,
        nickname=facts.nickname,
        html_url=None,
        source_url=facts.source_url,
        popular=facts.popular,
        description=facts.description,
        conditions=list(facts.conditions),
        permissions=list(facts.permissions),
        limitations=list(facts.limitations),
        content=fill_in(content, holder=holder, project=project),
    )
