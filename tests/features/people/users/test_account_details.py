import base64
import hashlib
from datetime import timedelta
from urllib.parse import quote

from sqlalchemy import update

from ingot.features.people.users import note_activity
from ingot.identity.tables import users
from ingot.kit.clock import today
from tests.support.client import Client
from tests.support.world import World

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} somebody@host"


def key(letter: str) -> str:
    return KEY.format(letter * 43)


def test_a_status_is_set_read_and_cleared(world: World) -> None:
    person = world.user()

    created = person.client.put("/user/status", json={"emoji": "coffee", "message": "<out>", "availability": "busy"})
    read = world.anonymous.get(f"/users/{person.username}/status")
    changed = person.client.patch("/user/status", json={"message": "in"})
    cleared = person.client.put("/user/status", json={})

    assert created.json() == {
        "emoji": "coffee", "message": "<out>", "availability": "busy", "message_html": "&lt;out&gt;",
        "clear_status_at": None,
    }  # fmt: skip
    assert read.json() == created.json()
    assert (changed.json()["emoji"], changed.json()["message"]) == ("coffee", "in")
    assert cleared.json()["emoji"] is None


def test_addresses_are_added_listed_and_removed(world: World) -> None:
    person = world.user()
    address = f"second-{person.username}@example.com"

    created = person.client.ok("POST", "/user/emails", json={"email": address})
    taken = person.client.post("/user/emails", json={"email": address.upper()})
    bad = person.client.post("/user/emails", json={"email": "nothing"})

    assert (created["email"], created["confirmed_at"]) == (address, None)
    assert taken.json() == {"message": {"email": ["has already been taken"]}}
    assert bad.json() == {"message": {"email": ["is invalid"]}}
    assert person.client.ok("GET", "/user/emails") == [created]
    assert world.admin.ok("GET", f"/users/{person.id}/emails") == [created]
    assert person.client.ok("GET", f"/user/emails/{created['id']}") == created
    assert person.client.delete(f"/user/emails/{created['id']}").status_code == 204
    assert person.client.get(f"/user/emails/{created['id']}").json() == {"message": "404 Email Not Found"}


def test_addresses_of_others_are_for_administrators(world: World) -> None:
    person, other = world.user(), world.user()

    assert person.client.get(f"/users/{other.id}/emails").status_code == 403


def test_keys_are_added_listed_and_removed(world: World) -> None:
    person = world.user()

    created = person.client.ok("POST", "/user/keys", json={"title": "laptop", "key": key("A")})
    twice = person.client.post("/user/keys", json={"title": "again", "key": key("A")})
    bad = person.client.post("/user/keys", json={"title": "bad", "key": "ssh-rsa nonsense"})
    for_other = world.admin.ok("POST", f"/users/{person.id}/keys", json={"title": "desk", "key": key("B")})

    assert created["usage_type"] == "auth_and_signing"
    assert twice.json() == {"message": {"fingerprint_sha256": ["has already been taken"]}}
    assert bad.json() == {"message": {"key": ["is invalid"], "fingerprint_sha256": ["cannot be generated"]}}
    assert person.client.ok("GET", "/user/keys") == [created, for_other]
    assert world.anonymous.get(f"/users/{person.username}/keys").json() == [created, for_other]
    assert world.anonymous.get(f"/users/{person.id}/keys/{created['id']}").json() == created
    assert person.client.delete(f"/user/keys/{created['id']}").status_code == 204
    assert world.admin.delete(f"/users/{person.id}/keys/{for_other['id']}").status_code == 204
    assert person.client.get(f"/user/keys/{created['id']}").json() == {"message": "404 Key Not Found"}


def test_administrators_find_a_key_by_its_number_and_its_fingerprints(world: World) -> None:
    person = world.user()
    created = person.client.ok("POST", "/user/keys", json={"title": "laptop", "key": key("C")})
    blob = base64.b64decode(key("C").split()[1])
    sha256 = "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode()
    md5 = hashlib.md5(blob).digest().hex(":")

    shown = world.admin.ok("GET", f"/keys/{created['id']}")

    assert (shown["id"], shown["user"]["username"], shown["last_used_at"]) == (created["id"], person.username, None)
    assert shown["key"] == f"{key('C').rpartition(' ')[0]} {shown['user']['name']} (127.0.0.1)"
    for form in (sha256, sha256.replace("SHA256", "sha256")):
        assert world.admin.get("/keys", fingerprint=form).json() == shown
    assert world.admin.get("/keys", fingerprint=md5).json() == shown
    assert world.admin.get("/keys", fingerprint="nonsense").json() == {"message": "Failed to return the key"}
    assert world.admin.get("/keys", fingerprint=md5[:-2] + "zz").status_code == 400
    unknown = world.admin.get("/keys", fingerprint="SHA256:" + "A" * 43)
    assert (unknown.status_code, unknown.json()) == (404, {"message": "404 Key Not Found"})
    assert person.client.get(f"/keys/{created['id']}").status_code == 403
    assert world.anonymous.get("/keys", fingerprint=sha256).status_code == 401
    text = world.anonymous.http.get(f"{world.server.url}/{person.username}.keys")
    assert (text.text, text.headers["content-type"]) == (shown["key"] + "\n", "text/plain; charset=utf-8")
    assert world.anonymous.http.get(f"{world.server.url}/{person.username}.gpg").text == ""
    assert world.anonymous.http.get(f"{world.server.url}/nobody-at-all.keys").status_code == 404


