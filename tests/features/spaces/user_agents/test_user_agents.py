from typing import Any

import pytest

from tests.support.world import Person, World

MISSING = (404, {"message": "404 UserAgentDetail Not Found"})
AGENT = {"User-Agent": "browser/1 " + "x" * 300}
FILE = {"title": "A", "file_name": "a.txt", "content": "a", "visibility": "private"}


@pytest.fixture
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, visibility="public")


@pytest.mark.parametrize(("place", "body"), [("issues", {"title": "A"}), ("snippets", FILE), ("own", FILE)])
def test_administrators_see_by_what_something_was_created(
    world: World, owner: Person, project: dict[str, Any], place: str, body: dict[str, Any]
) -> None:
    path = "/snippets" if place == "own" else f"/projects/{project['id']}/{place}"
    created = owner.client.post(path, json=body, headers=AGENT).json()
    silent = owner.client.post(path, json=body, headers={"User-Agent": ""}).json()

    def detail(record: dict[str, Any]) -> str:
        return f"{path}/{record['iid' if place == 'issues' else 'id']}/user_agent_detail"

    shown = world.admin.ok("GET", detail(created))

    assert shown == {"user_agent": AGENT["User-Agent"][:255], "ip_address": "127.0.0.1", "akismet_submitted": False}
    unknown = world.admin.get(detail(silent))
    assert (unknown.status_code, unknown.json()) == MISSING
    assert owner.client.get(detail(created)).status_code == 403
    assert world.anonymous.get(detail(created)).status_code == 401


def test_the_address_of_somebody_who_left_is_forgotten(world: World, owner: Person, project: dict[str, Any]) -> None:
    guest = world.user()
    world.member(project, guest, "reporter")
    path = f"/projects/{project['id']}/issues"
    issue = guest.client.post(path, json={"title": "A"}, headers=AGENT).json()

    assert world.admin.delete(f"/users/{guest.id}").status_code == 204

    reply = world.admin.get(f"{path}/{issue['iid']}/user_agent_detail")
    assert (reply.status_code, reply.json()) == MISSING
