"""Imports from a URL and from a bucket, against real servers, and with python-gitlab."""

import io
import logging
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gitlab
import pytest
from gitlab.exceptions import GitlabImportError
from sqlalchemy import select

from ingot.features.transfer.project_imports.tables import project_imports
from ingot.kit.blobs import s3_store
from ingot.kit.db import metadata
from tests.features.transfer.project_imports.archive_server import ArchiveServer, archive_server
from tests.s3_server import KEY_ID, SECRET, S3Server, running_s3
from tests.support.databases import Databases
from tests.support.ports import free_port
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

TOO_LATE = "the server did not answer in time"
BUCKET, KEY = "exports", "deep/archive.tar.gz"


def tarball(**files: bytes) -> bytes:
    raw = io.BytesIO()
    content = {"VERSION": b"0.2.4", "tree/project.json": b'{"description":"from afar","visibility_level":0}', **files}
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        for name, data in content.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return raw.getvalue()


@pytest.fixture(scope="module")
def away() -> Iterator[ArchiveServer]:
    with archive_server() as running:
        running.archive = tarball()
        yield running


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with running_s3() as running:
        store = s3_store(running.bucket(BUCKET))
        store.put(KEY, tarball(), content_type="application/gzip")
        store.put("empty.gz", b"", content_type="application/gzip")
        store.put("page.html", b"<html>", content_type="text/html")
        yield running


@pytest.fixture(scope="module")
def local(databases: Databases, tmp_path_factory: pytest.TempPathFactory, s3: S3Server) -> Iterator[World]:
    """A world whose server may reach this machine, and whose S3 is a local one."""
    data: Path = tmp_path_factory.mktemp("local")
    with RunningServer(
        databases.fresh(data), data, outbound_allow_local=True, s3_import_endpoint=s3.endpoint, worker=False
    ) as running:
        yield World(running)


@pytest.fixture(scope="module")
def owner(local: World) -> Person:
    return local.user()


def from_url(world: World, person: Person, url: str, **fields: Any) -> Any:
    """The answer; asked for again where a busy machine needed more than the second in which headers have to come."""

    def ask() -> Any:
        body = {"path": world.name("far"), "url": url, **fields}
        answer = person.client.post("/projects/remote-import", json=body)
        is_late = answer.status_code == 400 and TOO_LATE in answer.text
        return answer if not is_late or url.endswith("/slow") else None

    return until(ask)


def from_s3(world: World, person: Person, **fields: Any) -> Any:
    body = {
        "path": world.name("bucket"), "region": "us-east-1", "bucket_name": BUCKET, "file_key": KEY,
        "access_key_id": KEY_ID, "secret_access_key": SECRET, **fields,
    }  # fmt: skip
    return person.client.post("/projects/remote-import-s3", json=body)


def everything_stored(world: World) -> str:
    """Every row of every table, as text."""
    with world.server.services.db.read() as conn:
        return "\n".join(str(tuple(row)) for table in metadata.tables.values() for row in conn.execute(select(table)))


def test_an_archive_is_fetched_and_stored(local: World, owner: Person, away: ArchiveServer) -> None:
    away.asked.clear()

    created = from_url(local, owner, away.url("/good"), override_params={"description": "mine"}, name="Far away")

    assert created.status_code == 201
    assert {key: created.json()[key] for key in ("import_status", "import_type", "import_error", "name")} == {
        "import_status": "scheduled", "import_type": "gitlab_project", "import_error": None, "name": "Far away"
    }  # fmt: skip
    assert "stats" not in created.json()
    assert set(away.asked) == {("HEAD", "/good")}
    local.run_jobs()
    done = owner.client.ok("GET", f"/projects/{created.json()['id']}/import")
    assert (done["import_status"], done["import_error"], done["description"]) == ("finished", None, "mine")
    assert [method for method, _ in away.asked if method != "HEAD"] == ["GET"]


TYPES = "not allowed. (Allowed: application/gzip)"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/no-length", "Content length is too small (should be at least 1 Byte)"),
        ("/empty", "Content length is too small (should be at least 1 Byte)"),
        ("/huge", "Content length is too big (should be at most 10 GB)"),
        ("/zip", f"Content type 'application/zip' {TYPES}"),
        ("/charset", f"Content type 'application/gzip; charset=utf-8' {TYPES}"),
        ("/no-type", f"Content type '' {TYPES}"),
        ("/gone", "Failed to retrive headers: the server answered 404"),
        ("/slow", f"Failed to retrive headers: {TOO_LATE}"),
    ],
)
def test_files_that_do_not_fit_are_refused(
    local: World, owner: Person, away: ArchiveServer, path: str, message: str
) -> None:
    refused = from_url(local, owner, away.url(path))

    assert (refused.status_code, refused.json()) == (400, {"message": message})


