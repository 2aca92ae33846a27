"""The settings on the full form of a project: which of the catalogue this caller sees, and with what values."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from ingot.access import policy
from ingot.access.subjects import Project
from ingot.features.spaces.projects import policy as own
from ingot.features.spaces.projects.settings import PROJECT_SETTINGS, ProjectSettings, Reader
from ingot.kit.actor import Actor
from ingot.settings import TIERS, Settings

Sees = Callable[[Actor, Project, ProjectSettings], bool]
READS: dict[Reader, Sees] = {
    Reader.EVERYONE: lambda _actor, _project, _settings: True,
    Reader.CODE_READERS: lambda actor, project, _: policy.READ_CODE.allows(actor, project),
    Reader.ISSUE_READERS: lambda actor, project, _: policy.READ_ISSUES.allows(actor, project),
    Reader.MERGE_REQUEST_READERS: lambda actor, project, _: policy.READ_MERGE_REQUESTS.allows(actor, project),
    Reader.SECRET_DETECTION_READERS: lambda actor, project, _: own.SEE_SECRET_DETECTION.allows(actor, project),
    Reader.MAINTAINERS: lambda actor, project, _: policy.ADMIN_PROJECT.allows(actor, project),
    Reader.OF_FORKS: lambda _, project, _settings: project.forked_from_id is not None,
    Reader.OF_MIRRORS: lambda _actor, _project, settings: settings.mirror,
}
INSTANCE_DEFAULTS = tuple(name for name, setting in PROJECT_SETTINGS.settings.items() if setting.instance_default)


@cache
def _groups(tier: str) -> list[tuple[Sees, tuple[str, ...]]]:
    """The settings that this tier shows; those of one reader share one question about the caller."""
    result: dict[Reader, list[str]] = {}
    for name, setting in PROJECT_SETTINGS.settings.items():
        shown = TIERS.index(tier) >= TIERS.index(setting.shown_tier or setting.tier)
        if isinstance(setting.read_by, Reader) and shown:
            result.setdefault(setting.read_by, []).append(name)
    return [(READS[reader], tuple(names)) for reader, names in result.items()]


def setting_values(
    project: Project, settings: ProjectSettings, actor: Actor, tiers: Settings, instance: Mapping[str, object]
) -> dict[str, Any]:
    """The settings that the caller sees; `instance` has the values of those that the instance decides by default."""
    result: dict[str, Any] = {}
    for sees, names in _groups(tiers.tier):
        if sees(actor, project, settings):
            for name in names:
                result[name] = getattr(settings, name)
    for name in INSTANCE_DEFAULTS:
        if name in result and result[name] is None:
            result[name] = bool(instance[name])
    return result
