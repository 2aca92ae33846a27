"""Uploads whose token and options come in any place: header, query, and fields before or after the file."""

from typing import Any

import httpx
import pytest

from tests.support.runner import WireJob, project_runner, zipped
from tests.support.world import Person, World

ARCHIVE = zipped({"a.txt": "a"})
File = tuple[str, bytes]


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": "job: {script: [a]}"}, message="CI [skip ci]", user_id=owner.id)
    return created


@pytest.fixture
def job(world: World, owner: Person, project: dict[str, Any]) -> WireJob:
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    return project_runner(world, project).take()


def send(job: WireJob, *parts: tuple[str, str | File], query: str = "") -> httpx.Response:
    """A multipart body with these parts in this order, and no token but what they say."""
    body = b""
    for name, value in parts:
        is_file = isinstance(value, tuple)
        extra = f'; filename="{value[0]}"' if is_file else ""
        content = value[1] if isinstance(value, tuple) else value.encode()
        body += f'--x\r\nContent-Disposition: form-data; name="{name}"{extra}\r\n\r\n'.encode() + content + b"\r\n"
    return job.client.request(
        "POST",
        f"/jobs/{job.id}/artifacts{query}",
        content=body + b"--x--\r\n",
        headers={"Content-Type": "multipart/form-data; boundary=x"},
    )


def kinds(owner: Person, project: dict[str, Any], job: WireJob) -> list[str]:
    shown = owner.client.ok("GET", f"/projects/{project['id']}/jobs/{job.id}")
    return [one["file_type"] for one in shown["artifacts"]]


@pytest.mark.parametrize("place", ["query", "before", "after"])
def test_the_token_is_found_wherever_it_is(owner: Person, project: dict[str, Any], job: WireJob, place: str) -> None:
    token: tuple[str, str | File] = ("token", job.token)
    file: tuple[str, str | File] = ("file", ("artifacts.zip", ARCHIVE))
    parts = {"query": [file], "before": [token, file], "after": [file, token]}[place]

    answer = send(job, *parts, query=f"?token={job.token}" if place == "query" else "")

    assert (answer.status_code, answer.text) == (201, "201")
    assert answer.headers["job-status"] == "running"
    assert kinds(owner, project, job) == ["archive", "metadata"]


def test_options_may_be_fields_too_even_after_the_file(owner: Person, project: dict[str, Any], job: WireJob) -> None:
    options: list[tuple[str, str | File]] = [
        ("artifact_type", "sast"),
        ("artifact_format", "raw"),
        ("expire_in", "never"),
    ]
    answer = send(job, ("file", ("sast.json", b"{}")), *options, ("token", job.token))

    assert answer.status_code == 201, answer.text
    assert kinds(owner, project, job) == ["sast"]
    shown = owner.client.ok("GET", f"/projects/{project['id']}/jobs/{job.id}")
    assert shown["artifacts_expire_at"] is None


def test_without_the_right_token_nothing_is_kept(world: World, project: dict[str, Any], job: WireJob) -> None:
    file: tuple[str, str | File] = ("file", ("artifacts.zip", ARCHIVE))

    refused = [
        send(job, file),
        send(job, file, ("token", "nonsense")),
        send(job, ("token", "nonsense"), file),
        send(job, ("token", ""), file),
        send(job, file, query="?token=nonsense"),
        send(job),
    ]

    assert {(one.status_code, one.text) for one in refused} == {(403, '{"message":"403 Forbidden"}')}
    assert list(world.server.services.blobs.list(f"artifacts/{project['id']}/{job.id}")) == []


def test_other_bodies_without_a_token_are_refused_unread(job: WireJob) -> None:
    plain = job.client.request(
        "POST", f"/jobs/{job.id}/artifacts", content=b"x", headers={"Content-Type": "text/plain"}
    )
    assert plain.status_code == 403
    unknown = job.client.request(
        "POST",
        "/jobs/99999999/artifacts",
        content=b"--x--\r\n",
        headers={"Content-Type": "multipart/form-data; boundary=x"},
    )
    assert unknown.status_code == 403


def test_options_of_late_fields_are_checked(job: WireJob) -> None:
    file: tuple[str, str | File] = ("file", ("artifacts.zip", ARCHIVE))
    token: tuple[str, str | File] = ("token", job.token)
    wrong = send(job, file, ("artifact_type", "nonsense"), token)
    assert wrong.json() == {"error": "artifact_type does not have a valid value"}
    mismatch = send(job, file, ("artifact_type", "junit"), token)
    assert mismatch.json() == {"message": "Validation failed: Invalid file format with specified file type"}
    long = send(job, ("expire_in", "x" * 70_000), file, token)
    assert long.status_code == 400
    assert send(job, token).json() == {"error": "file is missing"}
