"""CI files of a private project: nobody gets them through a project of their own."""

from typing import Any

import pytest

from tests.support.client import Client
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

PRIVATE = "hidden-deployment: {script: [deploy --to vault.internal]}"
HIDDEN = ("hidden-deployment", "vault.internal")


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner, visibility="private")


@pytest.fixture(scope="module")
def private(world: World, owner: Person, group: dict[str, Any]) -> dict[str, Any]:
    created = world.project(owner, namespace_id=group["id"], initialize_with_readme=True, visibility="private")
    files = {".gitlab-ci.yml": PRIVATE, "templates/scan.yml": PRIVATE, "deep/child.yml": PRIVATE}
    world.commit(created, "main", files, message="CI [skip ci]", user_id=owner.id)
    owner.client.ok("POST", f"/projects/{created['id']}/repository/tags", json={"tag_name": "1.0.0", "ref": "main"})
    return created


@pytest.fixture(scope="module")
def guest(world: World, private: dict[str, Any]) -> Person:
    """Sees the private project, but not its code."""
    person = world.user()
    world.member(private, person, "guest")
    return person


@pytest.fixture(scope="module")
def reporter(world: World, private: dict[str, Any]) -> Person:
    person = world.user()
    world.member(private, person, "reporter")
    return person


def own_project(world: World, person: Person, config: str | None = None, **more: Any) -> dict[str, Any]:
    created = world.project(person, initialize_with_readme=True, **more)
    if config is not None:
        world.commit(created, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=person.id)
    return created


def paths(private: dict[str, Any]) -> list[str]:
    full = private["path_with_namespace"]
    return [
        f".gitlab-ci.yml@{full}", f".gitlab-ci.yml@{full}:main", f".gitlab-ci.yml@{full}:1.0.0",
        f"deep/child.yml@{full}", f".gitlab-ci.yml@{private['id']}", f".gitlab-ci.yml@{full.upper()}",
    ]  # fmt: skip


def everything_shown(world: World, client: Client, project: dict[str, Any]) -> str:
    """All that checking and running the configuration of a project tells."""
    base = f"/projects/{project['id']}"
    answers = [
        client.get(f"{base}/ci/lint"),
        client.get(f"{base}/ci/lint", dry_run="true", include_jobs="true"),
        client.post(f"{base}/pipeline", json={"ref": "main"}),
    ]
    world.run_jobs()
    answers += [client.get(f"{base}/pipelines"), client.get(f"{base}/jobs")]
    for pipeline in answers[-2].json():
        answers.append(client.get(f"{base}/pipelines/{pipeline['id']}"))
        answers.append(client.get(f"{base}/pipelines/{pipeline['id']}/bridges"))
    assert all(answer.status_code < 500 for answer in answers)
    return "\n".join(answer.text for answer in answers)


def test_a_config_path_in_a_project_whose_code_is_closed_names_no_file(
    world: World, guest: Person, private: dict[str, Any]
) -> None:
    for path in paths(private):
        own = own_project(world, guest, ci_config_path=path)
        absent = own_project(world, guest, ci_config_path=f"gone.yml@{private['path_with_namespace']}-gone")

        shown = everything_shown(world, guest.client, own)
        refused = guest.client.post(f"/projects/{own['id']}/pipeline", json={"ref": "main"})

        assert not any(word in shown for word in HIDDEN), path
        assert refused.json() == {"message": {"base": ["Missing CI config file"]}}
        # Nothing tells a file that is closed from one that is not there.
        like = guest.client.get(f"/projects/{absent['id']}/ci/lint").json()
        assert guest.client.get(f"/projects/{own['id']}/ci/lint").json() == like
        world.commit(own, "main", {"a.txt": "a"}, user_id=guest.id)
        world.run_jobs()
        assert guest.client.get(f"/projects/{own['id']}/pipelines").json() == []


