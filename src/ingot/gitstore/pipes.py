"""Reading and writing pipes in the event loop."""

import asyncio
import os


class _End:
    """What a transport takes for the file of a descriptor.

    libuv closes the descriptor by itself, and uvloop then closes the file. By that time a thread may have opened
    something else under the same number. So the file closes it only where the loop leaves that to it.
    """

    def __init__(self, number: int, *, closes: bool) -> None:
        self._number, self._closes = number, closes

    def fileno(self) -> int:
        return self._number

    def close(self) -> None:
        if self._closes:
            self._closes = False
            os.close(self._number)


async def read_pipe(number: int, reader: asyncio.StreamReader) -> asyncio.ReadTransport:
    """Read the pipe until its end; closing the transport closes the descriptor."""
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), _end(loop, number))
    return transport


async def write_pipe(number: int) -> asyncio.StreamWriter:
    """Write into the pipe; closing the writer closes the descriptor."""
    loop = asyncio.get_running_loop()
    # Nothing is read there, but the protocol knows how to wait until there is room.
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), _end(loop, number)
    )
    return asyncio.StreamWriter(transport, protocol, None, loop)


def _end(loop: asyncio.AbstractEventLoop, number: int) -> _End:
    return _End(number, closes=isinstance(loop, asyncio.BaseEventLoop))
