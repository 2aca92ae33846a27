"""A push from its check to its follow-up, over HTTP and SSH."""

from collections.abc import AsyncGenerator, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from ingot.features.code.git_http.access import Opened
from ingot.features.code.git_http.after_push import follow_up, store_note
from ingot.features.code.git_http.judging import Verdict, judge
from ingot.features.code.lfs_locks import has_locks_of_others, refuse_locked_paths
from ingot.features.code.lfs_objects import has_objects, renew
from ingot.features.code.push_rules import Tips, refuse_commits
from ingot.features.spaces.projects import offers_lfs, project_settings
from ingot.gitstore import smart_http
from ingot.gitstore.changed_paths import changed_paths
from ingot.gitstore.push import Push, refuse
from ingot.gitstore.push_report import RefResult
from ingot.gitstore.repository import size_of
from ingot.gitstore.request_body import RequestBody
from ingot.gitstore.smart_http import PushRules
from ingot.kit.services import Services

T = TypeVar("T")


async def receive(
    services: Services,
    opened: Opened,
    push: Push,
    body: RequestBody,
    protocol: str | None,
    base_url: str,
    *,
    stays_open: bool = False,
) -> AsyncGenerator[bytes]:
    """The answer to a push whose commands were read already; `stays_open`: the client hears it while it still sends."""

    async def run(work: Callable[[], T]) -> T:
        return await services.pools.run_git(work, can_end=False, can_refuse=False)

    verdict = await run(partial(judge, services, opened, push))
    if verdict.messages:
        return refuse(push, body, verdict.messages, at_once=stays_open)
    note = await run(partial(store_note, services, opened, push))

    async def finished(results: list[RefResult]) -> list[str]:
        return await run(partial(follow_up, services, opened, push, note, results, base_url))

    async def has_large_files(oids: list[str]) -> bool:
        return await run(partial(_has_objects, services, opened.project.id, oids))

    has_lfs, has_locks = await run(partial(_large_files, services, opened))

    async def refuse_changes(quarantine: Path, tips: list[str]) -> str | None:
        return await run(partial(_refuse_changes, services, opened, verdict, quarantine, tips, has_locks=has_locks))

    rules = PushRules(
        keep_history=verdict.keep_history,
        max_bytes=verdict.max_bytes,
        has_objects=has_large_files if has_lfs else None,
        refuse_changes=refuse_changes if has_locks or verdict.rule is not None or verdict.size is not None else None,
    )
    return smart_http.receive_pack(opened.repository, push, body, protocol=protocol, rules=rules, finished=finished)


def _has_objects(services: Services, project_id: int, oids: list[str]) -> bool:
    with services.db.write() as tx:
        renew(tx, project_id, oids)
        return has_objects(tx, project_id, oids)


def _large_files(services: Services, opened: Opened) -> tuple[bool, bool]:
    """Whether the project offers Git LFS, and has locks of others than the caller."""
    project = opened.project
    with services.db.read() as conn:
        if not offers_lfs(services, conn, project_settings(project), project.namespace_id):
            return False, False
        return True, has_locks_of_others(conn, project.id, opened.actor.user_id)


def _refuse_changes(
    services: Services, opened: Opened, verdict: Verdict, quarantine: Path, tips: list[str], *, has_locks: bool
) -> str | None:
    """Why the new commits may not come in: the repository's size, the project's rule, or locks of others."""
    if verdict.size is not None and not verdict.size.leaves_room_for(size_of(quarantine)):
        return verdict.size.refuse_new_changes()
    if verdict.rule is not None:
        source = Tips(tips, quarantine)
        why = refuse_commits(services, verdict.rule, opened.actor.user_id, opened.repository, source, by_git=True)
        if why is not None:
            return why
    return _refuse_paths(services, opened, quarantine, tips) if has_locks else None


def _refuse_paths(services: Services, opened: Opened, quarantine: Path, tips: list[str]) -> str | None:
    """The first reason; the rest of the paths is not read."""
    for paths in changed_paths(opened.repository, quarantine, tips):
        with services.db.read() as conn:
            reason = refuse_locked_paths(conn, opened.project.id, opened.actor.user_id, paths)
        if reason is not None:
            return reason
    return None
