"""Endpoints of relation exports."""

from typing import Any, ClassVar

from sqlalchemy import select

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import MAINTAINER
from ingot.features.transfer.relation_exports.commands import FINISHED, schedule
from ingot.features.transfer.relation_exports.contents import file_name
from ingot.features.transfer.relation_exports.entities import RelationStatus, statuses
from ingot.features.transfer.relation_exports.tables import relation_export_batches, relation_exports
from ingot.instance import application_setting
from ingot.kit.downloads import StoredFile, serve_file
from ingot.kit.endpoint import Answer, Binary, OneOf, Reply, Routes
from ingot.kit.entity import ACCEPTED, MessageOnly
from ingot.kit.errors import Failure, NotFound
from ingot.kit.params import Param, Params


class ExportRelations(ProjectAbility):
    """Maintainers, while the instance takes part in direct transfers."""

    __slots__ = ()

    def admit(self, call: Call) -> None:
        """The instance's switch comes before everything else."""
        if not application_setting(call.conn, "bulk_import_enabled"):
            raise NotFound
        ProjectAbility.admit(self, call)


EXPORT = ExportRelations(ability="export_project_relations", level=MAINTAINER, needs_user=True)
routes = Routes("Project relations export", guard=EXPORT, guard_first=True)


class StartRelationExports(Params):
    """How the relations are written."""

    batched: bool = Param("In files of a thousand records each.", default=False)


class WhichRelation(Params):
    """One relation, or all."""

    relation: str | None = Param("Only this relation.")


class WhichFile(Params):
    """The file to fetch."""

    relation: str = Param("Name of the relation.", required=True)
    batched: bool | None = Param("The relation was exported in batches.")
    batch_number: int | None = Param("Which batch.")
    all_or_none: ClassVar[tuple[tuple[str, ...], ...]] = (("batched", "batch_number"),)


@routes.post("/projects/{id}/export_relations", params=StartRelationExports, status=202, returns=MessageOnly)
def start_relation_exports(call: Call[StartRelationExports]) -> Answer:
    """Export every relation of a project to a file of its own, in the background."""
    with call.write() as tx:
        old = schedule(tx, call.project.id, call.actor.id, batched=call.params.batched)
    for key in old:
        call.services.blobs.delete(key)
    return Reply(ACCEPTED, status=202)


def _mine(call: Call, relation: str | None) -> list[Any]:
    table = relation_exports
    query = select(table).where(table.c.project_id == call.project.id, table.c.user_id == call.actor.id)
    if relation is not None:
        query = query.where(table.c.relation == relation)
    rows = list(call.conn.execute(query.order_by(table.c.id)))
    if relation is not None and not rows:
        raise Failure(404, "Export not found")
    return rows


@routes.get(
    "/projects/{id}/export_relations/status",
    params=WhichRelation,
    returns=OneOf(list[RelationStatus], RelationStatus),
)
def list_relation_exports(call: Call[WhichRelation]) -> Answer:
    """The status of the caller's relation exports; with `relation`, one object."""
    relation = call.params.relation
    result = statuses(call.conn, _mine(call, relation))
    return result if relation is None else result[0]


@routes.get(
    "/projects/{id}/export_relations/download",
    params=WhichFile,
    returns=Binary("application/octet-stream"),
    also={206: Binary("application/octet-stream"), 302: None},
    errors=(416,),
)
async def download_relation_export(call: Call[WhichFile]) -> Answer:
    """The file of one relation, or of one batch of it."""
    return await serve_file(call, await call.run(_file, call))


def _file(call: Call[WhichFile]) -> StoredFile:
    options = call.params
    export = _mine(call, options.relation)[0]
    if export.batched and not options.batched:
        raise Failure(400, "Export is batched")
    if options.batched and not export.batched:
        raise Failure(400, "Export is not batched")
    result, missing = export, "Export file not found"
    if export.batched:
        parts = relation_export_batches
        mine = (parts.c.export_id == export.id) & (parts.c.batch_number == options.batch_number)
        result, missing = call.conn.execute(select(parts).where(mine)).one_or_none(), "Batch file not found"
        if result is None:
            raise Failure(404, "Batch not found")
    if result.blob_key is None or result.status != FINISHED or not call.services.blobs.exists(result.blob_key):
        raise Failure(404, missing)
    return StoredFile(
        key=result.blob_key, size=result.size, filename=file_name(export.relation), modified=result.updated_at
    )
