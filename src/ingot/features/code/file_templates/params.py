"""Parameters of file templates."""

from ingot.kit.params import Paging, Param, Params


class GetTemplate(Params):
    """Values of a template."""

    source_template_project_id: int | None = Param("Only the templates of this project.")
    project: str | None = Param("Name of the project, for licences.")
    fullname: str | None = Param("Copyright holder of a licence; the caller if absent.")


class ListLicenses(Paging):
    """Filters of licences."""

    popular: bool | None = Param("Only the most used ones.")


class GetLicense(Params):
    """Values of a licence."""

    project: str | None = Param("Name of the project.")
    fullname: str | None = Param("Copyright holder; the caller if absent.")
