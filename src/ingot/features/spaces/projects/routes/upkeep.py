"""Maintenance of a project: housekeeping, and importing members."""

from ingot.access.call import Call
from ingot.access.policy import ADMIN_PROJECT
from ingot.access.subjects import get_project
from ingot.features.spaces.projects.commands.members import import_members
from ingot.features.spaces.projects.policy import IMPORT_MEMBERS_FROM
from ingot.kit import jobs
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import UNSET, Entity, UnsetType
from ingot.kit.errors import Body, Conflict, Forbidden
from ingot.kit.params import Param, Params

routes = Routes("Projects")


class Housekeeping(Params):
    """Options of housekeeping."""

    task: str | None = Param("`eager` packs, `prune` also drops what nothing refers to.", one_of=("eager", "prune"))


@routes.post("/projects/{id}/housekeeping", guard=ADMIN_PROJECT, params=Housekeeping, errors=(409,))
def start_housekeeping(call: Call[Housekeeping]) -> Answer:
    """Start housekeeping of the project's repository in the background; 409 while it is running."""
    key = f"tidy_repository-{call.project.id}"
    with call.write() as tx:
        running = jobs.find_job(tx, key)
        if running is not None and running.ended_at is None:
            raise Conflict
        jobs.enqueue(
            tx,
            "tidy_repository",
            args={"project_id": call.project.id, "task": call.params.task or "eager"},
            key=key,
            subject=f"project:{call.project.id}",
        )


class ImportMembers(Params):
    """The project whose members are imported."""

    project_id: int = Param("The project.", required=True)


class ImportedMembers(Entity, kw_only=True):
    """Whether all members were imported; else the failures by username."""

    status: str
    message: dict[str, str] | UnsetType = UNSET
    total_members_count: int | UnsetType = UNSET


@routes.post(
    "/projects/{id}/import_project_members/{project_id}",
    guard=ADMIN_PROJECT,
    params=ImportMembers,
    returns=ImportedMembers,
    errors=(422,),
)
def import_project_members(call: Call[ImportMembers]) -> Answer:
    """Import the direct members of another project."""
    source = get_project(call.conn, call.actor, call.params.project_id)
    if not IMPORT_MEMBERS_FROM.allows(call.actor, source):
        raise Forbidden("Project")
    if source.id == call.project.id:
        raise Body(422, {"message": "Import failed", "reason": "import_failed_error"})
    with call.write() as tx:
        failed, total = import_members(tx, call.actor, source, call.project)
    if failed:
        return ImportedMembers(status="error", message=failed, total_members_count=total)
    return ImportedMembers(status="success")
