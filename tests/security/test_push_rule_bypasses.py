"""Ways around a push rule: under a tag, beside good commits, with odd file names, and over the API of a fork."""

from pathlib import Path
from typing import Any

import pytest

from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.support.server import RunningServer
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

REFUSAL = "GitLab: Commit message does not follow the pattern '^Good'"


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, initialize_with_readme=True)
    rule = {"commit_message_regex": "^Good", "prevent_secrets": True}
    owner.client.ok("POST", f"/projects/{created['id']}/push_rule", json=rule)
    return created


@pytest.fixture
def here(server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path) -> GitClient:
    return clone(tmp_path / "here", address(server, project, owner.token))


def test_tags_and_other_refs_bring_no_bad_commit(here: GitClient) -> None:
    here.commit("a.txt", "a", "bad")
    here.ok("tag", "-a", "-m", "Good tag", "v1")
    assert REFUSAL in here.refused("push", "origin", "v1")
    assert REFUSAL in here.refused("push", "origin", "HEAD:refs/other/place")
    # The branch alone would be let in; the tag beside it refuses the whole push.
    assert REFUSAL in here.refused("push", "origin", "HEAD~1:refs/heads/fine", "v1")
    assert "fine" not in here.ok("ls-remote", "origin")


def test_names_of_files_that_are_no_plain_text_are_refused_in_one_line(here: GitClient) -> None:
    (here.folder / "line\nyes\nid_rsa").write_text("x")
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Good")
    assert "was prohibited by the pattern id_rsa$." in here.refused("push", "origin", "HEAD:refs/heads/odd")
    here.ok("reset", "-q", "--hard", "HEAD~1")
    (here.folder / b"\xff\xfe.pem".decode("utf-8", "surrogateescape")).write_text("x")
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Good")
    assert r"was prohibited by the pattern \.(pem|key)$." in here.refused("push", "origin", "HEAD:refs/heads/odd")


def test_a_message_too_long_to_check_is_refused(here: GitClient, tmp_path: Path) -> None:
    """It is small on the way, and would be held in memory whole."""
    (tmp_path / "message").write_text("Good\n\n" + "x" * 40_000_000)
    here.ok("commit", "-q", "--allow-empty", "-F", str(tmp_path / "message"))
    refusal = "A commit message is longer than push rules check (4 MB)"
    assert refusal in here.refused("push", "origin", "HEAD:refs/heads/long")


def test_commits_of_a_fork_do_not_come_in_through_the_api(world: World, owner: Person, project: dict[str, Any]) -> None:
    name = world.name("fork")
    fork = owner.client.ok("POST", f"/projects/{project['id']}/fork", json={"path": name, "name": name})
    world.run_jobs()
    bad = world.commit(fork, "far", {"far.txt": "x"}, user_id=owner.id, message="bad", start_branch="main")
    body = {"branch": "near", "start_project": fork["id"], "start_sha": bad, "commit_message": "Good",
            "actions": [{"action": "create", "file_path": "b.txt", "content": "x"}]}  # fmt: skip
    refused = owner.client.post(f"/projects/{project['id']}/repository/commits", json=body)
    assert (refused.status_code, f"GitLab: {refused.json()['message']}") == (400, REFUSAL)
    assert owner.client.get(f"/projects/{project['id']}/repository/branches/near").status_code == 404
