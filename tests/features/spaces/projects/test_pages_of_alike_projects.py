"""A page works out once what projects show alike; each of them still shows its own."""

from typing import Any

from tests.support.world import Person, World

# The list looks at the parent group alone, the single read at all groups above.
ELSEWHERE = {"permissions"}


def listed(person: Person) -> dict[int, dict[str, Any]]:
    return {shown["id"]: shown for shown in person.client.ok("GET", "/projects?membership=true&per_page=100")}


def test_every_project_of_a_page_is_shown_as_it_is_alone(world: World) -> None:
    owner, person = world.user(), world.user()
    roles = {"maintainer": 2, "guest": 2, "developer": 1}
    projects = []
    for role, number in roles.items():
        for _ in range(number):
            projects.append(world.project(owner, visibility="private"))
            world.member(projects[-1], person, role)
    changed, archived, closed = (world.project(owner, visibility="public") for _ in range(3))
    for project in (changed, archived, closed):
        world.member(project, person, "maintainer")
    owner.client.ok("PUT", f"/projects/{changed['id']}", json={"merge_method": "ff", "emails_enabled": False})
    owner.client.ok("POST", f"/projects/{archived['id']}/archive")
    owner.client.ok("PUT", f"/projects/{closed['id']}", json={"issues_access_level": "disabled"})

    page = listed(person)

    assert page.keys() >= {project["id"] for project in (*projects, changed, archived, closed)}
    for project_id, shown in page.items():
        alone = person.client.ok("GET", f"/projects/{project_id}")
        assert {name: alone[name] for name in shown.keys() - ELSEWHERE} == {
            name: value for name, value in shown.items() if name not in ELSEWHERE
        }
    tokens = {number: shown.get("runners_token") for number, shown in page.items()}
    maintained = [project["id"] for project in (*projects[:2], changed, archived, closed)]
    assert {number for number, token in tokens.items() if token is not None} == set(maintained)
    assert len({tokens[number] for number in maintained}) == len(maintained)
