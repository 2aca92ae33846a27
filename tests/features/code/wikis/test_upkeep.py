"""What happens to wikis besides writing: deletion, checks, storage moves, forks, archives."""

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingot.doctor import repositories
from ingot.features.spaces.groups.commands.delete import delete_now
from ingot.gitstore import Repository, fsck
from ingot.gitstore.commit_objects import write_blob
from ingot.gitstore.packing import MOST_PACKS
from ingot.kit.jobs import enqueue
from tests.features.code.git_http.git_client import clone
from tests.features.code.wikis.test_git_access import wiki_address
from tests.features.transfer.project_imports.making import exported, imported
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

PAGE = {"title": "home", "content": "hello"}


def repository(world: World, key: int | str) -> Repository:
    result: Repository = world.server.services.storages.repository("default", key, "wiki")
    return result


def test_the_wiki_goes_with_its_group(world: World, owner: Person) -> None:
    group = world.group(owner)
    owner.client.ok("POST", f"/groups/{group['id']}/wikis", json=PAGE)
    wiki = repository(world, f"group-{group['id']}")
    assert wiki.exists()

    with world.server.services.db.write() as tx:
        delete_now(tx, group["id"])  # as after the days of grace
    world.run_jobs()

    assert not wiki.exists()


def test_the_wiki_goes_with_its_project(world: World, owner: Person, project: dict[str, Any], pages: str) -> None:
    owner.client.ok("POST", pages, json=PAGE)
    wiki = repository(world, project["id"])
    assert wiki.exists()

    owner.client.delete(f"/projects/{project['id']}")
    world.run_jobs()

    assert not wiki.exists()


def test_damaged_wikis_are_reported(world: World, owner: Person, project: dict[str, Any], pages: str) -> None:
    group = world.group(owner)
    owner.client.ok("POST", pages, json=PAGE)
    owner.client.ok("POST", f"/groups/{group['id']}/wikis", json=PAGE)
    for key in (project["id"], f"group-{group['id']}"):
        for file in (repository(world, key).path / "objects").glob("??/*"):
            _overwrite(file)

    findings = [one.sentence for one in repositories.examine(world.server.services, repair=False)]

    for path in (project["path_with_namespace"], group["full_path"]):
        assert any(finding.startswith(f"{path}: the wiki is damaged.") for finding in findings), path
    damaged = world.admin.ok("GET", "/projects?wiki_checksum_failed=true")
    assert project["id"] in [one["id"] for one in damaged]


def _overwrite(file: Path) -> None:
    file.chmod(0o600)
    file.write_bytes(b"damaged")


def test_the_size_of_the_wiki_is_counted(world: World, owner: Person, project: dict[str, Any], pages: str) -> None:
    owner.client.ok("POST", pages, json=PAGE)

    def figures() -> dict[str, int]:
        world.run_jobs()
        result: dict[str, int] = owner.client.ok("GET", f"/projects/{project['id']}?statistics=true")["statistics"]
        return result

    until(lambda: figures()["wiki_size"] > 0)  # they are counted a second later
    counted = figures()
    assert counted["storage_size"] >= counted["repository_size"] + counted["wiki_size"]


def test_archives_carry_the_wiki_both_ways(world: World, owner: Person, project: dict[str, Any], pages: str) -> None:
    owner.client.ok("POST", pages, json=PAGE)
    owner.client.ok("PUT", f"{pages}/home", json={"content": "second"})
    archive = exported(world, owner, project["id"])

    other = imported(world, owner, archive)

    there = f"/projects/{other['id']}/wikis"
    assert owner.client.ok("GET", f"{there}/home")["content"] == "second"
    owner.client.ok("PUT", f"{there}/home", json={"content": "third"})
    assert owner.client.ok("GET", f"{pages}/home")["content"] == "second"