@pytest.mark.parametrize("path", ["/odd-length", "/negative"])
def test_lengths_that_are_no_numbers_are_refused(local: World, owner: Person, away: ArchiveServer, path: str) -> None:
    refused = from_url(local, owner, away.url(path))

    assert refused.status_code == 400
    assert refused.json()["message"].startswith(("Content length is too small", "Failed to retrive headers: "))


def test_a_server_that_is_not_there_is_told(local: World, owner: Person) -> None:
    refused = from_url(local, owner, f"http://127.0.0.1:{free_port()}/x?token=hush")

    assert refused.json() == {"message": "Failed to retrive headers: the server could not be reached"}


def test_the_limit_of_size_is_a_setting(local: World, owner: Person, away: ArchiveServer) -> None:
    local.admin.ok("PUT", "/application/settings", json={"max_import_remote_file_size": 20 * 1024})
    try:
        assert from_url(local, owner, away.url("/huge")).status_code == 201
    finally:
        local.admin.ok("PUT", "/application/settings", json={"max_import_remote_file_size": 10 * 1024})
    local.run_jobs()


def test_addresses_of_buckets_that_sign_only_get_are_not_judged_by_their_head(
    local: World, owner: Person, away: ArchiveServer
) -> None:
    created = from_url(local, owner, away.url("/bucket"))

    assert created.status_code == 201
    local.run_jobs()
    assert owner.client.ok("GET", f"/projects/{created.json()['id']}/import")["import_status"] == "finished"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "File url must be a valid URL"),
        ("ftp://files.example/a.gz", "File url is blocked: Only allowed schemes are https"),
        ("http://files.example/a.gz", "File url is blocked: Only allowed schemes are https"),
        ("https://127.0.0.1/a.gz", "File url is blocked: Requests to loopback addresses are not allowed"),
        ("https://[::1]/a.gz", "File url is blocked: Requests to loopback addresses are not allowed"),
        ("https://0.0.0.0/a.gz", "File url is blocked: Requests to localhost are not allowed"),
        ("https://10.0.0.1/a.gz", "File url is blocked: Requests to the local network are not allowed"),
        ("https://[fc00::1]/a.gz", "File url is blocked: Requests to the local network are not allowed"),
        ("https://169.254.169.254/a", "File url is blocked: Requests to the link local network are not allowed"),
        ("https://100.64.0.1/a", "File url is blocked: Requests to the shared address space are not allowed"),
        ("https://255.255.255.255/a", "File url is blocked: Requests to the limited broadcast address are not allowed"),
        ("https://no-such-host.invalid/a", "File url is blocked: Host cannot be resolved or invalid"),
        ("https://files.example/a\r\nX: y", "File url is blocked: URI is invalid"),
        ("https://-files.example/a", "File url is blocked: Hostname or IP address invalid"),
    ],
)
def test_addresses_that_may_not_be_called_are_refused(world: World, url: str, message: str) -> None:
    refused = from_url(world, world.user(), url)

    assert (refused.status_code, refused.json()) == (400, {"message": message})


def test_administrators_open_the_local_network_by_setting(world: World, away: ArchiveServer) -> None:
    world.admin.ok("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": True})
    try:
        assert from_url(world, world.user(), away.url("/good")).status_code == 201
    finally:
        world.admin.ok("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": False})
    assert from_url(world, world.user(), away.url("/good")).json()["message"].startswith("File url is blocked: ")


def test_administrators_close_everything_that_is_not_on_their_list(world: World, away: ArchiveServer) -> None:
    closed = {"allow_local_requests_from_web_hooks_and_services": True, "deny_all_requests_except_allowed": True}
    world.admin.ok("PUT", "/application/settings", json=closed)
    try:
        refused = from_url(world, world.user(), away.url("/good"))
        world.admin.ok("PUT", "/application/settings", json={"outbound_local_requests_whitelist": ["127.0.0.1"]})
        taken = from_url(world, world.user(), away.url("/good"))
    finally:
        opened = dict.fromkeys(closed, False) | {"outbound_local_requests_whitelist": []}
        world.admin.ok("PUT", "/application/settings", json=opened)

    sentence = "Requests to hosts and IP addresses not on the Allow List are denied"
    assert (refused.status_code, refused.json()) == (400, {"message": f"File url is blocked: {sentence}"})
    assert taken.status_code == 201


