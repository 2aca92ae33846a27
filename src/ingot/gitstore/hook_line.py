"""How the pre-receive hook asks the service about large files: two pipes that git's processes inherit.

The hook writes the names of the objects, one to a line, and an empty line; it reads `yes` or the end of the pipe.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable

HasObjects = Callable[[list[str]], Awaitable[bool]]


class HookLine:
    """The pipes of one push. When the service dies, the hook reads the end of its pipe and refuses."""

    def __init__(self, has_objects: HasObjects) -> None:
        self._has_objects = has_objects
        self._question, self._hook_question = os.pipe()
        self._hook_answer, self._answer = os.pipe()
        self.inherited = (self._hook_question, self._hook_answer)
        self.environment = {
            "INGOT_LFS_QUESTION": f"/dev/fd/{self._hook_question}",
            "INGOT_LFS_ANSWER": f"/dev/fd/{self._hook_answer}",
        }

    def close_inherited(self) -> None:
        """Git has its own copies of the descriptors now."""
        for number in self.inherited:
            os.close(number)

    def close(self) -> None:
        """Git did not start."""
        for number in (self._question, self._answer):
            os.close(number)

    async def serve(self) -> None:
        """Answer the hook, until it has asked or git has ended."""
        reader = asyncio.StreamReader()
        pipe = os.fdopen(self._question, "rb", buffering=0)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), pipe
        )
        try:
            names: list[str] = []
            while line := await reader.readline():
                if line != b"\n":
                    names.append(line.decode().strip())
                elif await self._has_objects(names):
                    os.write(self._answer, b"yes\n")
                    break
                else:
                    break
        finally:
            transport.close()
            os.close(self._answer)
