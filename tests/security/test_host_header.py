"""A `Host` that nobody vouches for is shown nowhere: addresses in answers must not lead to a stranger."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.world import World

pytestmark = pytest.mark.costly

EVIL = "evil.example"


@pytest.fixture(scope="module")
def named(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data: Path = tmp_path_factory.mktemp("named")
    hosts = "git.example.com, git.example.com:8443"
    with RunningServer(databases.fresh(data), data, allowed_hosts=hosts) as running:
        yield running


def get(server: RunningServer, path: str, **headers: str) -> httpx.Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return plain_http.get(f"{server.url}{path}", headers={"PRIVATE-TOKEN": ROOT_TOKEN, **sent})


@pytest.mark.parametrize(
    "host", [EVIL, f"{EVIL}:80", "127.0.0.1.evil.example", "localhost:80@evil.example", "[::1]evil"]
)
@pytest.mark.parametrize("path", ["/api/v4/projects?per_page=1", "/api/v4/user", "/api/v4/groups"])
def test_a_foreign_host_is_not_reflected(server: RunningServer, world: World, host: str, path: str) -> None:
    world.project(), world.project(), world.group()

    answer = get(server, path, Host=host)

    assert answer.status_code == 200
    assert "evil" not in answer.text + str(answer.headers)
    assert server.url in answer.text + str(answer.headers)


@pytest.mark.parametrize("path", ["/", "/users/sign_in", "/explore"])
def test_pages_do_not_reflect_a_foreign_host(server: RunningServer, path: str) -> None:
    answer = get(server, path, Host=EVIL)

    assert answer.status_code in (200, 302)
    assert EVIL not in answer.text + str(answer.headers)


def test_a_foreign_host_leads_git_nowhere(server: RunningServer, world: World) -> None:
    project = world.project(visibility="public")

    answer = get(server, f"/{project['path_with_namespace']}/info/refs?service=git-upload-pack", Host=EVIL)

    assert answer.headers["location"].startswith(f"{server.url}/")


def test_a_foreign_host_is_not_of_the_same_origin(server: RunningServer) -> None:
    answer = get(server, "/api/v4/version", Host=EVIL, Origin=f"http://{EVIL}")

    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers


def test_the_headers_of_a_proxy_do_not_name_the_host(server: RunningServer, world: World) -> None:
    project = world.project()

    answer = get(server, f"/api/v4/projects/{project['id']}", X_Forwarded_Host=EVIL, Forwarded=f"host={EVIL}")

    assert EVIL not in answer.text


def test_the_listening_address_is_believed(server: RunningServer, world: World) -> None:
    project = world.project()
    port = server.url.rpartition(":")[2]

    for host in (f"localhost:{port}", f"127.0.0.1:{port}"):
        answer = get(server, f"/api/v4/projects/{project['id']}", Host=host)

        assert answer.json()["web_url"].startswith(f"http://{host}/")


@pytest.mark.parametrize(
    ("host", "shown"),
    [("git.example.com", "http://git.example.com"), ("GIT.example.com:8443", "http://git.example.com:8443")],
)
def test_hosts_of_the_setting_are_believed(named: RunningServer, host: str, shown: str) -> None:
    answer = get(named, "/api/v4/user", Host=host)

    assert answer.json()["web_url"].lower().startswith(f"{shown}/")


@pytest.mark.parametrize("host", ["git.example.com:81", "git.example.com.", "sub.git.example.com", EVIL])
def test_only_the_hosts_of_the_setting_are_believed(named: RunningServer, host: str) -> None:
    answer = get(named, "/api/v4/user", Host=host)

    assert answer.json()["web_url"].startswith(f"{named.url}/")


def test_the_base_url_wins_over_every_host(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, base_url="https://git.example.com/code") as running:
        answers = [get(running, "/api/v4/user", Host=host).json()["web_url"] for host in (EVIL, "git.example.com")]
        front = get(running, "/", Host=EVIL).text

    assert all(url.startswith("https://git.example.com/code/") for url in answers)
    assert EVIL not in front


@pytest.mark.parametrize(("trusted", "scheme"), [("127.0.0.1", "https"), ("", "http")])
def test_only_trusted_proxies_tell_the_scheme(databases: Databases, tmp_path: Path, trusted: str, scheme: str) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, trusted_proxies=trusted) as running:
        answer = get(running, "/api/v4/user", X_Forwarded_Proto="https")

    assert answer.json()["web_url"].startswith(f"{scheme}://")
