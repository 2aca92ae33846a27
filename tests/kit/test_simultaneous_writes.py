"""Writes that meet: what was acknowledged is there afterwards, and a set that is replaced is one of the wished ones."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.client import Client
from tests.support.world import Person, World

ROUNDS = 3


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def together(clients: list[Client], path: str, bodies: list[dict[str, Any]]) -> None:
    """Send all requests at the same time; all must be accepted."""
    with ThreadPoolExecutor(len(bodies)) as pool:
        answers = list(pool.map(lambda pair: pair[0].put(path, pair[1]), zip(clients, bodies, strict=False)))
    assert {answer.status_code for answer in answers} == {200}, [answer.text for answer in answers]


def clients_of(world: World, token: str | None = None) -> list[Client]:
    return [world.server.client(*([] if token is None else [token])) for _ in range(8)]


def test_settings_of_a_project_changed_at_once_are_all_kept(world: World, owner: Person) -> None:
    path = f"/projects/{world.project(owner)['id']}"
    clients = clients_of(world, owner.token)
    for round_ in range(ROUNDS):
        flag = bool(round_ % 2)
        values = {
            "lfs_enabled": flag, "packages_enabled": flag, "public_jobs": flag, "emails_enabled": flag,
            "keep_latest_artifact": flag, "build_timeout": 700 + round_, "merge_method": ("ff", "merge")[flag],
        }  # fmt: skip

        together(clients, path, [{name: value} for name, value in values.items()])

        shown = owner.client.ok("GET", path)
        assert {name: shown[name] for name in values} == values


def test_the_profile_of_a_user_changed_at_once_is_all_kept(world: World) -> None:
    path = f"/users/{world.user().id}"
    clients = clients_of(world)
    for round_ in range(ROUNDS):
        values = {name: f"{name} {round_}" for name in ("bio", "location", "organization", "job_title", "pronouns")}

        together(clients, path, [{name: value} for name, value in values.items()])

        shown = world.admin.ok("GET", path)
        assert {name: shown[name] for name in values} == values


@pytest.mark.parametrize("kind", ["groups", "projects"])
def test_approval_settings_changed_at_once_are_all_kept(world: World, owner: Person, kind: str) -> None:
    item = world.group(owner) if kind == "groups" else world.project(owner)
    path = f"/{kind}/{item['id']}/merge_request_approval_setting"
    clients = clients_of(world, owner.token)
    names = ("allow_author_approval", "allow_committer_approval", "require_reauthentication_to_approve")
    for round_ in range(ROUNDS):
        value = bool(round_ % 2)

        together(clients, path, [{name: value} for name in names])

        shown = owner.client.ok("GET", path)
        assert {shown[name]["value"] for name in names} == {value}


def test_a_set_replaced_by_many_at_once_is_one_of_the_wished_ones(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    place = f"/projects/{project['id']}"
    request = world.merge_request(project, owner)
    issue = owner.client.ok("POST", f"{place}/issues", json={"title": "Everybody at once"})
    clients = clients_of(world, owner.token)
    pairs = [[f"left{number}", f"right{number}"] for number in range(6)]

    for path, name in (
        (place, "topics"),
        (f"{place}/merge_requests/{request['iid']}", "labels"),
        (f"{place}/issues/{issue['iid']}", "labels"),
    ):
        for _ in range(ROUNDS):
            together(clients, path, [{name: pair} for pair in pairs])
            assert sorted(owner.client.ok("GET", path)[name]) in pairs


def test_a_variable_made_by_many_at_once_is_there_once(world: World, owner: Person) -> None:
    path = f"/projects/{world.project(owner)['id']}/variables"
    clients = clients_of(world, owner.token)

    with ThreadPoolExecutor(len(clients)) as pool:
        answers = list(pool.map(lambda client: client.post(path, {"key": "KEY", "value": "v"}), clients))

    assert sorted(answer.status_code for answer in answers) == [201] + [400] * (len(clients) - 1)
    assert len(owner.client.ok("GET", path)) == 1


def test_a_flag_opened_for_several_at_once_is_open_for_all_of_them(world: World) -> None:
    people = [world.user() for _ in range(6)]
    clients = clients_of(world)

    def open_for(pair: tuple[Client, Person]) -> int:
        client, person = pair
        return client.post("/features/mr_approved_filter", {"value": "true", "user": person.username}).status_code

    with ThreadPoolExecutor(len(people)) as pool:
        assert set(pool.map(open_for, zip(clients, people, strict=False))) == {201}

    shown = next(flag for flag in world.admin.ok("GET", "/features") if flag["name"] == "mr_approved_filter")
    actors = next(gate["value"] for gate in shown["gates"] if gate["key"] == "actors")
    assert sorted(actors) == sorted(f"User:{person.id}" for person in people)


def test_a_saml_provider_and_a_status_changed_at_once_are_kept(world: World, owner: Person) -> None:
    group = world.group(owner)
    path = f"/groups/{group['id']}/saml_provider"
    clients = clients_of(world, owner.token)
    first = {"sso_url": "https://idp.example/sso", "certificate_fingerprint": ":".join(["AA"] * 32)}
    values = {"enabled": False, "default_membership_role": 20, "idp_entity_id": "idp", "enforced_sso": True}

    together(clients, path, [first] * 4)
    together(clients, path, [{name: value} for name, value in values.items()])
    together(clients, "/user/status", [{"message": f"at {number}"} for number in range(6)])

    shown = owner.client.ok("GET", path)
    assert {name: shown[name] for name in values} == values


def test_people_assigned_by_comments_at_once_are_all_assigned(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    people = [world.user() for _ in range(5)]
    for person in people:
        world.member(project, person, "developer")
    place = f"/projects/{project['id']}"
    request = f"{place}/merge_requests/{world.merge_request(project, owner)['iid']}"
    issue = f"{place}/issues/{owner.client.ok('POST', f'{place}/issues', json={'title': 'For all'})['iid']}"
    clients = clients_of(world, owner.token)

    for path in (request, issue):

        def assign(pair: tuple[Client, Person], path: str = path) -> int:
            client, person = pair
            return client.post(f"{path}/notes", {"body": f"Please\n/assign @{person.username}"}).status_code

        with ThreadPoolExecutor(len(people)) as pool:
            assert set(pool.map(assign, zip(clients, people, strict=False))) == {201}
        assert {person["id"] for person in owner.client.ok("GET", path)["assignees"]} == {one.id for one in people}
