"""GET /groups, /groups/:id/subgroups and /groups/:id/descendant_groups: every filter against a known set."""

from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.client import Client
from tests.support.world import Person, World


@dataclass(frozen=True)
class Groups:
    """A small forest: public, internal and private trees with members at different heights."""

    anna: Person
    ben: Person
    cleo: Person
    by_name: dict[str, dict[str, Any]]

    def names(self, client: Client, path: str = "/groups", **filters: Any) -> list[str]:
        answer = client.get(path, per_page=100, **filters)
        assert answer.status_code == 200, answer.text
        known = {group["id"]: name for name, group in self.by_name.items()}
        return [known[group["id"]] for group in answer.json() if group["id"] in known]


@pytest.fixture(scope="module")
def groups(world: World) -> Groups:
    anna, ben, cleo = world.user(), world.user(), world.user()
    created: dict[str, dict[str, Any]] = {}

    def group(name: str, parent: str | None = None, **more: Any) -> None:
        parent_id = created[parent]["id"] if parent else None
        created[name] = world.group(anna, name=name, path=name.lower(), parent_id=parent_id, **more)

    group("Alpha", visibility="public")
    group("Alpha-one", "Alpha", visibility="public")
    group("Alpha-two", "Alpha", visibility="private")
    group("Alpha-deep", "Alpha-two", visibility="private")
    group("Beta", visibility="internal")
    group("Gamma", visibility="private")
    group("Gamma-low", "Gamma", visibility="private")
    world.member(created["Alpha-deep"], ben, "developer", kind="groups")
    world.member(created["Gamma"], ben, "maintainer", kind="groups")
    return Groups(anna, ben, cleo, created)


ALL = ["Alpha", "Alpha-deep", "Alpha-one", "Alpha-two", "Beta", "Gamma", "Gamma-low"]


def test_anonymous_callers_see_public_groups(world: World, groups: Groups) -> None:
    assert groups.names(world.anonymous) == ["Alpha", "Alpha-one"]


def test_users_see_open_groups_and_their_own_with_what_lies_above(groups: Groups) -> None:
    assert groups.names(groups.cleo.client) == ["Alpha", "Alpha-one", "Beta"]
    assert groups.names(groups.ben.client) == ALL
    assert groups.names(groups.ben.client, all_available=False) == [
        "Alpha",
        "Alpha-deep",
        "Alpha-two",
        "Gamma",
        "Gamma-low",
    ]


def test_administrators_see_all(world: World, groups: Groups) -> None:
    assert groups.names(world.admin) == ALL


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"search": "ALPHA"}, ["Alpha", "Alpha-deep", "Alpha-one", "Alpha-two"]),
        ({"search": "o%e"}, []),
        ({"search": "alpha/alpha-t"}, ["Alpha-deep", "Alpha-two"]),
        ({"visibility": "internal"}, ["Beta"]),
        ({"owned": True}, []),
        ({"min_access_level": 40}, ["Gamma", "Gamma-low"]),
        ({"min_access_level": 30}, ["Alpha-deep", "Gamma", "Gamma-low"]),
        ({"top_level_only": True}, ["Alpha", "Beta", "Gamma"]),
        (
            {"order_by": "id", "sort": "desc"},
            ["Gamma-low", "Gamma", "Beta", "Alpha-deep", "Alpha-two", "Alpha-one", "Alpha"],
        ),
        ({"order_by": "path", "sort": "desc"}, ALL[::-1]),
        ({"order_by": "similarity", "search": "gamma-low"}, ["Gamma-low"]),
        ({"order_by": "similarity", "search": "alpha"}, ["Alpha", "Alpha-one", "Alpha-two", "Alpha-deep"]),
        ({"statistics": True, "repository_storage": "nowhere", "custom_attributes": {"a": "b"}}, ALL),
        ({"marked_for_deletion_on": "2020-01-01"}, []),
        ({"search": "alpha", "visibility": "private"}, ["Alpha-deep", "Alpha-two"]),
    ],
)
def test_filters_of_a_member(groups: Groups, filters: dict[str, Any], expected: list[str]) -> None:
    assert groups.names(groups.ben.client, **filters) == expected


