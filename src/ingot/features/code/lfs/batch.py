"""The batch API: which objects are wanted, and where each is to be fetched from or sent to."""

from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import Connection

from ingot.access.policy import DOWNLOAD_CODE
from ingot.access.subjects import find_project
from ingot.features.code.git_http import Opened
from ingot.features.code.lfs.transfer_tokens import transfer_header
from ingot.features.code.lfs_objects import LfsObjectRow, adopt, find_objects, renew
from ingot.features.spaces.projects import find_size_limit
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

MOST_OBJECTS = 1000
LARGEST = 1 << 50
MISSING = "Object does not exist on the server or you don't have permissions to access it"
INVALID = "The object's name or size is invalid"
OID = pattern(r"[0-9a-f]{64}")


class Item(msgspec.Struct):
    """An object, as a client names it."""

    oid: str
    size: int

    @property
    def is_valid(self) -> bool:
        """The name is a SHA-256 and the size is one."""
        return OID.fullmatch(self.oid) is not None and 0 <= self.size <= LARGEST


class Batch(msgspec.Struct):
    """What a client asks for."""

    operation: str = ""
    objects: list[Item] = []
    hash_algo: str = "sha256"

    @property
    def uploads(self) -> bool:
        """The client has the objects and sends them."""
        return self.operation == "upload"


class QuotaExceeded(Exception):
    """The objects do not fit into the project; the text says it."""


def answer(services: Services, opened: Opened, batch: Batch, url: str, authorization: str) -> dict[str, Any]:
    """The answer's objects, in the order of the question. Users transfer them with a token of the batch."""
    oids = {item.oid for item in batch.objects if item.is_valid}
    with services.db.read() as conn:
        here = find_readable(conn, opened, oids)
        if batch.uploads:
            own = {oid for oid, row in here.items() if row.project_id == opened.project.id}
            require_room(conn, opened.project.id, [item for item in batch.objects if item.oid not in own])
    if batch.uploads and here:
        # The client does not send them again: they must not be collected before the commits arrive.
        with services.db.write() as tx:
            adopt(tx, opened.project.id, here.values())
            renew(tx, opened.project.id, here)
    authorization = transfer_header(services, opened, batch.operation) or authorization
    header = {"Authorization": authorization} if authorization else {}
    sizes = {oid: row.size for oid, row in here.items()}
    show = _upload if batch.uploads else _download
    return {"objects": [show(item, sizes.get(item.oid), url, header) for item in batch.objects]}


def require_room(conn: Connection, project_id: int, new: Collection[Item]) -> None:
    """Raise `QuotaExceeded` where the objects, all of them new, would fill the project above its limit."""
    size = sum({item.oid: item.size for item in new if item.is_valid}.values())
    limit = find_size_limit(conn, project_id) if new else None
    if limit is not None and not limit.leaves_room_for(size):
        raise QuotaExceeded(limit.refuse_push(size))


def find_readable(conn: Connection, opened: Opened, oids: Collection[str]) -> dict[str, LfsObjectRow]:
    """Those objects that the project has, and for a fork those that the caller may read in its source.

    Reading gives a fork nothing: a member of a private source who clones a public fork must not publish the source's
    objects there. Only who may push to the fork, and so could send them, does.
    """
    here = find_objects(conn, opened.project.id, oids)
    missing = set(oids) - here.keys()
    source_id = _readable_source(conn, opened) if missing else None
    return here if source_id is None else {**find_objects(conn, source_id, missing), **here}


def _readable_source(conn: Connection, opened: Opened) -> int | None:
    """The project that this one was forked from, where the caller may read its code."""
    source_id = opened.project.forked_from_id
    source = find_project(conn, opened.actor, source_id) if source_id is not None else None
    return source.id if source is not None and DOWNLOAD_CODE.allows(opened.actor, source) else None


def _download(item: Item, size: int | None, url: str, header: dict[str, str]) -> dict[str, Any]:
    shown: dict[str, Any] = {"oid": item.oid, "size": item.size if size is None else size}
    if not item.is_valid:
        return {**shown, "error": {"code": 422, "message": INVALID}}
    if size is None:
        return {**shown, "error": {"code": 404, "message": MISSING}}
    action = {"href": f"{url}/gitlab-lfs/objects/{item.oid}", "header": header}
    # Without a header, clients are not to look for a password.
    return {**shown, **({} if header else {"authenticated": True}), "actions": {"download": action}}


def _upload(item: Item, size: int | None, url: str, header: dict[str, str]) -> dict[str, Any]:
    shown: dict[str, Any] = {"oid": item.oid, "size": item.size}
    if not item.is_valid:
        return {**shown, "error": {"code": 422, "message": INVALID}}
    if size is not None:
        return shown  # it is here already
    sent = {**header, "Content-Type": "application/octet-stream", "Transfer-Encoding": "chunked"}
    action = {"href": f"{url}/gitlab-lfs/objects/{item.oid}/{item.size}", "header": sent}
    return {**shown, "actions": {"upload": action}}
