"""Push rules in effect for what the API changes: commits, branches, picks, rebases and merges."""

from typing import Any

import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def commit_body(branch: str, message: str, path: str = "a.txt", content: str = "x") -> dict[str, Any]:
    actions = [{"action": "create", "file_path": path, "content": content}]
    return {"branch": branch, "start_branch": "main", "commit_message": message, "actions": actions}


def refused(person: Person, path: str, body: dict[str, Any], method: str = "POST") -> str:
    answer = person.client.request(method, path, json=body)
    assert answer.status_code == 400, answer.text
    return str(answer.json()["message"])


def test_commits_files_and_branches(owner: Person, project: dict[str, Any]) -> None:
    path = f"/projects/{project['id']}"
    rule = {
        "commit_message_regex": "^Fix", "branch_name_regex": "^fix/", "prevent_secrets": True, "max_file_size": 1,
        "reject_unsigned_commits": True, "commit_committer_check": True, "member_check": True,
    }  # fmt: skip
    owner.client.ok("POST", f"{path}/push_rule", json=rule)
    commits = f"{path}/repository/commits"

    assert refused(owner, commits, commit_body("fix/a", "Add")) == "Commit message does not follow the pattern '^Fix'"
    assert refused(owner, commits, commit_body("a", "Fix")) == "Branch name does not follow the pattern '^fix/'"
    assert "was prohibited by the pattern" in refused(owner, commits, commit_body("fix/a", "Fix", "id_rsa"))
    large = commit_body("fix/a", "Fix", "b.bin", "x" * (1024 * 1024 + 1))
    assert refused(owner, commits, large) == 'File "b.bin" is larger than the allowed size of 1 MB'
    assert owner.client.get(f"{path}/repository/branches/fix%2Fa").status_code == 404
    created = owner.client.ok("POST", commits, json=commit_body("fix/a", "Fix"))

    file = {"branch": "main", "content": "y", "commit_message": "Add"}
    assert "does not follow" in refused(owner, f"{path}/repository/files/b.txt", file)
    branches = f"{path}/repository/branches"
    assert refused(owner, branches, {"branch": "b", "ref": "main"}).startswith("Branch name does not follow")
    owner.client.ok("POST", branches, json={"branch": "fix/b", "ref": "main"})
    pick = f"{commits}/{created['id']}"
    owner.client.ok("POST", f"{pick}/cherry_pick", json={"branch": "fix/b"})
    assert "does not follow" in refused(owner, f"{pick}/revert", {"branch": "fix/a"})
    assert owner.client.delete(f"{branches}/fix%2Fb").status_code == 204


def test_merges_and_rebases(world: World, owner: Person, project: dict[str, Any]) -> None:
    path = f"/projects/{project['id']}"
    world.commit(project, "topic", {"a.txt": "a"}, user_id=owner.id, message="Fix a", start_branch="main")
    request = world.merge_request(project, owner, source_branch="topic", target_branch="main")
    here = f"{path}/merge_requests/{request['iid']}"
    owner.client.ok("POST", f"{path}/push_rule", json={"commit_message_regex": "^Fix"})

    refusal = refused(owner, f"{here}/merge", {}, "PUT")
    assert refusal == "Commit message does not follow the pattern '^Fix'"
    shown = owner.client.ok("GET", here)
    assert (shown["state"], shown["merge_error"]) == ("opened", refusal)

    world.commit(project, "main", {"b.txt": "b"}, user_id=owner.id, message="Fix b")
    owner.client.ok("PUT", f"{path}/push_rule", json={"commit_message_regex": "^Repair"})
    owner.client.ok("PUT", f"{here}/rebase")
    world.run_jobs()
    shown = owner.client.ok("GET", here, params={"include_rebase_in_progress": "true"})
    assert (shown["rebase_in_progress"], shown["merge_error"]) == (
        False,
        "Commit message does not follow the pattern '^Repair'",
    )
    merged = owner.client.ok("PUT", f"{here}/merge", json={"merge_commit_message": "Repair by merging"})
    assert merged["state"] == "merged"
