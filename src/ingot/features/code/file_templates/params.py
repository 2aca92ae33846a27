"""Parameters of file templates."""

from ingot.kit.params import Param, Params


class GetTemplate(Params):
    """How a template is filled in."""

    source_template_project_id: int | None = Param("Only the templates of this project.")
    project: str | None = Param("Name of the project, for licences.")
    fullname: str | None = Param("Whom a licence names; the caller where left out.")
