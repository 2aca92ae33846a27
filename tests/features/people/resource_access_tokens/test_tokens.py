from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import update

from ingot.identity.tables import personal_access_tokens
from ingot.kit import jobs
from ingot.kit.clock import now
from tests.support.client import Client
from tests.support.world import Person, World

KEYS = [
    "id", "name", "revoked", "created_at", "description", "scopes", "user_id", "last_used_at", "active", "expires_at",
    "access_level", "resource_type", "resource_id",
]  # fmt: skip
WISH = {"name": "deployer", "scopes": ["api"], "access_level": 30}


def day(offset: int) -> str:
    return (datetime.now(UTC).date() + timedelta(days=offset)).isoformat()


class Home:
    """A project or a group with people of two roles."""

    def __init__(self, world: World, kind: str) -> None:
        self.world = world
        self.kind = kind
        self.owner, self.developer, self.maintainer = world.user(), world.user(), world.user()
        self.group = world.group(self.owner)
        project = world.project(self.owner, namespace_id=self.group["id"], initialize_with_readme=True)
        self.project = project
        item = project if kind == "project" else self.group
        self.id = item["id"]
        world.member(item, self.developer, "developer", kind=f"{kind}s")
        world.member(item, self.maintainer, "maintainer", kind=f"{kind}s")
        self.path = f"/{kind}s/{self.id}/access_tokens"

    def make(self, by: Person | None = None, **more: Any) -> dict[str, Any]:
        created: dict[str, Any] = (by or self.owner).client.ok("POST", self.path, json={**WISH, **more})
        return created

    def client(self, token: dict[str, Any]) -> Client:
        return self.world.server.client(token["token"])


@pytest.fixture(params=["project", "group"])
def home(world: World, request: pytest.FixtureRequest) -> Home:
    return Home(world, request.param)


def test_a_token_is_a_bot_with_a_role(world: World, home: Home) -> None:
    token = home.make(description="for releases", scopes=["api", "read_repository"], expires_at=day(30))

    assert list(token) == [*KEYS, "token"]
    assert token["scopes"] == ["api", "read_repository"]
    assert (token["access_level"], token["expires_at"], token["active"]) == (30, day(30), True)
    assert (token["resource_type"], token["resource_id"]) == (home.kind, home.id)
    bot = home.client(token)
    me = bot.ok("GET", "/user")
    assert me["id"] == token["user_id"]
    assert me["name"] == "deployer"
    assert me["username"].startswith(f"{home.kind}_{home.id}_bot_")
    assert me["bot"] is True
    assert bot.ok("GET", f"/projects/{home.project['id']}")["permissions"][f"{home.kind}_access"]["access_level"] == 30
    member = home.owner.client.ok("GET", f"/{home.kind}s/{home.id}/members/{me['id']}")
    assert (member["access_level"], member["username"]) == (30, me["username"])
    assert bot.ok("GET", "/personal_access_tokens/self")["id"] == token["id"]


def test_a_token_has_defaults(home: Home) -> None:
    created = home.owner.client.ok("POST", home.path, json={"name": "x", "scopes": ["read_api"]})

    assert (created["access_level"], created["expires_at"]) == (40, day(365))


def test_tokens_are_listed_and_filtered(home: Home) -> None:
    first, second = home.make(name="alpha"), home.make(name="beta")
    home.owner.client.delete(f"{home.path}/{first['id']}")

    def names(**body: Any) -> list[str]:
        return [row["name"] for row in home.owner.client.ok("GET", home.path, params=body)]

    assert names() == ["alpha", "beta"]
    assert names(state="active") == ["beta"]
    assert names(state="inactive") == ["alpha"]
    assert names(revoked="true") == ["alpha"]
    assert names(search="ET") == ["beta"]
    assert names(sort="name_desc") == ["beta", "alpha"]
    assert names(created_after=day(1)) == []
    assert names(per_page=1, page=2) == ["beta"]
    shown = home.owner.client.ok("GET", f"{home.path}/{second['id']}")
    assert list(shown) == KEYS
    assert home.owner.client.queries(home.path) == home.owner.client.queries(home.path, per_page=1)


