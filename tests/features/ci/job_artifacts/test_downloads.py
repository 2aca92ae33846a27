"""Downloading artifacts: whole, in parts, file by file, by job and by ref; every rule of who and which."""

import hashlib
from typing import Any
from urllib.parse import quote

import pytest

from tests.support.runner import WireJob, WireRunner, project_runner, zipped
from tests.support.world import Person, World

CONFIG = """
stages: [build, test]
build:
  stage: build
  script: [make]
  artifacts: {paths: [out/], expire_in: 1 week}
report:
  stage: test
  script: [make]
  artifacts: {reports: {sast: sast.json}}
"""
FILES: dict[str, bytes | str] = {
    "out/app.txt": "hello\n",
    "out/page.html": "<html>hi</html>",
    "out/picture.png": b"\x89PNG\r\n\x1a\n" + b"\0" * 64,
    "out/ünï.bin": bytes(range(256)) * 4000,
    "out/deep/er/file.json": "{}",
}
ARCHIVE = zipped(FILES)


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def make_project(world: World, owner: Person, config: str = CONFIG, **more: Any) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, **more)
    world.commit(created, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=owner.id)
    return created


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return make_project(world, owner)


@pytest.fixture(scope="module")
def runner(world: World, project: dict[str, Any]) -> WireRunner:
    return project_runner(world, project)


def start(owner: Person, project: dict[str, Any], ref: str = "main") -> dict[str, Any]:
    created: dict[str, Any] = owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": ref})
    return created


def run(owner: Person, project: dict[str, Any], runner: WireRunner, archive: bytes = ARCHIVE, **more: str) -> WireJob:
    """A whole pipeline; the build job with its archive."""
    start(owner, project)
    build = runner.take()
    assert build.upload(archive, name="build.zip", **more).status_code == 201
    build.succeed()
    report = runner.take()
    assert report.upload(b"{}", "sast", "raw", "gl-sast-report.json").status_code == 201
    report.succeed()
    return build


@pytest.fixture(scope="module")
def build(owner: Person, project: dict[str, Any], runner: WireRunner) -> WireJob:
    return run(owner, project, runner)


def test_the_archive_comes_whole_with_its_headers(owner: Person, project: dict[str, Any], build: WireJob) -> None:
    got = owner.client.get(f"/projects/{project['id']}/jobs/{build.id}/artifacts")

    assert got.status_code == 200
    assert got.content == ARCHIVE
    assert got.headers["content-type"] == "application/octet-stream"
    assert got.headers["content-disposition"] == "attachment; filename=\"build.zip\"; filename*=UTF-8''build.zip"
    assert got.headers["content-transfer-encoding"] == "binary"
    assert got.headers["content-length"] == str(len(ARCHIVE))
    assert got.headers["accept-ranges"] == "bytes"
    assert got.headers["etag"] == f'"{hashlib.sha256(ARCHIVE).hexdigest()}"'
    assert "last-modified" in got.headers


def test_heads_and_conditions_carry_no_body(owner: Person, project: dict[str, Any], build: WireJob) -> None:
    place = f"/projects/{project['id']}/jobs/{build.id}/artifacts"

    head = owner.client.head(place)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(ARCHIVE))
    same = owner.client.get(place, headers={"If-None-Match": head.headers["etag"]})
    assert same.status_code == 304
    one = owner.client.head(f"{place}/out/app.txt")
    assert (one.status_code, one.headers["content-length"], one.content) == (200, "6", b"")


@pytest.mark.parametrize(
    ("sent", "first", "end"),
    [("bytes=0-9", 0, 10), ("bytes=10-", 10, None), ("bytes=-7", -7, None), ("bytes=5-999999999", 5, None)],
)
def test_a_range_gives_a_part(
    owner: Person, project: dict[str, Any], build: WireJob, sent: str, first: int, end: int | None
) -> None:
    got = owner.client.get(f"/projects/{project['id']}/jobs/{build.id}/artifacts", headers={"Range": sent})

    assert got.status_code == 206
    assert got.content == ARCHIVE[first:end]
    assert got.headers["content-range"].endswith(f"/{len(ARCHIVE)}")


