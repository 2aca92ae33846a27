"""Starts nodes and workers again that have ended, as systemd and orchestrators do with those of `deploy/`."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.scale.cluster import Cluster

LOOK = 0.1


@contextmanager
def supervised(cluster: Cluster) -> Iterator[None]:
    """Until the block ends, and once more then."""
    ended = threading.Event()

    def look() -> None:
        while True:
            is_last = ended.wait(LOOK)
            for process in (*cluster.nodes, *cluster.workers):
                if process.popen.poll() is not None:
                    process.start()
            if is_last:
                return

    thread = threading.Thread(target=look, name="supervisor", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
