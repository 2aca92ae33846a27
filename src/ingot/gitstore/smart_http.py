"""Clone, fetch and push over HTTP: advertisements, and the two services streamed both ways without buffering.

Nothing here knows users or routes: the caller authorises (see `push`) and supplies the request's chunks.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from pathlib import Path

import msgspec

from ingot.gitstore import advertisement, ls_refs
from ingot.gitstore.environment import environment
from ingot.gitstore.errors import (
    BadFetch,
    CommandFailed,
    GitError,
    Killed,
    OutputTooLarge,
    RepositoryNotFound,
    TimedOut,
)
from ingot.gitstore.hook_line import HasObjects, HookLine, RefuseChanges
from ingot.gitstore.known_refs import fits, known_answer
from ingot.gitstore.ls_refs import LsRefs
from ingot.gitstore.names import ENVIRONMENTS, INTERNAL, KEEP_AROUND, TIDYING
from ingot.gitstore.object_checks import check_settings
from ingot.gitstore.pkt_line import FLUSH, pkt, remote_lines
from ingot.gitstore.push import Push
from ingot.gitstore.push_report import RefResult, ReportReader
from ingot.gitstore.refs import find_ref
from ingot.gitstore.repository import Repository
from ingot.gitstore.request_body import RequestBody
from ingot.gitstore.service_process import ServiceProcess
from ingot.gitstore.stale_locks import free_stale_locks
from ingot.kit.patterns import pattern

UPLOAD_PACK, RECEIVE_PACK = "git-upload-pack", advertisement.RECEIVE_PACK
SERVICES = (UPLOAD_PACK, RECEIVE_PACK)
HOOKS = Path(__file__).parent / "hooks"
FORCE_REFUSED = "GitLab: You are not allowed to force push code to a protected branch on this project."

_PROTOCOL = pattern(r"[a-z0-9=:.-]{1,100}")
# What git says of a request that it cannot read, as opposed to a repository that it cannot read.
_NONSENSE = pattern(r"protocol error|hung up unexpectedly|unknown capability|invalid command|unexpected line")
_HIDDEN = {
    # Merge request and pipeline refs stay visible: reviewers and runners fetch them by name.
    UPLOAD_PACK: (KEEP_AROUND, ENVIRONMENTS, TIDYING),
    RECEIVE_PACK: (*INTERNAL, "refs/replace/"),
}
_FETCH: list[tuple[str, str]] = [
    ("uploadpack.allowFilter", "true"),
    ("uploadpack.allowAnySHA1InWant", "true"),
    *(("uploadpack.hideRefs", prefix.rstrip("/")) for prefix in _HIDDEN[UPLOAD_PACK]),
]
_PUSH: list[tuple[str, str]] = [
    *check_settings("receive"),
    ("receive.denyDeletes", "false"),
    ("receive.denyNonFastForwards", "false"),
    ("receive.denyDeleteCurrent", "ignore"),
    ("receive.autogc", "false"),
    ("receive.updateServerInfo", "false"),
    ("receive.advertisePushOptions", "true"),
    ("receive.keepAlive", "5"),
    ("core.filesRefLockTimeout", "10000"),
    ("core.packedRefsTimeout", "10000"),
    *(("receive.hideRefs", prefix.rstrip("/")) for prefix in _HIDDEN[RECEIVE_PACK]),
]


class PushRules(msgspec.Struct, frozen=True):
    """`keep_history`: full names of refs that must not lose commits, judged with the new objects at hand."""

    keep_history: frozenset[str] = frozenset()
    keep_history_message: str = FORCE_REFUSED
    max_bytes: int | None = None
    has_objects: HasObjects | None = None  # asked for the large files that new pointers name
    refuse_changes: RefuseChanges | None = None  # asked for the new commits
    seconds: float = 3600.0


Finished = Callable[[list[RefResult]], Awaitable[list[str]]]
"""Called once when a push has ended, whether or not the client is still there; returns lines for its terminal."""


def advertise(repo: Repository, service: str, protocol: str | None = None) -> bytes:
    """Body of `GET info/refs?service=`; `protocol` is the Git-Protocol header."""
    body = list_refs(repo, service, protocol)
    if service == UPLOAD_PACK and _version(protocol) == 2:
        return body
    return pkt(f"# service={service}\n".encode()) + FLUSH + body


def list_refs(repo: Repository, service: str, protocol: str | None = None) -> bytes:
    """What a service says first: its refs and capabilities."""
    if service not in SERVICES:
        raise GitError("There is no such git service.")
    if not repo.exists():
        raise RepositoryNotFound
    version = _version(protocol)
    if service == UPLOAD_PACK and version == 2:
        return advertisement.constant_greeting(service, lambda: _ask_git(repo, service, protocol))
    question = f"{service} {version} {advertisement.installed()}".encode()
    return known_answer(repo, question, partial(_list_refs, repo, service, protocol))


def _list_refs(repo: Repository, service: str, protocol: str | None) -> bytes:
    if _version(protocol) == 1:
        return _ask_git(repo, service, protocol)
    answer = advertisement.list_refs(repo, service, _HIDDEN[service])
    if answer is None:
        answer = _ask_git(repo, service, protocol)
        advertisement.learn_capabilities(service, answer)
    return answer


def _ask_git(repo: Repository, service: str, protocol: str | None) -> bytes:
    config = _FETCH if service == UPLOAD_PACK else _PUSH
    words = (_command(service), "--stateless-rpc", "--advertise-refs", str(repo.path))
    return repo.git(*words, env=_protocol(protocol), config=config).stdout


async def read_ls_refs(body: RequestBody, protocol: str | None) -> LsRefs | None:
    """What a fetch asks of protocol 2's list of refs; None for everything else. The body stays as it is."""
    return ls_refs.parse(await body.peek(ls_refs.LARGEST + 1)) if _version(protocol) == 2 else None


