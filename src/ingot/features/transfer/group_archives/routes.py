"""Endpoints of group archives."""

from ingot.access.call import Call
from ingot.access.policy import OWN_GROUP, SIGNED_IN
from ingot.features.transfer.group_archives.commands import find_export, schedule_export, start_import
from ingot.features.transfer.group_archives.params import ImportGroup
from ingot.features.transfer.project_imports import largest_archive
from ingot.kit.downloads import StoredFile, serve_file
from ingot.kit.endpoint import Answer, Binary, Reply, Routes
from ingot.kit.entity import ACCEPTED, MessageOnly
from ingot.kit.errors import Failure

routes = Routes("Group archives")


@routes.post("/groups/{id}/export", guard=OWN_GROUP, status=202, returns=MessageOnly)
def start_group_export(call: Call) -> Answer:
    """Export a group with its subgroups, without projects, in the background."""
    with call.write() as tx:
        schedule_export(tx, call.group.id, call.actor.id)
    return Reply(ACCEPTED, status=202)


@routes.get(
    "/groups/{id}/export/download",
    guard=OWN_GROUP,
    returns=Binary("application/octet-stream"),
    also={206: Binary("application/octet-stream"), 302: None},
    errors=(416,),
)
async def download_group_export(call: Call) -> Answer:
    """The archive that the caller's last export of the group made."""
    row = await call.run(lambda: find_export(call.conn, call.group.id, call.actor.id))
    if row is None or row.blob_key is None or not await call.run(call.services.blobs.exists, row.blob_key):
        raise Failure(404, "404 Not found or has expired")
    name = row.file_name or "export.tar.gz"
    stored = StoredFile(key=row.blob_key, size=row.size, filename=name, modified=row.updated_at)
    return await serve_file(call, stored)


@routes.post(
    "/groups/import",
    guard=SIGNED_IN,
    params=ImportGroup,
    status=202,
    returns=MessageOnly,
    errors=(413,),
    file_limit=largest_archive,
)
def import_group_file(call: Call[ImportGroup]) -> Answer:
    """Create a private group, and fill it from an archive in the background."""
    start_import(call)
    return Reply(ACCEPTED, status=202)
