"""The server for tests of clients: what a reset brings back, what helpers do, and that the manual's examples run."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ingot.testing import CallFailed, Ingot, IngotServer, StartFailed, running
from tests.support import plain_http
from tests.support.ports import free_port
from tests.support.waiting import until
from tests.support.world import World

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "testing.md").read_text()
RESETS = 10
pytestmark = pytest.mark.costly  # test servers have SQLite, whichever database the suite runs on


def blocks(language: str) -> list[str]:
    return [part.partition("```")[0] for part in PAGE.split(f"```{language}\n")[1:]]


@pytest.fixture(scope="module")
def shared() -> Iterator[IngotServer]:
    with IngotServer() as started:
        yield started


@pytest.fixture
def ingot(shared: IngotServer) -> Ingot:
    shared.ingot.reset()
    return shared.ingot


@pytest.fixture(scope="module")
def idle() -> Iterator[Ingot]:
    """A second instance, in which nothing is cleaned up: it has no background work."""
    with running(worker=False) as started:
        yield started


def git(*words: str) -> str:
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True, timeout=120).stdout


def test_a_reset_brings_everything_back(ingot: Ingot, tmp_path: Path) -> None:
    def world() -> tuple[int, int, list[str], list[str]]:
        ann = ingot.make_user("ann")
        project = ingot.make_project("app", owner=ann, files={"README.md": f"{len(list(tmp_path.iterdir()))}\n"})
        place = tmp_path / f"clone{len(list(tmp_path.iterdir()))}"
        git("clone", "-q", ingot.git_url(project, ann), str(place))
        matches = [one["path"] for one in ingot.call("GET", "/projects?search=app", who=ann)]
        return ann.id, project["id"], sorted(one.name for one in place.iterdir()), matches

    first = world()
    ingot.call("PUT", "/application/settings", {"default_projects_limit": 7})
    ingot.call("POST", "/features/a_flag", {"value": "true", "force": True})
    ingot.call("DELETE", "/personal_access_tokens/self")
    with pytest.raises(CallFailed, match="401"):
        ingot.call("GET", "/user")
    ingot.reset()

    assert ingot.call("GET", "/user")["username"] == "root"
    assert (ingot.call("GET", "/projects"), ingot.call("GET", "/features")) == ([], [])
    assert ingot.call("GET", "/application/settings")["default_projects_limit"] != 7
    assert world() == first  # the same numbers, and a repository and a search that know nothing of the last ones


def test_background_work_goes_on_after_a_reset(ingot: Ingot) -> None:
    for _ in range(3):
        project = ingot.make_project("app", files={"README.md": "x\n"})
        ingot.call("POST", f"/projects/{project['id']}/export")
        ingot.reset()
    project = ingot.make_project("app", files={"README.md": "x\n"})

    ingot.call("POST", f"/projects/{project['id']}/export")

    status = f"/projects/{project['id']}/export"
    until(lambda: ingot.call("GET", status)["export_status"] == "finished")


def test_helpers_push_and_run_jobs(ingot: Ingot) -> None:
    ann = ingot.make_user()
    project = ingot.make_project(owner=ann, files={"a.txt": "1\n"})
    ingot.push(project, {"a.txt": "2\n", "b/c.txt": "3\n"}, branch="topic", who=ann)
    config = "one: {script: x}\ntwo: {script: x, tags: [gpu]}\nlate: {stage: deploy, script: x}\n"
    pipeline = ingot.make_pipeline(project, config, who=ann)

    ended = ingot.run_jobs(project, log="Nothing was run.\n")

    changed = ingot.call("GET", f"/projects/{project['id']}/repository/compare?from=main&to=topic", who=ann)
    assert sorted(one["new_path"] for one in changed["diffs"]) == ["a.txt", "b/c.txt"]
    assert [(job["name"], job["status"]) for job in ended[:2]] == [("one", "success"), ("two", "success")]
    assert ended[2]["name"] == "late"
    done = ingot.call("GET", f"/projects/{project['id']}/pipelines/{pipeline['id']}")
    assert done["status"] == "success"
    assert ingot.call("GET", f"/projects/{project['id']}/runners?type=project_type") == []


def test_a_deleted_project_leaves_its_path_at_once(idle: Ingot) -> None:
    idle.reset()
    group = idle.make_group("tools")
    for place in ({}, {"namespace_id": group["id"]}):
        project = idle.make_project("app", **place)
        idle.call("DELETE", f"/projects/{project['id']}")

        again = idle.make_project("app", **place)

        assert (again["path_with_namespace"], again["id"]) == (project["path_with_namespace"], project["id"] + 1)


def test_instances_side_by_side_share_nothing(ingot: Ingot, idle: Ingot) -> None:
    ingot.make_user("ann")
    idle.make_project("other")

    idle.reset()

    assert len(ingot.call("GET", "/users")) == 2
    assert len(idle.call("GET", "/users")) == 1
    with pytest.raises(CallFailed, match="401"):
        ingot.call("GET", "/user", who=idle.token)


def test_a_reset_costs_little(shared: IngotServer, ingot: Ingot) -> None:
    """Its processor time, with what follows it: some 12 ms were measured, and slow machines get a factor."""
    for number in range(3):
        ingot.make_project(f"app{number}", files={"README.md": "x\n"})

    before = processor_time(shared.pid)
    for _ in range(RESETS):
        ingot.reset()

    assert (processor_time(shared.pid) - before) / RESETS < 0.15


def processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_other_servers_have_no_reset(world: World) -> None:
    assert world.admin.post("/-/testing/reset").status_code == 404


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("x")
    command = [sys.executable, "-m", "ingot", "serve", "--testing", "--port", "0", "--data", str(tmp_path)]

    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    assert result.returncode == 1
    assert (
        result.stderr == f"ingot: --testing empties its data folder, and {tmp_path} is in use; --data names another.\n"
    )
    assert (tmp_path / "precious").read_text() == "x"


def test_a_server_that_cannot_start_says_why() -> None:
    with pytest.raises(StartFailed, match="--testing needs SQLite"):
        IngotServer(workers=2)


def test_the_examples_for_pytest_pass(tmp_path: Path) -> None:
    example, plain = blocks("python")
    (tmp_path / "test_example.py").write_text(example)
    (tmp_path / "plain.py").write_text(plain)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    # By name, whether or not it is installed: an installed one would be found by itself.
    options = ["-p", "no:ingot", "-p", "ingot.testing.plugin", "-p", "no:cacheprovider", "-p", "no:randomly", "-q"]

    tests = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "test_example.py"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=580, check=False,
    )  # fmt: skip
    script = subprocess.run(
        [sys.executable, "plain.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300,
        check=True,
    )  # fmt: skip

    assert "3 passed" in tests.stdout, tests.stdout + tests.stderr
    assert script.stdout.startswith("http://127.0.0.1:")
    assert script.stdout.split()[2].startswith("root/project")


def test_the_commands_for_other_languages_work(tmp_path: Path) -> None:
    start, ask = blocks("sh")[:2]
    port = str(free_port())
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ingot").write_text(f'#!/bin/sh\nexec {sys.executable} -m ingot "$@"\n')
    (folder / "ingot").chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}
    start = start.replace("8090", port).replace("/tmp/ingot-for-tests", str(tmp_path / "data"))

    server = subprocess.Popen(["sh", "-c", f"exec env {start}"], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        assert server.stdout.readline() == f"Ingot is at http://127.0.0.1:{port}\n"
        answers = subprocess.run(
            ["sh", "-ec", ask.replace("8090", port)], capture_output=True, text=True, timeout=120, check=True
        )
        assert plain_http.request("POST", f"http://127.0.0.1:{port}/-/testing/reset").status_code == 204
    finally:
        server.terminate()
        server.communicate(timeout=120)

    assert answers.stdout == "[]"


def test_the_snippets_for_ci_are_sound() -> None:
    gitlab, github = (yaml.safe_load(text) for text in blocks("yaml"))

    assert gitlab["test"]["services"][0]["command"][:2] == ["serve", "--testing"]
    assert any("--testing" in step.get("run", "") for step in github["jobs"]["test"]["steps"])
