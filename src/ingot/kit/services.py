"""What the composition root hands to every call and background job."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from ingot.kit.db import Database
from ingot.settings import Settings


class Pools:
    """Two bounded thread pools: a narrow one for reads of the database, a wide one for writes and whatever waits."""

    def __init__(self, narrow: int, wide: int) -> None:
        self._narrow = ThreadPoolExecutor(narrow, thread_name_prefix="read")
        self._wide = ThreadPoolExecutor(wide, thread_name_prefix="work")

    async def run(self, work: Callable[[], Any], *, wide: bool) -> Any:
        """Run blocking work without blocking the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._wide if wide else self._narrow, work)

    def close(self) -> None:
        """Wait for running work and end the threads."""
        self._narrow.shutdown(wait=True, cancel_futures=True)
        self._wide.shutdown(wait=True, cancel_futures=True)


@dataclass(slots=True)
class Services:
    """Made once by `app.build`; tests pass their own."""

    settings: Settings
    db: Database
    pools: Pools
    blobs: Any = None  # kit.blobs store
    storages: Any = None  # gitstore.Storages
    extra: dict[str, Any] = field(default_factory=dict)
    stopping: bool = False  # the server has been told to stop: requests that only wait end now