def test_ranges_beyond_the_end_are_416_and_strange_ones_give_the_whole(
    owner: Person, project: dict[str, Any], build: WireJob
) -> None:
    place = f"/projects/{project['id']}/jobs/{build.id}/artifacts"

    beyond = owner.client.get(place, headers={"Range": f"bytes={len(ARCHIVE)}-"})
    assert beyond.status_code == 416
    assert beyond.headers["content-range"] == f"bytes */{len(ARCHIVE)}"
    for strange in ("bytes=0-1,5-6", "lines=1-2", "bytes=9-3", "bytes=-"):
        assert owner.client.get(place, headers={"Range": strange}).status_code == 200
    other = {"Range": "bytes=0-1", "If-Range": '"another"'}
    assert owner.client.get(place, headers=other).status_code == 200
    same = {"Range": "bytes=0-1", "If-Range": f'"{hashlib.sha256(ARCHIVE).hexdigest()}"'}
    assert owner.client.get(place, headers=same).status_code == 206


@pytest.mark.parametrize(
    ("path", "by_job", "by_ref"),
    [
        ("out/app.txt", "text/plain; charset=utf-8", "text/plain; charset=utf-8"),
        ("out/page.html", "text/html; charset=utf-8", "text/plain; charset=utf-8"),
        ("out/picture.png", "image/png", "image/png"),
        ("out/ünï.bin", "application/octet-stream", "application/octet-stream"),
        ("out/deep/er/file.json", "application/json", "text/plain; charset=utf-8"),
    ],
)
def test_single_files_come_out_of_the_archive(
    owner: Person, project: dict[str, Any], build: WireJob, path: str, by_job: str, by_ref: str
) -> None:
    content = FILES[path]
    expected = content.encode() if isinstance(content, str) else content

    one = owner.client.get(f"/projects/{project['id']}/jobs/{build.id}/artifacts/{path}")
    assert (one.status_code, one.content, one.headers["content-type"]) == (200, expected, by_job)
    assert one.headers["content-length"] == str(len(expected))
    name = path.rpartition("/")[2]
    exact = "" if name.isascii() else f"; filename*=UTF-8''{quote(name)}"
    assert one.headers["content-disposition"].endswith(f'"{exact}')
    assert exact or one.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert "accept-ranges" not in one.headers
    other = owner.client.get(f"/projects/{project['id']}/jobs/artifacts/main/raw/{path}", job="build")
    assert (other.status_code, other.content, other.headers["content-type"]) == (200, expected, by_ref)


@pytest.mark.parametrize("path", ["out/none.txt", "out", "out/deep/", "../etc/passwd", "./out/app.txt", "OUT/app.txt"])
def test_a_file_that_is_not_there_is_a_plain_text_404(
    owner: Person, project: dict[str, Any], build: WireJob, path: str
) -> None:
    encoded = path.replace("/", "%2F").replace(".", "%2E")
    for place in (f"{build.id}/artifacts/{encoded}", f"artifacts/main/raw/{encoded}?job=build"):
        got = owner.client.request("GET", f"/projects/{project['id']}/jobs/{place}")
        assert (got.status_code, got.text) == (404, "404 page not found\n")
        assert got.headers["content-type"] == "text/plain; charset=utf-8"


def test_an_invalid_path_is_400(owner: Person, project: dict[str, Any], build: WireJob) -> None:
    for bad in ("a%00b", "%ff"):
        got = owner.client.request("GET", f"/projects/{project['id']}/jobs/{build.id}/artifacts/{bad}")
        assert got.status_code == 400


def test_the_texts_of_what_is_not_found_differ(owner: Person, project: dict[str, Any], build: WireJob) -> None:
    place = f"/projects/{project['id']}/jobs"

    assert owner.client.get(f"{place}/99999999/artifacts").json() == {"message": "404 Not found"}
    reports = owner.client.get(f"{place}/artifacts/main/download", job="report")
    assert (reports.status_code, reports.json()) == (404, {"message": "404 Not Found"})
    for ref, name in (("main", "BUILD"), ("nowhere", "build"), ("HEAD", "build")):
        got = owner.client.get(f"{place}/artifacts/{ref}/download", job=name)
        assert (got.status_code, got.json()) == (404, {"message": "404 Not found"})
    recent = owner.client.get(f"{place}/artifacts/main/download", job="none", search_recent_successful_pipelines=True)
    assert recent.json() == {"message": "404 Job Not Found"}
    assert owner.client.get(f"{place}/artifacts/main/download").json() == {"error": "job is missing"}
    assert owner.client.get(f"{place}/{build.id}x/artifacts").json() == {"error": "job_id is invalid"}


