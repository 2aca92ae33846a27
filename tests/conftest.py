"""Fixtures of the whole suite: a real server on a real database, a client that checks the contract, and a world."""

import gc
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ingot.kit.clock import now, today
from tests.features.people.ldap.directory import find_slapd
from tests.support import absent, traffic
from tests.support.browsers import find_browser
from tests.support.databases import Databases, PostgresDatabases, SqliteDatabases
from tests.support.faults import no_listener_fails
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World

# Many servers run side by side; those that are about SSH switch it on, on a port of their own.
os.environ.setdefault("INGOT_SSH", "off")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--db", choices=["sqlite", "postgres"], default="sqlite", help="database under the tests")
    parser.addoption("--cases", type=int, default=0, help="at most so many cases of a test, spread evenly; 0 is all")
    parser.addoption("--record-examples", type=Path, help="write a call of each operation into this file")


def pytest_configure(config: pytest.Config) -> None:
    if file := config.getoption("--record-examples"):
        traffic.recording = traffic.Traffic(file)


def pytest_sessionstart() -> None:
    if absent.are_demanded() and (lacking := list(absent.sentences())):
        raise pytest.UsageError("INGOT_TEST_ENGINES=all, but not all are installed:\n" + "\n".join(lacking))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if traffic.recording is not None:
        traffic.recording.write(session.config.getoption("--record-examples"))


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Tests in a browser run where there is one, and those of a directory where slapd is installed."""
    if collection_path.name.startswith("test_browser") and find_browser() is None:
        return True
    return True if collection_path.name == "test_ldap_sign_in.py" and find_slapd() is None else None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """No test begins in the last minute of a day (UTC): many compare dates, and a new one would begin in between."""
    until(lambda: (now() + timedelta(minutes=1)).date() == today())


def pytest_collection_finish() -> None:
    """What was collected stays to the end: the garbage collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for sentence in absent.sentences():
        terminalreporter.write_line(sentence)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each test runs on the databases that it is about: one that asks for none runs once, beside those on SQLite."""
    if config.getoption("--db") == "sqlite":
        chosen = [item for item in items if item.get_closest_marker("postgres") is None]
    else:
        chosen = [item for item in items if item.get_closest_marker("postgres") or _asks_for_one(item)]
    if most := config.getoption("--cases"):
        chosen = list(spread([item for item in chosen if item.get_closest_marker("costly") is None], most))
    remaining = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in remaining])
    items[:] = [item for item in items if item in remaining]
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def spread(items: list[pytest.Item], most: int) -> Iterator[pytest.Item]:
    """At most so many cases of each test, from the first to the last in even steps."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in tests.values():
        number = min(most, len(cases))
        # The order may have been shuffled.
        ordered = sorted(cases, key=lambda case: case.nodeid)
        yield from (ordered[place * len(ordered) // number] for place in range(number))


def _asks_for_one(item: pytest.Item) -> bool:
    return "databases" in getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def databases(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """Where fresh, prepared databases come from."""
    kind = PostgresDatabases if request.config.getoption("--db") == "postgres" else SqliteDatabases
    created = kind(tmp_path_factory.mktemp("databases"))
    yield created
    created.close()


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server with a fresh database, shared by the tests of one module."""
    data: Path = tmp_path_factory.mktemp("data")
    with no_listener_fails(), RunningServer(databases.fresh(data), data) as running:
        yield running


@pytest.fixture(scope="module")
def world(server: RunningServer) -> World:
    """Builders: `world.user()`, `world.project()`, …; everything through the API."""
    return World(server)