def answer_ls_refs(repo: Repository, question: LsRefs) -> bytes | None:
    """The whole answer, mostly without a process; None where it is so large that `upload_pack` has to stream it."""
    return known_answer(repo, question.body(), partial(_answer_ls_refs, repo, question))


def _answer_ls_refs(repo: Repository, question: LsRefs) -> bytes | None:
    answer = advertisement.answer_ls_refs(repo, question, _HIDDEN[UPLOAD_PACK])
    if answer is not None or not fits(repo):
        return answer
    words = (_command(UPLOAD_PACK), "--stateless-rpc", str(repo.path))
    try:
        return repo.git(*words, stdin=question.body(), env=_protocol("version=2"), config=_FETCH).stdout
    except OutputTooLarge:
        return None


async def converse(
    repo: Repository,
    service: str,
    body: RequestBody,
    protocol: str | None = None,
    *,
    seconds: float = 3600.0,
    gives_way: bool = False,
) -> AsyncGenerator[bytes]:
    """A fetch or an archive over one connection that stays open, as over SSH. Closing the iterator ends git.

    One that gives way leaves scarce processors to others.
    """
    if not repo.exists():
        raise RepositoryNotFound
    command = service.removeprefix("git-")
    running = await ServiceProcess.start([command, str(repo.path)], environment(_protocol(protocol), _FETCH))
    if gives_way:
        running.give_way()
    async with running.limited(seconds):
        running.send(body)
        async for chunk in running.output():
            yield chunk
        await running.finish()


async def upload_pack(
    repo: Repository,
    body: RequestBody,
    protocol: str | None = None,
    *,
    seconds: float = 3600.0,
    gives_way: bool = False,
) -> AsyncGenerator[bytes]:
    """Body of the answer to `POST git-upload-pack`; as `converse`."""
    if not repo.exists():
        raise RepositoryNotFound
    running = await _start(repo, UPLOAD_PACK, protocol, _FETCH, {})
    if gives_way:
        running.give_way()
    async with running.limited(seconds):
        running.send(body)
        async for chunk in running.output():
            yield chunk
        try:
            await running.finish()
        except CommandFailed as failure:
            if _NONSENSE.search(failure.stderr):
                raise BadFetch from failure
            raise


