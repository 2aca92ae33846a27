"""Shared parts of projects: most projects of a page have the same switches, settings and role of the caller.

Each such profile is computed once per page, from the fields that are declared `alike`.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import msgspec

from ingot.access import policy
from ingot.access.levels import FEATURES
from ingot.access.subjects import Project
from ingot.features.spaces.projects.entities.fields import View, visible_fields
from ingot.features.spaces.projects.entities.full import ALIKE, FIELDS
from ingot.features.spaces.projects.entities.shown_settings import setting_values
from ingot.features.spaces.projects.settings import ProjectSettings
from ingot.settings import Settings

# The only setting that differs in every project; profiles leave it out.
RUNNERS_TOKEN = "runners_token"
_decisive = attrgetter(*(f"{name}_access_level" for name in FEATURES), "visibility", "archived")
_encode = msgspec.json.Encoder().encode


class Profile(msgspec.Struct, frozen=True):
    """What a caller in one role sees of projects with the same switches and settings."""

    settings: ProjectSettings
    values: dict[str, Any]  # the same for each of them
    fields: list[tuple[str, Callable[[View], Any]]]  # those whose values differ
    reads_code: bool
    sees_runners_token: bool


class Profiles:
    """The profiles of one page."""

    def __init__(self, tiers: Settings) -> None:
        self._tiers = tiers
        self._known: dict[object, Profile] = {}

    def of(self, project: Project, view: Callable[[ProjectSettings], View]) -> Profile:
        """The profile of a project; `view` shows the project with its settings."""
        row = project.row
        stored = {name: value for name, value in (row.settings or {}).items() if name != RUNNERS_TOKEN}
        key = (_decisive(row), project.level, row.forked_from_id is None, _encode(stored))
        profile = self._known.get(key)
        if profile is None or project.custom is not None:
            profile = self._compute(view(msgspec.convert(stored, ProjectSettings)))
        if project.custom is None:  # custom roles are each project's own
            self._known[key] = profile
        return profile

    def _compute(self, view: View) -> Profile:
        actor, project = view.actor, view.project
        values = setting_values(project, view.settings, actor, self._tiers, view.instance)
        sees_token = RUNNERS_TOKEN in values
        values.pop(RUNNERS_TOKEN, None)
        for name, value in visible_fields(ALIKE, view, self._tiers):
            values[name] = value(view)
        fields = visible_fields(FIELDS, view, self._tiers)
        return Profile(view.settings, values, fields, policy.READ_CODE.allows(actor, project), sees_token)
