"""Checking configuration without running it."""

from typing import Any

import pytest

from tests.support.world import Person, World

CONFIG = """
include: [{local: more.yml}]
stages: [build, test]
one: {stage: build, script: [make]}
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    files = {".gitlab-ci.yml": CONFIG, "more.yml": "two: {stage: test, script: [make test], needs: [one]}"}
    world.commit(created, "main", files, message="x [skip ci]", user_id=owner.id)
    return created


def test_the_projects_own_file_is_checked(owner: Person, project: dict[str, Any]) -> None:
    result = owner.client.ok("GET", f"/projects/{project['id']}/ci/lint?include_jobs=true&dry_run=true")

    assert (result["valid"], result["errors"]) == (True, [])
    assert "two:" in result["merged_yaml"]
    assert [one["location"] for one in result["includes"]] == ["more.yml"]
    assert {job["name"]: job["needs"] for job in result["jobs"]} == {"one": None, "two": ["one"]}
    assert owner.client.get(f"/projects/{project['id']}/ci/lint", content_ref="gone").status_code == 404


def test_a_text_is_checked(owner: Person, project: dict[str, Any]) -> None:
    url = f"/projects/{project['id']}/ci/lint"
    bad = owner.client.post(url, json={"content": "job: {stage: nowhere, script: x}"})
    assert bad.status_code == 200
    assert bad.json()["valid"] is False
    assert bad.json()["errors"][0].startswith("job job: chosen stage does not exist")
    assert owner.client.post(url, json={"content": "a: [b"}).json()["valid"] is False
    with_include = owner.client.post(url, json={"content": CONFIG})
    assert with_include.json()["valid"] is True
    assert owner.client.post(url, json={}).json() == {"error": "content is missing"}
    never = owner.client.post(
        url, json={"content": "workflow: {rules: [{when: never}]}\na: {script: x}", "dry_run": True}
    )
    assert never.json()["errors"] == ["Pipeline filtered out by workflow rules."]


def test_roles(world: World, owner: Person, project: dict[str, Any]) -> None:
    reporter, stranger = world.user(), world.user()
    world.member(project, reporter, "reporter")
    url = f"/projects/{project['id']}/ci/lint"
    assert reporter.client.get(url).status_code == 200
    assert reporter.client.post(url, json={"content": "a: {script: x}"}).status_code == 403
    assert stranger.client.get(url).status_code == 404
    assert world.anonymous.post(url, json={"content": "x"}).status_code == 401


def test_a_component_of_another_project_is_included_at_its_newest_release(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    tools = world.project(owner, initialize_with_readme=True)
    world.commit(tools, "main", {"templates/scan.yml": "scan: {script: [old]}"}, user_id=owner.id)
    base = f"/projects/{tools['id']}/repository"
    owner.client.ok("POST", f"{base}/tags", json={"tag_name": "1.0.0", "ref": "main"})
    world.commit(tools, "main", {"templates/scan.yml": "scan: {script: [new]}"}, user_id=owner.id)
    owner.client.ok("POST", f"{base}/tags", json={"tag_name": "1.1.0", "ref": "main"})

    def script(version: str) -> Any:
        address = f"$CI_SERVER_FQDN/{tools['path_with_namespace']}/scan@{version}"
        checked = owner.client.ok(
            "POST", f"/projects/{project['id']}/ci/lint", json={"content": f"include: [{{component: {address}}}]"}
        )
        return checked["merged_yaml"] if checked["valid"] else checked["errors"]

    assert "new" in script("~latest")
    assert "new" in script("1")
    assert "old" in script("1.0.0")
    stranger = world.user()
    world.member(project, stranger, "maintainer")
    address = f"$CI_SERVER_FQDN/{tools['path_with_namespace']}/scan@1.0.0"
    hidden = stranger.client.ok(
        "POST", f"/projects/{project['id']}/ci/lint", json={"content": f"include: [{{component: {address}}}]"}
    )
    assert hidden["errors"][0].endswith("the project or version does not exist, or you may not read it")


def test_keys_may_be_written_as_symbols(owner: Person, project: dict[str, Any]) -> None:
    text = ":stages: [build]\n:job:\n  :stage: build\n  :script: [make]\n  :variables:\n    :MODE: fast\n"

    checked = owner.client.ok(
        "POST", f"/projects/{project['id']}/ci/lint", json={"content": text, "include_jobs": True}
    )

    assert (checked["valid"], checked["errors"]) == (True, [])
    assert [(job["name"], job["stage"], job["script"]) for job in checked["jobs"]] == [("job", "build", ["make"])]
    assert ":script" not in checked["merged_yaml"]
