"""Applying suggestions: one commit, the thread resolved, and what stands in the way."""

from typing import Any

import pytest

from ingot.gitstore import objects, refs
from tests.support.world import Person, World

OLD = "".join(f"line {number}\n" for number in range(1, 11))
NEW = OLD.replace("line 3\n", "line three\n").replace("line 8\n", "line eight\n")


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True, visibility="public")
    world.commit(created, "main", {"text.txt": OLD})
    return created


@pytest.fixture
def path(world: World, owner: Person, project: dict[str, Any]) -> str:
    created = world.merge_request(project, owner, source_branch="feature", files={"text.txt": NEW})
    return f"/projects/{project['id']}/merge_requests/{created['iid']}"


def suggest(person: Person, path: str, line: int, text: str, head: str = "```suggestion") -> dict[str, Any]:
    refs_of = person.client.ok("GET", path)["diff_refs"]
    where = {**refs_of, "position_type": "text", "old_path": "text.txt", "new_path": "text.txt", "new_line": line}
    body = f"{head}\n{text}```"
    thread = person.client.ok("POST", f"{path}/discussions", json={"body": body, "position": where})
    result: dict[str, Any] = thread["notes"][0]["suggestions"][0]
    return result


def content(world: World, project: dict[str, Any]) -> str:
    repository = world.repository(project)
    blob = objects.find_blob(repository, refs.find_branch(repository, "feature") or "", "text.txt")
    assert blob is not None
    return blob.content.decode()


def test_one_suggestion_becomes_a_commit(world: World, owner: Person, project: dict[str, Any], path: str) -> None:
    proposal = suggest(owner, path, 3, "line III\nline 3b\n", "```suggestion:-1+0")

    done = owner.client.ok("PUT", f"/suggestions/{proposal['id']}/apply")

    assert (done["applied"], done["appliable"]) == (True, False)
    assert content(world, project) == NEW.replace("line 2\nline three\n", "line III\nline 3b\n")
    repository = world.repository(project)
    tip = objects.get_commit(repository, refs.find_branch(repository, "feature") or "")
    assert tip.message.strip() == "Apply 1 suggestion(s) to 1 file(s)"
    shown = owner.client.ok("GET", path)
    assert shown["sha"] == tip.id
    threads = [thread for thread in owner.client.ok("GET", f"{path}/discussions") if not thread["individual_note"]]
    assert threads[0]["notes"][0]["resolved"] is True
    again = owner.client.put(f"/suggestions/{proposal['id']}/apply")
    assert (again.status_code, again.json()) == (400, {"message": "Can't apply this suggestion."})


def test_several_at_once(world: World, owner: Person, project: dict[str, Any], path: str) -> None:
    one, two = suggest(owner, path, 3, "line III\n"), suggest(owner, path, 8, "line VIII\n")
    body = {"ids": [one["id"], two["id"]], "commit_message": "Roman %{suggestions_count} by %{username}"}

    done = owner.client.ok("PUT", "/suggestions/batch_apply", json=body)

    assert [entry["applied"] for entry in done] == [True, True]
    assert content(world, project) == NEW.replace("line three", "line III").replace("line eight", "line VIII")
    repository = world.repository(project)
    tip = objects.get_commit(repository, refs.find_branch(repository, "feature") or "")
    assert tip.message.strip() == f"Roman 2 by {owner.username}"


def test_what_stands_in_the_way(world: World, owner: Person, project: dict[str, Any], path: str) -> None:
    proposal = suggest(owner, path, 3, "x\n")
    overlapping = suggest(owner, path, 3, "y\n")
    stranger = world.user()
    options = {"ids": [proposal["id"], overlapping["id"]]}
    for call, status, body in (
        (
            owner.client.put("/suggestions/999999/apply"), 404,
            {"message": "Suggestion is not applicable as the suggestion was not found."},
        ),
        (owner.client.put("/suggestions/batch_apply", json={}), 400, {"error": "ids is missing"}),
        (
            owner.client.put("/suggestions/batch_apply", json={"ids": [proposal["id"], 999999]}), 404,
            {"message": "Suggestions are not applicable as one or more suggestions were not found."},
        ),
        (
            owner.client.put("/suggestions/batch_apply", json=options), 400,
            {"message": "Suggestions are not applicable as their lines cannot overlap."},
        ),
        (stranger.client.put(f"/suggestions/{proposal['id']}/apply"), 403, {"message": "403 Forbidden"}),
        (world.anonymous.put(f"/suggestions/{proposal['id']}/apply"), 401, {"message": "401 Unauthorized"}),
    ):  # fmt: skip
        assert (call.status_code, call.json()) == (status, body)
    world.commit(project, "feature", {"text.txt": NEW.replace("line three", "changed")})
    changed = owner.client.put(f"/suggestions/{proposal['id']}/apply")
    assert (changed.status_code, changed.json()) == (400, {"message": "A file has been changed."})
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"visibility": "private"})
    assert stranger.client.put(f"/suggestions/{proposal['id']}/apply").status_code == 404


def test_a_suggestion_follows_its_lines(world: World, owner: Person, project: dict[str, Any], path: str) -> None:
    proposal = suggest(owner, path, 3, "line III\n", "```suggestion:-1+0")
    world.commit(project, "feature", {"text.txt": f"line 0\n{NEW}"})
    shown = owner.client.ok("GET", f"{path}/discussions")[0]["notes"][0]["suggestions"][0]

    owner.client.ok("PUT", f"/suggestions/{proposal['id']}/apply")

    assert shown["appliable"] is True
    assert content(world, project) == "line 0\n" + NEW.replace("line 2\nline three\n", "line III\n")


def test_a_suggestion_for_lines_that_changed_waits_for_them(
    world: World, owner: Person, project: dict[str, Any], path: str
) -> None:
    proposal = suggest(owner, path, 3, "line III\n", "```suggestion:-1+0")

    def shown() -> Any:
        return owner.client.ok("GET", f"{path}/discussions")[0]["notes"][0]["suggestions"][0]["appliable"]

    for text, is_appliable in (
        (NEW.replace("line 2", "line two"), False),
        (NEW, True),
        (NEW.replace("line three", "between\nline three"), False),
    ):
        world.commit(project, "feature", {"text.txt": text})
        assert shown() is is_appliable
        if not is_appliable:
            refused = owner.client.put(f"/suggestions/{proposal['id']}/apply")
            assert (refused.status_code, refused.json()) == (400, {"message": "A file has been changed."})


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_of_a_suggestion_are_those_of_git(world: World, owner: Person, project: dict[str, Any], end: str) -> None:
    old = f"one\x0c{end}two{end}\x0cthree{end}four{end}"
    files = {"text.txt": old.replace("two", "2")}
    created = world.merge_request(project, owner, source_branch="feature", files=files)
    proposal = suggest(owner, f"/projects/{project['id']}/merge_requests/{created['iid']}", 2, "II\nii\n")
    assert proposal["from_content"] == f"2{end}"

    owner.client.ok("PUT", f"/suggestions/{proposal['id']}/apply")

    assert content(world, project) == old.replace("two", f"II{end}ii")
