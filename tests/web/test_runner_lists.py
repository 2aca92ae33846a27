"""Lists of runners: what people read of each, as far as the API tells it to them, in a fixed number of statements."""

from typing import Any

import pytest

from tests.support.client import Client
from tests.support.runner import WireRunner
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly


@pytest.fixture
def owner(world: World) -> Person:
    """The owner of a group."""
    return world.user()


@pytest.fixture
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner)


@pytest.fixture
def project(world: World, owner: Person, group: dict[str, Any]) -> dict[str, Any]:
    return world.project(owner, namespace_id=group["id"])


@pytest.fixture
def runners(world: World, owner: Person, group: dict[str, Any], project: dict[str, Any]) -> dict[str, Any]:
    """A runner of each kind, which machines of two versions have used."""
    places: dict[str, tuple[Client, dict[str, Any]]] = {
        "instance_type": (world.admin, {}),
        "group_type": (owner.client, {"group_id": group["id"]}),
        "project_type": (owner.client, {"project_id": project["id"]}),
    }
    result = {}
    for kind, (client, place) in places.items():
        name = world.name(kind)
        body = {"runner_type": kind, "description": name, "tag_list": f"zinc,{kind}", **place}
        result[kind] = {**client.ok("POST", "/user/runners", json=body), "name": name}
        for version in ("19.3.0", f"19.4.0-{kind}"):
            machine = WireRunner(world, result[kind]["token"])
            machine.info["version"] = version
            assert machine.ask().status_code == 204
    return result


def entering(world: World, username: str) -> Browser:
    browser = Browser(world.server)
    browser.enter_by_link(username)
    return browser


def listed(page: Visit) -> dict[str, Any]:
    """The entries of a list of runners, by their names."""
    entries = page.tree.xpath("//section[@id='runners']//ul[@class='rows']/li")
    return {entry.xpath("string(.//*[contains(@class, 'title')])"): entry for entry in entries}


def facts_of(entry: Any) -> dict[str, str]:
    return {
        fact.findtext("dt"): " ".join("".join(fact.find("dd").itertext()).split())
        for fact in entry.iterfind(".//dl[@class='facts-row']/div")
    }


@pytest.mark.parametrize("role", ["owner", "maintainer", "administrator"])
def test_lists_tell_what_the_page_of_a_runner_tells(
    world: World, owner: Person, group: dict[str, Any], project: dict[str, Any], runners: dict[str, Any], role: str
) -> None:
    maintainer = world.user()
    world.member(project, maintainer, "maintainer")
    client = {"owner": owner.client, "maintainer": maintainer.client, "administrator": world.admin}[role]
    username = {"owner": owner.username, "maintainer": maintainer.username, "administrator": "root"}[role]
    browser = entering(world, username)
    pages = {f"/{project['path_with_namespace']}/-/settings/ci_cd": {"instance_type", "group_type", "project_type"}}
    if role != "maintainer":
        pages[f"/groups/{group['full_path']}/-/runners"] = {"group_type"}
    if role == "administrator":
        pages["/admin/runners"] = set(runners)

    for path, kinds in pages.items():
        page = browser.open(path)
        entries = listed(page)
        for kind in kinds:
            entry = entries[runners[kind]["name"]]
            facts = facts_of(entry)
            answer = client.get(f"/runners/{runners[kind]['id']}")
            assert answer.is_success == (role != "maintainer" or kind != "group_type")
            assert (facts["State"], facts["Jobs"]) == ("Online", "Idle")
            if answer.is_success:
                whole = answer.json()
                assert facts["Tags"] == ", ".join(whole["tag_list"]) == f"{kind}, zinc"
                assert facts["Version"] == whole["version"] == f"19.4.0-{kind}"
                assert entry.xpath("string(.//time/@datetime)") == whole["contacted_at"]
                assert browser.open(entry.xpath("string(.//a/@href)")).status == 200
            else:
                assert facts.keys().isdisjoint({"Tags", "Version", "Last contact"})
                assert not entry.xpath(".//a")


def test_the_fields_of_the_api_stay_as_they_are(
    owner: Person, project: dict[str, Any], runners: dict[str, Any]
) -> None:
    rows = owner.client.ok("GET", f"/projects/{project['id']}/runners")
    assert {row["description"] for row in rows} >= {runner["name"] for runner in runners.values()}
    assert all(row.keys().isdisjoint({"tag_list", "contacted_at", "version"}) for row in rows)


def test_longer_lists_cost_no_more_statements(
    world: World, owner: Person, group: dict[str, Any], project: dict[str, Any], runners: dict[str, Any]
) -> None:
    browser = entering(world, "root")
    number = project["id"]
    paths = {
        f"/{project['path_with_namespace']}/-/settings/ci_cd": {"runner_type": "project_type", "project_id": number},
        f"/groups/{group['full_path']}/-/runners": {"runner_type": "group_type", "group_id": group["id"]},
        "/admin/runners": {"runner_type": "instance_type"},
    }  # fmt: skip

    for path, place in paths.items():
        before, rows = browser.statements_after_a_write(path), len(listed(browser.open(path)))
        for name in ("tin", "lead", "zinc"):
            body = {"description": f"{path} {name}", "tag_list": "x", **place}
            added = world.admin.ok("POST", "/user/runners", json=body)
            assert WireRunner(world, added["token"]).ask().status_code == 204
        assert len(listed(browser.open(path))) == min(rows + 3, 20)  # a page has no more
        assert browser.statements_after_a_write(path) == before