def test_tokens_of_elsewhere_are_not_found(world: World, home: Home) -> None:
    other = Home(world, home.kind)
    foreign = other.make()
    own = world.token(home.owner.id, ["api"])

    for number in (foreign["id"], world.server.client(own).ok("GET", "/personal_access_tokens/self")["id"], 999_999):
        missing = home.owner.client.get(f"{home.path}/{number}")
        assert (missing.status_code, missing.json()) == (404, {"message": f"404 {home.kind} Access Token Not Found"})
        gone = home.owner.client.delete(f"{home.path}/{number}")
        assert (gone.status_code, gone.json()) == (404, {"message": f"404 {home.kind} Access Token Not Found"})
        assert home.owner.client.post(f"{home.path}/{number}/rotate").status_code == 401
        assert world.admin.post(f"{home.path}/{number}/rotate").status_code == 404
    assert other.owner.client.ok("GET", other.path)[0]["active"] is True


def test_a_revoked_token_ends_at_once(home: Home) -> None:
    token = home.make()
    bot = home.client(token)
    assert bot.get("/user").status_code == 200
    body = {"name": "more", "scopes": ["self_rotate"]}
    key = Ed25519PrivateKey.generate().public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    more = home.client(bot.ok("POST", "/user/personal_access_tokens", json=body))
    bot.ok("POST", "/user/keys", json={"title": "stays?", "key": key})
    assert more.get("/personal_access_tokens/self").status_code == 200

    assert home.owner.client.delete(f"{home.path}/{token['id']}").status_code == 204

    assert bot.get("/user").json()["error"] == "invalid_token"
    assert more.get("/personal_access_tokens/self").status_code == 401
    assert home.owner.client.ok("GET", f"/users/{token['user_id']}/keys") == []
    assert home.owner.client.ok("GET", f"{home.path}/{token['id']}")["revoked"] is True


def test_who_may_do_what(home: Home, world: World) -> None:
    token = home.make()
    allowed = [home.owner] if home.kind == "group" else [home.owner, home.maintainer]
    refused = [home.developer] if home.kind == "project" else [home.developer, home.maintainer]

    for person in allowed:
        assert person.client.get(home.path).status_code == 200
        assert home.make(person)["access_level"] == 30
    for person in refused:
        assert person.client.get(home.path).status_code == 401
        created = person.client.post(home.path, json=WISH)
        text = f"400 Bad request - User does not have permission to create {home.kind} access token"
        assert (created.status_code, created.json()) == (400, {"message": text})
        assert person.client.delete(f"{home.path}/{token['id']}").status_code == 400
        assert person.client.post(f"{home.path}/{token['id']}/rotate").status_code == 401
    assert world.user().client.get(home.path).status_code == 404
    assert world.anonymous.get(home.path).status_code == 401


def test_nobody_gives_more_than_they_have(world: World) -> None:
    home = Home(world, "project")
    strong = home.make(access_level=50)

    reply = home.maintainer.client.post(home.path, json={**WISH, "access_level": 50})
    rotated = home.maintainer.client.post(f"{home.path}/{strong['id']}/rotate")

    text = "400 Bad request - Access level of the token contains permissions not held by the creating user"
    assert (reply.status_code, reply.json()) == (400, {"message": text})
    text = "400 Bad request - Not eligible to rotate token with access level higher than the user"
    assert (rotated.status_code, rotated.json()) == (400, {"message": text})


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({"scopes": ["sudo"]}, {"error": "scopes does not have a valid value"}),
        ({"access_level": 35}, {"error": "access_level does not have a valid value"}),
        ({"name": " "}, {"message": "400 Bad request - Name can't be blank"}),
        ({"scopes": []}, {"message": "400 Bad request - Scopes can't be blank"}),
    ],
)
def test_bad_wishes_leave_no_bot_behind(world: World, options: dict[str, Any], body: dict[str, Any]) -> None:
    home = Home(world, "project")

    reply = home.owner.client.post(home.path, json={**WISH, **options})
    endless = home.owner.client.post(home.path, json={**WISH, "expires_at": day(366)})

    assert (reply.status_code, reply.json()) == (400, body)
    assert endless.json() == {"message": f"400 Bad request - expires_at must be before {day(365)}"}
    assert endless.status_code == 400
    assert len(home.owner.client.ok("GET", f"/projects/{home.id}/members")) == 2


