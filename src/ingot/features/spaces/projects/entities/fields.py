"""How a field of the full form is declared, and where the values of fields come from."""

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import msgspec

from ingot.access import policy
from ingot.access.abilities import ProjectAbility
from ingot.access.levels import Feature
from ingot.access.subjects import Project
from ingot.features.people.users import UserBasic
from ingot.features.spaces.projects.entities.parts import (
    ExpirationPolicyShown,
    Links,
    Permissions,
    SharedWithGroup,
    Statistics,
)
from ingot.features.spaces.projects.entities.simple import ProjectSimple, host_of
from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.kit.actor import Actor
from ingot.kit.catalogue import Tier
from ingot.kit.entity import UNSET, UnsetType, wire_or_none
from ingot.settings import Settings

FEATURE_WORDS = {int(level): level.word for level in Feature}


class Rights(msgspec.Struct, frozen=True):
    """What of a project the caller may use."""

    reads_code: bool
    reads_issues: bool
    uses_merge_requests: bool  # a Guest of a private project sees the switch itself


class View(msgspec.Struct):
    """One project as one caller sees it: what fields are computed from. What was not asked for is `UNSET`."""

    project: Project
    settings: ProjectSettings
    rights: Rights
    actor: Actor
    base_url: str
    instance: dict[str, Any]  # those settings of the instance that are defaults of projects
    owner: UserBasic | UnsetType
    parent: ProjectSimple | UnsetType
    shares: list[SharedWithGroup]
    hidden_issues: int
    permissions: Permissions | UnsetType
    statistics: Statistics | UnsetType
    import_error: str | UnsetType | None


class Shown(msgspec.Struct, frozen=True):
    """How a field gets its value, which ability its readers need, and the tier that it belongs to."""

    value: Callable[[View], Any]
    to: ProjectAbility | None = None
    tier: Tier = "free"
    alike: bool = False  # depends only on the project's switches, its settings and the caller's role


Groups = dict[tuple[ProjectAbility | None, Tier], list[tuple[str, Callable[[View], object]]]]


def shown_fields(entity: type[msgspec.Struct], *, alike: bool) -> Groups:
    """The declared fields of an entity. Those of one ability and tier share one question about the caller."""
    result: Groups = {}
    for name, hint in get_type_hints(entity, include_extras=True).items():
        for shown in get_args(hint)[1:] if get_origin(hint) is Annotated else ():
            if isinstance(shown, Shown) and shown.alike is alike:
                result.setdefault((shown.to, shown.tier), []).append((name, shown.value))
    return result


def when_allowed(ability: ProjectAbility, tier: Tier = "free") -> Shown:
    """The field says whether the caller holds the ability."""
    return Shown(lambda view: ability.allows(view.actor, view.project), tier=tier, alike=True)


def switch(feature: str, tier: Tier = "free") -> Shown:
    """The field says for whom a feature of the project is switched on."""
    column = f"{feature}_access_level"
    return Shown(lambda view: FEATURE_WORDS[getattr(view.project.row, column)], tier=tier, alike=True)


def rights_of(actor: Actor, project: Project) -> Rights:
    """What of this project the actor may use."""
    switches = project.feature("merge_requests"), project.feature("repository")
    return Rights(
        reads_code=policy.READ_CODE.allows(actor, project),
        reads_issues=policy.READ_ISSUES.allows(actor, project),
        uses_merge_requests=switches == (Feature.ENABLED, Feature.ENABLED)
        or policy.READ_MERGE_REQUESTS.allows(actor, project),
    )


def open_issues_count(view: View) -> int | UnsetType:
    """How many open issues the caller may see, if the caller can read issues."""
    return view.project.row.open_issues_count - view.hidden_issues if view.rights.reads_issues else UNSET


@lru_cache(64)
def _registry(base_url: str) -> str:
    return urlsplit(base_url).netloc


def image_prefix(view: View) -> str:
    """The names of the project's container images begin with it."""
    return f"{_registry(view.base_url)}/{view.project.row.full_path.lower()}"


def links(view: View) -> Links:
    """Addresses below the project; those of a feature only while the caller may use it."""
    here = f"{view.base_url}/api/v4/projects/{view.project.row.id}"
    return Links(
        self_=here,
        issues=f"{here}/issues" if view.rights.reads_issues else UNSET,
        merge_requests=f"{here}/merge_requests" if view.rights.uses_merge_requests else UNSET,
        repo_branches=f"{here}/repository/branches",
        labels=f"{here}/labels",
        events=f"{here}/events",
        members=f"{here}/members",
        cluster_agents=f"{here}/cluster_agents",
    )


def expiration_policy(view: View) -> ExpirationPolicyShown:
    """The clean-up policy; by default it would run a day after the project's creation."""
    expiration = view.settings.container_expiration_policy
    return ExpirationPolicyShown(
        cadence=expiration.cadence,
        enabled=expiration.enabled,
        keep_n=expiration.keep_n,
        older_than=expiration.older_than,
        name_regex=expiration.name_regex,
        name_regex_delete=expiration.name_regex,
        name_regex_keep=expiration.name_regex_keep,
        next_run_at=wire_or_none(expiration.next_run_at or view.project.row.created_at),
    )


def service_desk_address(view: View) -> str | None:
    """The address of the service desk, while it is enabled."""
    project, chosen = view.project.row, view.settings.service_desk_enabled
    if not (view.instance["service_desk_enabled"] if chosen is None else chosen):
        return None
    slug = project.full_path.replace("/", "-").lower()
    return f"incoming+{slug}-{project.id}-issue-@{host_of(view.base_url)}"


def visible_fields(groups: Groups, view: View, tiers: Settings) -> list[tuple[str, Callable[[View], Any]]]:
    """The fields that the caller sees, with the functions of their values."""
    result: list[tuple[str, Callable[[View], Any]]] = []
    for (ability, tier), fields in groups.items():
        if tiers.has_tier(tier) and (ability is None or ability.allows(view.actor, view.project)):
            result += fields
    return result


def without_credentials(url: str | None) -> str | None:
    """The address that a project was imported from, without a user's name and secret."""
    if not url:
        return None
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=host).geturl()
