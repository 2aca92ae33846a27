"""One command over SSH, from its line to its exit status, for the embedded server and behind OpenSSH alike."""

import json
import logging
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from functools import partial
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from ingot.access.ssh_addresses import url_of
from ingot.access.subjects import Project
from ingot.features.code.git_http import TOO_MANY, WIKI_SUFFIX, count_fetch, receive, receive_wiki
from ingot.features.code.git_ssh import texts
from ingot.features.code.git_ssh.access import Caller, Entry, WikiEntry, find_entry, open_for, recognize
from ingot.features.code.git_ssh.account_commands import QUESTION, UNCHANGED, create_personal_token, renew_codes
from ingot.features.code.git_ssh.command_line import (
    LFS_AUTHENTICATE,
    OF_ACCOUNTS,
    RECOVERY_CODES,
    BadCommand,
    Command,
    Unreadable,
    parse,
)
from ingot.features.code.git_ssh.holders import Holder, KeyRefused
from ingot.features.code.git_ssh.lfs_tokens import LIFETIME, UPLOAD, issue_header
from ingot.features.code.git_ssh.limits import CommandRate
from ingot.features.spaces.projects import offers_lfs, project_settings
from ingot.gitstore import GitError
from ingot.gitstore.errors import BadPush
from ingot.gitstore.push import Push, read_push
from ingot.gitstore.request_body import RequestBody
from ingot.gitstore.smart_http import RECEIVE_PACK, UPLOAD_PACK, converse, list_refs
from ingot.kit import tallies, times
from ingot.kit.callers import serve_for
from ingot.kit.errors import TooManyAtOnce
from ingot.kit.networks import subscriber_of
from ingot.kit.places import NoPlace
from ingot.kit.services import Services
from ingot.kit.times import Times, noting_times
from ingot.kit.tracing import current_traces

T = TypeVar("T")
log = logging.getLogger("ingot.ssh")

UNKNOWN, REFUSED = 128, 1
REFUSAL = "refused"
LONGEST_ANSWER = 100
RATE = CommandRate()  # one process answers SSH


class Line(Protocol):
    """The connection of one command: what the client sends, and where answers go, both with back-pressure."""

    def chunks(self) -> AsyncIterator[bytes]:
        """What the client sends, to its end; ConnectionError when it is gone."""

    async def write(self, data: bytes) -> None:
        """Its standard output; ConnectionError when it is gone."""

    async def write_error(self, data: bytes) -> None:
        """Its standard error output."""


