"""Releases: who may not create a protected tag does not change what its release offers; many links cost little."""

from typing import Any

import pytest

from tests.support.world import Person, World

pytestmark = pytest.mark.costly

LINK = {"name": "app", "url": "https://example.com/app"}
EVIL = {"name": "app", "url": "https://evil.example/app"}


@pytest.fixture(scope="module")
def developer(world: World) -> Person:
    return world.user()


@pytest.fixture
def release(world: World, developer: Person) -> str:
    """The address of a release with a link, whose tag only Maintainers create."""
    project: dict[str, Any] = world.project(initialize_with_readme=True)
    world.member(project, developer, "developer")
    base = f"/projects/{project['id']}"
    world.admin.ok("POST", f"{base}/protected_tags", json={"name": "v*", "create_access_level": 40})
    options = {"tag_name": "v1", "ref": "main", "assets": {"links": [LINK]}}
    world.admin.ok("POST", f"{base}/releases", json=options)
    return f"{base}/releases/v1"


def test_the_downloads_of_a_protected_release_are_not_replaced(world: World, developer: Person, release: str) -> None:
    links = f"{release}/assets/links"
    [link] = developer.client.ok("GET", links)

    assert developer.client.post(links, json={**EVIL, "name": "other"}).status_code == 403
    assert developer.client.put(f"{links}/{link['id']}", json=EVIL).status_code == 403
    assert developer.client.delete(f"{links}/{link['id']}").status_code == 403
    assert developer.client.put(release, json={"name": "mine"}).status_code == 403
    assert developer.client.delete(release).status_code == 403
    assert world.admin.ok("GET", links) == [link]


def test_links_of_an_open_release_are_changed_by_developers(world: World, developer: Person, release: str) -> None:
    options = {"tag_name": "open", "ref": "main"}
    developer.client.ok("POST", release.removesuffix("/v1"), json=options)
    links = f"{release.removesuffix('v1')}open/assets/links"

    link = developer.client.ok("POST", links, json=LINK)

    assert developer.client.ok("PUT", f"{links}/{link['id']}", json=EVIL)["url"] == EVIL["url"]
    developer.client.ok("DELETE", f"{links}/{link['id']}")


def test_a_release_with_thousands_of_links_is_refused(developer: Person, release: str) -> None:
    links = [{"name": f"app {number}", "url": f"https://example.com/{number}"} for number in range(10_000)]
    options = {"tag_name": "many", "ref": "main", "assets": {"links": links}}

    answer = developer.client.post(release.removesuffix("/v1"), json=options)

    assert answer.status_code == 400
    assert "too many" in answer.json()["message"]
