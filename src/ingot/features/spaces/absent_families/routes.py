"""Empty lists of what Ingot does not store, and refusals where GitLab asks for a licence."""

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import DEVELOPER
from ingot.access.policy import READ_GROUP, READ_PROJECT, SIGNED_IN
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Forbidden
from ingot.kit.params import Paging

routes = Routes("Packages and container images")
PUBLISH = ProjectAbility(ability="create_package", level=DEVELOPER, needs_user=True, writes=True)
READ_TRAINS = ProjectAbility(ability="read_merge_train", level=DEVELOPER, needs_user=True)


class Package(Entity):
    """A published package."""

    id: int
    name: str


class ImageRepository(Entity):
    """A repository of container images."""

    id: int
    name: str


@routes.get("/projects/{id}/packages", guard=READ_PROJECT, params=Paging, returns=list[Package], job_token=True)
def list_project_packages(call: Call[Paging]) -> Answer:
    """Packages of a project; always empty, because packages are not supported."""
    return call.page_of_list([], lambda _call, _part: [])


@routes.get("/groups/{id}/packages", guard=READ_GROUP, params=Paging, returns=list[Package])
def list_group_packages(call: Call[Paging]) -> Answer:
    """Packages of a group's projects; always empty, because packages are not supported."""
    return call.page_of_list([], lambda _call, _part: [])


@routes.get(
    "/projects/{id}/registry/repositories", guard=READ_PROJECT, params=Paging, returns=list[ImageRepository],
    job_token=True,
)  # fmt: skip
def list_project_images(call: Call[Paging]) -> Answer:
    """Container images of a project; always empty, because there is no container registry."""
    return call.page_of_list([], lambda _call, _part: [])


@routes.get("/groups/{id}/registry/repositories", guard=READ_GROUP, params=Paging, returns=list[ImageRepository])
def list_group_images(call: Call[Paging]) -> Answer:
    """Container images of a group's projects; always empty, because there is no container registry."""
    return call.page_of_list([], lambda _call, _part: [])


@routes.put("/projects/{id}/packages/{rest*}", guard=PUBLISH, hidden=True, job_token=True)
@routes.post("/projects/{id}/packages/{rest*}", guard=PUBLISH, hidden=True, job_token=True)
def publish_package(_: Call) -> None:
    """Refused: packages are not supported."""
    raise Forbidden


@routes.get("/groups/{id}/epics", guard=READ_GROUP, hidden=True)
@routes.post("/groups/{id}/epics", guard=READ_GROUP, hidden=True)
@routes.get("/groups/{id}/epics/{rest*}", guard=READ_GROUP, hidden=True)
@routes.post("/groups/{id}/epics/{rest*}", guard=READ_GROUP, hidden=True)
@routes.put("/groups/{id}/epics/{rest*}", guard=READ_GROUP, hidden=True)
@routes.delete("/groups/{id}/epics/{rest*}", guard=READ_GROUP, hidden=True)
@routes.get("/groups/{id}/iterations", guard=READ_GROUP, hidden=True)
def refuse_in_group(_: Call) -> None:
    """Refused, as a server without a licence refuses epics and iterations."""
    raise Forbidden


@routes.get("/projects/{id}/iterations", guard=READ_PROJECT, hidden=True)
def refuse_in_project(_: Call) -> None:
    """Refused, as a server without a licence refuses iterations."""
    raise Forbidden


@routes.get("/projects/{id}/merge_trains", guard=READ_TRAINS, hidden=True)
@routes.get("/projects/{id}/merge_trains/{rest*}", guard=READ_TRAINS, hidden=True)
@routes.post("/projects/{id}/merge_trains/merge_requests/{merge_request_iid}", guard=READ_TRAINS, hidden=True)
def refuse_merge_trains(_: Call) -> None:
    """Refused: merge trains are switched off."""
    raise Forbidden


@routes.get("/geo_nodes", guard=SIGNED_IN, hidden=True)
@routes.get("/geo_nodes/{rest*}", guard=SIGNED_IN, hidden=True)
@routes.post("/geo_nodes", guard=SIGNED_IN, hidden=True)
@routes.get("/geo_sites", guard=SIGNED_IN, hidden=True)
@routes.get("/geo_sites/{rest*}", guard=SIGNED_IN, hidden=True)
@routes.post("/geo_sites", guard=SIGNED_IN, hidden=True)
def refuse_geo(_: Call) -> None:
    """Refused, to administrators too: there are no secondary sites."""
    raise Forbidden
