"""Creating projects: namespaces, names, defaults and refusals."""

from ingot.gitstore import Person
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from tests.support.server import RunningServer
from tests.support.world import World


def test_a_personal_project_starts_private_with_its_creator_as_owner(world: World) -> None:
    ada = world.user("ada", name="Ada Lovelace")

    made = world.project(ada, name="Analytical Engine", path="engine", description="*Notes*", topics=["maths", "Art"])
    read = ada.client.ok("GET", f"/projects/{made['id']}")

    assert made["path_with_namespace"] == "ada/engine"
    assert made["name_with_namespace"] == "Ada Lovelace / Analytical Engine"
    assert made["visibility"] == "private"
    assert made["topics"] == ["Art", "maths"]
    assert made["description_html"] == "<p><em>Notes</em></p>"
    assert made["owner"]["username"] == "ada"
    assert "permissions" not in made
    assert read["permissions"] == {
        "project_access": {"access_level": 50, "notification_level": 3},
        "group_access": None,
    }
    assert {key: value for key, value in read.items() if key != "permissions"} == made


def test_a_readme_makes_the_first_commit(world: World) -> None:
    made = world.project(initialize_with_readme=True, default_branch="trunk")

    assert made["empty_repo"] is False
    assert made["default_branch"] == "trunk"
    assert made["readme_url"] == f"{made['web_url']}/-/blob/trunk/README.md"


def test_a_deleted_project_is_gone(world: World) -> None:
    bob = world.user()
    made = world.project(bob)

    answer = bob.client.delete(f"/projects/{made['id']}")

    assert (answer.status_code, answer.json()) == (202, {"message": "202 Accepted"})
    assert bob.client.get(f"/projects/{made['id']}").status_code == 404


def test_a_new_project_gets_nothing_of_a_repository_that_lies_in_its_place(server: RunningServer, world: World) -> None:
    anna = world.user()
    last = world.project(anna)["id"]
    storages = server.services.storages
    for number in range(last + 1, last + 4):
        left = storages.create("default", number)
        wish = CommitOptions("main", "Old", [FileAction("create", "secret.txt", "x")], Person.now("A", "a@example.com"))
        create_commit(left, wish)

    made = world.project(anna)
    readme = world.project(anna, initialize_with_readme=True)

    assert anna.client.get(f"/projects/{made['id']}/repository/tree").status_code == 404
    tree = anna.client.ok("GET", f"/projects/{readme['id']}/repository/tree")
    assert [row["name"] for row in tree] == ["README.md"]
