"""A push to a wiki, from its check to its follow-up, over HTTP and SSH."""

from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from typing import TypeVar

from ingot.features.code.git_http.judging import MEGABYTE, Verdict
from ingot.features.code.git_http.wikis import NO_WIKI_PUSH, OpenedWiki
from ingot.features.code.pushing import BAD_NAME, DEFAULT_DELETE, HEX_BRANCH, HIDDEN_REF, refusal
from ingot.features.code.wikis import begin_write, follow, settle_branch
from ingot.gitstore import smart_http
from ingot.gitstore.names import BRANCHES, INTERNAL, is_sha, is_valid_branch, is_valid_ref
from ingot.gitstore.push import Push, RefCommand, refuse
from ingot.gitstore.push_report import RefResult
from ingot.gitstore.request_body import RequestBody
from ingot.gitstore.smart_http import PushRules
from ingot.instance import application_setting
from ingot.kit.services import Services

T = TypeVar("T")


async def receive_wiki(
    services: Services,
    opened: OpenedWiki,
    push: Push,
    body: RequestBody,
    protocol: str | None,
    *,
    stays_open: bool = False,
) -> AsyncGenerator[bytes]:
    """The answer to a push whose commands were read already; `stays_open`: the client hears it while it still sends."""

    async def run(work: Callable[[], T]) -> T:
        return await services.pools.run_git(work, can_end=False, can_refuse=False)

    verdict = await run(partial(_judge, services, opened, push))
    if verdict.messages:
        return refuse(push, body, verdict.messages, at_once=stays_open)
    await run(partial(_begin, services, opened))

    async def finished(results: list[RefResult]) -> list[str]:
        await run(partial(_finish, services, opened, results))
        return []

    rules = PushRules(keep_history=frozenset(), max_bytes=verdict.max_bytes)
    return smart_http.receive_pack(opened.repository, push, body, protocol=protocol, rules=rules, finished=finished)


def _judge(services: Services, opened: OpenedWiki, push: Push) -> Verdict:
    shown = opened.repository.default_branch()
    reasons = [why for command in push.commands if (why := _refuse(command, shown)) is not None]
    if not opened.place.may_write(opened.actor):
        reasons = [NO_WIKI_PUSH]
    if reasons:
        return Verdict([refusal(text) for text in dict.fromkeys(reasons)])
    with services.db.read() as conn:
        largest = application_setting(conn, "receive_max_input_size")
    return Verdict([], max_bytes=largest * MEGABYTE if largest else None)


def _refuse(command: RefCommand, shown: str) -> str | None:
    if command.ref.startswith(INTERNAL):
        return HIDDEN_REF
    if command.is_deletion:
        return DEFAULT_DELETE if command.branch == shown else None
    if command.branch is not None and command.is_creation:
        if is_sha(command.branch.lower()):
            return HEX_BRANCH
        return None if is_valid_branch(command.branch) else BAD_NAME
    return None if is_valid_ref(command.ref) else BAD_NAME


def _begin(services: Services, opened: OpenedWiki) -> None:
    with services.db.write() as tx:
        begin_write(tx, opened.wiki, opened.actor.user_id, opened.wiki.head)


def _finish(services: Services, opened: OpenedWiki, results: Sequence[RefResult]) -> None:
    """Show the first branch of an empty wiki, and record what happened to the pages."""
    wiki, user_id = opened.wiki, opened.actor.user_id
    done = [result.command for result in results if result.is_done]
    settle_branch(wiki, [command.branch for command in done if command.branch is not None])
    shown = f"{BRANCHES}{wiki.repository.default_branch()}"
    moved = next((command for command in done if command.ref == shown), None)
    if moved is None or moved.is_deletion:
        follow(services, wiki, user_id, None, wiki.head)
    else:
        follow(services, wiki, user_id, None if moved.is_creation else moved.old, moved.new)