def test_the_tree_shows_folders_first(owner: Person, project: dict[str, Any], build: WireJob) -> None:
    place = f"/projects/{project['id']}/jobs/{build.id}/artifacts/tree"

    assert [(one["name"], one["type"]) for one in owner.client.get(place).json()] == [("out", "directory")]
    inside = owner.client.get(place, path="out").json()
    assert inside[0] == {"name": "deep", "path": "out/deep", "type": "directory", "mode": "040755"}
    assert inside[1]["path"] == "out/app.txt"
    assert inside[1]["size"] == 6
    assert len(owner.client.get(place, recursive=True).json()) == 8
    assert owner.client.get(place, path="none").json() == {"message": "404 Path Not Found"}


def test_refs_may_have_slashes_raw_or_encoded(world: World, owner: Person) -> None:
    project = make_project(world, owner)
    runner = project_runner(world, project)
    world.commit(project, "feature/raw/login", {"x": "y"}, message="Branch [skip ci]", user_id=owner.id)
    start(owner, project, "feature/raw/login")
    taken = runner.take()
    taken.upload(zipped({"raw/a.txt": "deep"}))
    taken.succeed()
    runner.take().succeed()

    for ref in ("feature/raw/login", "feature%2Fraw%2Flogin"):
        place = f"/projects/{project['id']}/jobs/artifacts/{ref}"
        assert owner.client.request("GET", f"{place}/download?job=build").status_code == 200
        assert owner.client.request("GET", f"{place}/raw/raw/a.txt?job=build").text == "deep"


def test_the_latest_successful_pipeline_is_the_one_created_last(world: World, owner: Person) -> None:
    project = make_project(world, owner)
    older_runner = project_runner(world, project)
    start(owner, project)
    older = older_runner.take()
    start(owner, project)
    newer = older_runner.take()
    place = f"/projects/{project['id']}/jobs/artifacts/main/raw/who"

    newer.upload(zipped({"who": "newer"}))
    newer.succeed()
    for _ in range(1):
        older_runner.take().succeed()
    assert owner.client.get(place, job="build").text == "newer"
    older.upload(zipped({"who": "older"}))
    older.succeed()
    older_runner.take().succeed()
    # It ended last, but was created first.
    assert owner.client.get(place, job="build").text == "newer"
    # A newer one that lacks the job hides the older ones, unless they are asked for.
    start(owner, project)
    older_runner.take().succeed()
    older_runner.take().succeed()
    assert owner.client.get(place, job="build").status_code == 404
    assert owner.client.get(place, job="build", search_recent_successful_pipelines=True).text == "newer"


def test_a_parents_artifact_wins_over_its_childs(world: World, owner: Person) -> None:
    config = """
build: {script: [a], artifacts: {paths: [x]}}
child:
  trigger: {include: child.yml, strategy: depend}
"""
    inner = "build: {script: [b], artifacts: {paths: [x]}}\nonly: {script: [c], artifacts: {paths: [x]}}\n"
    project = world.project(owner, initialize_with_readme=True)
    world.commit(
        project, "main", {".gitlab-ci.yml": config, "child.yml": inner}, message="CI [skip ci]", user_id=owner.id
    )
    runner = project_runner(world, project)
    start(owner, project)
    world.run_jobs()
    for _ in range(3):
        taken = runner.take()
        inside = taken.variable("CI_PIPELINE_SOURCE") == "parent_pipeline"
        taken.upload(zipped({"who": "child" if inside else "parent"}))
        taken.succeed()
    world.run_jobs()

    place = f"/projects/{project['id']}/jobs/artifacts/main/raw/who"
    assert owner.client.get(place, job="build").text == "parent"
    assert owner.client.get(place, job="only").text == "child"


