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
    assert bad.json() == {"message": {"key": ["is invalid"], "fingerprint": ["cannot be generated"]}}
    assert person.client.ok("GET", "/user/keys") == [created, for_other]
    assert world.anonymous.get(f"/users/{person.username}/keys").json() == [created, for_other]
    assert world.anonymous.get(f"/users/{person.id}/keys/{created['id']}").json() == created
    assert person.client.delete(f"/user/keys/{created['id']}").status_code == 204
    assert world.admin.delete(f"/users/{person.id}/keys/{for_other['id']}").status_code == 204
    assert person.client.get(f"/user/keys/{created['id']}").json() == {"message": "404 Key Not Found"}
