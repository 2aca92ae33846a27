"""The addresses of locks: list, create, verify before a push, unlock."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ingot.features.code.git_http import Opened
from ingot.features.code.lfs.gate import LfsGate, LfsRefused, answer_json, read_json
from ingot.features.code.lfs.policy import FORCE_UNLOCK
from ingot.features.code.lfs_locks import (
    MOST_LISTED,
    LockFilter,
    LockRow,
    PathLocked,
    create_lock,
    find_lock,
    list_locks,
    remove_lock,
)
from ingot.kit.ids import parse_id
from ingot.kit.services import Services

NO_RIGHT = "You have no permissions"
NO_LOCK = "Lock not found"
NO_FORCE = "You must have maintainer access to force delete a lock"


class NewLock(msgspec.Struct):
    """A path to lock."""

    path: str = ""


class Verification(msgspec.Struct):
    """Which page of all locks a client wants before it pushes."""

    cursor: str = ""
    limit: int = MOST_LISTED


class Unlocking(msgspec.Struct):
    """How a lock is to be removed; `force`: also somebody else's."""

    force: bool = False


class LockPage(NamedTuple):
    """A page of locks, and where the next one begins."""

    rows: Sequence[LockRow]
    next_cursor: str | None

    def answer(self, body: dict[str, object]) -> Response:
        """The body, with the cursor where another page follows."""
        return answer_json(body if self.next_cursor is None else {**body, "next_cursor": self.next_cursor})


class LockPages:
    """The handlers of locks."""

    def __init__(self, gate: LfsGate) -> None:
        self.gate, self.services = gate, gate.services

    def routes(self) -> list[BaseRoute]:
        """Every project's addresses of locks."""
        place = "/{path:path}.git/info/lfs/locks"
        return [
            Route(place, self._guarded(self.list), methods=["GET"]),
            Route(place, self._guarded(self.create), methods=["POST"]),
            Route(place + "/verify", self._guarded(self.verify), methods=["POST"]),
            Route(place + "/{lock_id}/unlock", self._guarded(self.unlock), methods=["POST"]),
        ]

    def _guarded(self, handle: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def guarded(request: Request) -> Response:
            return await self.gate.guard(handle, request)

        return guarded

    async def list(self, request: Request) -> Response:
        """Locks of the project, of one path or one id."""
        opened = await self.gate.open(request, uploads=False)
        query = request.query_params
        page = await self._load(
            opened,
            LockFilter(
                path=query.get("path"),
                lock_id=_number(query["id"]) if "id" in query else None,
                after=_number(query.get("cursor", "")),
                limit=_limit(_number(query.get("limit", ""))),
            ),
        )
        return page.answer({"locks": [shown(row) for row in page.rows]})

    async def verify(self, request: Request) -> Response:
        """All locks, divided into the caller's own and those of others; clients ask before each push."""
        options = await read_json(request, Verification)
        opened = await self.gate.open(request, uploads=True)
        page = await self._load(opened, LockFilter(after=_number(options.cursor), limit=_limit(options.limit)))
        ours = [shown(row) for row in page.rows if row.user_id == opened.actor.user_id]
        theirs = [shown(row) for row in page.rows if row.user_id != opened.actor.user_id]
        return page.answer({"ours": ours, "theirs": theirs})

    async def create(self, request: Request) -> Response:
        """Lock a path."""
        options = await read_json(request, NewLock)
        try:
            opened = await self.gate.open(request, uploads=True)
        except LfsRefused as refused:
            if refused.status != 403:
                raise
            raise LfsRefused(403, NO_RIGHT) from None
        user_id = _require_user(opened)
        try:
            lock = await self.services.pools.run(
                partial(_create, self.services, opened.project.id, user_id, options.path), wide=True
            )
        except PathLocked as locked:
            return self.gate.refusal(request, 409, "already locked", lock=shown(locked.lock))
        return answer_json({"lock": shown(lock)}, 201)

    async def unlock(self, request: Request) -> Response:
        """Remove a lock."""
        options = await read_json(request, Unlocking)
        opened = await self.gate.open(request, uploads=True)
        lock_id = _number(request.path_params["lock_id"])
        lock = await self.services.pools.run(
            partial(_unlock, self.services, opened, lock_id, force=options.force), wide=True
        )
        return answer_json({"lock": shown(lock)})

    async def _load(self, opened: Opened, options: LockFilter) -> LockPage:
        return await self.services.pools.run(partial(_load, self.services, opened.project.id, options), wide=True)


def shown(row: LockRow) -> dict[str, object]:
    """A lock, as clients read it."""
    return {
        "id": str(row.id), "path": row.path, "locked_at": row.created_at.isoformat(), "owner": {"name": row.owner_name},
    }  # fmt: skip


def _load(services: Services, project_id: int, options: LockFilter) -> LockPage:
    with services.db.read() as conn:
        rows = list_locks(conn, project_id, options)
    if len(rows) <= options.limit:
        return LockPage(rows, None)
    return LockPage(rows[:-1], str(rows[-2].id))


def _create(services: Services, project_id: int, user_id: int, path: str) -> LockRow:
    with services.db.write() as tx:
        return create_lock(tx, project_id, user_id, path)


def _unlock(services: Services, opened: Opened, lock_id: int, *, force: bool) -> LockRow:
    user_id = _require_user(opened)
    with services.db.write() as tx:
        lock = find_lock(tx, opened.project.id, lock_id)
        if lock is None:
            raise LfsRefused(404, NO_LOCK)
        if force and not FORCE_UNLOCK.allows(opened.actor, opened.project):
            raise LfsRefused(403, NO_FORCE)
        if lock.user_id != user_id and not force:
            raise LfsRefused(403, f"{lock.path} is locked by GitLab User {lock.user_id}")
        remove_lock(tx, lock)
    return lock


def _require_user(opened: Opened) -> int:
    """Locks belong to users; a deploy key has none."""
    if opened.actor.user_id is None:
        raise LfsRefused(403, NO_RIGHT)
    return opened.actor.user_id


def _number(text: str) -> int:
    return parse_id(text) or 0


def _limit(number: int) -> int:
    return number if 0 < number <= MOST_LISTED else MOST_LISTED
