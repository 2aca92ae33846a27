"""Paths that lead elsewhere: in the files of snippets, and in the lasting addresses of releases."""

import pytest

from tests.support.world import World

UNSAFE = [
    ".GIT/config",
    ".git\u200c/config",
    "git~1/config",
    ".git./config",
    "a\\..\\x",
    "x/.git::$INDEX/hooks",
    "../x",
]


@pytest.mark.parametrize("path", UNSAFE)
def test_files_of_snippets_have_no_name_that_a_checkout_takes_for_git(world: World, path: str) -> None:
    body = {"title": "Notes", "visibility": "private", "files": [{"file_path": path, "content": "x"}]}

    assert world.admin.post("/snippets", json=body).status_code == 422


def test_files_of_snippets_may_have_git_in_their_names(world: World) -> None:
    files = [{"file_path": path, "content": "x"} for path in (".gitignore", "a.git", "legit/git~notes")]

    world.admin.ok("POST", "/snippets", json={"title": "Notes", "visibility": "private", "files": files})


def test_lasting_addresses_of_releases_stay_below_their_release(world: World) -> None:
    project = world.project(initialize_with_readme=True)
    place = f"/projects/{project['id']}/releases"
    world.admin.ok("POST", place, json={"tag_name": "v1", "ref": "main", "name": "One"})
    links = f"{place}/v1/assets/links"

    for path in ("/../../x", "//evil.example", "/a/../../b", "/./x"):
        body = {"name": path, "url": f"https://example.com{path}", "direct_asset_path": path}
        assert world.admin.post(links, json=body).status_code == 400, path
    world.admin.ok("POST", links, json={"name": "x", "url": "https://example.com/x", "direct_asset_path": "/bin/..x"})