def test_the_address_of_the_instance_itself_may_be_called(databases: Databases, tmp_path: Path) -> None:
    place = "https://127.0.0.1:9"
    with RunningServer(databases.fresh(tmp_path), tmp_path, base_url=place) as running:
        world = World(running)
        own = from_url(world, world.user(), f"{place}/a.gz")
        other = from_url(world, world.user(), "https://127.0.0.1:10/a.gz")

    assert own.json()["message"].startswith("Failed to retrive headers: ")
    assert other.json() == {"message": "File url is blocked: Requests to loopback addresses are not allowed"}


@pytest.mark.parametrize(
    ("path", "words"),
    [("/fickle", "unsupported response downloading fragment 403"), ("/broken-off", "broke off before the end")],
)
def test_a_download_that_fails_ends_the_import_with_a_sentence(
    local: World, owner: Person, away: ArchiveServer, path: str, words: str
) -> None:
    created = from_url(local, owner, away.url(f"{path}?token=hush"))
    assert created.status_code == 201

    local.run_jobs()

    done = owner.client.ok("GET", f"/projects/{created.json()['id']}/import")
    assert done["import_status"] == "failed"
    assert done["import_error"].startswith(f"Error importing repository  into {done['path_with_namespace']} - ")
    assert words in done["import_error"]
    assert "hush" not in done["import_error"]


def test_the_flag_switches_imports_from_urls_off(local: World, owner: Person, away: ArchiveServer) -> None:
    local.admin.post("/features/import_project_from_remote_file", json={"value": False})
    try:
        refused = from_url(local, owner, away.url("/good"))
    finally:
        local.admin.delete("/features/import_project_from_remote_file")

    assert (refused.status_code, refused.json()) == (404, {"message": "404 Not Found"})
    assert from_url(local, owner, away.url("/good")).status_code == 201
    local.run_jobs()


def test_sources_namespaces_and_missing_fields_are_judged_as_for_files(
    local: World, owner: Person, away: ArchiveServer
) -> None:
    group = local.group(owner)
    developer, stranger = local.user(), local.user()
    local.member(group, developer, "developer", kind="groups")
    url = away.url("/good")

    assert owner.client.post("/projects/remote-import", json={}).json() == {"error": "url is missing, path is missing"}
    assert local.anonymous.post("/projects/remote-import", json={}).json() == {"message": "401 Unauthorized"}
    assert local.anonymous.post("/projects/remote-import-s3", json={}).json() == {"message": "401 Unauthorized"}
    missing = owner.client.post("/projects/remote-import-s3", json={"path": "x"}).json()["error"]
    assert set(missing.split(", ")) == {
        f"{name} is missing"
        for name in ("region", "bucket_name", "file_key", "access_key_id", "secret_access_key")
    }  # fmt: skip
    for send in (lambda who, **f: from_url(local, who, url, **f), lambda who, **f: from_s3(local, who, **f)):
        assert send(stranger, namespace=group["id"]).json() == {"message": "404 Namespace Not Found"}
        assert send(developer, namespace=group["id"]).json() == {"message": "User is not allowed to import projects"}
    local.admin.ok("PUT", "/application/settings", json={"import_sources": ["git"]})
    try:
        assert from_url(local, owner, url).json() == {"message": "403 Forbidden"}
        assert from_s3(local, owner).json() == {"message": "403 Forbidden"}
    finally:
        local.admin.ok("PUT", "/application/settings", json={"import_sources": ["gitlab_project", "git"]})