class Conversation:
    """Serves one command; `is_forced` where OpenSSH runs it, whose messages begin without `ERROR:`."""

    def __init__(
        self, services: Services, caller: Caller, line: Line, protocol: str | None, *, is_forced: bool = False
    ) -> None:
        self.services, self.caller, self.line, self.protocol = services, caller, line, protocol
        self.is_forced = is_forced

    async def run(self, command_line: str) -> int:
        """Answer the command; returns its exit status."""
        started, noted = time.perf_counter(), times.make()
        serve_for(self.caller.host)
        name, status, result = "unknown", UNKNOWN, tallies.FAILED
        try:
            command = parse(command_line)
            name = command.name if command is not None else "greeting"
            with noting_times(noted):
                status = await (self._greet() if command is None else self._serve(command))
            result = tallies.OK
        except ConnectionError:
            result = tallies.CANCELLED
            raise
        except BadCommand as bad:
            result = REFUSAL
            is_disallowed = self.is_forced and not isinstance(bad, Unreadable)
            status = REFUSED if is_disallowed else UNKNOWN
            await self.refuse(texts.DISALLOWED if is_disallowed else str(bad))
        except KeyRefused as refused:
            status, result = REFUSED, REFUSAL
            await self.refuse(str(refused))
        except (NoPlace, TooManyAtOnce):
            result = REFUSAL
            await self.refuse(TOO_MANY)
        except (BadPush, GitError) as error:
            status = UNKNOWN
            await self.refuse(error.message)
        finally:
            self._observe(name, status, result, time.perf_counter() - started, noted)
        return status

    def _observe(self, name: str, status: int, result: str, seconds: float, noted: Times) -> None:
        """One log line, one count and one span per command."""
        known = {"command": name, "status": status, "key": str(self.caller.key), "address": self.caller.host}
        log.info("ssh command", extra={**known, "ms": round(seconds * 1000, 2)})
        tallies.add(tallies.SSH, name, seconds, result)
        traces = current_traces()
        if traces is not None:
            facts: dict[str, str | int] = {"ingot.ssh.command": name, "ingot.ssh.status": status}
            traces.write("request", f"ssh {name}", seconds, facts, noted, failed=result == tallies.FAILED)

    async def refuse(self, text: str) -> None:
        """Show why the command is refused."""
        await self.line.write_error(texts.block(text if self.is_forced else f"ERROR: {text}"))

    async def _greet(self) -> int:
        holder = await self._run(partial(recognize, self.services, self.caller))
        name = f"@{holder.actor.username}" if holder.deploy_key_id is None else "Anonymous"
        await self.line.write(f"Welcome to Ingot, {name}!\n".encode())
        return 0

    async def _serve(self, command: Command) -> int:
        callers = (str(self.caller.key), subscriber_of(self.caller.host))
        if not RATE.admits(command.name, command.path, *callers, at=time.monotonic()):
            raise KeyRefused(texts.TOO_OFTEN)
        if command.name in OF_ACCOUNTS:
            return await self._serve_account(command)
        pushes = command.name == RECEIVE_PACK or UPLOAD in command.rest
        find = partial(open_for, self.services, self.caller, command.path, pushes=pushes)
        entry = await self._run(find)
        if entry.holder.expires_soon:
            await self.line.write_error(f"{texts.KEY_EXPIRES_SOON}\n".encode())
        if command.name == LFS_AUTHENTICATE:
            await self._admit_to_lfs(entry, command)
            return 0
        counted_as, subject = _counted_as(entry.holder, self.caller), str(entry.opened.repository.path)
        address = subscriber_of(self.caller.host)
        async with self.services.transfers.place(counted_as, subject, address) as has_waited:
            if has_waited:
                entry = await self._run(find)  # the key, the role or the project may be gone by now
            gives_way = self.services.transfers.has_several(counted_as)
            await (self._push(entry) if pushes else self._fetch(entry, command.name, gives_way=gives_way))
        return 0

    async def _serve_account(self, command: Command) -> int:
        holder = await self._run(partial(recognize, self.services, self.caller))
        if command.name != RECOVERY_CODES:
            work = partial(create_personal_token, self.services, holder, command.rest)
        else:
            await self.line.write(QUESTION.encode())
            if await self._read_answer() != b"yes":
                await self.line.write(UNCHANGED.encode())
                return 0
            work = partial(renew_codes, self.services, holder)
        await self.line.write((await self._run(work)).encode())
        return 0

    async def _read_answer(self) -> bytes:
        """The line that the user types."""
        text = b""
        async for chunk in self.line.chunks():
            text += chunk
            if b"\n" in text or len(text) > LONGEST_ANSWER:
                break
        return text.partition(b"\n")[0].strip()

    async def _admit_to_lfs(self, entry: Entry | WikiEntry, command: Command) -> None:
        suffix, operation = "", command.rest[0]
        if isinstance(entry, WikiEntry):  # a wiki shares the objects of its project, with the rights for code
            suffix, path = WIKI_SUFFIX, command.path.removesuffix(WIKI_SUFFIX)
            find = partial(find_entry, self.services, self.caller, path, pushes=operation == UPLOAD)
            entry = await self._run(find)
        project = entry.opened.project
        if not await self._run(partial(_offers_lfs, self.services, project)):
            return  # without an answer, clients assume a server without LFS
        answer = {
            "header": {"Authorization": issue_header(self.services.secret_key, entry.holder, project.id, operation)},
            "href": f"{self.caller.base_url.rstrip('/')}/{project.full_path}{suffix}.git/info/lfs",
            "expires_in": int(LIFETIME.total_seconds()),
        }
        await self.line.write(json.dumps(answer).encode() + b"\n")

    async def _fetch(self, entry: Entry | WikiEntry, service: str, *, gives_way: bool) -> None:
        if service == UPLOAD_PACK and isinstance(entry, Entry):
            count_fetch(self.services, entry.opened.project.id)
        body = RequestBody(self.line.chunks())
        await self._send(converse(entry.opened.repository, service, body, self.protocol, gives_way=gives_way))

    async def _push(self, entry: Entry | WikiEntry) -> None:
        opened = entry.opened
        await self.line.write(
            await self._run(partial(list_refs, opened.repository, RECEIVE_PACK, self.protocol), can_end=True)
        )
        body = RequestBody(self.line.chunks())
        push = await read_push(body)
        if not push.commands:  # everything is there already
            return
        if isinstance(entry, WikiEntry):
            await self._send(
                await receive_wiki(self.services, entry.opened, push, body, self.protocol, stays_open=True)
            )
            return
        await self._receive(entry, push, body)

    async def _receive(self, entry: Entry, push: Push, body: RequestBody) -> None:
        opened, base_url = entry.opened, self.caller.base_url
        await self._send(await receive(self.services, opened, push, body, self.protocol, base_url, stays_open=True))
        if entry.former_path is not None:
            path = opened.project.full_path
            url = url_of(urlsplit(base_url).hostname, path)
            await self.line.write_error(texts.moved(entry.former_path, path, url))

    async def _send(self, answer: AsyncGenerator[bytes]) -> None:
        async with aclosing(answer) as chunks:
            async for chunk in chunks:
                await self.line.write(chunk)

    async def _run(self, work: Callable[[], T], *, can_end: bool = False) -> T:
        return await self.services.pools.run_git(work, can_end=can_end)


def _offers_lfs(services: Services, project: Project) -> bool:
    with services.db.read() as conn:
        return offers_lfs(services, conn, project_settings(project), project.namespace_id)


def _counted_as(holder: Holder, caller: Caller) -> str:
    """Whose transfers are counted together: those of a user, or of a deploy key."""
    return str(caller.key) if holder.deploy_key_id is not None else f"user {holder.actor.user_id}"
