"""Endpoints of uploads, of projects and of groups."""

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection

from ingot.access.call import Call
from ingot.features.transfer.uploads import commands
from ingot.features.transfer.uploads.entities import NewUploadShown, UploadShown, present, show_new
from ingot.features.transfer.uploads.owners import Owner
from ingot.features.transfer.uploads.params import NewUpload, OneUpload, UploadBySecret
from ingot.features.transfer.uploads.policy import (
    ADMIN_GROUP_UPLOADS,
    ADMIN_PROJECT_UPLOADS,
    DELETE_PROJECT_UPLOAD,
    READ_GROUP_UPLOAD,
    READ_PROJECT_UPLOAD,
    UPLOAD_TO_GROUP,
    UPLOAD_TO_PROJECT,
)
from ingot.features.transfer.uploads.queries import get_by_id, get_by_secret, of_owner
from ingot.features.transfer.uploads.rows import UploadRow
from ingot.features.transfer.uploads.serving import give
from ingot.instance import application_setting
from ingot.kit.endpoint import Answer, Binary, Routes
from ingot.kit.errors import TooLarge
from ingot.kit.params import Paging, Params

P = TypeVar("P", bound=Params)
MEGABYTE = 1024 * 1024
project_routes = Routes("Project uploads")
group_routes = Routes("Group uploads")
ROUTES = [project_routes, group_routes]

_FILE: dict[str, Any] = {"returns": Binary(), "also": {206: Binary()}, "errors": (302, 304, 416)}
_NEW: dict[str, Any] = {"params": NewUpload, "returns": NewUploadShown, "errors": (413,)}


def most(conn: Connection) -> int:
    """The largest file to upload, in bytes; 0 means any."""
    return int(application_setting(conn, "max_attachment_size") or 0) * MEGABYTE


def _owner(call: Call) -> Owner:
    return Owner("project", call.project.id) if call.project_or_none is not None else Owner("group", call.group.id)


def _create(call: Call[NewUpload]) -> Answer:
    limit = most(call.conn)
    if limit and call.params.file.size > limit:
        raise TooLarge
    owner = _owner(call)
    call.close()  # a slow store must not hold a connection
    return show_new(owner, commands.store(call.services, owner, call.params.file, call.actor.user_id))


def _by_id(call: Call[OneUpload]) -> UploadRow:
    return get_by_id(call.conn, _owner(call), call.params.upload_id)


def _by_secret(call: Call[UploadBySecret]) -> UploadRow:
    return get_by_secret(call.conn, _owner(call), call.params.secret, call.params.filename)


def _delete(call: Call, row: UploadRow) -> None:
    call.require_unmodified(row.created_at)
    commands.remove(call.services, _owner(call), row)


async def _download(call: Call[P], find: Callable[[Call[P]], UploadRow]) -> Answer:
    return await give(call.services, call.request, await call.run(find, call), inline=False)


@project_routes.post("/projects/{id}/uploads", guard=UPLOAD_TO_PROJECT, file_limit=most, **_NEW)
def upload_project_file(call: Call[NewUpload]) -> Answer:
    """Upload a file to link to in descriptions and comments of the project."""
    return _create(call)


@project_routes.get("/projects/{id}/uploads", guard=ADMIN_PROJECT_UPLOADS, params=Paging, returns=list[UploadShown])
def list_project_uploads(call: Call[Paging]) -> Answer:
    """Uploads of the project, the newest first."""
    return call.page(of_owner(_owner(call)), present)


@project_routes.get("/projects/{id}/uploads/{upload_id}", guard=ADMIN_PROJECT_UPLOADS, params=OneUpload, **_FILE)
async def get_project_upload(call: Call[OneUpload]) -> Answer:
    """Download a file of the project by its number."""
    return await _download(call, _by_id)


@project_routes.get(
    "/projects/{id}/uploads/{secret}/{filename}", guard=READ_PROJECT_UPLOAD, params=UploadBySecret, **_FILE
)
async def get_project_upload_by_secret(call: Call[UploadBySecret]) -> Answer:
    """Download a file of the project by its secret and name."""
    return await _download(call, _by_secret)


@project_routes.delete(
    "/projects/{id}/uploads/{upload_id}", guard=DELETE_PROJECT_UPLOAD, params=OneUpload, uses_store=True
)
def delete_project_upload(call: Call[OneUpload]) -> Answer:
    """Delete a file of the project by its number."""
    _delete(call, _by_id(call))


@project_routes.delete(
    "/projects/{id}/uploads/{secret}/{filename}", guard=DELETE_PROJECT_UPLOAD, params=UploadBySecret, uses_store=True
)
def delete_project_upload_by_secret(call: Call[UploadBySecret]) -> Answer:
    """Delete a file of the project by its secret and name."""
    _delete(call, _by_secret(call))


@group_routes.post("/groups/{id}/uploads", guard=UPLOAD_TO_GROUP, file_limit=most, **_NEW)
def upload_group_file(call: Call[NewUpload]) -> Answer:
    """Upload a file to link to in descriptions and comments of the group."""
    return _create(call)


@group_routes.get("/groups/{id}/uploads", guard=ADMIN_GROUP_UPLOADS, params=Paging, returns=list[UploadShown])
def list_group_uploads(call: Call[Paging]) -> Answer:
    """Uploads of the group, the newest first."""
    return call.page(of_owner(_owner(call)), present)


@group_routes.get("/groups/{id}/uploads/{upload_id}", guard=ADMIN_GROUP_UPLOADS, params=OneUpload, **_FILE)
async def get_group_upload(call: Call[OneUpload]) -> Answer:
    """Download a file of the group by its number."""
    return await _download(call, _by_id)


@group_routes.get("/groups/{id}/uploads/{secret}/{filename}", guard=READ_GROUP_UPLOAD, params=UploadBySecret, **_FILE)
async def get_group_upload_by_secret(call: Call[UploadBySecret]) -> Answer:
    """Download a file of the group by its secret and name."""
    return await _download(call, _by_secret)


@group_routes.delete("/groups/{id}/uploads/{upload_id}", guard=ADMIN_GROUP_UPLOADS, params=OneUpload, uses_store=True)
def delete_group_upload(call: Call[OneUpload]) -> Answer:
    """Delete a file of the group by its number."""
    _delete(call, _by_id(call))


@group_routes.delete(
    "/groups/{id}/uploads/{secret}/{filename}", guard=ADMIN_GROUP_UPLOADS, params=UploadBySecret, uses_store=True
)
def delete_group_upload_by_secret(call: Call[UploadBySecret]) -> Answer:
    """Delete a file of the group by its secret and name."""
    _delete(call, _by_secret(call))