def test_owned_means_a_membership_of_the_group_itself(groups: Groups) -> None:
    assert groups.names(groups.anna.client, owned=True) == ALL


def test_groups_can_be_skipped(groups: Groups) -> None:
    skipped = [groups.by_name["Beta"]["id"], groups.by_name["Gamma"]["id"]]

    rest = [name for name in ALL if name not in ("Beta", "Gamma")]
    assert groups.names(groups.anna.client, skip_groups=skipped) == rest
    assert groups.names(groups.anna.client, skip_groups=",".join(map(str, skipped))) == rest


def test_filters_of_administrators(world: World, groups: Groups) -> None:
    beta = groups.by_name["Beta"]["id"]
    world.admin.ok("PUT", f"/groups/{beta}/custom_attributes/cost", json={"value": "42"})
    world.project(groups.anna, namespace_id=beta)

    assert groups.names(world.admin, custom_attributes={"cost": "42"}) == ["Beta"]
    assert groups.names(world.admin, custom_attributes={"cost": "41"}) == []
    assert groups.names(world.admin, repository_storage="default") == ["Beta"]
    shown = world.admin.ok("GET", "/groups?search=beta&statistics=true&with_custom_attributes=true")[0]
    assert shown["custom_attributes"] == [{"key": "cost", "value": "42"}]
    assert shown["statistics"]["storage_size"] >= 0
    mine = groups.anna.client.ok("GET", "/groups?search=beta&statistics=true&with_custom_attributes=true")[0]
    assert "statistics" not in mine
    assert "custom_attributes" not in mine


def test_a_custom_attribute_filter_that_is_no_hash_is_refused(world: World) -> None:
    answer = world.admin.get("/groups", custom_attributes="x")

    assert (answer.status_code, answer.json()) == (400, {"error": "custom_attributes is invalid"})


@pytest.mark.parametrize(
    ("filters", "text"),
    [
        ({"order_by": "size"}, "order_by does not have a valid value"),
        ({"visibility": "secret"}, "visibility does not have a valid value"),
        ({"min_access_level": 7}, "min_access_level does not have a valid value"),
        ({"owned": "perhaps"}, "owned is invalid"),
    ],
)
def test_values_that_do_not_exist_are_refused(world: World, filters: dict[str, Any], text: str) -> None:
    answer = world.admin.get("/groups", **filters)

    assert (answer.status_code, answer.json()) == (400, {"error": text})


def test_subgroups_and_descendants(world: World, groups: Groups) -> None:
    alpha = f"/groups/{groups.by_name['Alpha']['id']}"

    assert groups.names(groups.ben.client, f"{alpha}/subgroups") == ["Alpha-one", "Alpha-two"]
    assert groups.names(groups.ben.client, f"{alpha}/descendant_groups") == ["Alpha-deep", "Alpha-one", "Alpha-two"]
    assert groups.names(groups.cleo.client, f"{alpha}/descendant_groups") == ["Alpha-one"]
    assert groups.names(world.anonymous, f"{alpha}/subgroups", search="two") == []
    assert groups.names(groups.ben.client, f"{alpha}/descendant_groups", min_access_level=30) == ["Alpha-deep"]


def test_keyset_pages_follow_the_link(world: World, groups: Groups) -> None:
    result, url = [], "/groups?pagination=keyset&order_by=name&sort=asc&per_page=1"
    while url:
        answer = world.anonymous.request("GET", url)
        assert "X-Total" not in answer.headers
        result += [group["name"] for group in answer.json()]
        url = answer.links.get("next", {}).get("url", "")

    assert result == ["Alpha", "Alpha-one"]
    refused = world.anonymous.get("/groups", pagination="keyset", order_by="path")
    assert refused.status_code == 405


def test_the_offset_limit_holds_for_anonymous_callers(world: World, groups: Groups) -> None:
    assert world.anonymous.get("/groups", page=501, per_page=100).status_code == 405
    assert groups.ben.client.get("/groups", page=501, per_page=100).json() == []


def test_the_number_of_queries_does_not_grow_with_the_page(world: World, groups: Groups) -> None:
    client = groups.ben.client
    client.get("/groups")  # the token is known from here on

    counts = {size: client.queries("/groups", per_page=size) for size in (1, 7)}

    assert counts[1] == counts[7] <= 5
