"""Shared parts of projects: most projects have the same switches, settings and role of the caller.

Each such profile is computed once in a process, from the fields that are declared `alike`. They follow from what its
key holds and nothing else: the columns that decide, the caller's standing, the stored settings and the defaults of the
instance.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec

from ingot.access.levels import FEATURES
from ingot.access.subjects import Project
from ingot.features.spaces.projects.entities.fields import Rights, View, rights_of, visible_fields
from ingot.features.spaces.projects.entities.full import ALIKE, FIELDS, ProjectFull
from ingot.features.spaces.projects.entities.shown_settings import setting_values
from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.kit.actor import Actor
from ingot.settings import Settings

# The only setting that differs in every project; profiles leave it out.
RUNNERS_TOKEN = "runners_token"
MOST_PROFILES = 1_000
_decisive = attrgetter(*(f"{name}_access_level" for name in FEATURES), "visibility", "archived")
_encode = msgspec.json.Encoder().encode
_OWN: dict[str, Any] = {field.name: None for field in msgspec.structs.fields(ProjectFull) if field.required}

MakeView = Callable[[ProjectSettings, Rights], View]


class Profile(msgspec.Struct, frozen=True):
    """What a caller in one role sees of projects with the same switches and settings."""

    settings: ProjectSettings
    rights: Rights
    form: ProjectFull  # to copy: it has the values that all of them share
    fields: list[tuple[str, Callable[[View], Any]]]  # those whose values differ
    sees_runners_token: bool
    asks_custom_roles: bool


_known: dict[object, Profile] = {}


class Profiles:
    """The profiles of one caller."""

    # Any: settings of the instance, by name.
    def __init__(self, tiers: Settings, actor: Actor, instance: dict[str, Any]) -> None:
        self._tiers = tiers
        self._actor = actor
        standing = actor.is_admin, actor.is_external, actor.is_anonymous
        self.caller = (tiers.tier, *standing, tuple(instance.values()))

    def of(self, project: Project, view: MakeView) -> Profile:
        """The profile of a project; `view` shows the project with its settings."""
        row = project.row
        stored = {name: value for name, value in (row.settings or {}).items() if name != RUNNERS_TOKEN}
        key = (self.caller, _decisive(row), project.level, row.forked_from_id is None, _encode(stored))
        profile = _known.get(key)
        if profile is None or (profile.asks_custom_roles and project.custom is not None):
            profile = self._compute(project, msgspec.convert(stored, ProjectSettings), view)
            # What custom roles add is each project's own.
            if project.custom is None or not profile.asks_custom_roles:
                if len(_known) >= MOST_PROFILES:
                    _known.clear()
                _known[key] = profile
        return profile

    def _compute(self, project: Project, settings: ProjectSettings, make_view: MakeView) -> Profile:
        roles, asked = project.custom, []

        def ask_roles() -> frozenset[str]:
            asked.append(True)
            return frozenset() if roles is None else roles()

        project.custom = ask_roles
        try:
            view = make_view(settings, rights_of(self._actor, project))
            values = setting_values(project, settings, self._actor, self._tiers, view.instance)
            sees_token = RUNNERS_TOKEN in values
            values.pop(RUNNERS_TOKEN, None)
            for name, value in visible_fields(ALIKE, view, self._tiers):
                values[name] = value(view)
            fields = visible_fields(FIELDS, view, self._tiers)
        finally:
            project.custom = roles
        return Profile(settings, view.rights, ProjectFull(**_OWN, **values), fields, sees_token, bool(asked))
