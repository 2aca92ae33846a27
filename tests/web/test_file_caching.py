"""Raw files and archives are not sent again to those who have them, and proxies keep only what strangers may read."""

from typing import Any

import pytest

from ingot.kit import tallies
from tests.support.waiting import until
from tests.support.world import Person, World
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly

FILES = {"a.txt": "one\n", "b.txt": "one\n", "sign.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"}


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created: dict[str, Any] = world.project(owner, visibility="public", initialize_with_readme=True)
    world.commit(created, "main", FILES)
    return created


def archives_written() -> int:
    return sum(
        tally.number for (part, name, _), tally in tallies.totals().items() if (part, name) == ("git", "archive")
    )


def test_a_raw_file_is_sent_again_only_when_it_has_changed(world: World, project: dict[str, Any]) -> None:
    stranger, path = Browser(world.server).http, f"/{project['path_with_namespace']}/-/raw/main/a.txt"
    first = stranger.get(path)
    tag = {"If-None-Match": first.headers["etag"]}
    assert (first.status_code, first.text, first.headers["etag"][:3]) == (200, "one\n", 'W/"')
    assert (first.headers["cache-control"], "expires" in first.headers) == ("public, no-cache", False)
    assert "Cookie" in first.headers["vary"]

    again = stranger.get(path, headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    for name in ("etag", "cache-control", "vary", "content-security-policy"):
        assert again.headers[name] == first.headers[name], name
    # The same bytes by another name, or to be saved, are another answer.
    for other in (path.replace("a.txt", "b.txt"), f"{path}?inline=false"):
        assert stranger.get(other, headers=tag).status_code == 200
    world.commit(project, "main", {"a.txt": "two\n"})
    changed = stranger.get(path, headers=tag)
    assert (changed.status_code, changed.text) == (200, "two\n")


def test_a_drawing_is_another_answer_as_a_picture(world: World, project: dict[str, Any]) -> None:
    stranger, path = Browser(world.server).http, f"/{project['path_with_namespace']}/-/raw/main/sign.svg"
    shown = stranger.get(path, headers={"Sec-Fetch-Dest": "image"})
    assert shown.headers["content-type"] == "image/svg+xml"

    tag = {"If-None-Match": shown.headers["etag"]}
    again = stranger.get(path, headers={"Sec-Fetch-Dest": "image", **tag})
    assert (again.status_code, again.headers["content-security-policy"]) == (
        304, shown.headers["content-security-policy"],
    )  # fmt: skip
    assert stranger.get(path, headers=tag).status_code == 200


def test_a_file_that_may_point_elsewhere_has_no_tag(world: World, project: dict[str, Any]) -> None:
    stranger, path = Browser(world.server).http, f"/{project['path_with_namespace']}/-/raw/main/a.txt"
    tag = {"If-None-Match": stranger.get(path).headers["etag"]}

    followed = stranger.get(f"{path}?lfs=true", headers=tag)

    assert (followed.status_code, followed.text, "etag" in followed.headers) == (200, "one\n", False)
    assert followed.headers["cache-control"] == "public, no-cache"


def test_what_strangers_may_not_read_stays_with_its_reader(world: World, owner: Person) -> None:
    hidden = world.project(owner, initialize_with_readme=True)
    path = f"/{hidden['path_with_namespace']}/-/raw/main/README.md"
    own = Browser(world.server, **{"PRIVATE-TOKEN": owner.token}).http
    mine = own.get(path)
    tag = {"If-None-Match": mine.headers["etag"]}
    assert (mine.status_code, mine.headers["cache-control"]) == (200, "private, no-cache")
    assert own.get(path, headers=tag).status_code == 304
    assert Browser(world.server).http.get(path, headers=tag, follow_redirects=False).status_code == 404


def test_an_archive_is_written_again_only_when_it_has_changed(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    home, stranger = f"/{project['path_with_namespace']}", Browser(world.server).http
    path = f"{home}/-/archive/main/project.tar.gz"
    written = archives_written()
    first = stranger.get(path)
    before = until(lambda: archives_written() > written and archives_written())
    tag = {"If-None-Match": first.headers["etag"]}
    assert (first.status_code, first.headers["etag"][:3], first.headers["cache-control"]) == (
        200, 'W/"', "public, no-cache",
    )  # fmt: skip

    again = stranger.get(path, headers=tag)
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert again.headers["cache-control"] == "public, no-cache"
    assert archives_written() == before
    for other in (path.replace(".tar.gz", ".zip"), f"{path}?path=missing"):
        assert stranger.get(other, headers=tag).status_code != 304
    assert stranger.get(f"{path}?path=missing", headers={"If-None-Match": "*"}).status_code == 404
    world.commit(project, "main", {"c.txt": "three\n"})
    assert stranger.get(path, headers=tag).status_code == 200
    until(lambda: archives_written() > before)

    address = f"/projects/{project['id']}/repository/archive.zip"
    known = owner.client.get(address)
    assert known.headers["cache-control"] == "max-age=0, private, must-revalidate"
    assert owner.client.get(address, headers={"If-None-Match": known.headers["etag"]}).status_code == 304
