from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from ingot.access.tables import namespaces
from ingot.identity.logins import find_by_login, has_password
from ingot.kit import jobs
from ingot.kit.clock import today
from tests.support.world import Person, World

KEYS = ["id", "username", "name", "email"]
TOKEN_KEYS = [
    "id", "name", "revoked", "created_at", "description", "scopes", "user_id", "last_used_at", "active", "expires_at",
]  # fmt: skip


class Home:
    """A top-level group with service accounts."""

    def __init__(self, world: World) -> None:
        self.world, self.owner, self.maintainer = world, world.user(), world.user()
        self.group = world.group(self.owner)
        world.member(self.group, self.maintainer, "maintainer", kind="groups")
        self.path = f"/groups/{self.group['id']}/service_accounts"

    def make(self, by: Person | None = None, **more: Any) -> dict[str, Any]:
        created: dict[str, Any] = (by or self.owner).client.ok("POST", self.path, json=more)
        return created

    def token(self, account: dict[str, Any], **more: Any) -> dict[str, Any]:
        body = {"name": "deploy", "scopes": ["api"], **more}
        path = f"{self.path}/{account['id']}/personal_access_tokens"
        created: dict[str, Any] = self.owner.client.ok("POST", path, json=body)
        return created


@pytest.fixture
def home(world: World) -> Home:
    return Home(world)


def test_an_account_of_the_instance_has_defaults_and_is_changed(world: World) -> None:
    account = world.admin.ok("POST", "/service_accounts")

    assert list(account) == KEYS
    assert account["username"].startswith("service_account_")
    assert len(account["username"]) == len("service_account_") + 32
    assert account["name"] == "Service account user"
    assert account["email"].startswith(f"{account['username']}@noreply.")
    shown = world.admin.ok("GET", f"/users/{account['id']}")
    assert (shown["bot"], shown["using_license_seat"], shown["can_create_group"]) == (True, False, False)
    name = world.name("robot")
    changed = world.admin.ok("PATCH", f"/service_accounts/{account['id']}", json={"username": name, "name": "Robot"})
    assert changed == {**account, "username": name, "name": "Robot"}
    address = f"{name}@example.com"
    assert world.admin.ok("PATCH", f"/service_accounts/{account['id']}", json={"email": address})["email"] == address
    again = world.admin.ok("POST", "/service_accounts", json={"name": "Second"})
    by_number = [row["id"] for row in world.admin.ok("GET", "/service_accounts", params={"per_page": 2})]
    assert by_number == [again["id"], account["id"]]
    by_name = world.admin.ok("GET", "/service_accounts", params={"order_by": "username", "sort": "asc"})
    assert [row["username"] for row in by_name] == sorted(row["username"] for row in by_name)
    assert world.admin.queries("/service_accounts", per_page=1) == world.admin.queries("/service_accounts")
    found = world.admin.ok("GET", "/users", params={"username": name, "exclude_humans": True})
    assert [row["id"] for row in found] == [account["id"]]
    assert world.admin.ok("GET", "/users", params={"username": name, "humans": True}) == []


def test_taken_and_wrong_names_of_accounts_are_refused(world: World, home: Home) -> None:
    person = home.owner.client.ok("GET", "/user")
    account = home.make()

    for body, text in (
        ({"username": person["username"]}, "Username has already been taken"),
        ({"email": person["email"].upper()}, "Email has already been taken"),
        ({"email": "nobody"}, "Email is invalid"),
    ):
        for reply in (
            world.admin.post("/service_accounts", json=body),
            home.owner.client.post(home.path, json=body),
            home.owner.client.patch(f"{home.path}/{account['id']}", json=body),
        ):
            assert (reply.status_code, reply.json()) == (400, {"message": f"400 Bad request - {text}"})


def test_who_manages_accounts(world: World, home: Home) -> None:
    account = home.make()
    stranger = world.user()

    for client, ours, groups in (
        (world.anonymous, 401, 401),
        (stranger.client, 403, 404),
        (home.maintainer.client, 403, 403),
        (home.owner.client, 403, 200),
    ):
        assert client.get("/service_accounts").status_code == ours
        assert client.post("/service_accounts").status_code == ours
        assert client.patch(f"/service_accounts/{account['id']}", json={"name": "x"}).status_code == ours
        assert client.get(home.path).status_code == groups
        assert client.get(f"{home.path}/{account['id']}/personal_access_tokens").status_code == groups
    # Neither kind is found at the other's address.
    other = Home(world)
    for reply in (
        world.admin.patch(f"/service_accounts/{account['id']}", json={"name": "x"}),
        other.owner.client.patch(f"{other.path}/{account['id']}", json={"name": "x"}),
        other.owner.client.delete(f"{other.path}/{account['id']}"),
        home.owner.client.delete(f"{home.path}/{home.maintainer.id}"),
    ):
        assert (reply.status_code, reply.json()) == (404, {"message": "404 User Not Found"})
    below = world.group(home.owner, parent_id=home.group["id"])
    reply = home.owner.client.post(f"/groups/{below['id']}/service_accounts")
    assert reply.status_code == 400
    world.admin.ok("PUT", f"/users/{account['id']}", json={"admin": True})
    path = f"{home.path}/{account['id']}/personal_access_tokens"
    assert home.owner.client.post(path, json={"name": "x", "scopes": ["api"]}).status_code == 403