def test_a_rotated_token_keeps_its_bot(home: Home) -> None:
    token = home.make(scopes=["api", "self_rotate"])

    second = home.owner.client.ok("POST", f"{home.path}/{token['id']}/rotate", json={"expires_at": day(9)})

    assert list(second) == [*KEYS, "token"]
    assert (second["user_id"], second["expires_at"], second["access_level"]) == (token["user_id"], day(9), 30)
    assert home.client(token).get("/user").status_code == 401
    again = home.owner.client.post(f"{home.path}/{token['id']}/rotate")
    assert again.json() == {"message": "400 Bad request - token already revoked"}
    third = home.client(second).ok("POST", f"{home.path}/self/rotate")
    assert (third["user_id"], third["expires_at"]) == (token["user_id"], day(7))
    assert home.client(third).get("/user").status_code == 200


def test_a_past_day_makes_a_token_that_has_ended_by_creation_and_by_rotation_alike(home: Home) -> None:
    created = home.make(expires_at=day(-1))
    path = f"{home.path}/{home.make()['id']}/rotate"
    rotated = home.owner.client.ok("POST", path, json={"expires_at": day(-1)})

    for token in (created, rotated):
        assert (token["expires_at"], token["active"], token["revoked"]) == (day(-1), False, False)
        assert home.client(token).get("/user").status_code == 401
    again = home.owner.client.ok("POST", f"{home.path}/{rotated['id']}/rotate")
    assert home.client(again).get("/user").status_code == 200


def test_only_bots_rotate_themselves_and_only_at_home(world: World, home: Home) -> None:
    other = world.project(home.owner, visibility="public")
    token = home.make()

    assert home.owner.client.post(f"{home.path}/self/rotate").status_code == 405
    assert home.client(token).post(f"/projects/{other['id']}/access_tokens/self/rotate").status_code == 401


def test_a_bot_stays_what_and_where_it_is(world: World, home: Home) -> None:
    token = home.make(access_level=50)
    bot = home.client(token)
    elsewhere = world.group(home.owner, visibility="public")
    member = {"user_id": token["user_id"], "access_level": 30}

    added = home.owner.client.post(f"/groups/{elsewhere['id']}/members", json=member)

    assert added.json() == {"message": {"user_id": ["project bots cannot be added to other groups / projects"]}}
    assert bot.post(f"/groups/{elsewhere['id']}/access_requests").status_code == 403
    here = f"/{home.kind}s/{home.id}/members/{token['user_id']}"
    assert home.owner.client.put(here, json={"access_level": 10}).status_code == 403
    assert home.owner.client.delete(here).status_code == 403
    assert bot.post(home.path, json=WISH).status_code == 400
    assert bot.ok("GET", home.path)[0]["id"] == token["id"]
    assert bot.post("/groups", json={"name": "mine", "path": world.name("mine")}).status_code == 403
    assert bot.post("/projects", json={"name": "mine"}).status_code in (400, 403)


def test_bots_take_approvals_away(world: World) -> None:
    home = Home(world, "project")
    request = world.merge_request(home.project, home.developer)
    path = f"/projects/{home.id}/merge_requests/{request['iid']}"
    home.maintainer.client.ok("POST", f"{path}/approve")

    reply = home.client(home.make()).put(f"{path}/reset_approvals")

    assert reply.status_code == 202
    assert home.owner.client.ok("GET", f"{path}/approvals")["approved_by"] == []


def test_bots_leave_a_month_after_their_token(world: World) -> None:
    home = Home(world, "project")
    gone, remaining = home.make(), home.make()
    for token in (gone, remaining):
        home.owner.client.delete(f"{home.path}/{token['id']}")
    issue = home.client(active := home.make()).ok("POST", f"/projects/{home.id}/issues", json={"title": "Seen"})
    orphan = Home(world, "project")
    lost = orphan.make()
    assert world.admin.delete(f"/projects/{orphan.id}").status_code == 202
    marked = world.admin.ok("GET", f"/projects/{orphan.id}")["path_with_namespace"]
    world.admin.delete(f"/projects/{orphan.id}?permanently_remove=true&full_path={marked}")
    world.run_jobs()

    with world.server.services.db.write() as tx:
        aged = personal_access_tokens.c.id == gone["id"]
        tx.execute(update(personal_access_tokens).where(aged).values(updated_at=now() - timedelta(days=31)))
        jobs.enqueue(tx, "remove_departing_bots")
    world.run_jobs()

    answer = {
        token["user_id"]: world.admin.get(f"/users/{token['user_id']}").status_code
        for token in (gone, remaining, active, lost)
    }
    assert list(answer.values()) == [404, 200, 200, 404]
    assert world.admin.ok("GET", f"/projects/{home.id}/issues/{issue['iid']}")["author"]["id"] == active["user_id"]