def test_administrators_find_a_deploy_key_with_its_projects(world: World) -> None:
    project = world.project()
    options = {"title": "robot", "key": key("N"), "can_push": True}
    created = world.admin.ok("POST", f"/projects/{project['id']}/deploy_keys", json=options)

    shown = [
        world.admin.ok("GET", f"/keys?fingerprint={quote(mark)}")
        for mark in (created["fingerprint_sha256"], created["fingerprint"])
    ]

    assert shown[0] == shown[1]
    assert (shown[0]["id"], shown[0]["user"]["username"]) == (created["id"], "root")
    opened = [(link["project_id"], link["can_push"]) for link in shown[0]["deploy_keys_projects"]]
    assert opened == [(project["id"], True)]


def test_the_instance_forbids_kinds_of_keys(world: World) -> None:
    person = world.user()
    broken = key("F").replace("AAAA", "AAAA\n", 1)
    world.admin.ok("PUT", "/application/settings", json={"ed25519_key_restriction": -1, "ecdsa_sk_key_restriction": -1})
    try:
        refused = person.client.post("/user/keys", json={"title": "laptop", "key": broken})
    finally:
        usual = {"ed25519_key_restriction": None, "ecdsa_sk_key_restriction": None}
        world.admin.ok("PUT", "/application/settings", json=usual)
    allowed = "RSA, ECDSA, or ED25519_SK"
    assert refused.json() == {"message": {"key": [f"type is forbidden. Must be {allowed}"]}}
    assert world.admin.put("/application/settings", json={"dsa_key_restriction": 0}).status_code == 400

    assert person.client.ok("POST", "/user/keys", json={"title": "laptop", "key": broken})["key"].startswith(
        key("F").rpartition(" ")[0]
    )


def test_weak_and_broken_keys_are_refused(world: World) -> None:
    person = world.user()

    def refusal(kind: str, *fields: bytes) -> dict[str, list[str]]:
        parts = (kind.encode(), *fields)
        blob = base64.b64encode(b"".join(len(part).to_bytes(4) + part for part in parts)).decode()
        reply = person.client.post("/user/keys", json={"title": "weak", "key": f"{kind} {blob}"})
        assert reply.status_code == 400
        problems: dict[str, list[str]] = reply.json()["message"]
        return problems

    assert refusal("ssh-rsa", b"\1\0\1", b"\xff" * 128) == {"key": ["must be at least 2048 bits"]}
    assert refusal("ssh-dss", b"1", b"2", b"3", b"4")["key"][0].startswith("type is forbidden")
    assert refusal("ssh-ed25519", b"x" * 32, b"more") == refusal("ssh-ed25519") == {
        "key": ["is invalid"], "fingerprint_sha256": ["cannot be generated"],
    }  # fmt: skip


def test_activities_are_listed_longest_ago_first_and_hide_private_profiles(world: World) -> None:
    early, late, hidden, long_gone = (world.user() for _ in range(4))
    days = {early: 3, late: 2, hidden: 2, long_gone: 400}
    with world.server.services.db.write() as tx:
        for person, ago in days.items():
            values = {"last_activity_on": today() - timedelta(days=ago), "private_profile": person is hidden}
            tx.execute(update(users).where(users.c.id == person.id).values(values))
    names = {person.username for person in days}

    def listed(client: Client, since: str = "") -> list[dict[str, str]]:
        rows: list[dict[str, str]] = client.get(f"/user/activities?per_page=100{since}").json()
        return [row for row in rows if row["username"] in names]

    asking = world.user().client
    day = str(today() - timedelta(days=3))
    first = {"username": early.username, "last_activity_on": day, "last_activity_at": day}
    assert listed(asking)[0] == first
    assert [row["username"] for row in listed(asking)] == [early.username, late.username]
    assert [row["username"] for row in listed(world.admin)] == [early.username, late.username, hidden.username]
    assert listed(asking, "&from=2000-01-01")[0]["username"] == long_gone.username
    assert [row["username"] for row in listed(asking, f"&from={today() - timedelta(days=2)}")] == [late.username]
    assert world.anonymous.get("/user/activities").status_code == 401
    assert asking.get("/user/activities?from=soon").status_code == 400

    with world.server.services.db.write() as tx:
        note_activity(tx, early.id)
    assert [row["username"] for row in listed(asking)] == [late.username, early.username]
    assert listed(asking)[1]["last_activity_on"] == str(today())


def test_the_instance_asks_for_kinds_of_characters_in_passwords(world: World) -> None:
    names = [f"password_{part}_required" for part in ("number", "symbol", "uppercase", "lowercase")]
    world.admin.ok("PUT", "/application/settings", json=dict.fromkeys(names, True))
    person = world.user()
    try:
        bad = world.admin.put(f"/users/{person.id}", json={"password": "  éé  éé  "})
        good = world.admin.put(f"/users/{person.id}", json={"password": "Seven-7-Seas-of-Ink"})
    finally:
        world.admin.ok("PUT", "/application/settings", json=dict.fromkeys(names))

    wanted = [f"must contain at least one {name}" for name in ("number", "symbol", "uppercase letter")]
    assert bad.json() == {"message": {"password": wanted}}
    assert good.status_code == 200