def test_readers_of_that_code_use_the_file(world: World, reporter: Person, private: dict[str, Any]) -> None:
    for path in paths(private):
        own = own_project(world, reporter, ci_config_path=path)

        checked = reporter.client.ok("GET", f"/projects/{own['id']}/ci/lint")
        created = reporter.client.ok("POST", f"/projects/{own['id']}/pipeline", json={"ref": "main"})
        jobs = reporter.client.get(f"/projects/{own['id']}/pipelines/{created['id']}/jobs").json()

        assert (checked["valid"], [job["name"] for job in jobs]) == (True, ["hidden-deployment"])


def test_strangers_do_not_read_it_through_somebody_elses_project(
    world: World, reporter: Person, private: dict[str, Any]
) -> None:
    path = f".gitlab-ci.yml@{private['path_with_namespace']}"
    shown = own_project(world, reporter, ci_config_path=path, visibility="public")
    stranger = world.user()

    for client in (world.anonymous, stranger.client):
        result = client.ok("GET", f"/projects/{shown['id']}/ci/lint?dry_run=true&include_jobs=true")
        assert (result["valid"], result["merged_yaml"], result["includes"]) == (False, None, [])
        assert not any(word in str(result) for word in HIDDEN)


def foreign_configs(private: dict[str, Any]) -> list[str]:
    full = private["path_with_namespace"]
    return [
        f"include: [{{project: {full}, file: deep/child.yml}}]",
        f"include: [{{project: {full}, ref: main, file: [deep/child.yml]}}]",
        f"include: [{{component: $CI_SERVER_FQDN/{full}/scan@1.0.0}}]",
        f"include: [{{component: $CI_SERVER_FQDN/{full}/scan@~latest}}]",
    ]


def test_includes_find_nothing_in_closed_code(
    world: World, guest: Person, reporter: Person, private: dict[str, Any]
) -> None:
    for config in foreign_configs(private):
        refused = own_project(world, guest, config)
        assert not any(word in everything_shown(world, guest.client, refused) for word in HIDDEN), config
        there = guest.client.ok("GET", f"/projects/{refused['id']}/ci/lint")["errors"]
        elsewhere = config.replace(private["path_with_namespace"], "nobody/nothing")
        nowhere = guest.client.ok("POST", f"/projects/{refused['id']}/ci/lint", json={"content": elsewhere})["errors"]
        assert [text.replace("nobody/nothing", private["path_with_namespace"]) for text in nowhere] == there

        allowed = own_project(world, reporter, config)
        assert HIDDEN[0] in everything_shown(world, reporter.client, allowed), config


def test_child_pipelines_and_rules_ask_the_same(
    world: World, guest: Person, reporter: Person, private: dict[str, Any]
) -> None:
    full = private["path_with_namespace"]
    child = f"below: {{trigger: {{include: [{{project: {full}, file: deep/child.yml}}]}}}}"
    rule = f"{{exists: {{project: {full}, paths: [deep/child.yml]}}}}"
    exists = f"seen: {{script: [x], rules: [{rule}]}}\nall: {{script: [x]}}"

    def run(person: Person, config: str) -> tuple[list[str], list[str | None]]:
        project = own_project(world, person, config)
        base = f"/projects/{project['id']}"
        created = person.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})
        world.run_jobs()
        jobs = person.client.get(f"{base}/jobs").json()
        bridges = person.client.get(f"{base}/pipelines/{created['id']}/bridges").json()
        return sorted(job["name"] for job in jobs), [bridge.get("failure_reason") for bridge in bridges]

    assert run(guest, child) == ([], ["downstream_pipeline_creation_failed"])
    assert run(reporter, child) == (["hidden-deployment"], [None])
    assert run(guest, exists) == (["all"], [])
    assert run(reporter, exists) == (["all", "seen"], [])


def test_a_closed_project_is_not_triggered(world: World, guest: Person, private: dict[str, Any]) -> None:
    project = own_project(world, guest, f"go: {{trigger: {{project: {private['path_with_namespace']}}}}}")
    base = f"/projects/{project['id']}"
    created = guest.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})
    world.run_jobs()

    bridge = guest.client.get(f"{base}/pipelines/{created['id']}/bridges").json()[0]

    assert (bridge["failure_reason"], bridge["downstream_pipeline"]) == ("insufficient_bridge_permissions", None)
    assert world.admin.get(f"/projects/{private['id']}/pipelines", source="pipeline").json() == []
