"""What clients get from families of endpoints that do not exist here."""

import pytest

from tests.support.world import World

REFUSED = {"message": "403 Forbidden"}


@pytest.mark.parametrize("path", ["packages", "registry/repositories"])
def test_lists_of_packages_and_images_are_empty(world: World, path: str) -> None:
    group = world.group()
    project = world.project(namespace_id=group["id"])
    stranger = world.user()

    for place in (f"/projects/{project['id']}", f"/groups/{group['id']}"):
        reply = world.admin.get(f"{place}/{path}?per_page=5")
        assert (reply.status_code, reply.json(), reply.headers["X-Total"]) == (200, [], "0")
        assert stranger.client.get(f"{place}/{path}").status_code == 404


def test_publishing_is_refused(world: World) -> None:
    project = world.project()
    for method, path in (("PUT", "packages/generic/tool/1.0/tool.zip"), ("POST", "packages/pypi")):
        reply = world.admin.request(method, f"/projects/{project['id']}/{path}")
        assert (reply.status_code, reply.json()) == (403, REFUSED)


@pytest.mark.parametrize("path", ["epics", "epics/1", "epics/1/issues", "iterations"])
def test_planning_of_paid_editions_is_refused_in_groups(world: World, path: str) -> None:
    group = world.group()

    reply = world.admin.get(f"/groups/{group['id']}/{path}")

    assert (reply.status_code, reply.json()) == (403, REFUSED)
    assert world.user().client.get(f"/groups/{group['id']}/{path}").status_code == 404


@pytest.mark.parametrize("path", ["iterations", "merge_trains", "merge_trains/main", "merge_trains/merge_requests/1"])
def test_iterations_and_merge_trains_are_refused_in_projects(world: World, path: str) -> None:
    project = world.project()

    reply = world.admin.get(f"/projects/{project['id']}/{path}")

    assert (reply.status_code, reply.json()) == (403, REFUSED)


def test_an_image_that_is_asked_for_is_not_there(world: World) -> None:
    reply = world.admin.get(f"/projects/{world.project()['id']}/registry/repositories/1/tags")

    assert (reply.status_code, reply.json()) == (404, {"error": "404 Not Found"})


@pytest.mark.parametrize("path", ["/geo_nodes", "/geo_sites", "/geo_nodes/status"])
def test_secondary_sites_are_refused_to_everybody(world: World, path: str) -> None:
    for client in (world.admin, world.user().client):
        reply = client.get(path)
        assert (reply.status_code, reply.json()) == (403, REFUSED)
