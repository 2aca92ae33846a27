from typing import Any

import pytest
from sqlalchemy import func, select, update

from ingot.features.planning.award_emoji import award_emoji
from ingot.features.planning.notes.tables import notes
from ingot.features.review.merge_requests import merge_requests
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def opened(world: World, owner: Person) -> tuple[dict[str, Any], str]:
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "f", {"a.txt": "one\n"})
    body = {"title": "A <b>", "source_branch": "f", "target_branch": "main", "description": "**bold**"}
    created = owner.client.ok("POST", f"/projects/{project['id']}/merge_requests", json=body)
    return created, f"/projects/{project['id']}/merge_requests/{created['iid']}"


def test_html_is_added_where_asked(owner: Person, opened: tuple[dict[str, Any], str]) -> None:
    shown = owner.client.ok("GET", f"{opened[1]}?render_html=true")

    assert shown["title_html"] == "A &lt;b&gt;"
    assert "<strong>bold</strong>" in shown["description_html"]
    assert "title_html" not in owner.client.ok("GET", opened[1])


def test_a_deleted_request_takes_its_notes_and_reactions_along(
    world: World, owner: Person, opened: tuple[dict[str, Any], str]
) -> None:
    created, path = opened
    note = owner.client.ok("POST", f"{path}/notes", json={"body": "x"})
    owner.client.ok("POST", f"{path}/award_emoji", json={"name": "thumbsup"})
    owner.client.ok("POST", f"{path}/notes/{note['id']}/award_emoji", json={"name": "rocket"})
    developer = world.user()
    world.member({"id": created["project_id"]}, developer, "developer")
    assert developer.client.delete(path).status_code == 403

    assert owner.client.delete(path).status_code == 204

    assert owner.client.get(path).json() == {"message": "404 Not found"}
    with world.server.services.db.read() as conn:
        left = conn.execute(
            select(func.count()).where(notes.c.noteable_type == "MergeRequest", notes.c.noteable_id == created["id"])
        ).scalar_one()
        awards = conn.execute(
            select(func.count()).where(award_emoji.c.awardable_id.in_([created["id"], note["id"]]))
        ).scalar_one()
    assert (left, awards) == (0, 0)


def test_approvals_before_merge_asks_for_approvals(owner: Person, opened: tuple[dict[str, Any], str]) -> None:
    changed = owner.client.ok("PUT", opened[1], json={"approvals_before_merge": 2, "squash": True})

    assert changed["approvals_before_merge"] == 2
    assert owner.client.ok("GET", f"{opened[1]}/approvals")["approvals_required"] == 2


def test_merge_after_is_set_kept_and_cleared(owner: Person, opened: tuple[dict[str, Any], str]) -> None:
    path = opened[1]
    sent = {"merge_after": "2025-01-09T20:47+0100"}
    assert owner.client.ok("PUT", path, json=sent)["merge_after"] == "2025-01-09T19:47:00Z"
    assert owner.client.ok("PUT", path, json={"merge_after": "soon"})["merge_after"] == "2025-01-09T19:47:00Z"
    assert owner.client.ok("PUT", path, json={"merge_after": ""})["merge_after"] is None


@pytest.mark.parametrize(("role", "restricted", "rechecked"), [("developer", True, True), ("reporter", True, False)])
def test_a_list_can_ask_for_a_recheck(
    world: World,
    opened: tuple[dict[str, Any], str],
    role: str,
    restricted: bool,
    rechecked: bool,
) -> None:
    created, _ = opened
    person = world.user()
    world.member({"id": created["project_id"]}, person, role)
    with world.server.services.db.write() as tx:
        tx.execute(update(merge_requests).where(merge_requests.c.id == created["id"]).values(merge_status="unchecked"))
    world.admin.ok("POST", "/features/restrict_merge_status_recheck", json={"value": str(restricted).lower()})
    path = f"/projects/{created['project_id']}/merge_requests"

    try:
        shown = person.client.ok("GET", f"{path}?with_merge_status_recheck=true")
        world.run_jobs()
    finally:
        world.admin.ok("DELETE", "/features/restrict_merge_status_recheck")

    assert shown[0]["merge_status"] == "unchecked"
    expected = "can_be_merged" if rechecked else "unchecked"
    assert person.client.ok("GET", path)[0]["merge_status"] == expected


