"""The catalogue of project settings: values that are shown and applied, but never used as list filters.

Each setting is one declaration. Its parameter, its field on the project and its place in archives follow from it.
Only changed settings are stored (`projects.settings`); all others have the declared default.
"""

from typing import Annotated, Any, Protocol

import msgspec
from sqlalchemy import Row

from ingot.access.subjects import Project
from ingot.features.spaces.projects.settings.declaring import (
    OF_THIS_SERVER,
    ProjectSetting,
    Reader,
    Writer,
    regexp_problem,
)
from ingot.features.spaces.projects.settings.offers import ExpirationPolicy
from ingot.features.spaces.projects.settings.pipelines import PipelineSettings
from ingot.kit.catalogue import Catalogue

__all__ = ["PROJECT_SETTINGS", "ExpirationPolicy", "ProjectSettings", "Reader", "Writer", "project_settings", "stored"]


class ProjectSettings(PipelineSettings, kw_only=True, omit_defaults=True):
    """All settings; names are those of the wire. What is declared here is about pull mirrors."""

    mirror: Annotated[bool, ProjectSetting("Pull from the import URL.", OF_THIS_SERVER, tier="premium")] = False
    mirror_user_id: Annotated[
        int | None,
        ProjectSetting(
            "Author of mirrored activity (administrators).",
            OF_THIS_SERVER,
            Reader.OF_MIRRORS,
            Writer.ADMINISTRATORS,
            tier="premium",
        ),
    ] = None
    mirror_trigger_builds: Annotated[
        bool, ProjectSetting("Mirroring starts pipelines.", OF_THIS_SERVER, Reader.OF_MIRRORS, tier="premium")
    ] = False
    only_mirror_protected_branches: Annotated[
        bool, ProjectSetting("Mirror protected branches only.", OF_THIS_SERVER, Reader.OF_MIRRORS, tier="premium")
    ] = False
    mirror_overwrites_diverged_branches: Annotated[
        bool,
        ProjectSetting("The mirror overwrites what diverged.", OF_THIS_SERVER, Reader.OF_MIRRORS, tier="premium"),
    ] = False
    mirror_branch_regex: Annotated[
        str | None,
        ProjectSetting(
            "Mirror branches only whose name matches; not with `only_mirror_protected_branches`.",
            OF_THIS_SERVER,
            Reader.OF_MIRRORS,
            tier="premium",
            longest=255,
            check=regexp_problem,
        ),
    ] = None


PROJECT_SETTINGS = Catalogue(ProjectSettings, ProjectSetting)


class HasSettings(Protocol):
    """Anything with the `settings` column."""

    @property
    def settings(self) -> Any:
        """The stored settings."""


def project_settings(project: Project | Row[*tuple[Any, ...]] | HasSettings) -> ProjectSettings:
    """The settings of a loaded project (or of any row with the `settings` column)."""
    return msgspec.convert(project.settings or {}, ProjectSettings)


def stored(settings: ProjectSettings) -> dict[str, Any]:
    """What goes into the column: only what differs from a fresh project."""
    result: dict[str, Any] = msgspec.to_builtins(settings)
    return result
