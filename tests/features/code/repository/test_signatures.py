"""Objects that git wrote, signed by GnuPG, OpenSSH and OpenSSL; the keys are thrown away."""

import base64
import json
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from lxml import etree
from pygit2.enums import ObjectType
from pysequoia import ArmorKind, Tsk, armor
from pysequoia.packet import PacketPile

from ingot.features.people.gpg_keys import Verdict, keep_verdicts, kept_verdicts
from tests.support.world import Person, World

OBJECTS = json.loads(Path(__file__).with_name("signed_objects.json").read_text())
ANN = "ann@signed.example"
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class Signed:
    """A project with signed commits and tags, and Ann, who signed most of them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ann: Person = world.user(email=ANN)
        self.project = world.project(self.ann, initialize_with_readme=True)
        self.path = f"/projects/{self.project['id']}/repository"
        repository = world.repository(self.project)
        repository.odb.write(ObjectType.TREE, b"")
        self.ids = {name: self.write(text) for name, text in OBJECTS["commits"].items()}
        for name, text in OBJECTS["tags"].items():
            tag = str(repository.odb.write(ObjectType.TAG, text.encode()))
            repository.odb.references.create(f"refs/tags/{name}", tag)

    def write(self, text: str) -> str:
        return str(self.world.repository(self.project).odb.write(ObjectType.COMMIT, text.encode()))

    def signature(self, name: str) -> dict[str, Any]:
        result: dict[str, Any] = self.ann.client.ok("GET", f"{self.path}/commits/{self.ids[name]}/signature")
        return result

    def status(self, name: str) -> str:
        return str(self.signature(name)["verification_status"])

    def mark(self, name: str) -> str:
        """What the list of commits says of the signature."""
        path = f"{self.world.server.url}/{self.project['path_with_namespace']}/-/commits/{self.ids[name]}"
        page = httpx.get(path, headers={"PRIVATE-TOKEN": self.ann.client.token or ""}, timeout=60)
        return "".join(etree.HTML(page.text).xpath("//li//span[contains(@class, 'badge')]//text()"))


@pytest.fixture
def signed(world: World) -> Signed:
    found = world.admin.ok("GET", "/users", params={"search": ANN})
    for person in found:
        world.admin.delete(f"/users/{person['id']}", params={"hard_delete": True})
    return Signed(world)


def test_a_gpg_signature_is_verified_for_the_address_of_its_key(world: World, signed: Signed) -> None:
    assert signed.signature("subkey") == {
        "signature_type": "PGP", "verification_status": "unknown_key", "gpg_key_id": None,
        "gpg_key_primary_keyid": signed.signature("subkey")["gpg_key_primary_keyid"], "gpg_key_user_name": None,
        "gpg_key_user_email": None, "gpg_key_subkey_id": None, "commit_source": "gitaly",
    }  # fmt: skip
    key = signed.ann.client.ok("POST", "/user/gpg_keys", json={"key": OBJECTS["gpg_key"]})
    second = {"email": "ann.second@signed.example", "skip_confirmation": True}
    world.admin.ok("POST", f"/users/{signed.ann.id}/emails", json=second)

    shown = signed.signature("subkey")

    assert (shown["verification_status"], shown["gpg_key_id"]) == ("verified", key["id"])
    assert signed.mark("subkey") == "Verified"
    assert (shown["gpg_key_user_name"], shown["gpg_key_user_email"]) == ("Ann Signer", ANN)
    assert isinstance(shown["gpg_key_subkey_id"], int)
    assert signed.signature("other_address")["gpg_key_subkey_id"] is None
    assert signed.status("other_address") == "same_user_different_email"
    assert signed.status("other_person") == "other_user"
    assert signed.status("two") == "multiple_signatures"
    assert signed.status("stranger") == "unknown_key"
    signed.ids["changed"] = signed.write(OBJECTS["commits"]["subkey"].replace("By the subkey", "By nobody"))
    assert signed.status("changed") == "unverified"
    signed.ids["broken"] = signed.write(OBJECTS["commits"]["subkey"].replace("BEGIN PGP", "BEGIN XYZ"))
    assert signed.status("broken") == "unverified"
    tag = signed.ann.client.ok("GET", f"{signed.path}/tags/v1/signature")
    assert (tag["verification_status"], tag["gpg_key_primary_keyid"]) == ("verified", shown["gpg_key_primary_keyid"])

    assert signed.ann.client.post(f"/user/gpg_keys/{key['id']}/revoke").status_code == 202

    assert signed.status("subkey") == "unverified"
    assert signed.ann.client.ok("GET", "/user/gpg_keys") == []
    # Whoever has no such address proves nothing with the key.
    other = world.user()
    taken = other.client.ok("POST", "/user/gpg_keys", json={"key": OBJECTS["gpg_key"]})
    assert signed.status("subkey") == "unverified_key"
    other.client.ok("DELETE", f"/user/gpg_keys/{taken['id']}")


def test_what_was_found_stays_when_the_key_is_deleted(world: World, signed: Signed) -> None:
    def key() -> int:
        return int(signed.ann.client.ok("POST", "/user/gpg_keys", json={"key": OBJECTS["gpg_key"]})["id"])

    first = key()
    found = signed.signature("subkey")
    assert signed.mark("other_address") == "Unverified"
    signed.ann.client.ok("DELETE", f"/user/gpg_keys/{first}")

    kept = {**found, "verification_status": "verified", "gpg_key_id": None, "gpg_key_subkey_id": None}
    assert signed.signature("subkey") == kept
    assert (signed.mark("subkey"), signed.status("other_address")) == ("Verified", "other_user")
    # Nobody has looked at this one, and what comes later proves nothing.
    assert signed.status("other_person") == "unknown_key"
    signed.ids["copy"] = signed.write(OBJECTS["commits"]["subkey"].replace("By the subkey", "By nobody"))
    assert signed.status("copy") == "unknown_key"

    second = key()
    assert (signed.signature("subkey")["gpg_key_id"], signed.status("other_person")) == (second, "other_user")
    signed.ann.client.ok("POST", f"/user/gpg_keys/{second}/revoke")
    assert (signed.status("subkey"), signed.status("other_person")) == ("unverified", "unverified")
    assert signed.mark("subkey") == "Unverified"
    # Not even a key that is put back and deleted brings back what was found before.
    third = key()
    signed.ann.client.ok("DELETE", f"/user/gpg_keys/{third}")
    assert signed.status("subkey") == "unknown_key"


def test_what_was_found_before_a_key_was_put_back_goes_when_it_is_revoked(world: World, signed: Signed) -> None:
    def key() -> int:
        return int(signed.ann.client.ok("POST", "/user/gpg_keys", json={"key": OBJECTS["gpg_key"]})["id"])

    first = key()
    assert signed.status("subkey") == "verified"
    signed.ann.client.ok("DELETE", f"/user/gpg_keys/{first}")
    second = key()
    # Nobody looks while this one is there.
    signed.ann.client.ok("POST", f"/user/gpg_keys/{second}/revoke")
    signed.ann.client.ok("DELETE", f"/user/gpg_keys/{key()}")
    assert signed.status("subkey") == "unknown_key"


def test_a_key_that_goes_while_its_signature_is_judged_leaves_nothing(world: World, signed: Signed) -> None:
    key = signed.ann.client.ok("POST", "/user/gpg_keys", json={"key": OBJECTS["gpg_key"]})
    found = signed.signature("subkey")
    project, name = signed.project["id"], signed.ids["subkey"]
    late = Verdict("verified", key["id"], found["gpg_key_primary_keyid"], "Ann Signer", ANN)
    db = world.server.services.db
    with db.write() as tx:
        keep_verdicts(tx, 2**40, {name: late})  # as if the project had been deleted
        assert kept_verdicts(tx, 2**40, [name]) == {}
    signed.ann.client.ok("POST", f"/user/gpg_keys/{key['id']}/revoke")
    with db.write() as tx:
        keep_verdicts(tx, project, {name: late})
        assert kept_verdicts(tx, project, [name]) == {}
        keep_verdicts(tx, project, {name: msgspec.structs.replace(late, gpg_key_id=2**40)})
        assert kept_verdicts(tx, project, [name]) == {}


def test_a_key_below_that_of_somebody_else_does_not_stand_in_the_way(world: World, signed: Signed) -> None:
    theirs = next(part for part in PacketPile.from_bytes(OBJECTS["gpg_key"].encode()) if part.fingerprint)
    own = bytes(Tsk.generate(user_id="Eve <eve@example.com>").extract_certificate())
    as_subkey = bytes([0xC0 | 14]) + bytes(theirs)[1:]
    eve = {"key": armor(own + as_subkey, ArmorKind.PublicKey)}
    person = world.user()
    key = person.client.ok("POST", "/user/gpg_keys", json=eve)
    assert signed.status("other_address") == "unverified"

    signed.ann.client.ok("POST", "/user/gpg_keys", json={"key": OBJECTS["gpg_key"]})

    assert signed.status("other_address") == "other_user"
    assert signed.status("subkey") == "verified"
    person.client.ok("DELETE", f"/user/gpg_keys/{key['id']}")


def test_an_ssh_signature_is_verified_for_the_owner_of_its_key(world: World, signed: Signed) -> None:
    assert signed.signature("ed25519") == {
        "signature_type": "SSH", "verification_status": "unknown_key", "key": None, "commit_source": "gitaly",
    }  # fmt: skip
    for name, usage in (("ed25519", "signing"), ("rsa", "auth")):
        body = {"title": name, "key": OBJECTS[name], "usage_type": usage}
        signed.ann.client.ok("POST", "/user/keys", json=body)

    shown = signed.signature("ed25519")

    assert (shown["verification_status"], shown["key"]["title"]) == ("verified", "ed25519")
    assert signed.status("rsa") == "unknown_key"  # the key signs in, and signs nothing else
    assert signed.status("ssh_of_other") == "other_user"
    assert signed.mark("ed25519") == "Verified"
    assert signed.mark("ssh_of_other") == "Unverified"
    assert signed.ann.client.ok("GET", f"{signed.path}/tags/v2/signature")["verification_status"] == "verified"
    signed.ids["changed"] = signed.write(OBJECTS["commits"]["ed25519"].replace("By an Ed25519", "By a lost"))
    assert signed.status("changed") == "unverified"
    world.admin.ok("DELETE", f"/users/{signed.ann.id}/keys/{signed.ann.client.ok('GET', '/user/keys')[1]['id']}")
    signed.ann.client.ok("POST", "/user/keys", json={"title": "rsa", "key": OBJECTS["rsa"]})
    assert signed.status("rsa") == "verified"


def test_a_certificate_is_shown_and_not_verified(signed: Signed) -> None:
    shown = signed.signature("certificate")

    assert (shown["signature_type"], shown["verification_status"]) == ("X509", "unverified")
    certificate = shown["x509_certificate"]
    assert (certificate["subject"], certificate["email"]) == ("O=Foundry,CN=Ann Signer", ANN)
    assert certificate["x509_issuer"]["subject"] == certificate["subject"]
    assert certificate["subject_key_identifier"] == certificate["x509_issuer"]["subject_key_identifier"]


@pytest.mark.parametrize(("name", "begin", "old", "new"), [
    ("ed25519", "SSH SIGNATURE", b"ssh-ed25519", b"ssh-ed44448"),
    ("rsa", "SSH SIGNATURE", b"\0\0\0\3\1\0\1", b"\0\0\0\3\xff\0\1"),
    ("certificate", "SIGNED MESSAGE", bytes.fromhex("a003020102"), bytes.fromhex("a003020109")),
    ("certificate", "SIGNED MESSAGE", bytes.fromhex("2a864886f70d010702"), bytes.fromhex("2a864886f70d010703")),
])  # fmt: skip
def test_a_signature_that_somebody_made_up_is_unverified(
    signed: Signed, name: str, begin: str, old: bytes, new: bytes
) -> None:
    text = OBJECTS["commits"][name]
    before, _, rest = text.partition(f"-----BEGIN {begin}-----\n")
    block, end, after = rest.partition(f" -----END {begin}-----")
    blob = base64.b64decode("".join(block.split()))
    assert old in blob
    lines = base64.b64encode(blob.replace(old, new)).decode()
    signed.ids["made_up"] = signed.write(f"{before}-----BEGIN {begin}-----\n {lines}\n{end}{after}")

    assert signed.status("made_up") == "unverified"


def test_what_is_not_signed_has_no_signature(world: World, signed: Signed) -> None:
    for path, text in (
        (f"commits/{signed.ids['unsigned']}", "404 Signature Not Found"),
        (f"commits/{'0' * 40}", "404 Commit Not Found"),
        ("tags/none", "404 Tag Not Found"),
    ):
        reply = signed.ann.client.get(f"{signed.path}/{path}/signature")
        assert (reply.status_code, reply.json()) == (404, {"message": text})
    assert world.user().client.get(f"{signed.path}/commits/{signed.ids['subkey']}/signature").status_code == 404


def test_a_long_comparison_judges_its_newest_signatures(world: World, signed: Signed) -> None:
    """Each commit names a key of its own; databases take no statement for hundreds of them."""
    parent = head = world.repository(signed.project).odb.head.target
    for number in range(600):
        # A signature of version 4 that only says which key made it.
        body = b"\x04\x00\x01\x08\0\0\0\x0a\x09\x10" + number.to_bytes(8) + b"ab\0\x08\xff"
        lines = base64.b64encode(bytes([0xC2, len(body)]) + body).decode()
        block = f"-----BEGIN PGP SIGNATURE-----\n \n {lines}\n -----END PGP SIGNATURE-----"
        who = f"Ann <{ANN}> 1700000000 +0000"
        parent = signed.write(
            f"tree {EMPTY_TREE}\nparent {parent}\nauthor {who}\ncommitter {who}\ngpgsig {block}\n\n{number}\n"
        )
    path = f"{world.server.url}/{signed.project['path_with_namespace']}/-/compare/{head}...{parent}"
    page = httpx.get(path, headers={"PRIVATE-TOKEN": signed.ann.client.token or ""}, timeout=60)

    assert page.status_code == 200
    marks = [
        "Unverified" in "".join(row.itertext()) for row in etree.HTML(page.text).xpath("//li[.//a[@class='mono']]")
    ]
    assert marks == [True] * 100
    assert "Showing the newest 100." in page.text
