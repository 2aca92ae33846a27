"""python-gitlab, a client that people use, on projects."""

from collections.abc import Iterator

import gitlab
import pytest
from gitlab.exceptions import GitlabCreateError, GitlabGetError, GitlabTransferProjectError

from tests.support.waiting import until
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def ada(world: World) -> Person:
    return world.user("ada")


@pytest.fixture
def client(world: World, ada: Person) -> Iterator[gitlab.Gitlab]:
    with gitlab.Gitlab(world.server.url, private_token=ada.token) as created:
        yield created


def test_create_read_edit_and_delete(client: gitlab.Gitlab) -> None:
    project = client.projects.create({"name": "Engine", "visibility": "internal", "initialize_with_readme": True})

    project.description = "changed"
    project.topics = ["steam"]
    project.save()
    again = client.projects.get("ada/engine", license=True, statistics=True)

    assert (again.id, again.description, again.topics) == (project.id, "changed", ["steam"])
    assert again.statistics["commit_count"] >= 0
    again.delete()
    with pytest.raises(GitlabGetError):
        client.projects.get("ada/engine")


def test_ids_of_nested_groups_and_listing(client: gitlab.Gitlab) -> None:
    top = client.groups.create({"name": "Top", "path": "top"})
    sub = client.groups.create({"name": "Sub", "path": "sub", "parent_id": top.id})
    created = [client.projects.create({"name": f"p{number}", "namespace_id": sub.id}) for number in range(3)]

    assert client.projects.get("top/sub/p1").id == created[1].id
    keyset = client.projects.list(owned=True, order_by="id", sort="asc", pagination="keyset", per_page=2, get_all=True)
    assert [project.id for project in created] == [project.id for project in keyset if project.name.startswith("p")]
    assert [project.name for project in client.projects.list(search="p1", search_namespaces=True)] == ["p1"]
    assert {project.name for project in top.projects.list(include_subgroups=True, get_all=True)} == {"p0", "p1", "p2"}


def test_stars_archive_languages_and_users(client: gitlab.Gitlab, ada: Person) -> None:
    project = client.projects.create({"name": "Bright"})

    project.star()
    assert client.projects.get(project.id).star_count == 1
    assert [entry.id for entry in client.projects.list(starred=True)] == [project.id]
    project.unstar()
    project.archive()
    assert client.projects.get(project.id).archived is True
    project.unarchive()
    assert project.languages() == {}
    assert [user.id for user in project.users.list()] == [ada.id]
    project.housekeeping()


def test_forks_shares_and_transfers(client: gitlab.Gitlab, world: World, ada: Person) -> None:
    project = client.projects.create({"name": "Source", "visibility": "public", "initialize_with_readme": True})
    group = client.groups.create({"name": "Guild", "path": "guild", "visibility": "public"})

    fork = project.forks.create({"namespace_id": group.id})
    until(lambda: client.projects.get(fork.id).import_status == "finished")
    assert [entry.id for entry in project.forks.list()] == [fork.id]
    assert client.projects.get(fork.id).forked_from_project["id"] == project.id
    with pytest.raises(GitlabCreateError):
        project.forks.create({"namespace_id": group.id})

    project.share(group.id, gitlab.const.AccessLevel.DEVELOPER)
    assert [entry.id for entry in project.groups.list(with_shared=True)] == [group.id]
    project.unshare(group.id)

    other = client.groups.create({"name": "Other", "path": "other", "visibility": "public"})
    project.transfer(other.id)
    assert client.projects.get("other/source").id == project.id
    with pytest.raises(GitlabTransferProjectError):
        project.transfer(other.id)


def test_projects_of_users_and_custom_attributes(world: World, ada: Person) -> None:
    with gitlab.Gitlab(world.server.url, private_token=world.admin.token) as root:
        user = root.users.get(ada.id)
        created = root.users.get(ada.id, lazy=True).manager.gitlab.http_post(
            f"/projects/user/{ada.id}", {"name": "Gift"}
        )
        project = root.projects.get(created["id"])

        project.customattributes.set("room", "7")
        assert [entry.id for entry in root.projects.list(custom_attributes={"room": "7"})] == [project.id]
        assert project.customattributes.get("room").value == "7"
        assert project.id in [entry.id for entry in user.projects.list(get_all=True)]
        assert user.starred_projects.list() == []
