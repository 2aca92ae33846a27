import gzip
import io
import json
import tarfile
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from sqlalchemy import func, select, update

from ingot.access.subjects import find_project
from ingot.features.spaces.projects import project_statistics
from ingot.features.transfer.project_exports.commands.write import write_archive
from ingot.kit.actor import Actor
from ingot.kit.rate_windows import rate_windows
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until, until_refused
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def rich(world: World, owner: Person) -> dict[str, Any]:
    """A project with a bit of everything."""
    project = world.project(owner, initialize_with_readme=True, description="Rich")
    path = f"/projects/{project['id']}"
    owner.client.ok("POST", f"{path}/labels", json={"name": "bug", "color": "#ff0000", "priority": 3})
    owner.client.ok("POST", f"{path}/milestones", json={"title": "v1"})
    world.commit(project, "feature", {"a.txt": "one\n"})
    body = {"title": "Add a", "source_branch": "feature", "target_branch": "main", "labels": "bug"}
    created = owner.client.ok("POST", f"{path}/merge_requests", json=body)
    owner.client.ok("POST", f"{path}/merge_requests/{created['iid']}/notes", json={"body": "Looks good"})
    return project


def finished(world: World, person: Person, project: dict[str, Any], **fields: Any) -> dict[str, Any]:
    path = f"/projects/{project['id']}/export"
    assert person.client.post(path, json=fields).status_code == 202
    world.run_jobs()
    result: dict[str, Any] = person.client.ok("GET", path)
    return result


