"""Branches and tags through the API."""

from datetime import UTC, datetime
from typing import Any

import pytest

from ingot.gitstore import Person as Author
from ingot.gitstore.commit import CommitOptions, FileAction, create_commit
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def base(project: dict[str, Any]) -> str:
    return f"/projects/{project['id']}/repository"


def test_a_branch_shows_head_protection_and_rights(world: World, owner: Person, project: dict[str, Any]) -> None:
    result = owner.client.ok("GET", f"{base(project)}/branches/main")

    head = result.pop("commit")
    assert head["title"] == "Initial commit"
    assert result == {
        "name": "main",
        "merged": False,
        "protected": True,
        "developers_can_push": False,
        "developers_can_merge": False,
        "can_push": True,
        "default": True,
        "web_url": f"{project['web_url']}/-/tree/main",
    }


def test_branches_are_created_listed_searched_and_deleted(world: World, owner: Person, project: dict[str, Any]) -> None:
    path = f"{base(project)}/branches"
    for name in ("feature/a", "feature/b", "fix-1", "percent%sign"):
        created = owner.client.post(path, json={"branch": name, "ref": "main"})
        assert created.status_code == 201, created.text
    later = Author("Ada", "ada@example.com", datetime(2040, 1, 1, tzinfo=UTC))
    body = CommitOptions("fix-1", "Later", [FileAction("create", "x", "x\n")], later)
    create_commit(world.repository(project), body)

    def names(**params: Any) -> list[str]:
        return [entry["name"] for entry in owner.client.get(path, **params).json()]

    assert names() == ["feature/a", "feature/b", "fix-1", "main", "percent%sign"]
    assert names(search="feat") == ["feature/a", "feature/b"]
    assert names(search="^fix") == ["fix-1"]
    assert names(search="b$") == ["feature/b"]
    assert names(regex="^feature/[ab]$") == ["feature/a", "feature/b"]
    assert names(sort="updated_desc")[0] == names(sort="updated_asc")[-1] == "fix-1"
    assert names(per_page=2, page=2) == ["fix-1", "main"]
    assert owner.client.get(path, regex="(").json()["error"].startswith("regex is an invalid regexp:")
    assert owner.client.get(path, sort="x").json() == {"error": "sort does not have a valid value"}
    first = owner.client.get(path, pagination="keyset", per_page=2)
    assert [entry["name"] for entry in first.json()] == ["feature/a", "feature/b"]
    assert "x-total" not in first.headers
    following = first.headers["link"].split(">")[0].strip("<")
    assert [entry["name"] for entry in owner.client.get(following).json()] == ["fix-1", "main"]
    assert owner.client.get(path, pagination="keyset", page_token="zzz").json() == {"error": "page_token is invalid"}
    assert owner.client.get(path).headers["x-total"] == "5"

    one = owner.client.ok("GET", f"{path}/feature%2Fa")
    assert one["name"] == "feature/a"
    assert owner.client.ok("GET", f"{path}/percent%25sign")["name"] == "percent%sign"
    assert owner.client.head(f"{path}/feature%2Fa").status_code == 204
    assert owner.client.head(f"{path}/none").status_code == 404
    assert owner.client.get(f"{path}/none").json() == {"message": "404 Branch Not Found"}
    assert owner.client.get(f"{path}/a..b").json() == {"message": "The branch refname is invalid"}
    assert owner.client.delete(f"{path}/feature%2Fa").status_code == 204
    assert owner.client.delete(f"{path}/feature%2Fa").status_code == 404


@pytest.mark.parametrize(
    ("branch", "ref", "text"),
    [
        ("main", "main", "Branch already exists"),
        ("bad name", "main", "Branch name is invalid"),
        ("refs/heads/x", "main", "Branch name is invalid"),
        ("new", "nowhere", "Failed to create branch 'new': invalid reference name 'nowhere'"),
    ],
)
def test_branches_that_cannot_be_made(owner: Person, project: dict[str, Any], branch: str, ref: str, text: str) -> None:
    refused = owner.client.post(f"{base(project)}/branches", json={"branch": branch, "ref": ref})

    assert (refused.status_code, refused.json()) == (400, {"message": text})