def test_search_reads_the_wiki(owner: Person, world: World, project: dict[str, Any], pages: str) -> None:
    owner.client.ok("POST", pages, json={"title": "docs/anvil", "content": "Hot\nquenched iron\n"})
    address = f"/projects/{project['id']}/search?scope=wiki_blobs&search=QUENCHED"

    [hit] = owner.client.ok("GET", address)

    assert (hit["path"], hit["ref"], hit["project_id"]) == ("docs/anvil.md", "main", project["id"])
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"wiki_access_level": "private"})
    assert world.user().client.ok("GET", address) == []


def place_of(world: World, owner: Person, kind: str) -> dict[str, Any]:
    return world.project(owner, visibility="public") if kind == "project" else world.group(owner)


def written_often(world: World, owner: Person, kind: str, place: dict[str, Any]) -> Repository:
    """A wiki with more small packs than are left lying about."""
    pages = f"/{kind}s/{place['id']}/wikis"
    owner.client.ok("POST", pages, json=PAGE)
    wiki = repository(world, place["id"] if kind == "project" else f"group-{place['id']}")
    for number in range(MOST_PACKS + 1):
        owner.client.ok("PUT", f"{pages}/home", json={"content": f"version {number}"})
        wiki.git("repack", "-d", "--quiet", "--no-write-bitmap-index")
    assert packs(wiki) == MOST_PACKS + 1
    return wiki


def packs(wiki: Repository) -> int:
    return len(list(wiki.path.glob("objects/pack/*.pack")))


def walk(world: World) -> None:
    """As happens every day."""
    with world.server.services.db.write() as tx:
        enqueue(tx, "tidy_wikis", key="now")
    world.run_jobs()


@pytest.mark.parametrize("kind", ["project", "group"])
@pytest.mark.parametrize("way", ["api", "git"])
def test_a_write_has_many_small_packs_joined(
    world: World, server: RunningServer, owner: Person, tmp_path: Path, kind: str, way: str
) -> None:
    place = place_of(world, owner, kind)
    wiki, page = written_often(world, owner, kind, place), f"/{kind}s/{place['id']}/wikis/home"

    if way == "api":
        owner.client.ok("PUT", page, json={"content": "the last"})
    else:
        here = clone(tmp_path / "here", wiki_address(server, place, owner.token))
        here.commit("home.md", "the last")
        here.ok("push", "-q", "origin", "main")
    world.run_jobs()

    assert packs(wiki) < MOST_PACKS
    assert owner.client.ok("GET", page)["content"] == "the last"
    assert fsck.check(wiki).is_sound


@pytest.mark.parametrize("kind", ["project", "group"])
def test_the_daily_walk_finds_what_nobody_writes_to(world: World, owner: Person, kind: str) -> None:
    wiki = written_often(world, owner, kind, place_of(world, owner, kind))
    left_over = wiki.path / "objects" / "tmp_objdir-incoming-x"
    left_over.mkdir()
    yesterday = time.time() - 24 * 3600
    os.utime(left_over, (yesterday, yesterday))

    walk(world)

    assert packs(wiki) < MOST_PACKS
    assert not left_over.exists()


def texts_of_one_folder(number: int) -> Iterator[bytes]:
    """Texts whose objects lie in the folder by which git judges how many there are."""
    numbers = iter(range(1_000_000))
    while number:
        text = b"nobody needs %d" % next(numbers)
        if hashlib.sha1(b"blob %d\0%s" % (len(text), text), usedforsecurity=False).hexdigest().startswith("17"):
            yield text
            number -= 1


def test_what_nothing_reaches_goes_once_it_is_much(
    world: World, owner: Person, pages: str, project: dict[str, Any]
) -> None:
    owner.client.ok("POST", pages, json=PAGE)
    wiki = repository(world, project["id"])
    month_ago = time.time() - 30 * 24 * 3600
    lost = [write_blob(wiki, text) for text in texts_of_one_folder(30)]
    for sha in lost:
        os.utime(wiki.path / "objects" / sha[:2] / sha[2:], (month_ago, month_ago))

    walk(world)

    assert [sha for sha in lost if wiki.git("cat-file", "-e", sha, accept=(0, 1)).code == 0] == []
    assert owner.client.ok("GET", f"{pages}/home")["content"] == "hello"