@pytest.mark.parametrize("access", ["all", "developer", "maintainer", "none"])
def test_the_configuration_says_who_may_download(world: World, owner: Person, access: str) -> None:
    project = make_project(
        world,
        owner,
        f"build: {{script: [make], artifacts: {{paths: [out], access: {access}}}}}",
        visibility="public",
    )
    people = {"guest": world.user(), "reporter": world.user(), "developer": world.user(), "maintainer": world.user()}
    for role, person in people.items():
        world.member(project, person, role)
    runner = project_runner(world, project)
    start(owner, project)
    taken = runner.take()
    taken.upload(zipped({"a": "a"}))
    taken.succeed()

    allowed = {
        "all": {"guest", "reporter", "developer", "maintainer", "anonymous", "admin"},
        "developer": {"developer", "maintainer", "admin"},
        "maintainer": {"maintainer", "admin"},
        "none": set(),
    }[access]
    clients = {**{role: one.client for role, one in people.items()}, "anonymous": world.anonymous, "admin": world.admin}
    for role, client in clients.items():
        got = client.get(f"/projects/{project['id']}/jobs/{taken.id}/artifacts")
        assert got.status_code == (200 if role in allowed else 403), role


def test_private_jobs_are_for_reporters_of_the_project(world: World, owner: Person) -> None:
    project = make_project(world, owner, visibility="public", public_jobs=False)
    guest, reporter = world.user(), world.user()
    world.member(project, guest, "guest")
    world.member(project, reporter, "reporter")
    build = run(owner, project, project_runner(world, project))
    place = f"/projects/{project['id']}/jobs/{build.id}/artifacts"

    for client, status in ((world.anonymous, 403), (guest.client, 403), (reporter.client, 200)):
        assert client.get(place).status_code == status
    hidden = make_project(world, owner)
    assert world.anonymous.get(f"/projects/{hidden['id']}/jobs/1/artifacts").json() == {
        "message": "404 Project Not Found"
    }
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"builds_access_level": "disabled"})
    assert owner.client.get(place).status_code == 403


def damaged(content: bytes) -> bytes:
    """The archive with its first entry's bytes turned around; directory and header stay whole."""
    at = content.index(b"PK\x03\x04") + 30 + len("out/app.txt")
    return content[:at] + bytes(255 - byte for byte in content[at : at + 6]) + content[at + 6 :]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no zip at all",
        ARCHIVE[:-30],
        ARCHIVE[: len(ARCHIVE) // 2],
        damaged(ARCHIVE),
        b"PK\x05\x06" + b"\xff" * 18,
    ],
    ids=["empty", "text", "cut directory", "cut in half", "damaged entry", "absurd directory"],
)
def test_archives_that_cannot_be_read_are_served_whole_and_give_no_file(
    world: World, owner: Person, content: bytes
) -> None:
    project = make_project(world, owner)
    start(owner, project)
    taken = project_runner(world, project).take()
    place = f"/projects/{project['id']}/jobs/{taken.id}/artifacts"

    assert taken.upload(content).status_code == 201
    assert owner.client.get(place).content == content
    got = owner.client.get(f"{place}/out/app.txt")
    assert (got.status_code, got.text) == (404, "404 page not found\n")


def test_names_in_an_archive_never_lead_outside(world: World, owner: Person) -> None:
    hostile = zipped({"../../etc/passwd": "mine", "/etc/shadow": "mine too", 'a"b\tX: y': "header", "out/": ""})
    project = make_project(world, owner)
    start(owner, project)
    taken = project_runner(world, project).take()
    taken.upload(hostile)
    place = f"/projects/{project['id']}/jobs/{taken.id}/artifacts"

    # Looked up in the archive alone, and never with a way up.
    assert owner.client.request("GET", f"{place}/%2E%2E%2F%2E%2E%2Fetc%2Fpasswd").status_code == 404
    assert owner.client.request("GET", f"{place}/%2Fetc%2Fshadow").text == "mine too"
    header = owner.client.request("GET", f"{place}/a%22b%09X%3A%20y")
    assert header.status_code == 200, header.text
    assert header.headers["content-disposition"].startswith('attachment; filename="a_b_X: y"; ')
    assert owner.client.request("GET", f"{place}/etc/passwd").status_code == 404
    assert owner.client.request("GET", f"{place}/out%2F").status_code == 404