def test_an_object_of_a_bucket_is_stored_and_its_credentials_are_not(
    local: World, owner: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    created = from_s3(local, owner)

    assert (created.status_code, created.json()["import_error"]) == (201, None)
    waiting = everything_stored(local)
    local.run_jobs()
    done = owner.client.ok("GET", f"/projects/{created.json()['id']}/import")
    assert (done["import_status"], done["import_error"], done["description"]) == ("finished", None, "from afar")
    for text in (
        waiting,
        everything_stored(local),
        *(str(vars(record)) for record in caplog.records if record.name.startswith("ingot")),
        created.text,
        str(done),
    ):
        assert SECRET not in text
        assert KEY_ID not in text
        assert "X-Amz-Signature" not in text
    with local.server.services.db.read() as conn:
        rows = conn.execute(select(project_imports.c.sealed_url).where(project_imports.c.project_id == done["id"]))
        assert rows.scalars().all() == [None]


def test_the_path_of_a_bucket_import_is_a_full_path(local: World, owner: Person) -> None:
    group = local.group(owner)
    name = local.name("full")

    created = from_s3(local, owner, path=f"{group['full_path']}/{name}")
    differs = from_s3(local, owner, path=f"{group['full_path']}/other", namespace=owner.username)

    assert created.json()["path_with_namespace"] == f"{group['full_path']}/{name}"
    assert (differs.status_code, differs.json()) == (400, {"message": "Path and namespace do not agree"})
    local.run_jobs()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"file_key": "absent.gz"}, f"File not found 'absent.gz' in '{BUCKET}'"),
        (
            {"bucket_name": "nobodys"},
            f"Failed to open '{KEY}' in 'nobodys': The specified bucket does not exist",
        ),
        ({"region": "x.evil.example/#"}, f"Failed to open '{KEY}' in '{BUCKET}': The region is not valid"),
        ({"region": " "}, "Region can't be blank"),
        ({"bucket_name": ""}, "Bucket name can't be blank"),
        ({"file_key": ""}, "File key can't be blank"),
        ({"access_key_id": ""}, "Access key can't be blank"),
        ({"secret_access_key": ""}, "Secret access key can't be blank"),
        ({"file_key": "empty.gz"}, "Content length is too small (should be at least 1 Byte)"),
        ({"file_key": "page.html"}, f"Content type 'text/html' {TYPES}"),
    ],
)
def test_objects_that_cannot_be_used_are_refused(
    local: World, owner: Person, fields: dict[str, str], message: str
) -> None:
    refused = from_s3(local, owner, **fields)

    # The words about the bucket are the store's, which may end them with a full stop.
    assert (refused.status_code, refused.json()["message"].rstrip(".")) == (400, message)


def test_a_bucket_in_the_local_network_is_refused(databases: Databases, tmp_path: Path, s3: S3Server) -> None:
    with RunningServer(databases.fresh(tmp_path), tmp_path, s3_import_endpoint=s3.endpoint) as running:
        world = World(running)
        refused = from_s3(world, world.user())

    assert refused.status_code == 400
    assert refused.json()["message"].startswith("File url is blocked: ")


def test_python_gitlab_exports_and_imports_in_every_way(
    local: World, owner: Person, away: ArchiveServer, s3: S3Server, tmp_path: Path
) -> None:
    project_id = local.project(owner, initialize_with_readme=True, description="Round")["id"]
    with gitlab.Gitlab(local.server.url, private_token=owner.token) as client:
        export = client.projects.get(project_id).exports.create({"description": "Trip"})
        local.run_jobs()
        export.refresh()
        assert export.export_status == "finished"
        file = tmp_path / "export.tar.gz"
        with file.open("wb") as target:
            export.download(streamed=True, action=target.write)
        away.archive = file.read_bytes()
        s3_store(s3.bucket(BUCKET)).put("trip.tar.gz", away.archive, content_type="application/gzip")

        with file.open("rb") as archive:
            created = [client.projects.import_project(archive, path=local.name("a"), override_params={"topics": "x"})]

        def fetch() -> Any:
            try:
                return client.projects.remote_import(away.url("/good"), local.name("b"), namespace=owner.username)
            except GitlabImportError as refusal:
                if TOO_LATE not in str(refusal):
                    raise
                return None

        created.append(until(fetch))
        created.append(
            client.projects.remote_import_s3(local.name("c"), "us-east-1", BUCKET, "trip.tar.gz", KEY_ID, SECRET)
        )
        local.run_jobs()
        for one in created:
            record = client.projects.get(one["id"], lazy=True).imports.get()
            assert (record.import_status, record.failed_relations) == ("finished", [])
            again = client.projects.get(one["id"])
            assert (again.description, again.default_branch) == ("Trip", "main")
        with pytest.raises(GitlabImportError, match=r"File not found 'no\.gz'"):
            client.projects.remote_import_s3("x", "us-east-1", BUCKET, "no.gz", KEY_ID, SECRET)
