"""Artifacts in an S3 store: streamed through the server, or fetched from the store by a redirect."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.s3_server import KEY_ID, SECRET, S3Server, running_s3
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.runner import WireJob, project_runner, zipped
from tests.support.server import RunningServer
from tests.support.world import Person, World

ARCHIVE = zipped({"out/a.txt": "from the store\n", "out/b.bin": bytes(range(256)) * 1000})


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with running_s3() as server:
        yield server


def worlds(databases: Databases, folder: Path, s3: S3Server, bucket: str, **more: Any) -> Iterator[World]:
    s3.bucket(bucket)
    settings = {
        "object_store": f"s3://{bucket}/objects",
        "s3_endpoint": s3.endpoint,
        "s3_access_key_id": KEY_ID,
        "s3_secret_access_key": SECRET,
    }
    with RunningServer(databases.fresh(folder), folder, **settings, **more) as server:
        yield World(server)


@pytest.fixture(scope="module")
def proxied(databases: Databases, tmp_path_factory: pytest.TempPathFactory, s3: S3Server) -> Iterator[World]:
    yield from worlds(databases, tmp_path_factory.mktemp("proxied"), s3, "proxied")


@pytest.fixture(scope="module")
def redirecting(databases: Databases, tmp_path_factory: pytest.TempPathFactory, s3: S3Server) -> Iterator[World]:
    yield from worlds(databases, tmp_path_factory.mktemp("redirecting"), s3, "redirecting", object_redirect=True)


def build(world: World) -> tuple[Person, dict[str, Any], WireJob]:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True)
    config = {".gitlab-ci.yml": "build: {script: [a], artifacts: {paths: [out]}}"}
    world.commit(project, "main", config, message="CI [skip ci]", user_id=owner.id)
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    job = project_runner(world, project).take()
    assert job.upload(ARCHIVE, name="build.zip").status_code == 201
    return owner, project, job


def test_the_server_streams_from_the_store(proxied: World) -> None:
    owner, project, job = build(proxied)
    place = f"/projects/{project['id']}/jobs/{job.id}/artifacts"

    assert owner.client.get(place).content == ARCHIVE
    assert owner.client.get(place, headers={"Range": "bytes=3-9"}).content == ARCHIVE[3:10]
    assert owner.client.get(f"{place}/out/a.txt").text == "from the store\n"
    assert owner.client.get(f"{place}/out/b.bin").content == bytes(range(256)) * 1000


def test_a_redirect_leads_to_the_store_with_the_same_name(redirecting: World) -> None:
    owner, project, job = build(redirecting)
    place = f"/projects/{project['id']}/jobs/{job.id}/artifacts"

    sent = owner.client.get(place)
    assert sent.status_code == 302
    got = plain_http.get(sent.headers["location"])
    assert got.content == ARCHIVE
    assert "build.zip" in got.headers["content-disposition"]
    head = owner.client.head(place)
    assert head.status_code == 302
    assert plain_http.head(head.headers["location"]).status_code == 200
    # Files inside an archive have no address of their own.
    assert owner.client.get(f"{place}/out/a.txt").text == "from the store\n"


def test_runners_are_redirected_only_when_they_can_follow(redirecting: World) -> None:
    _, _, job = build(redirecting)
    token = {"JOB-TOKEN": job.token}

    plain = redirecting.anonymous.get(f"/jobs/{job.id}/artifacts", headers=token)
    assert (plain.status_code, plain.content) == (200, ARCHIVE)
    direct = redirecting.anonymous.get(f"/jobs/{job.id}/artifacts", headers=token, direct_download=True)
    assert direct.status_code == 302
