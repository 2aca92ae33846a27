"""A walk over every page, every form and the doors beside the API with long texts, as that over the endpoints."""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta

import httpx
import pytest

from ingot.identity import sessions
from ingot.kit.clock import now
from tests.contract.parameters import add_missing
from tests.features.people.ldap.directory import BASE, find_slapd, running_directory
from tests.security.heavy_pages import Case, Site
from tests.security.test_heavy_requests import GROWTH, PATTERNS, SECONDS, SEED
from tests.support.databases import Databases
from tests.support.furnishing import furnish
from tests.support.process import ServerProcess
from tests.support.processor_time import slowness, with_children
from tests.support.server import RunningServer
from tests.support.world import World

pytestmark = pytest.mark.costly

SAMPLED = 100  # requests of the short form


class Walk:
    """The server, what was found on it, and its resources."""

    def __init__(self, server: ServerProcess, databases: Databases, site: Site) -> None:
        self.server, self.databases, self.site = server, databases, site

    def work(self) -> float:
        """Seconds of work so far, those of the process that renders texts included."""
        return with_children(self.server.pid) + self.databases.processor_time()

    def ask(self, case: Case) -> tuple[int, float, int]:
        """The status, the seconds of work and the bytes of growth."""
        request = case.build()
        begin = self.work()
        answer, growth = self.server.growth(lambda: case.http.send(request))
        return answer.status_code, self.work() - begin, growth

    def over(self, cases: list[Case]) -> list[str]:
        """The faults that the walk meets, one line each."""
        faults: list[str] = []
        answers: Counter[int] = Counter()
        shut: list[str] = []
        slowest, largest = (0.0, ""), (0, "")
        for case in cases:
            status, spent, growth = self.ask(case)
            if spent > SECONDS:
                again = self.ask(case)  # without what is loaded at first use
                status, spent, growth = again if again[0] == status else (status, spent, growth)
            answers[status] += 1
            shut += [case.name] if status == 403 else []
            slowest, largest = max(slowest, (spent, case.name)), max(largest, (growth, case.name))
            if status >= 500 or (spent > SECONDS and spent > SECONDS * slowness()) or growth > GROWTH:
                faults.append(f"{case.name}: {status}, {spent:.2f} s, {growth >> 20} MB")
        figures = f"most work {slowest[0]:.2f} s ({slowest[1]}), largest growth {largest[0] >> 20} MB ({largest[1]})"
        sys.stdout.write(f"{len(cases)} requests, {figures}, {dict(sorted(answers.items()))}\n  shut: {shut}\n")
        return faults


@pytest.fixture
def walk(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    data = tmp_path_factory.mktemp("data")
    database = databases.fresh(data)
    with RunningServer(database, data) as first:
        furniture = furnish(World(first))
        add_missing(furniture)
        furniture.values["scim", "token"] = furniture.admin.ok("POST", f"{furniture.above}/scim_token")["token"]
        with first.services.db.write() as tx:
            cookie = sessions.open_session(tx, 1, now() + timedelta(hours=8), {})
    with ExitStack() as stack:
        directory = {}
        if find_slapd() is not None:
            address = stack.enter_context(running_directory(tmp_path_factory.mktemp("directory"))).url
            directory = {
                "INGOT_LDAP_URL": address, "INGOT_LDAP_START_TLS": "false", "INGOT_LDAP_BASE": BASE,
                "INGOT_LDAP_BIND_DN": f"cn=admin,{BASE}", "INGOT_LDAP_BIND_PASSWORD": "admin-password",
            }  # fmt: skip
        server = stack.enter_context(ServerProcess(database, data, INGOT_WORKER="false", **directory))
        visitors = tuple(
            stack.enter_context(httpx.Client(base_url=server.url, cookies=cookies, timeout=120))
            for cookies in ({"_ingot_session": cookie}, {})
        )
        site = Site(server.url, furniture, visitors)
        site.explore()
        yield Walk(server, databases, site)


def test_long_texts_make_no_page_slow_large_or_faulty(walk: Walk) -> None:
    chance, site = random.Random(SEED), walk.site
    sets = [list(site.cases(text)) for text in PATTERNS.values()]
    chosen = [chance.choice(sets)[number] for number in sorted(chance.sample(range(len(sets[0])), SAMPLED))]

    assert len(site.visited) > 100
    assert len(site.forms) > 90
    assert site.faults == []
    assert walk.over(chosen) == []


@pytest.mark.scale
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_on_every_page(walk: Walk, pattern: str) -> None:
    assert walk.over(list(walk.site.cases(PATTERNS[pattern]))) == []
