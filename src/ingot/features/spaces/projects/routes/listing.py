"""Lists of projects."""

from ingot.access.call import Call
from ingot.access.policy import ANYONE
from ingot.features.spaces.projects.entities import ProjectFull
from ingot.features.spaces.projects.params.listing import ListProjects
from ingot.features.spaces.projects.queries.paging import page_of_projects
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import BadRequest

routes = Routes("Projects")


@routes.get("/projects", guard=ANYONE, params=ListProjects, returns=list[ProjectFull], errors=(405,), cached=True)
def list_projects(call: Call[ListProjects]) -> Answer:
    """Projects that the caller may see. Without authentication: public ones, in the simple form."""
    options = call.params
    filters_by_update = options.updated_after is not None or options.updated_before is not None
    if filters_by_update and options.order_by != "updated_at":
        raise BadRequest("`updated_at` filter and `updated_at` sorting must be paired")
    return page_of_projects(call)
