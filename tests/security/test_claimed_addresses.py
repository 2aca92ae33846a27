"""Addresses that only an identity provider claims: any group owner can make accounts with them through SCIM."""

import pytest

from tests.features.people.scim.provider_side import ScimGroup, make_scim_group
from tests.features.transfer.project_imports.making import archive, imported
from tests.features.transfer.project_imports.test_members import member
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def acme(world: World) -> ScimGroup:
    return make_scim_group(world, default_membership_role=30)


def test_an_administrators_import_gives_no_role_to_a_claimed_address(world: World, acme: ScimGroup) -> None:
    claimed, proven = f"{world.name('claimed')}@corp.example", f"{world.name('proven')}@corp.example"
    uid = world.name("uid")
    assert acme.create(uid, claimed).status_code == 201
    attacker = acme.person(uid)["id"]
    known = world.user(email=proven)
    lines = [
        member(user_id=5, access_level=40, user={"id": 5, "email": claimed, "username": "a"}),
        member(user_id=6, access_level=40, user={"id": 6, "email": proven, "username": "b"}),
    ]

    record = imported(world, Person(1, "root", world.admin, ""), archive(project_members=lines))

    members = f"/projects/{record['id']}/members"
    assert world.admin.get(f"{members}/{attacker}").status_code == 404
    assert world.admin.ok("GET", f"{members}/{known.id}")["access_level"] == 40


def test_a_claimed_address_owns_no_code(world: World, acme: ScimGroup) -> None:
    claimed, uid = f"{world.name('security')}@corp.example", world.name("uid")
    assert acme.create(uid, claimed).status_code == 201
    attacker = acme.person(uid)
    owner = acme.org.owner
    project = world.project(owner, namespace_id=acme.org.id, initialize_with_readme=True)
    keeper = world.user()
    world.member(project, keeper, "developer")
    world.commit(project, "main", {"CODEOWNERS": f"a.py {claimed}\nb.py {keeper.username}@example.com\n"})

    request = world.merge_request(project, owner, files={"a.py": "x", "b.py": "x"})

    place = f"/projects/{project['id']}/merge_requests/{request['iid']}/approval_state"
    rules = {rule["name"]: rule for rule in owner.client.ok("GET", place)["rules"]}
    assert attacker["id"] not in [user["id"] for user in rules["a.py"]["eligible_approvers"]]
    assert [user["id"] for user in rules["b.py"]["eligible_approvers"]] == [keeper.id]