def test_two_lists_that_ask_for_a_recheck_get_both(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    path = f"/projects/{project['id']}/merge_requests"
    for name in ("a", "b", "c"):
        world.commit(project, name, {f"{name}.txt": "x\n"})
        owner.client.ok("POST", path, json={"title": name, "source_branch": name, "target_branch": "main"})
    with world.server.services.db.write() as tx:
        here = merge_requests.c.project_id == project["id"]
        tx.execute(update(merge_requests).where(here).values(merge_status="unchecked"))

    for some in ("&iids[]=1&iids[]=3", ""):  # the same first and last one
        owner.client.ok("GET", f"{path}?with_merge_status_recheck=true{some}")
    world.run_jobs()

    assert {one["merge_status"] for one in owner.client.ok("GET", path)} == {"can_be_merged"}


def test_context_commits_stand_beside_the_change(
    world: World, owner: Person, opened: tuple[dict[str, Any], str]
) -> None:
    created, path = opened
    project = {"id": created["project_id"]}
    older = world.commit(project, "main", {"old.txt": "x\n"}, message="Older")
    there = f"{path}/context_commits"

    added = owner.client.post(there, json={"commits": [older]})

    assert (added.status_code, [commit["title"] for commit in added.json()]) == (201, ["Older"])
    assert [commit["id"] for commit in owner.client.ok("GET", there)] == [older]
    many = owner.client.post(there, json={"commits": ["a" * 40] * 21})
    assert many.json() == {"message": "Context commits array size should not be more than 20"}
    wrong = owner.client.post(there, json={"commits": ["a" * 40]})
    assert (wrong.status_code, wrong.json()) == (400, {"message": "One or more context commits' sha is not valid."})
    assert owner.client.request("DELETE", there, json={"commits": [older]}).status_code == 204
    assert owner.client.ok("GET", there) == []


def test_context_commits_are_added_once_and_listed_in_pages(
    world: World, owner: Person, opened: tuple[dict[str, Any], str]
) -> None:
    request, path = opened
    project, there = {"id": request["project_id"]}, f"{path}/context_commits"
    ids = [world.commit(project, "main", {f"{number}.txt": "x\n"}) for number in range(3)]
    owner.client.ok("POST", there, json={"commits": ids[:2]})

    again = owner.client.post(there, json={"commits": [ids[1][:12], ids[2]]})

    assert (again.status_code, again.json()) == (
        400, {"message": f'Context commits: ["{ids[1]}"] are already created'},
    )  # fmt: skip
    added = owner.client.ok("POST", there, json={"commits": [ids[2]]})
    assert [commit["id"] for commit in added] == [ids[2]]
    page = owner.client.get(there, per_page=2, page=2)
    assert [commit["id"] for commit in page.json()] == [ids[2]]
    assert (page.headers["X-Total"], page.headers["X-Total-Pages"]) == ("3", "2")


def test_assignees_alone_are_taken_whole_or_not_at_all(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    first, second, stranger = world.user(), world.user(), world.user()
    for person in (first, second):
        world.member(project, person, "developer")
    created = world.merge_request(project, owner, assignee_ids=[first.id])
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    def assigned(**body: Any) -> list[int]:
        return [person["id"] for person in owner.client.ok("PUT", path, json=body)["assignees"]]

    assert assigned(assignee_ids=[second.id, stranger.id]) == [first.id]
    assert assigned(assignee_ids=[second.id, stranger.id], title="With more") == [second.id]
    assert assigned(assignee_ids=[stranger.id], title="Nobody left") == [second.id]
    assert assigned(assignee_ids=[first.id, second.id, first.id]) == [first.id, second.id]


def test_null_in_place_of_a_required_text_is_a_blank_one(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    created = world.merge_request(project, owner)
    path = f"/projects/{project['id']}/merge_requests"
    body = {"source_branch": created["source_branch"], "target_branch": "main", "title": None}

    untitled = owner.client.post(path, json=body)
    unsaid = owner.client.post(f"{path}/{created['iid']}/notes", json={"body": None})
    nowhere = owner.client.post(
        f"{path}/{created['iid']}/discussions",
        json={
            "body": "x",
            "position": {
                "position_type": "text",
                "base_sha": None,
                "start_sha": None,
                "head_sha": created["sha"],
                "new_path": "README.md",
                "new_line": 1,
            },
        },
    )
    unblocked = owner.client.post(f"{path}/{created['iid']}/time_estimate", json={"duration": None})

    assert (untitled.status_code, untitled.json()) == (400, {"message": {"title": ["can't be blank"]}})
    assert unsaid.json() == {"message": '400 Bad request - Note {:note=>["can\'t be blank"]}'}
    assert nowhere.json() == {"message": '400 Bad request - Note {:position=>["is invalid"]}'}
    assert unblocked.status_code == 400


def test_one_huge_file_does_not_hide_the_others(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    files = {"a-huge.txt": "a line of text\n" * 120_000, "b.txt": "small\n", "c.txt": "small\n"}
    created = world.merge_request(project, owner, files=files)
    path = f"/projects/{project['id']}/merge_requests/{created['iid']}"

    shown = owner.client.ok("GET", f"{path}/diffs")

    assert [(file["new_path"], file["too_large"], bool(file["diff"])) for file in shown] == [
        ("a-huge.txt", True, False), ("b.txt", False, True), ("c.txt", False, True),
    ]  # fmt: skip
    assert owner.client.ok("GET", f"{path}/changes")["overflow"] is False