def unpacked(content: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as tar:
        return {
            member.name.removeprefix("./"): tar.extractfile(member).read()  # type: ignore[union-attr]
            for member in tar
            if member.isfile()
        }


def lines(files: dict[str, bytes], relation: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in files[f"tree/project/{relation}.ndjson"].splitlines()]


@pytest.fixture(scope="module")
def idle(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A world in which background work waits until the test lets it run."""
    data: Path = tmp_path_factory.mktemp("idle")
    with RunningServer(databases.fresh(data), data, worker=False) as running:
        yield World(running)


def test_an_export_goes_from_none_to_finished(idle: World) -> None:
    world, owner = idle, idle.user()
    project = world.project(owner)
    path = f"/projects/{project['id']}/export"
    before = owner.client.ok("GET", path)
    assert before["export_status"] == "none"
    assert "_links" not in before
    assert owner.client.get(f"{path}/download").json() == {"message": "404 Not found or has expired"}

    started = owner.client.post(path)

    assert (started.status_code, started.json()) == (202, {"message": "202 Accepted"})
    assert owner.client.ok("GET", path)["export_status"] == "queued"
    world.run_jobs()
    done = owner.client.ok("GET", path)
    assert done["export_status"] == "finished"
    assert done["_links"]["api_url"].endswith(f"/api/v4/projects/{project['id']}/export/download")
    assert owner.client.post(path).status_code == 202
    again = owner.client.ok("GET", path)
    assert again["export_status"] == "regeneration_in_progress"
    assert "_links" not in again
    assert owner.client.get(f"{path}/download").status_code == 200
    world.run_jobs()


def test_the_web_address_of_a_finished_export_gives_the_archive_to_who_made_it(world: World, owner: Person) -> None:
    project = world.project(owner)
    other = world.user()
    world.member(project, other, "maintainer")
    link = finished(world, owner, project)["_links"]["web_url"]
    narrow = world.server.client(world.token(owner.id, ["read_user"]))

    reply = owner.client.get(link)

    assert reply.content == owner.client.get(f"/projects/{project['id']}/export/download").content
    assert reply.headers["content-disposition"].split('"')[1].endswith("_export.tar.gz")
    for stranger in (world.anonymous, other.client, world.user().client, narrow):
        assert stranger.get(link).status_code == 404


def test_the_archive_holds_the_project(world: World, owner: Person, rich: dict[str, Any]) -> None:
    body = {"name": "robot", "scopes": ["api"]}
    robot = owner.client.ok("POST", f"/projects/{rich['id']}/access_tokens", json=body)
    finished(world, owner, rich, description="Another")

    reply = owner.client.get(f"/projects/{rich['id']}/export/download")

    assert reply.headers["content-disposition"].split('"')[1].endswith("_export.tar.gz")
    assert int(reply.headers["content-length"]) == len(reply.content)
    files = unpacked(reply.content)
    assert files["VERSION"] == b"0.2.4"
    assert files["project.bundle"].startswith(b"# v2 git bundle")
    root = json.loads(files["tree/project.json"])
    assert root["description"] == "Another"
    assert root["visibility_level"] == 0
    assert [label["title"] for label in lines(files, "labels")] == ["bug"]
    assert lines(files, "labels")[0]["priorities"][0]["priority"] == 3
    assert [entry["title"] for entry in lines(files, "milestones")] == ["v1"]
    request = lines(files, "merge_requests")[0]
    assert (request["iid"], request["source_project_id"] == request["target_project_id"]) == (1, True)
    assert [note["note"] for note in request["notes"] if not note["system"]] == ["Looks good"]
    assert request["notes"][0]["author"]["name"]
    diff = request["merge_request_diff"]
    assert [file["utf8_diff"] for file in diff["merge_request_diff_files"]] == ["@@ -0,0 +1 @@\n+one\n"]
    assert diff["merge_request_diff_commits"][0]["relative_order"] == 0
    assert request["label_links"][0]["label"]["title"] == "bug"
    assert files["tree/project/push_rule.ndjson"] == b"null"
    assert files["tree/project/snippets.ndjson"] == b""
    people = {user["user"]["id"] for user in lines(files, "project_members")}
    assert owner.id in people
    assert robot["user_id"] not in people


def test_parts_of_the_archive_can_be_asked_for(world: World, owner: Person, rich: dict[str, Any]) -> None:
    finished(world, owner, rich)
    path = f"/projects/{rich['id']}/export/download"
    whole = owner.client.get(path).content

    part = owner.client.get(path, headers={"Range": "bytes=10-19"})

    assert (part.status_code, part.content) == (206, whole[10:20])
    assert owner.client.head(path).headers["content-length"] == str(len(whole))


def test_archives_belong_to_whoever_made_them(world: World, owner: Person, rich: dict[str, Any]) -> None:
    other = world.user()
    world.member(rich, other, "maintainer")
    finished(world, owner, rich)

    assert other.client.ok("GET", f"/projects/{rich['id']}/export")["export_status"] == "none"


@pytest.mark.parametrize(
    ("role", "status"), [("guest", 403), ("reporter", 403), ("developer", 403), ("maintainer", 200), ("owner", 200)]
)
def test_maintainers_export(world: World, rich: dict[str, Any], role: str, status: int) -> None:
    person = world.user()
    world.member(rich, person, role)

    assert person.client.get(f"/projects/{rich['id']}/export").status_code == status


def test_strangers_and_anonymous_callers_do_not(world: World, rich: dict[str, Any]) -> None:
    path = f"/projects/{rich['id']}/export"

    assert world.anonymous.get(path).json() == {"message": "401 Unauthorized"}
    assert world.user().client.get(path).json() == {"message": "404 Project Not Found"}


def test_projects_above_the_limit_are_not_exported(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    path = f"/projects/{project['id']}/export"
    # It is measured a second after its first push, which must not happen behind our back.
    shown = partial(owner.client.ok, "GET", f"/projects/{project['id']}", params={"statistics": True})
    until(lambda: shown()["statistics"]["commit_count"] == 1)
    with world.server.services.db.write() as tx:
        mine = project_statistics.c.project_id == project["id"]
        tx.execute(update(project_statistics).where(mine).values(storage_size=1024 * 1024 + 1))
    world.admin.ok("PUT", "/application/settings", json={"max_export_size": 1})
    try:
        refused = owner.client.post(path)
    finally:
        world.admin.ok("PUT", "/application/settings", json={"max_export_size": 0})

    assert (refused.status_code, refused.json()) == (400, {"message": "The project size exceeds the export limit."})
    assert owner.client.post(path).status_code == 202
    world.run_jobs()


def test_the_instance_can_forbid_exports(world: World, owner: Person, rich: dict[str, Any]) -> None:
    path = f"/projects/{rich['id']}/export"
    world.admin.ok("PUT", "/application/settings", json={"project_export_enabled": False})
    try:
        assert owner.client.get(path).json() == {"message": "404 Not Found"}
    finally:
        world.admin.ok("PUT", "/application/settings", json={"project_export_enabled": True})


@pytest.mark.parametrize(
    ("upload", "body"),
    [
        ({"url": "ftp://x.example/y"}, {"message": {"url": ["is blocked: Only allowed schemes are http, https"]}}),
        ({"http_method": "PUT"}, {"error": "upload[url] is missing"}),
        (
            {"url": "https://x.example", "http_method": "GET"},
            {"error": "upload[http_method] does not have a valid value"},
        ),
    ],
)
def test_bad_uploads_are_refused(owner: Person, rich: dict[str, Any], upload: dict[str, str], body: Any) -> None:
    refused = owner.client.post(f"/projects/{rich['id']}/export", json={"upload": upload})

    assert (refused.status_code, refused.json()) == (400, body)


class Receiver(BaseHTTPRequestHandler):
    """Takes one upload and remembers it."""

    received: list[tuple[str, dict[str, str], bytes]] = []
    targets: list[str] = []
    answer = 200

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append((self.command, dict(self.headers), body))
        self.targets.append(self.path)
        self.send_response(self.answer)
        self.end_headers()

    do_POST = do_PUT  # noqa: N815 - the name that http.server looks for

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def local(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A world whose server may reach this machine."""
    data: Path = tmp_path_factory.mktemp("local")
    with RunningServer(databases.fresh(data), data, outbound_allow_local=True) as running:
        yield World(running)


@pytest.fixture
def receiver() -> Any:
    Receiver.received, Receiver.targets, Receiver.answer = [], [], 200
    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/upload?signature=secret"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_the_archive_is_uploaded(local: World, receiver: str, method: str) -> None:
    person = local.user()
    project = local.project(person)

    done = finished(local, person, project, upload={"url": receiver, "http_method": method})

    assert done["export_status"] == "finished"
    command, headers, body = Receiver.received[0]
    assert command == method
    assert headers["Content-Type"] == "application/gzip"
    assert body == person.client.get(f"/projects/{project['id']}/export/download").content


@pytest.mark.parametrize(
    "target",
    ["/a%2Fb/../c?sig=a%2Fb%3D&empty=&plus=1+2%20&tilde=%7E", "/?X-Amz-Credential=k%2F20260101%2Fr%2Fs3", "/%7Euser"],
)
def test_the_address_of_an_upload_is_used_byte_for_byte(local: World, receiver: str, target: str) -> None:
    person = local.user()

    done = finished(local, person, local.project(person), upload={"url": receiver.partition("/upload")[0] + target})

    assert (done["export_status"], Receiver.targets) == ("finished", [target])


def test_a_failed_upload_is_told_and_the_archive_stays(local: World, receiver: str) -> None:
    Receiver.answer = 500
    person = local.user()
    project = local.project(person)

    done = finished(local, person, project, upload={"url": receiver})

    assert done["export_status"] == "failed"
    assert "Code 500" in done["export_error"]
    assert "secret" not in done["export_error"]
    assert person.client.get(f"/projects/{project['id']}/export/download").status_code == 200


def test_local_addresses_are_refused_when_dialled(world: World, owner: Person, receiver: str) -> None:
    project = world.project(owner)

    done = finished(world, owner, project, upload={"url": receiver})

    assert done["export_status"] == "failed"
    assert "blocked" in done["export_error"]
    assert Receiver.received == []


def test_exports_downloads_and_imports_are_limited_per_minute(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, rate_limits=True, worker=False) as running:
        world = World(running)
        owner = world.user()
        path = f"/projects/{world.project(owner)['id']}/export"

        body = {"path": "x", "url": "ftp://x.example"}
        refused = [
            until_refused(lambda: owner.client.post(path), 202),
            until_refused(lambda: owner.client.get(f"{path}/download"), 404),
            until_refused(lambda: owner.client.post("/projects/remote-import", json=body), 400),
        ]

    words = {"message": {"error": "This endpoint has been requested too many times. Try again later."}}
    assert [(reply.status_code, reply.json()) for reply in refused] == [(429, words)] * 3


def test_both_addresses_of_an_archive_count_as_downloads(databases: Databases, tmp_path: Path) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, rate_limits=True, worker=False) as running:
        world = World(running)
        world.admin.ok("PUT", "/application/settings", json={"project_download_export_limit": 2})
        owner, other = world.user(), world.user()
        project = world.project(owner)
        world.member(project, other, "maintainer")
        link = finished(world, owner, project)["_links"]["web_url"]
        path = f"/projects/{project['id']}/export/download"

        counted_ones = [owner.client.get(link), owner.client.get(path)]
        somebody_else = other.client.get(link)
        counted = select(func.sum(rate_windows.c.observed)).where(
            rate_windows.c.key == f"endpoint:project_download_export:user:{owner.id}:{project['namespace']['id']}"
        )
        with running.services.db.read() as conn:
            total = conn.execute(counted).scalar_one()
        refused = until_refused(lambda: owner.client.get(link), 200)
        api = until_refused(lambda: owner.client.get(path), 200)

    assert [reply.status_code for reply in counted_ones] == [200, 200]
    assert total == len(counted_ones)
    assert refused.text == "This endpoint has been requested too many times. Try again later."
    assert int(refused.headers["Retry-After"]) > 0
    assert (refused.status_code, api.status_code) == (429, 429)
    assert somebody_else.status_code == 404


def test_an_export_can_be_ended_in_the_middle_of_its_bundle(world: World, owner: Person, tmp_path: Path) -> None:
    created = world.project(owner, initialize_with_readme=True)
    services = world.server.services
    with services.db.read() as conn:
        project = find_project(conn, Actor(user_id=0, is_admin=True), created["id"])

    def stop(name: str, _count: int) -> None:
        assert name == "project.bundle"
        raise InterruptedError

    with (tmp_path / "a.tar.gz").open("wb") as target, pytest.raises(InterruptedError):
        write_archive(services, project, target, None, stop)
    with pytest.raises(EOFError):
        gzip.decompress((tmp_path / "a.tar.gz").read_bytes())


def test_metrics_follow_from_approvals_and_the_newest_diff(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    reviewer = world.user()
    world.member(project, reviewer, "developer")
    world.commit(project, "feature", {"a.txt": "one\ntwo\n"})
    body = {"title": "Add a", "source_branch": "feature", "target_branch": "main"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    reviewer.client.ok("POST", f"/projects/{project['id']}/merge_requests/{created['iid']}/approve")

    finished(world, owner, project)
    content = owner.client.get(f"/projects/{project['id']}/export/download").content
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        record = json.loads(tar.extractfile("./tree/project/merge_requests.ndjson").read())  # type: ignore[union-attr]
    metrics, [commit] = record["metrics"], record["merge_request_diff"]["merge_request_diff_commits"]
    assert metrics["first_approved_at"] == record["approvals"][0]["created_at"]
    assert (metrics["first_commit_at"], metrics["last_commit_at"]) == (
        commit["authored_date"],
        commit["committed_date"],
    )
    assert (metrics["added_lines"], metrics["removed_lines"], metrics["modified_paths_size"]) == (2, 0, 1)
    assert metrics["merged_at"] is None
