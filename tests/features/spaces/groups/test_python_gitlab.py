"""A real client over the whole of groups, subgroups, members and namespaces."""

import gitlab
import pytest

from tests.support.world import Person, World


def client_of(world: World, person: Person) -> gitlab.Gitlab:
    return gitlab.Gitlab(world.server.url, private_token=person.token)


def test_groups_are_created_read_changed_and_deleted(world: World) -> None:
    anna = world.user()
    client = client_of(world, anna)
    name = world.name("client")

    group = client.groups.create({"name": "By a client", "path": name, "visibility": "public"})
    inner = client.groups.create({"name": "Inner", "path": "inner", "parent_id": group.id})
    group.description = "changed"
    group.save()

    assert client.groups.get(f"{name}/inner").id == inner.id
    assert client.groups.get(name).description == "changed"
    assert [entry.id for entry in client.groups.list(search=name, get_all=True)] == [group.id]
    assert [entry.id for entry in group.subgroups.list(get_all=True)] == [inner.id]
    assert [entry.id for entry in group.descendant_groups.list(get_all=True)] == [inner.id]
    inner.delete()
    client.groups.get(inner.id).restore()
    assert client.groups.get(inner.id).marked_for_deletion_on is None


def test_members_of_groups_and_projects(world: World) -> None:
    anna, ben = world.user(), world.user()
    client = client_of(world, anna)
    group = client.groups.create({"name": "Members", "path": world.name("members")})
    project = client.projects.create({"name": "Tool", "namespace_id": group.id})

    member = group.members.create({"user_id": ben.id, "access_level": gitlab.const.AccessLevel.DEVELOPER})
    member.access_level = gitlab.const.AccessLevel.MAINTAINER
    member.save()

    assert group.members.get(ben.id).access_level == 40
    assert {entry.id for entry in group.members.list(get_all=True)} == {anna.id, ben.id}
    assert project.members.list(get_all=True) == []
    assert {entry.id for entry in project.members_all.list(get_all=True)} == {anna.id, ben.id}
    assert project.members_all.get(ben.id).access_level == 40
    assert group.members_all.get(ben.id).access_level == 40
    own = project.members.create({"user_id": ben.id, "access_level": 50})
    own.delete()
    group.members.delete(ben.id)
    with pytest.raises(gitlab.exceptions.GitlabGetError) as refused:
        group.members.get(ben.id)
    assert (refused.value.response_code, refused.value.error_message) == (404, "404 Not found")


def test_sharing_and_transferring(world: World) -> None:
    client = client_of(world, world.user())
    group, other, target = (
        client.groups.create({"name": stem, "path": world.name(stem)}) for stem in ("shared", "other", "target")
    )

    group.share(other.id, gitlab.const.AccessLevel.REPORTER, expires_at="2999-01-01")
    assert client.groups.get(group.id).shared_with_groups[0]["group_access_level"] == 20
    group.unshare(other.id)
    group.transfer(target.id)
    assert client.groups.get(group.id).parent_id == target.id
    group.transfer()
    assert client.groups.get(group.id).parent_id is None


def test_namespaces(world: World) -> None:
    anna = world.user()
    client = client_of(world, anna)
    group = client.groups.create({"name": "Space", "path": world.name("space")})

    result = client.namespaces.list(search=group.path, get_all=True)
    assert [(space.id, space.kind) for space in result] == [(group.id, "group")]
    assert client.namespaces.get(anna.username).kind == "user"
    assert client.namespaces.exists(group.path).exists is True


def test_custom_attributes(world: World) -> None:
    client = gitlab.Gitlab(world.server.url, private_token=world.admin.token)
    group = client.groups.create({"name": "Custom", "path": world.name("custom")})

    group.customattributes.set("cost", "7")

    assert group.customattributes.get("cost").value == "7"
    assert [entry.id for entry in client.groups.list(custom_attributes={"cost": "7"}, get_all=True)] == [group.id]
    group.customattributes.delete("cost")
    assert group.customattributes.list(get_all=True) == []
