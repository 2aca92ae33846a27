"""Lists from a standby, and a failover to it: nobody misses what they wrote, and nothing acknowledged is lost."""

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ingot import doctor
from tests.features.code.git_http.git_client import GitClient
from tests.support import plain_http
from tests.support.databases import prepare
from tests.support.replication import Replicated, replicated
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World

pytestmark = pytest.mark.postgres


@pytest.fixture
def pair() -> Iterator[Replicated]:
    with replicated() as created:
        prepare(created.url)
        yield created


def titles(server: RunningServer, issues: str) -> list[str]:
    anew = {"Cache-Control": "no-cache"}
    client, page = server.client(), 1
    listed: list[str] = []
    while rows := client.ok("GET", f"{issues}?per_page=100&sort=asc&page={page}", headers=anew):
        listed += [one["title"] for one in rows]
        page += 1
    return listed


class Writer:
    """Opens one issue after another, and notes which were acknowledged."""

    def __init__(self, server: RunningServer, issues: str) -> None:
        self.acknowledged: list[str] = []
        self._http, self._issues = server.client().http, f"/api/v4{issues}"
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        number = 0
        while not self._ended.is_set():
            number += 1
            title = f"Written {number}"
            try:
                status = self._http.post(self._issues, json={"title": title}).status_code
            except httpx.TransportError:
                continue
            if status == 201:
                self.acknowledged.append(title)

    def wait_for(self, number: int) -> None:
        wanted = len(self.acknowledged) + number
        until(lambda: len(self.acknowledged) >= wanted)

    def stop(self) -> None:
        self._ended.set()
        self._thread.join(120)


def about_standby(server: RunningServer) -> str:
    """What `ingot doctor` says of it."""
    findings = doctor.EXAMINATIONS["machine"](server.services, False)
    return " ".join(finding.sentence for finding in findings if "database_read_url" in finding.sentence)


def test_lists_come_from_the_standby_and_writes_survive_its_promotion(pair: Replicated, tmp_path: Path) -> None:
    settings = {"database_read_url": pair.standby_url}
    with RunningServer(pair.any_url, tmp_path, **settings) as server:
        issues = f"/projects/{World(server).project()['id']}/issues"
        client = server.client()
        client.ok("POST", issues, json={"title": "First"})
        # What a session ran last: rows of a list, or only the question whether the standby is current.
        lists = (
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE application_name = 'ingot' AND query LIKE '%FROM%' AND query NOT LIKE '%pg_%'"
        )

        # As soon as the standby has everything, lists are read from it.
        until(lambda: titles(server, issues) == ["First"] and pair.ask(pair.standby_url, lists) != 0)

        assert "is replicating" in about_standby(server)
        pair.ask(pair.standby_url, "SELECT pg_wal_replay_pause()::text")
        assert "is not replaying" in about_standby(server)
        client.ok("POST", issues, json={"title": "Second"})
        assert titles(server, issues) == ["First", "Second"]
        pair.ask(pair.standby_url, "SELECT pg_wal_replay_resume()::text")

        pair.stop()
        assert "cannot be reached" in about_standby(server)
        client.ok("POST", issues, json={"title": "Third"})
        assert titles(server, issues) == ["First", "Second", "Third"]

        pair.start()
        pair.wait_for_commits()
        writer = Writer(server, issues)
        writer.wait_for(3)
        pair.primary.stop()
        pair.promote()
        writer.wait_for(3)
        writer.stop()
        assert "is not a standby" in about_standby(server)

        listed = titles(server, issues)
        assert set(writer.acknowledged) <= set(listed)
        # Each title is asked for once, so that one that is there twice was written twice.
        assert [title for title, times in Counter(listed).items() if times > 1] == []


def test_pages_queries_and_git_of_another_node_show_what_was_just_written(pair: Replicated, tmp_path: Path) -> None:
    settings = {"database_read_url": pair.standby_url}
    with (
        RunningServer(pair.url, tmp_path, **settings) as here,
        RunningServer(pair.url, tmp_path, **settings) as there,
    ):
        project = World(here).project(visibility="public", initialize_with_readme=True)
        issues, full_path = f"/projects/{project['id']}/issues", project["path_with_namespace"]
        query = {"query": f'{{ project(fullPath: "{full_path}") {{ issues {{ nodes {{ title }} }} }} }}'}

        def seen() -> dict[str, str]:
            """As callers see it who ask for nothing special: remembered answers and the standby are both used."""
            return {
                "list": there.client().get(issues).text,
                "page": plain_http.get(f"{there.url}/{full_path}/-/issues").text,
                "query": plain_http.post(f"{there.url}/api/graphql", json=query).text,
                "search": there.client().get(f"/projects/{project['id']}/search?scope=issues&search=written").text,
                "branches": there.client().get(f"/projects/{project['id']}/repository/branches").text,
                "events": there.client().get(f"/projects/{project['id']}/events").text,
                "refs": GitClient(tmp_path / "git").ok("ls-remote", f"{there.url}/{full_path}.git"),
            }

        here.client().ok("POST", issues, json={"title": "written before"})
        pair.wait_for_replay()
        assert "written before" in seen()["list"]
        pair.ask(pair.standby_url, "SELECT pg_wal_replay_pause()::text")
        # From here on the standby knows nothing new.
        for number in range(3):
            mark = f"written-{number}"
            here.client().ok("POST", issues, json={"title": mark})
            here.client().ok("POST", f"/projects/{project['id']}/repository/branches?branch={mark}&ref=main")
            assert [place for place, text in seen().items() if mark not in text] == []
        pair.ask(pair.standby_url, "SELECT pg_wal_replay_resume()::text")
