"""`include:remote` over real HTTP: within the rules for outgoing calls, and within narrow limits."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ingot.features.ci.engine import remote_files
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

ANSWERS: dict[str, tuple[int, bytes]] = {
    "/ok.yml": (200, b"fetched: {script: [make]}"),
    "/moved.yml": (302, b"/ok.yml"),
    "/inward.yml": (302, b"http://169.254.169.254/ok.yml"),
    "/gone.yml": (404, b"no"),
    "/large.yml": (200, b"#" * (remote_files.MAX_BYTES + 10)),
    "/bad.yml": (200, b"a: [b"),
}


class Elsewhere(BaseHTTPRequestHandler):
    release = threading.Event()

    def do_GET(self) -> None:
        if self.path == "/slow.yml":
            self.release.wait(300)
            return
        status, body = ANSWERS[self.path]
        self.send_response(status)
        if status == 302:
            self.send_header("Location", body.decode())
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    Elsewhere.release.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


@pytest.fixture
def reachable(world: World, elsewhere: str) -> Iterator[str]:
    listed = {"outbound_local_requests_whitelist": [elsewhere.removeprefix("http://")]}
    world.admin.ok("PUT", "/application/settings", json=listed)
    yield elsewhere
    world.admin.ok("PUT", "/application/settings", json={"outbound_local_requests_whitelist": []})


def lint(owner: Person, project: dict[str, Any], url: str) -> dict[str, Any]:
    body = {"content": f"include: {{remote: '{url}'}}\nown: {{script: x}}"}
    result: dict[str, Any] = owner.client.ok("POST", f"/projects/{project['id']}/ci/lint", json=body)
    return result


def test_a_file_of_another_server_takes_part_in_pipelines(
    world: World, owner: Person, project: dict[str, Any], reachable: str
) -> None:
    result = lint(owner, project, f"{reachable}/ok.yml")
    assert result["valid"]
    assert result["includes"][0]["type"] == "remote"
    assert result["includes"][0]["location"] == f"{reachable}/ok.yml"
    assert "fetched" in result["merged_yaml"]
    assert lint(owner, project, f"{reachable}/moved.yml")["valid"]

    world.commit(project, "main", {".gitlab-ci.yml": f"include: {reachable}/ok.yml"}, user_id=owner.id)

    jobs = owner.client.ok("GET", f"/projects/{project['id']}/jobs")
    assert [one["name"] for one in jobs if one["ref"] == "main"] == ["fetched"]


def test_a_child_pipeline_comes_from_another_server(
    world: World, owner: Person, project: dict[str, Any], reachable: str
) -> None:
    config = f"child: {{trigger: {{include: [{{remote: '{reachable}/ok.yml'}}]}}}}"
    world.commit(project, "child", {".gitlab-ci.yml": config}, user_id=owner.id)
    world.run_jobs()

    above = owner.client.ok("GET", f"/projects/{project['id']}/pipelines", params={"ref": "child"})[0]
    (bridge,) = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{above['id']}/bridges")

    assert (bridge["status"], bridge["failure_reason"]) == ("success", None)
    below = bridge["downstream_pipeline"]["id"]
    jobs = owner.client.ok("GET", f"/projects/{project['id']}/pipelines/{below}/jobs")
    assert [one["name"] for one in jobs] == ["fetched"]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/gone.yml", "could not be fetched because of HTTP code `404` error!"),
        ("/large.yml", f"could not be fetched because it is larger than {remote_files.MAX_BYTES} bytes!"),
        (
            "/inward.yml",
            "could not be fetched because it is blocked: Requests to the link local network are not allowed!",
        ),
    ],
)
def test_what_could_not_be_fetched_is_named(
    owner: Person, project: dict[str, Any], reachable: str, path: str, sentence: str
) -> None:
    assert lint(owner, project, reachable + path)["errors"] == [f"Remote file `{reachable}{path}` {sentence}"]


def test_bad_yaml_names_its_file(owner: Person, project: dict[str, Any], reachable: str) -> None:
    assert lint(owner, project, f"{reachable}/bad.yml")["errors"] == [
        f"Included file `{reachable}/bad.yml` does not have valid YAML syntax!"
    ]


def test_a_slow_server_is_given_up(owner: Person, project: dict[str, Any], reachable: str) -> None:
    assert lint(owner, project, f"{reachable}/slow.yml")["errors"] == [
        f"Remote file `{reachable}/slow.yml` could not be fetched because of a timeout error!"
    ]


@pytest.mark.parametrize(
    "host", ["127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "169.254.169.254", "10.0.0.1"]
)
def test_local_addresses_are_refused(owner: Person, project: dict[str, Any], elsewhere: str, host: str) -> None:
    url = f"http://{host.format(port=elsewhere.rpartition(':')[2])}/ok.yml"

    result = lint(owner, project, url)

    assert not result["valid"]
    assert "could not be fetched because it is blocked: " in result["errors"][0]
