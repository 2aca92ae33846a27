import pytest
from pysequoia import ArmorKind, Tsk, armor
from pysequoia.packet import PacketPile

from ingot.features.people.gpg_keys.commands import INVALID
from tests.support.world import World

NOT_FOUND = {"message": "404 GPG Key Not Found"}


@pytest.fixture
def block() -> str:
    return str(Tsk.generate(user_id="Ann <ann@example.com>").extract_certificate())


def test_a_user_adds_reads_and_removes_keys(world: World, block: str) -> None:
    ann, ben = world.user(), world.user()

    key = ann.client.ok("POST", "/user/gpg_keys", json={"key": f"\n{block}\n"})

    assert list(key) == ["id", "key", "created_at"]
    assert key["key"] == block.strip()
    assert ann.client.ok("GET", "/user/gpg_keys") == [key]
    assert ann.client.ok("GET", f"/user/gpg_keys/{key['id']}") == key
    assert world.anonymous.ok("GET", f"/users/{ann.id}/gpg_keys") == [key]
    assert world.anonymous.ok("GET", f"/users/{ann.id}/gpg_keys/{key['id']}") == key
    taken = ben.client.post("/user/gpg_keys", json={"key": block})
    text = ["has already been taken"]
    assert (taken.status_code, taken.json()) == (400, {"message": {"fingerprint": text, "primary_keyid": text}})
    for reply in (
        ben.client.get(f"/user/gpg_keys/{key['id']}"),
        ben.client.delete(f"/user/gpg_keys/{key['id']}"),
        ben.client.post(f"/user/gpg_keys/{key['id']}/revoke"),
        world.anonymous.get(f"/users/{ben.id}/gpg_keys/{key['id']}"),
    ):
        assert (reply.status_code, reply.json()) == (404, NOT_FOUND)
    assert world.anonymous.get("/users/999999/gpg_keys").json() == {"message": "404 User Not Found"}
    assert ann.client.delete(f"/user/gpg_keys/{key['id']}").status_code == 204
    assert ann.client.ok("GET", "/user/gpg_keys") == []


def test_a_name_that_no_database_stores_is_left_out(world: World) -> None:
    odd = str(Tsk.generate(user_id="A\0nn <ann@example.com>").extract_certificate())
    assert world.user().client.ok("POST", "/user/gpg_keys", json={"key": odd})["key"] == odd.strip()


def test_administrators_manage_keys_of_others(world: World, block: str) -> None:
    ann = world.user()
    path = f"/users/{ann.id}/gpg_keys"
    assert world.anonymous.get("/user/gpg_keys").status_code == 401
    assert world.anonymous.post(path, json={"key": block}).status_code == 401
    assert ann.client.post(path, json={"key": block}).status_code == 403

    key = world.admin.ok("POST", path, json={"key": block})

    assert ann.client.delete(f"{path}/{key['id']}").status_code == 403
    assert ann.client.post(f"{path}/{key['id']}/revoke").status_code == 403
    reply = world.admin.post(f"{path}/{key['id']}/revoke")
    assert (reply.status_code, reply.json()) == (202, {"message": "202 Accepted"})
    # A revoked key may come back, from anybody.
    again = world.user().client.ok("POST", "/user/gpg_keys", json={"key": block})
    assert again["id"] != key["id"]


@pytest.mark.parametrize("kind", ["nothing", "words", "cut", "two", "secret", "bare"])
def test_other_texts_are_no_keys(world: World, block: str, kind: str) -> None:
    text = {
        "nothing": " ",
        "words": "ssh-ed25519 AAAA",
        "cut": block[: len(block) // 2] + "\n-----END PGP PUBLIC KEY BLOCK-----",
        "two": block + str(Tsk.generate(user_id="Ben <ben@example.com>").extract_certificate()),
        "secret": str(Tsk.generate(user_id="Ann <ann@example.com>")).replace("PRIVATE", "PUBLIC"),
        "bare": armor(bytes(next(iter(PacketPile.from_bytes(block.encode())))), ArmorKind.PublicKey),
    }[kind]

    reply = world.admin.post("/user/gpg_keys", json={"key": text})

    assert (reply.status_code, reply.json()) == (400, {"message": {"key": [INVALID]}})
