"""What an edit of a project may change."""

from typing import ClassVar

from ingot.features.spaces.projects.params.settings import ProjectSettingsParams
from ingot.kit.params import Param


class EditProject(ProjectSettingsParams):
    """At least one change."""

    import_url: str | None = Param("Repository to import or mirror from.")
    at_least_one: ClassVar[tuple[str, ...]] = (*ProjectSettingsParams.fields, "import_url")