def test_tokens_of_an_account_work_until_they_are_revoked(world: World, home: Home) -> None:
    account = home.make(name="Deployer", username=world.name("deployer"))
    token = home.token(account, description="for releases")
    assert list(token) == [*TOKEN_KEYS, "token"]
    path = f"{home.path}/{account['id']}/personal_access_tokens"
    robot = world.server.client(token["token"])
    assert robot.ok("GET", "/user")["username"] == account["username"]

    rotated = home.owner.client.ok("POST", f"{path}/{token['id']}/rotate")

    assert robot.get("/user").status_code == 401
    robot = world.server.client(rotated["token"])
    assert robot.ok("GET", "/personal_access_tokens/self")["id"] == rotated["id"]
    assert [row["id"] for row in home.owner.client.ok("GET", path, params={"state": "active"})] == [rotated["id"]]
    assert [row["id"] for row in home.owner.client.ok("GET", path)] == [token["id"], rotated["id"]]
    assert home.owner.client.delete(f"{path}/{rotated['id']}").status_code == 204
    assert robot.get("/user").status_code == 401
    foreign = home.token(home.make())
    for reply in (
        home.owner.client.delete(f"{path}/{foreign['id']}"),
        home.owner.client.post(f"{path}/{foreign['id']}/rotate"),
    ):
        assert (reply.status_code, reply.json()) == (404, {"message": "404 Personal Access Token Not Found"})
    late = home.owner.client.post(path, json={"name": "x", "scopes": ["api"], "expires_at": "2999-01-01"})
    assert late.status_code == 400
    assert late.json()["message"].startswith("400 Bad request - expires_at must be before")


def test_an_account_is_a_member_only_within_its_group(world: World, home: Home) -> None:
    account, elsewhere = home.make(), Home(world)
    below = world.group(home.owner, parent_id=home.group["id"])
    project = world.project(home.owner, namespace_id=below["id"])
    body = {"user_id": account["id"], "access_level": 30}

    member = home.owner.client.ok("POST", f"/projects/{project['id']}/members", json=body)
    refused = elsewhere.owner.client.post(f"/groups/{elsewhere.group['id']}/members", json=body)

    assert (member["id"], member["access_level"]) == (account["id"], 30)
    text = "service accounts of a group cannot be added outside it"
    assert (refused.status_code, refused.json()) == (400, {"message": {"user_id": [text]}})
    ours = world.admin.ok("POST", "/service_accounts")
    added = elsewhere.owner.client.post(
        f"/groups/{elsewhere.group['id']}/members", json={**body, "user_id": ours["id"]}
    )
    assert added.status_code == 201
    robot = world.server.client(home.token(account)["token"])
    assert robot.ok("GET", f"/projects/{project['id']}")["permissions"]["project_access"]["access_level"] == 30


def test_an_owner_cannot_claim_an_address_and_nobody_signs_in(world: World, home: Home) -> None:
    elsewhere, address = Home(world), f"{world.name('ceo')}@example.com"
    invited = {"email": address, "access_level": 40}
    elsewhere.owner.client.ok("POST", f"/groups/{elsewhere.group['id']}/invitations", json=invited)

    account = home.make(email=address)

    assert account["unconfirmed_email"] == address
    assert world.admin.ok("GET", f"/users/{account['id']}")["confirmed_at"] is None
    assert elsewhere.owner.client.get(f"/groups/{elsewhere.group['id']}/members/{account['id']}").status_code == 404
    world.admin.ok("PUT", f"/users/{account['id']}", json={"password": "a-long-enough-phrase-81"})
    with world.server.services.db.read() as conn:
        assert not has_password(find_by_login(conn, account["username"]), "a-long-enough-phrase-81")


def test_accounts_leave_with_their_group_or_by_request(world: World, home: Home) -> None:
    first, second = home.make(), home.make()
    robot = world.server.client(home.token(second)["token"])

    assert home.owner.client.delete(f"{home.path}/{first['id']}", params={"hard_delete": True}).status_code == 204
    assert world.admin.get(f"/users/{first['id']}").status_code == 404
    home.owner.client.delete(f"/groups/{home.group['id']}")
    with world.server.services.db.write() as tx:
        mine = namespaces.c.id == home.group["id"]
        tx.execute(update(namespaces).where(mine).values(marked_for_deletion_on=today() - timedelta(days=30)))
        jobs.enqueue(tx, "delete_marked_groups")
    world.run_jobs()
    with world.server.services.db.write() as tx:
        jobs.enqueue(tx, "remove_departing_service_accounts")
    world.run_jobs()

    assert world.admin.get(f"/users/{second['id']}").status_code == 404
    assert robot.get("/user").status_code == 401
