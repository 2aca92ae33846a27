"""What happens to wikis besides writing: deletion, checks, storage moves, forks, archives."""

from pathlib import Path
from typing import Any

from ingot.doctor import repositories
from ingot.features.spaces.groups.commands.delete import delete_now
from ingot.gitstore import Repository
from tests.features.transfer.project_imports.making import exported, imported
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
