"""Addresses that people give: a browser that follows one runs nothing as this server."""

from typing import Any

import pytest

from tests.support.runner import project_runner
from tests.support.world import Person, World

RUNNING = [
    "javascript:alert(1)", "javascript:0,alert(1)", " \x01JavaScript:alert(1)", "java\nscript:alert(1)",
    "data:text/html,x",
]  # fmt: skip


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


@pytest.mark.parametrize("address", RUNNING)
def test_no_stored_address_runs(world: World, owner: Person, project: dict[str, Any], address: str) -> None:
    place = f"/projects/{project['id']}"
    badge = {"link_url": address, "image_url": address}
    calls = [
        world.admin.put(f"/users/{owner.id}", json={"website_url": address}),
        owner.client.post(f"{place}/badges", json=badge),
        owner.client.post(f"{place}/badges", json={**badge, "link_url": "%{project_path}" + address}),
        owner.client.post(f"{place}/environments", json={"name": "e", "external_url": address}),
        owner.client.post(f"{place}/statuses/main", json={"state": "success", "target_url": address}),
        owner.client.post(f"{place}/hooks", json={"url": address}),
        owner.client.post(
            f"{place}/releases",
            json={"tag_name": "v1", "ref": "main", "assets": {"links": [{"name": "a", "url": address}]}},
        ),
    ]

    assert [one.status_code for one in calls if one.status_code not in (400, 422)] == []


def test_websites_are_kept(world: World, owner: Person) -> None:
    for address in ("https://example.com:8080/a", "HTTP://example.com", "example.com", "example.com:8080"):
        assert world.admin.ok("PUT", f"/users/{owner.id}", json={"website_url": address})["website_url"] == address


def test_a_job_does_not_lead_its_environment_to_one(world: World, owner: Person) -> None:
    files = {
        ".gitlab-ci.yml": "go: {script: x, environment: {name: e, url: 'java\\tscript:alert(1)'}}".replace("'", '"')
    }
    project = world.project(owner, initialize_with_readme=True)
    runner = project_runner(world, project)
    world.commit(project, "main", files)
    runner.take().succeed()
    world.run_jobs()

    [environment] = owner.client.ok("GET", f"/projects/{project['id']}/environments")
    assert (environment["name"], environment["external_url"]) == ("e", None)
