"""An identity provider brings people into its group."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.features.people.saml.organisation import add_member
from tests.features.people.scim.provider_side import USER, ScimGroup, make_scim_group, refusal
from tests.support.world import World

UNLINKED = (412, "The member's email address is not linked to a SAML account")


def test_a_new_person_gets_account_identities_and_membership(world: World, acme: ScimGroup) -> None:
    uid = world.name("ann")

    created = acme.create(uid, userName=f"{uid}@corp.example")

    assert created.status_code == 201
    assert created.json() == {
        "schemas": [USER],
        "id": uid,
        "externalId": uid,
        "active": True,
        "name.formatted": "Test User",
        "name": {"formatted": "Test User"},
        "userName": uid,
        "emails": [{"type": "work", "value": f"{uid}@scim.example", "primary": True}],
        "meta": {"resourceType": "User"},
    }
    account = acme.person(uid)
    assert (account["username"], account["name"], account["email"]) == (uid, "Test User", f"{uid}@scim.example")
    assert account["provisioned_by_group_id"] == acme.org.id
    assert [(one["provider"], one["extern_uid"]) for one in account["identities"]] == [("group_saml", uid)]
    assert account["scim_identities"] == [{"extern_uid": uid, "group_id": acme.org.id, "active": True}]
    assert acme.level(account["id"]) == 20


@pytest.mark.parametrize(
    ("sent", "stem"),
    [("_{}_", "{}"), ("{}__doe", "{}-doe"), ("{}-_.doe@corp.example", "{}-doe"), ("{}.git.git", "{}"), ("__", "user")],
)
def test_any_user_name_becomes_a_valid_one(world: World, acme: ScimGroup, sent: str, stem: str) -> None:
    uid = world.name("odd")

    created = acme.create(uid, userName=sent.format(uid))

    assert created.status_code == 201
    assert created.json()["userName"].startswith(stem.format(uid))


def test_presenting_somebody_again_changes_nothing(world: World, acme: ScimGroup) -> None:
    uid = world.name("again")
    first = acme.create(uid).json()

    second = acme.create(uid.upper(), "another@scim.example", userName="another")

    assert (second.status_code, second.json()) == (201, first)
    assert len(acme.org.owner.client.ok("GET", f"/groups/{acme.org.id}/scim/identities")) == 1


def test_presenting_somebody_who_was_taken_out_brings_them_back(world: World, acme: ScimGroup) -> None:
    uid = world.name("back")
    acme.create(uid)
    user_id = acme.identity(uid)["user_id"]
    acme.delete(uid)
    assert acme.level(user_id) is None

    back = acme.create(uid)

    assert (back.status_code, back.json()["active"]) == (201, True)
    assert (acme.identity(uid)["user_id"], acme.level(user_id)) == (user_id, 20)


def test_an_inactive_person_has_an_account_and_no_membership(world: World, acme: ScimGroup) -> None:
    uid = world.name("later")
    assert acme.create(uid, active=False).json()["active"] is False
    assert acme.level(acme.identity(uid)["user_id"]) is None


def test_a_taken_user_name_gets_a_number(world: World, acme: ScimGroup) -> None:
    holder = world.user()
    created = acme.create(world.name("num"), userName=holder.username)
    assert created.json()["userName"] == f"{holder.username}1"
    path_of_group = acme.create(world.name("num"), userName=acme.org.path)
    assert path_of_group.json()["userName"] == f"{acme.org.path}1"


@pytest.mark.parametrize("membership", [None, 10, 50])
def test_an_address_never_takes_an_account_over(world: World, acme: ScimGroup, membership: int | None) -> None:
    victim = world.user()
    email = world.admin.ok("GET", f"/users/{victim.id}")["email"]
    if membership is not None:
        add_member(world, acme.org.id, victim.id, membership)

    for address in (email, email.upper()):
        assert refusal(acme.create(world.name("thief"), address)) == UNLINKED

    account = world.admin.ok("GET", f"/users/{victim.id}")
    assert (account["identities"], account["scim_identities"]) == ([], [])
    assert acme.level(victim.id) == membership


def test_a_further_address_of_somebody_is_theirs_too(world: World, acme: ScimGroup) -> None:
    victim = world.user()
    second = f"{world.name('second')}@elsewhere.example"
    world.admin.ok("POST", f"/users/{victim.id}/emails", json={"email": second, "skip_confirmation": True})
    assert refusal(acme.create(world.name("thief"), second)) == UNLINKED


def test_nobody_takes_the_place_of_another_by_entering_their_address(world: World, acme: ScimGroup) -> None:
    insider = world.user()
    body = {"provider": "group_saml", "extern_uid": "insider", "group_id_for_saml": acme.org.id}
    world.admin.ok("PUT", f"/users/{insider.id}", json=body)
    address = f"{world.name('boss')}@scim.example"
    insider.client.ok("POST", "/user/emails", json={"email": address})

    assert refusal(acme.create("the-boss", address)) == UNLINKED


def test_who_has_signed_in_through_the_provider_is_linked_by_name_or_address(world: World, acme: ScimGroup) -> None:
    by_name, by_address = world.user(), world.user()
    for person, uid in ((by_name, "known-name"), (by_address, "other-name")):
        body = {"provider": "group_saml", "extern_uid": uid, "group_id_for_saml": acme.org.id}
        world.admin.ok("PUT", f"/users/{person.id}", json=body)
    email = world.admin.ok("GET", f"/users/{by_address.id}")["email"]

    assert acme.create("known-name", "whatever@scim.example").json()["userName"] == by_name.username
    assert acme.create("fresh-uid", email).json()["userName"] == by_address.username

    assert (acme.level(by_name.id), acme.level(by_address.id)) == (20, 20)
    assert acme.identity("fresh-uid")["user_id"] == by_address.id
    # Each account has one identity here.
    assert refusal(acme.create("third-uid", email)) == (409, "User has already been taken")


def test_the_word_of_another_groups_provider_counts_for_nothing(world: World, acme: ScimGroup) -> None:
    other = make_scim_group(world)
    uid = world.name("elsewhere")
    acme.create(uid)

    assert refusal(other.create(uid)) == UNLINKED
    assert refusal(other.get(uid))[0] == 404
    other.token = acme.token
    assert refusal(other.get(uid)) == (401, "Unauthorized")
    assert refusal(other.create(world.name("x"))) == (401, "Unauthorized")
    assert refusal(other.delete(uid)) == (401, "Unauthorized")
    assert acme.get(uid).json()["active"] is True


def test_invitations_wait_for_whoever_proves_the_address(world: World, acme: ScimGroup) -> None:
    owner = world.user()
    treasure = world.group(owner, visibility="private")
    email = f"{world.name('invited')}@scim.example"
    owner.client.ok("POST", f"/groups/{treasure['id']}/invitations", json={"email": email, "access_level": 50})
    uid = world.name("claims")

    assert acme.create(uid, email).status_code == 201

    person = acme.person(uid)
    assert person["confirmed_at"] is None
    assert world.admin.get(f"/groups/{treasure['id']}/members/{person['id']}").status_code == 404
    assert len(owner.client.ok("GET", f"/groups/{treasure['id']}/invitations")) == 1

    world.admin.ok("PUT", f"/users/{person['id']}", json={"email": email, "skip_reconfirmation": True})
    assert world.admin.ok("GET", f"/groups/{treasure['id']}/members/{person['id']}")["access_level"] == 50


def test_of_simultaneous_presentations_of_one_person_one_account_comes(world: World, acme: ScimGroup) -> None:
    uid = world.name("race")
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: acme.create(uid), range(6)))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["userName"] for answer in answers}) == 1
    assert len(acme.org.owner.client.ok("GET", f"/groups/{acme.org.id}/scim/identities")) == 1
    assert len(world.admin.ok("GET", f"/users?search={uid}@scim.example")) == 1


def test_of_two_people_with_one_address_the_second_is_refused(world: World, acme: ScimGroup) -> None:
    email = f"{world.name('shared')}@scim.example"

    def make(number: int) -> int:
        return acme.create(f"{email}-{number}", email).status_code

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(make, range(4))) == [201, 409, 409, 409]


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"externalId": None}, "Missing params: externalId"),
        ({"userName": None}, "Missing params: userName"),
        ({"emails": None, "userName": ""}, "Missing params: userName, emails"),
        ({"externalId": " "}, "Extern uid can't be blank"),
        ({"externalId": "x" * 256}, "Extern uid is too long (maximum is 255 characters)"),
        ({"externalId": 5}, "externalId must be a text"),
        ({"userName": {"a": 1}}, "userName must be a text"),
        ({"emails": []}, "emails must be a list of objects"),
        ({"emails": [1]}, "emails must be a list of objects"),
        ({"emails": [{"type": "work"}]}, "emails must be a text"),
        ({"emails": [{"value": "no address"}]}, "Email is invalid"),
        ({"emails": [{"value": "x" * 300 + "@a.example"}]}, "Email is too long (maximum is 255 characters)"),
        ({"name": "Ann"}, "name must be an object"),
        ({"name": {"formatted": 1}}, "name.formatted must be a text"),
        ({"active": "perhaps"}, "active must be true or false"),
    ],
)
def test_what_cannot_be_used_is_refused(world: World, acme: ScimGroup, change: dict, detail: str) -> None:
    answer = acme.create(world.name("bad"), **change)
    assert refusal(answer) == (400, detail)
    assert answer.json()["scimType"] == "invalidValue"
    assert acme.org.owner.client.ok("GET", f"/groups/{acme.org.id}/scim/identities") == []


def test_long_and_odd_names_become_usable_ones(world: World, acme: ScimGroup) -> None:
    created = acme.create(world.name("long"), userName="ü" * 50_000, name={"givenName": "N" * 70_000})
    assert created.status_code == 201
    assert (len(created.json()["name.formatted"]), created.json()["userName"][:5]) == (255, "uuuuu")
    for odd in ("...", "admin", "--", "名前", "a.git", "../../etc/passwd", "<script>"):
        assert acme.create(world.name("odd"), userName=odd, name=None).status_code == 201, odd


def test_of_several_addresses_the_primary_one_counts(world: World, acme: ScimGroup) -> None:
    first, second = (f"{world.name('mail')}@scim.example" for _ in range(2))
    entries = [{"type": "home", "value": "home@scim.example"}, {"type": "work", "value": first}]
    assert acme.create(world.name("m"), emails=entries).json()["emails"][0]["value"] == first
    entries = [{"type": "work", "value": "work@scim.example"}, {"type": "home", "value": second, "primary": True}]
    assert acme.create(world.name("m"), emails=entries).json()["emails"][0]["value"] == second