async def receive_pack(
    repo: Repository,
    push: Push,
    body: RequestBody,
    *,
    protocol: str | None = None,
    rules: PushRules = PushRules(),  # noqa: B008 - frozen
    finished: Finished | None = None,
) -> AsyncGenerator[bytes]:
    """Body of the answer to `POST git-receive-pack`, after `read_push` and the caller's consent.

    When the client goes away, git gets the end of its input: what was complete lands, the rest is dropped.
    """
    _require_hook()
    if not repo.exists():
        raise RepositoryNotFound
    config = [*_PUSH, ("core.hooksPath", str(HOOKS))]
    if rules.max_bytes is not None:
        config.append(("receive.maxInputSize", str(rules.max_bytes)))
    env: dict[str, str] = {}
    if rules.keep_history:
        env["INGOT_KEEP_HISTORY"] = "\n".join(sorted(rules.keep_history))
        env["INGOT_KEEP_HISTORY_MESSAGE"] = rules.keep_history_message
    free_stale_locks(repo, [command.ref for command in push.commands])
    line = HookLine(repo, push, rules.keep_history, rules.has_objects, rules.refuse_changes)
    running = await _start(repo, RECEIVE_PACK, protocol, config, env, line)
    reader = ReportReader(push)
    queue: asyncio.Queue[bytes] = asyncio.Queue(maxsize=8)
    work = asyncio.create_task(_receive(repo, running, reader, queue, rules.seconds, finished))
    running.send(body, prefix=push.prefix)
    listening = False
    try:
        listening = True
        while chunk := await queue.get():
            yield chunk
        listening = False
        await work
    finally:
        if listening:
            _let_finish(work, queue, running)


async def _receive(
    repo: Repository,
    running: ServiceProcess,
    reader: ReportReader,
    queue: asyncio.Queue[bytes],
    seconds: float,
    finished: Finished | None,
) -> None:
    """Continues when the client disconnects: a moved ref must be announced."""
    failure: GitError | None = None
    try:
        try:
            async with running.limited(seconds):
                async for chunk in running.output():
                    if ready := reader.feed(chunk):
                        await queue.put(ready)
                await running.finish(accept_failure=True)
        except TimedOut as error:
            failure = error
        results = reader.results()
        # Without its end, the answer must not look like a whole one: git's client would wait for the rest for ever.
        if failure is None and (reader.is_cut_off or (results is None and running.is_killed)):
            failure = Killed()
        if results is None:
            results = await asyncio.to_thread(_look, repo, reader.push)
        lines = await finished(results) if finished is not None else []
        if lines and reader.push.has_side_band:
            await queue.put(remote_lines(lines))
        if closing := reader.closing():
            await queue.put(closing)
        if failure is not None:
            raise failure
    finally:
        await queue.put(b"")


_orphans: set[asyncio.Task[None]] = set()


def _let_finish(work: asyncio.Task[None], queue: asyncio.Queue[bytes], running: ServiceProcess) -> None:
    async def discard() -> None:
        while await queue.get():
            pass

    running.end_input()
    for task in (work, asyncio.ensure_future(discard())):
        _keep(task)


def _keep(task: asyncio.Task[None]) -> None:
    _orphans.add(task)
    task.add_done_callback(_forget)


def _forget(task: asyncio.Task[None]) -> None:
    _orphans.discard(task)
    if not task.cancelled():
        task.exception()  # the client is gone


def _look(repo: Repository, push: Push) -> list[RefResult]:
    """Without a report, the refs themselves say what happened."""
    result = [(command, find_ref(repo, command.ref)) for command in push.commands]
    return [
        RefResult(command, None if value == (None if command.is_deletion else command.new) else "failed")
        for command, value in result
    ]


async def _start(
    repo: Repository,
    service: str,
    protocol: str | None,
    config: list[tuple[str, str]],
    env: dict[str, str],
    line: HookLine | None = None,
) -> ServiceProcess:
    words = [_command(service), "--stateless-rpc", str(repo.path)]
    context = environment({**_protocol(protocol), **env}, config)
    if line is None:
        return await ServiceProcess.start(words, context)
    try:
        environ = {**context, **line.environment}
        running = await ServiceProcess.start(words, environ, line.inherited, most_output=line.longest_report)
    except BaseException:
        line.close()
        raise
    finally:
        line.close_inherited()
    _keep(asyncio.create_task(line.serve()))
    return running


def _command(service: str) -> str:
    return service.removeprefix("git-")


def _protocol(header: str | None) -> dict[str, str]:
    return {"GIT_PROTOCOL": header} if header and _PROTOCOL.fullmatch(header) else {}


def _version(header: str | None) -> int:
    """The protocol version that a client asks for: the highest that git knows of those it names."""
    words = _protocol(header).get("GIT_PROTOCOL", "").split(":")
    return next((version for version in (2, 1) if f"version={version}" in words), 0)


def _require_hook() -> None:
    # Git silently skips a hook that cannot run, and its rules with it.
    if not os.access(HOOKS / "pre-receive", os.X_OK):
        raise GitError("The pre-receive hook of the installation is not executable.")
