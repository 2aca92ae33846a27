"""Searching for what is kept for members, as somebody who is a member elsewhere."""

from dataclasses import dataclass

import pytest

from ingot.features.review.search.params import INSTANCE_SCOPES
from tests.support.world import Person, World

SECRET = "zebrafish"
MEMBERS_ONLY = ("issues", "repository", "merge_requests", "snippets", "builds")


@dataclass(frozen=True)
class Closed:
    """A public project whose features are for its members, a private one, and people without a role in them."""

    places: dict[str, str]
    outsiders: dict[str, Person]


@pytest.fixture(scope="module")
def closed(world: World) -> Closed:
    owner, member_elsewhere, stranger = world.user(), world.user(), world.user()
    public = world.project(owner, visibility="public", initialize_with_readme=True)
    private = world.project(owner, visibility="private", initialize_with_readme=True)
    world.project(member_elsewhere, initialize_with_readme=True)
    for project in (public, private):
        place, client = f"/projects/{project['id']}", owner.client
        issue = client.ok("POST", f"{place}/issues", json={"title": SECRET})
        client.ok("POST", f"{place}/issues/{issue['iid']}/notes", json={"body": SECRET})
        client.ok("POST", f"{place}/milestones", json={"title": SECRET})
        world.commit(project, "main", {SECRET: f"{SECRET}\n"}, message=SECRET)
        client.ok("POST", f"{place}/repository/commits/main/comments", json={"note": SECRET})
        files = [{"file_path": "a", "content": SECRET}]
        client.ok("POST", f"{place}/snippets", json={"title": SECRET, "files": files, "visibility": "public"})
        request = world.merge_request(project, title=SECRET)
        client.ok("POST", f"{place}/merge_requests/{request['iid']}/notes", json={"body": SECRET})
    levels = {f"{name}_access_level": "private" for name in MEMBERS_ONLY}
    owner.client.ok("PUT", f"/projects/{public['id']}", json=levels)
    world.run_jobs()
    places = {"instance": "", "public": f"/projects/{public['id']}"}
    return Closed(places, {"member elsewhere": member_elsewhere, "stranger": stranger})


@pytest.mark.parametrize("who", ["member elsewhere", "stranger"])
def test_a_role_in_another_project_opens_nothing(closed: Closed, who: str) -> None:
    client = closed.outsiders[who].client
    hits = {
        (name, scope): answer.json()
        for name, place in closed.places.items()
        for scope in INSTANCE_SCOPES
        if (answer := client.get(f"{place}/search", scope=scope, search=SECRET)).status_code == 200
    }

    assert ("public", "notes") in hits
    assert {place: rows for place, rows in hits.items() if rows} == {}
