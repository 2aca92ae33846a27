"""Whatever people watch is looked at once for all who watch it in this process.

It is looked at when the version of the database says that something was written, once in a second at most, and a few
times a minute even so: some states follow from the clock. What waits for people only (its state is calm) is looked at
these few times alone. Nobody is told of a change without being admitted again, and
all are admitted again with each of the regular looks. Streams with the same credentials are admitted together.
"""

import asyncio
import logging
from collections.abc import Callable, Hashable, Sequence
from contextvars import Context
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ingot.instance.throttling import address_name
from ingot.kit.db import remembering_answers
from ingot.kit.errors import ApiError, Unauthorized
from ingot.kit.faults import as_api_error
from ingot.kit.services import Pools, Services
from ingot.web import visitors

if TYPE_CHECKING:
    from ingot.web.call import PageCall

log = logging.getLogger("ingot.pages")
EVERY = 1.0  # seconds between two looks at what changes
AT_LEAST_EVERY = 15.0  # seconds between two looks at what does not
CALM = "calm-"  # how states begin that only people change
BUSY = frozenset({429, 503})  # statuses that say nothing about the reader

Look = Callable[["PageCall"], str]


class Listener:
    """One stream: the state that its reader may see, and whether there is news."""

    def __init__(self, call: "PageCall", state: str) -> None:
        self.call = call
        self.state = state  # empty once nothing will change any more, or the reader may not see it
        self.is_cut = False  # the server stops or has failed; the browser comes back
        self.news = asyncio.Event()
        session = call.session.csrf if call.session is not None else None
        self.reader: Hashable = (call.actor, session, address_name(call.request))  # these have the same rights

    def tell(self, state: str) -> None:
        """This is what the reader may see now."""
        if state != self.state:
            self.state = state
            self.news.set()

    async def has_news(self, seconds: float) -> bool:
        """Wait so long for news."""
        try:
            async with asyncio.timeout(seconds):
                await self.news.wait()
        except TimeoutError:
            return False
        self.news.clear()
        return True

    def cut(self) -> None:
        """End the stream without a word."""
        self.is_cut = True
        self.news.set()


class Watch:
    """One subject, looked at for its listeners while there are any."""

    def __init__(self, services: Services, look: Look) -> None:
        self._services = services
        self._look = look
        self._listeners: dict[Listener, None] = {}
        self._version: Hashable | None = None  # of the database, read before the last look
        self._is_calm = False
        self._task: asyncio.Task[None] | None = None

    def join(self, listener: Listener) -> None:
        """Take one more listener; the first one starts the looks."""
        self._listeners[listener] = None
        if self._task is None or self._task.done():
            # In a context of its own: the looks are not part of the request that happened to come first.
            self._task = asyncio.get_running_loop().create_task(self._run(), context=Context())

    def leave(self, listener: Listener) -> bool:
        """Release a listener; returns whether it was the last one."""
        self._listeners.pop(listener, None)
        if not self._listeners and self._task is not None:
            self._task.cancel()
        return not self._listeners

    async def _run(self) -> None:
        try:
            await self._look_on()
        except Exception:
            log.exception("a look for the watchers of a page failed")
        for listener in self._listeners:
            listener.cut()

    async def _look_on(self) -> None:
        services, clock = self._services, asyncio.get_running_loop().time
        admitted = clock()
        while not services.stopping:
            await asyncio.sleep(EVERY)
            version = services.db.quick_version()
            is_regular = clock() - admitted >= AT_LEAST_EVERY
            has_news = version is None or (version != self._version and not self._is_calm)
            if not has_news and not is_regular:
                continue
            work = partial(self._states, tuple(self._listeners), is_regular=is_regular)
            try:
                states = await services.pools.run_git(work, can_end=True, can_refuse=False)
            except Exception as error:
                if _will_pass(error):
                    continue
                raise
            for listener, state in states.items():
                listener.tell(state)
            if is_regular:
                admitted = clock()

    def _states(self, listeners: Sequence[Listener], *, is_regular: bool) -> dict[Listener, str]:
        """What each of them may see now, as far as that concerns them; in a thread."""
        with self._services.db.read() as conn:
            version = self._services.db.version(conn)
        if version == self._version and not is_regular:
            return {}
        with remembering_answers():
            states = self._look_as_first(listeners)
            state = next(reversed(states.values()), "")
            rights = {listener.reader: told != "" for listener, told in states.items()}
            for listener in listeners:
                if listener in states or not (is_regular or listener.state != state):
                    continue
                if listener.reader not in rights:
                    rights[listener.reader] = _answer_of(listener, lambda _: "") is not None
                states[listener] = state if rights[listener.reader] else ""
        self._version, self._is_calm = version, state.startswith(CALM)
        return states

    def _look_as_first(self, listeners: Sequence[Listener]) -> dict[Listener, str]:
        """What the first of them sees who may still see it, at the end; those before may not."""
        states: dict[Listener, str] = {}
        for listener in listeners:
            state = _answer_of(listener, self._look)
            states[listener] = state or ""
            if state is not None:
                break
        return states


def _will_pass(error: Exception) -> bool:
    """The database is away, or the server has too much to do: the next look may succeed."""
    return isinstance(error, ApiError) or as_api_error(error) is not None


def _answer_of(listener: Listener, look: Look) -> str | None:
    """What the listener sees; None for those whose session, token or role has ended since."""
    call = listener.call
    try:
        visitor = visitors.identify(call)
        if visitor.user_id != call.actor.user_id:
            raise Unauthorized
        call.actor = visitor
        call.endpoint.guard.admit(call)
        return look(call)
    except ApiError as error:
        if error.status in BUSY:
            raise
        return None
    finally:
        call.close()


_watches: WeakKeyDictionary[Pools, dict[Hashable, Watch]] = WeakKeyDictionary()


def join(subject: Hashable, listener: Listener, look: Look) -> None:
    """Let a listener hear of a subject; `look` reads its state."""
    watches = _watches.setdefault(listener.call.services.pools, {})
    watches.setdefault(subject, Watch(listener.call.services, look)).join(listener)


def leave(subject: Hashable, listener: Listener) -> None:
    """The stream has ended."""
    watches = _watches[listener.call.services.pools]
    if watches[subject].leave(listener):
        del watches[subject]
