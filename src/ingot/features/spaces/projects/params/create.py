"""Parameters of a new project."""

from typing import ClassVar

from ingot.features.spaces.projects.params.settings import ProjectSettingsParams
from ingot.kit.params import Param


class CreateProject(ProjectSettingsParams):
    """A new project; a name or a path is enough."""

    namespace_id: int | None = Param("Group or personal namespace; the caller's own if absent.")
    initialize_with_readme: bool | None = Param("Start with a README.")
    import_url: str | None = Param("Repository to import.")
    template_name: str | None = Param("Name of a template, with `use_custom_template`.")
    template_project_id: int | None = Param("Project that serves as the template.")
    use_custom_template: bool | None = Param("The template is the instance's or a group's own.")
    group_with_project_templates_id: int | None = Param(
        "Group with the template; the instance's template group if absent."
    )
    repository_object_format: str | None = Param("Object format; only sha1 is offered.", one_of=("sha1", "sha256"))
    exclusive = (("import_url", "template_name", "template_project_id"),)
    at_least_one: ClassVar[tuple[str, ...]] = ("name", "path")


class CreateProjectForUser(CreateProject):
    """A new project in somebody else's namespace."""

    user_id: int = Param("The user.", required=True)
    name: str = Param("Name.", required=True)
    at_least_one = ()
