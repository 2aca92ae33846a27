"""Receiving an object: streamed into the store, its size and hash checked on the way."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial

from starlette.requests import Request

from ingot.features.code.git_http import Opened
from ingot.features.code.lfs.batch import QuotaExceeded
from ingot.features.code.lfs_objects import link, object_key
from ingot.features.spaces.projects import find_size_limit
from ingot.kit.blobs import BlobTooLarge, StoreUnavailable
from ingot.kit.services import Services


class Mismatch(Exception):
    """The content is not what its name and size say."""


class NothingSent(Exception):
    """The request has no body, but its object is not empty."""


async def receive_object(services: Services, opened: Opened, request: Request, oid: str, size: int) -> None:
    """Store the request's body as this object of the project; raises Mismatch where it is another."""
    key = object_key(oid)
    digest = hashlib.sha256()

    async def chunks() -> AsyncIterator[bytes]:
        async for chunk in request.stream():
            digest.update(chunk)
            yield chunk

    is_used = False
    try:
        received = await services.blobs.put_stream(key, chunks(), limit=size)
        if not received and size:
            raise NothingSent
        if received != size or digest.hexdigest() != oid:
            raise Mismatch
        is_used = await services.pools.run(partial(_link, services, opened.project.id, oid, size, key), wide=True)
    except BlobTooLarge:
        raise Mismatch from None
    finally:
        if not is_used:
            # An unreachable store has nothing new, or the daily sweep removes it.
            with suppress(StoreUnavailable):
                await services.pools.run_with_store(partial(services.blobs.delete_prefix, key))


def _link(services: Services, project_id: int, oid: str, size: int, key: str) -> bool:
    """Give the project the object, unless others have filled it up meanwhile; False where it has it already."""
    with services.db.write() as tx:
        if not link(tx, project_id, oid, size, key):
            return False
        limit = find_size_limit(tx, project_id)
        if limit is not None and limit.is_exceeded:
            raise QuotaExceeded(limit.refuse_push())
        return True