def test_merged_branches_are_deleted_together(world: World, owner: Person, project: dict[str, Any]) -> None:
    world.commit(project, "merged", {"a": "a\n"})
    world.commit(project, "open", {"b": "b\n"})
    head = owner.client.ok("GET", f"{base(project)}/branches/merged")["commit"]["id"]
    merged = owner.client.ok(
        "POST",
        f"/projects/{project['id']}/merge_requests",
        json={"title": "m", "source_branch": "merged", "target_branch": "main"},
    )
    owner.client.ok("PUT", f"/projects/{project['id']}/merge_requests/{merged['iid']}/merge", json={})
    shown = owner.client.ok("GET", f"{base(project)}/branches/merged")
    assert (shown["commit"]["id"], shown["merged"]) == (head, True)

    answer = owner.client.delete(f"{base(project)}/merged_branches")

    assert (answer.status_code, answer.json()) == (202, {"message": "202 Accepted"})
    left = [entry["name"] for entry in owner.client.ok("GET", f"{base(project)}/branches")]
    assert left == ["main", "open"]


def test_roles_and_order_of_checks(world: World, owner: Person, project: dict[str, Any]) -> None:
    guest, reporter, developer, stranger = (world.user() for _ in range(4))
    for person, role in ((guest, "guest"), (reporter, "reporter"), (developer, "developer")):
        world.member(project, person, role)
    path = f"{base(project)}/branches"

    assert world.anonymous.get(path, sort="x").status_code == 404
    assert stranger.client.get(path, sort="x").json() == {"message": "404 Project Not Found"}
    assert guest.client.get(path, sort="x").status_code == 403
    assert reporter.client.get(path).status_code == 200
    assert reporter.client.post(path, json={}).status_code == 400
    assert reporter.client.post(path, json={"branch": "x", "ref": "main"}).status_code == 403
    assert developer.client.post(path, json={"branch": "x", "ref": "main"}).status_code == 201
    assert world.anonymous.post(path, json={}).status_code == 401
    refused = developer.client.delete(f"{path}/main")
    assert refused.status_code == 400
    assert refused.json() == {"message": "The default branch of a project cannot be deleted."}


def test_protected_branches_are_deleted_by_maintainers_only(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    developer = world.user()
    world.member(project, developer, "developer")
    owner.client.ok("POST", f"{base(project)}/branches", json={"branch": "stable", "ref": "main"})
    owner.client.ok("POST", f"/projects/{project['id']}/protected_branches", json={"name": "stab*"})

    refused = developer.client.delete(f"{base(project)}/branches/stable")

    assert refused.status_code == 400
    assert refused.json()["message"].startswith("You are not allowed to delete protected branches from this project.")
    created = developer.client.post(f"{base(project)}/branches", json={"branch": "stable2", "ref": "main"})
    assert created.json() == {"message": "You are not allowed to create protected branches on this project."}
    assert owner.client.delete(f"{base(project)}/branches/stable").status_code == 204


def test_a_disabled_repository_is_not_found(world: World, owner: Person, project: dict[str, Any]) -> None:
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"repository_access_level": "disabled"})

    for path in ("branches", "commits", "tags", "tree"):
        answer = owner.client.get(f"{base(project)}/{path}")
        assert (answer.status_code, answer.json()) == (404, {"message": "404 Repository Not Found"})


def test_if_unmodified_since_is_obeyed(owner: Person, project: dict[str, Any]) -> None:
    owner.client.ok("POST", f"{base(project)}/branches", json={"branch": "old", "ref": "main"})
    header = {"If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"}

    assert owner.client.delete(f"{base(project)}/branches/old", headers=header).status_code == 412
    assert owner.client.delete(f"{base(project)}/branches/old").status_code == 204


