"""How the pre-receive hook asks the service: two pipes that git's processes inherit.

The hook writes a question and an empty line, and reads one line or the end of the pipe:

    changes PATH    whether the commits in this quarantine may come in, by what they change and who made them: `yes`, or
                    `no` with a sentence

    objects PATH    whether the objects in this quarantine may come in: `yes`, `no` with a sentence, or `history` when
                    git has to find out whether branches keep theirs
    names of large files, one to a line    whether all of them are there: `yes`

    storing         whether refs may move now: `yes`, or `no` with a sentence. A `yes` to `objects` says this, too
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from ingot.gitstore.errors import GitError, LockTimeout
from ingot.gitstore.new_objects import TOO_LARGE, read_new_objects
from ingot.gitstore.pipes import read_pipe
from ingot.gitstore.push import Push
from ingot.gitstore.repository import Repository
from ingot.gitstore.writers import SECONDS, Writer
from ingot.kit.os_faults import tried_again

HasObjects = Callable[[list[str]], Awaitable[bool]]
# Looks at the new commits in the quarantine that lead to the tips; returns why they may not come in, None if they may.
RefuseChanges = Callable[[Path, list[str]], Awaitable[str | None]]
MISSING = 'GitLab: LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".'
UNREADABLE = "GitLab: The new objects could not be checked."
PROGRESS = 32 << 10  # bytes; git tells percents
_OBJECTS = "objects "
_CHANGES = "changes "
_STORING = "storing"
_PAUSE = 0.02  # seconds


class HookLine:
    """The pipes of one push. When the service dies, the hook reads the end of its pipe and refuses."""

    def __init__(
        self,
        repo: Repository,
        push: Push,
        keep_history: frozenset[str],
        has_objects: HasObjects | None,
        refuse_changes: RefuseChanges | None,
    ) -> None:
        self._repo, self._push, self._keep_history, self._has_objects = repo, push, keep_history, has_objects
        self._refuse_changes = refuse_changes
        self._writer = Writer(repo.path)
        self._question, self._hook_question = os.pipe()
        self._hook_answer, self._answer = os.pipe()
        self.inherited = (self._hook_question, self._hook_answer, self._writer.descriptor)
        self.environment = {
            "INGOT_QUESTION": f"/dev/fd/{self._hook_question}",
            "INGOT_ANSWER": f"/dev/fd/{self._hook_answer}",
        }
        if has_objects is not None:
            self.environment["INGOT_LFS"] = "1"
        if refuse_changes is not None:
            self.environment["INGOT_CHANGES"] = "1"

    @property
    def longest_report(self) -> int:
        """Bytes that git may answer with: for each command a line and perhaps an error, and progress."""
        return 4 * len(self._push.prefix) + PROGRESS

    def close_inherited(self) -> None:
        """Git has its own copies of the descriptors now."""
        for number in (self._hook_question, self._hook_answer):
            os.close(number)

    def close(self) -> None:
        """Git did not start."""
        for number in (self._question, self._answer):
            os.close(number)
        self._writer.close()

    async def serve(self) -> None:
        """Answer the hook until git has ended."""
        reader = asyncio.StreamReader()
        transport = await read_pipe(self._question, reader)
        try:
            lines: list[str] = []
            while line := await reader.readline():
                if line == b"\n":
                    # One line, whatever the names in it hold.
                    reply = " ".join((await self._reply(lines)).splitlines())
                    os.write(self._answer, reply.encode("utf-8", "replace") + b"\n")
                    lines = []
                else:
                    lines.append(os.fsdecode(line).removesuffix("\n"))
        finally:
            transport.close()
            os.close(self._answer)
            self._writer.close()

    async def _reply(self, lines: list[str]) -> str:
        if lines and lines[0].startswith(_OBJECTS):
            return await self._judge(Path(lines[0].removeprefix(_OBJECTS)))
        if lines and lines[0].startswith(_CHANGES):
            return await self._judge_changes(Path(lines[0].removeprefix(_CHANGES)))
        if lines == [_STORING]:
            return await self._enter()
        return "yes" if await self._has_all(lines) else "no"

    async def _enter(self) -> str:
        """From now on the repository stays where it is, until git has ended.

        No thread waits: all pushes of this process share a few, with everybody who reads files.
        """
        deadline = time.monotonic() + SECONDS
        while True:
            try:
                await asyncio.to_thread(self._writer.enter, 0.0)
            except GitError as refused:
                if not isinstance(refused, LockTimeout) or time.monotonic() >= deadline:
                    return f"no GitLab: {refused.message}"
            else:
                return "yes"
            await asyncio.sleep(_PAUSE)

    async def _judge_changes(self, quarantine: Path) -> str:
        tips = [command.new for command in self._push.commands if not command.is_deletion]
        if not self._is_quarantine(quarantine):
            return f"no {UNREADABLE}"
        if self._refuse_changes is None or not tips:
            return "yes"
        reason = await self._refuse_changes(quarantine, tips)
        return "yes" if reason is None else f"no GitLab: {reason}"

    def _is_quarantine(self, folder: Path) -> bool:
        return folder.parent == self._repo.path / "objects"

    async def _judge(self, quarantine: Path) -> str:
        if not self._is_quarantine(quarantine):
            return f"no {UNREADABLE}"
        objects = await asyncio.to_thread(tried_again, lambda: read_new_objects(quarantine))
        if objects.too_large is not None:
            return f"no {TOO_LARGE.format(objects.too_large)}"
        if objects.pointers and not await self._has_all(objects.pointers):
            return f"no {MISSING}"
        moves = [command for command in self._push.commands if command.ref in self._keep_history]
        known = all(
            command.is_creation or command.is_deletion or objects.leads_to(command.new, command.old)
            for command in moves
        )
        return await self._enter() if known else "history"

    async def _has_all(self, names: list[str]) -> bool:
        return self._has_objects is None or await self._has_objects(names)
