"""Connections of one port, shared out among those who accept them."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ingot.kit.http import Acceptor, Share, Shares
from tests.support.waiting import until

MANY = 20


class _Counted(asyncio.Protocol):
    def __init__(self, opened: list[asyncio.BaseTransport], share: Share) -> None:
        self._opened, self._share = opened, share

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._opened.append(transport)
        self._share.note(len(self._opened))


@contextmanager
def _accepting(listener: socket.socket, share: Share, patience: float) -> Iterator[list[asyncio.BaseTransport]]:
    """Somebody who accepts, in a thread of its own; the list holds what it has accepted."""
    opened: list[asyncio.BaseTransport] = []
    loop = asyncio.new_event_loop()

    async def begin() -> Acceptor:
        return Acceptor(listener, lambda: _Counted(opened, share), share, patience)

    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    acceptor = asyncio.run_coroutine_threadsafe(begin(), loop).result()

    async def end() -> None:
        await acceptor.close()
        for transport in opened:
            transport.close()
        await asyncio.sleep(0)  # what a transport still has to do

    try:
        yield opened
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0), backlog=MANY) as listening:
        yield listening


def test_a_new_connection_is_left_to_whoever_has_fewer(listener: socket.socket) -> None:
    shares = Shares(2)
    few, many = shares.of(0), shares.of(1)

    # Patient without end, so that chance decides nothing.
    with _accepting(listener, many, 3600) as later, _accepting(listener, few, 3600) as opened:
        many.note(1000)
        clients = [socket.create_connection(listener.getsockname()) for _ in range(MANY)]
        until(lambda: len(opened) == MANY)

        assert later == []
        for client in clients:
            client.close()


def test_a_connection_that_nobody_else_takes_does_not_wait_for_them(listener: socket.socket) -> None:
    shares = Shares(2)
    busy = shares.of(1)
    busy.begin()  # it has none, and never looks

    with _accepting(listener, shares.of(0), 0.001) as opened:
        clients = [socket.create_connection(listener.getsockname()) for _ in range(MANY)]
        until(lambda: len(opened) == MANY)

        assert not busy.is_larger_than_another
        for client in clients:
            client.close()


def test_who_does_not_accept_yet_or_no_more_has_no_share() -> None:
    shares = Shares(2)
    begun, other = shares.of(0), shares.of(1)
    begun.begin()
    begun.note(5)
    assert not begun.is_larger_than_another

    other.begin()
    assert begun.is_larger_than_another

    other.end()
    other.note(0)  # its last connection is closed
    assert not begun.is_larger_than_another