def test_tags_light_and_annotated(world: World, owner: Person, project: dict[str, Any]) -> None:
    path = f"{base(project)}/tags"
    light = owner.client.ok("POST", path, json={"tag_name": "v1.0", "ref": "main"})
    noted = owner.client.ok("POST", path, json={"tag_name": "v1.10", "ref": "main", "message": "Ten\n\nMore"})
    owner.client.ok("POST", path, json={"tag_name": "v1.9", "ref": "v1.0", "message": "Nine"})

    assert (light["message"], light["created_at"], light["release"], light["protected"]) == ("", None, None, False)
    assert light["target"] == light["commit"]["id"]
    assert noted["message"] == "Ten\n\nMore"
    assert noted["target"] != noted["commit"]["id"]
    assert noted["created_at"].endswith("Z")

    def names(**params: Any) -> list[str]:
        return [entry["name"] for entry in owner.client.get(path, **params).json()]

    assert names(order_by="name", sort="asc") == ["v1.0", "v1.10", "v1.9"]
    assert names(order_by="version", sort="asc") == ["v1.0", "v1.9", "v1.10"]
    assert names(search="^v1.1") == ["v1.10"]
    assert names(search="9$") == ["v1.9"]
    page = owner.client.get(path, pagination="keyset", per_page=1, order_by="name", sort="asc")
    assert [entry["name"] for entry in page.json()] == ["v1.0"]
    assert "page_token=v1.0" in page.headers["link"]
    assert owner.client.ok("GET", f"{path}/v1.0")["name"] == "v1.0"
    assert owner.client.get(f"{path}/none").json() == {"message": "404 Tag Not Found"}
    assert owner.client.get(f"{path}/v1.0/signature").status_code == 404
    assert owner.client.post(path, json={"tag_name": "v1.0", "ref": "main"}).json() == {
        "message": "Tag v1.0 already exists"
    }
    assert owner.client.post(path, json={"tag_name": "a b", "ref": "main"}).json() == {"message": "Tag name invalid"}
    assert owner.client.post(path, json={"tag_name": "x", "ref": "nowhere"}).json() == {
        "message": "Target nowhere is invalid"
    }
    assert owner.client.delete(f"{path}/v1.0").status_code == 204
    assert owner.client.delete(f"{path}/v1.0").status_code == 404


def test_protected_tags_are_made_by_those_allowed(world: World, owner: Person, project: dict[str, Any]) -> None:
    developer = world.user()
    world.member(project, developer, "developer")
    rules = f"/projects/{project['id']}/protected_tags"
    created = owner.client.ok("POST", rules, json={"name": "v*", "create_access_level": 40})

    assert created["name"] == "v*"
    assert created["create_access_levels"][0]["access_level_description"] == "Maintainers"
    path = f"{base(project)}/tags"
    refused = developer.client.post(path, json={"tag_name": "v1", "ref": "main"})
    assert refused.json() == {"message": "You are not allowed to create this tag as it is protected."}
    assert owner.client.post(path, json={"tag_name": "v1", "ref": "main"}).json()["protected"] is True
    assert developer.client.delete(f"{path}/v1").status_code == 403
    assert owner.client.post(rules, json={"name": "v*"}).status_code == 409
    assert owner.client.ok("GET", f"{rules}/v*")["name"] == "v*"
    assert [entry["name"] for entry in owner.client.ok("GET", rules)] == ["v*"]
    assert owner.client.delete(f"{rules}/v*").status_code == 204
    assert owner.client.get(f"{rules}/v*").status_code == 404


def test_a_page_of_branches_costs_the_same_number_of_statements(world: World, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    path = f"{base(project)}/branches"
    stranger = world.user()

    def counts() -> list[int]:
        return [person.client.queries(path) for person in (owner, stranger)]

    owner.client.ok("POST", path, json={"branch": "free", "ref": "main"})
    few = counts()
    for number in range(12):
        owner.client.ok("POST", path, json={"branch": f"b{number}", "ref": "main"})

    assert counts() == few
    assert max(few) <= 8


def test_maintainers_read_how_the_repository_lies_on_disk(world: World) -> None:
    owner, developer = world.user(), world.user()
    project = world.project(owner, visibility="private")
    world.member(project, developer, "developer")
    path = f"/projects/{project['id']}/repository/health"
    world.commit(project, "main", {"a.txt": "1"})

    health = owner.client.ok("GET", path)

    assert health["objects"]["loose_objects_count"] + health["objects"]["packfile_count"] > 0
    assert health["references"]["reference_backend"] == "REFERENCE_BACKEND_FILES"
    assert (health["is_object_pool"], health["alternates"]) == (False, None)
    assert owner.client.ok("GET", f"{path}?generate=true")["size"] >= health["objects"]["size"]
    assert developer.client.get(path).status_code == 403
    assert world.user().client.get(path).status_code == 404
    assert world.anonymous.get(path).status_code == 401
