"""Counting the queries that a request builds: everyday requests run queries that were built before."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from ingot.kit.statements.plans import plans_for
from tests.support.client import Client
from tests.support.databases import Databases
from tests.support.server import RunningServer

ANEW = {"Cache-Control": "no-cache"}


@contextmanager
def server_without_worker(databases: Databases, data: Path) -> Iterator[RunningServer]:
    """A worker's queries would be counted too."""
    with RunningServer(databases.fresh(data), data, worker=False) as running:
        yield running


def built_queries(server: RunningServer, request: Callable[[], object]) -> int:
    """How many queries a request builds that was made before."""
    request()
    plans = plans_for(server.services.db.reader.dialect)
    before = plans.built_queries
    request()
    return plans.built_queries - before


def filters_that_build(
    server: RunningServer, client: Client, path: str, filters: Iterable[tuple[str, str]]
) -> dict[str, int]:
    """The filters of a list that are built again for other values; the first values of each have to find something."""
    result: dict[str, int] = {}
    for first, second in filters:
        assert client.ok("GET", f"{path}?{first}"), f"{path}?{first} is empty"
        if number := built_queries(server, partial(_read_next, client, path, iter((first, second)))):
            result[first] = number
    return result


def _read_next(client: Client, path: str, queries: Iterator[str]) -> object:
    return client.ok("GET", f"{path}?{next(queries)}", headers=ANEW)
