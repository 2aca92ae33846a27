"""Creating projects: namespaces, names, defaults and refusals."""

from ingot.gitstore import Person
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from tests.support.server import RunningServer
from tests.support.world import World


def test_a_personal_project_starts_private_with_its_creator_as_owner(world: World) -> None:
    ada = world.user("ada", name="Ada Lovelace")

    created = world.project(
        ada, name="Analytical Engine", path="engine", description="*Notes*", topics=["maths", "Art"]
    )
    read = ada.client.ok("GET", f"/projects/{created['id']}")

    assert created["path_with_namespace"] == "ada/engine"
    assert created["name_with_namespace"] == "Ada Lovelace / Analytical Engine"
    assert created["visibility"] == "private"
    assert created["topics"] == ["Art", "maths"]
    assert created["description_html"] == "<p><em>Notes</em></p>"
    assert created["owner"]["username"] == "ada"
    assert "permissions" not in created
    assert read["permissions"] == {
        "project_access": {"access_level": 50, "notification_level": 3},
        "group_access": None,
    }
    assert {key: value for key, value in read.items() if key != "permissions"} == created


def test_a_readme_makes_the_first_commit(world: World) -> None:
    created = world.project(initialize_with_readme=True, default_branch="trunk")

    assert created["empty_repo"] is False
    assert created["default_branch"] == "trunk"
    assert created["readme_url"] == f"{created['web_url']}/-/blob/trunk/README.md"


def test_a_deleted_project_is_gone(world: World) -> None:
    bob = world.user()
    created = world.project(bob)

    answer = bob.client.delete(f"/projects/{created['id']}")

    assert (answer.status_code, answer.json()) == (202, {"message": "202 Accepted"})
    assert bob.client.get(f"/projects/{created['id']}").status_code == 404


def test_a_new_project_gets_nothing_of_a_repository_that_lies_in_its_place(server: RunningServer, world: World) -> None:
    anna = world.user()
    last = world.project(anna)["id"]
    storages = server.services.storages
    for number in range(last + 1, last + 4):
        left = storages.create("default", number)
        body = CommitOptions("main", "Old", [FileAction("create", "secret.txt", "x")], Person.now("A", "a@example.com"))
        create_commit(left, body)

    created = world.project(anna)
    readme = world.project(anna, initialize_with_readme=True)

    assert anna.client.get(f"/projects/{created['id']}/repository/tree").status_code == 404
    tree = anna.client.ok("GET", f"/projects/{readme['id']}/repository/tree")
    assert [row["name"] for row in tree] == ["README.md"]
