"""Reading one project."""

from ingot.access.call import Call
from ingot.access.policy import READ_PROJECT
from ingot.features.spaces.projects.entities import ProjectFull, Showing, present_full
from ingot.features.spaces.projects.entities.page import project_for_anonymous
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.params import Param, Params

routes = Routes("Projects")


class OneProject(Params):
    """What a single project may show beyond its plain fields."""

    license: bool | None = Param("Include licence data.")
    statistics: bool | None = Param("Include statistics (Reporters and above).")
    with_custom_attributes: bool | None = Param("Include custom attributes (administrators).")


@routes.get("/projects/{id}", guard=READ_PROJECT, params=OneProject, returns=ProjectFull, cached=True, brief=True)
def get_project(call: Call[OneProject]) -> Answer:
    """One project. Without authentication public projects are shown in the simple form."""
    options = call.params
    showing = Showing(
        permissions="single" if call.shows("permissions") else None,
        statistics=bool(options.statistics),
        custom_attributes=bool(options.with_custom_attributes),
        license=bool(options.license),
        import_error=True,
        topics=call.shows("topics"),
        shares=call.shows("shared_with_groups"),
    )
    if call.actor.is_anonymous:
        return project_for_anonymous(call, call.project, showing)
    return present_full(call, [call.project], showing)[0]
