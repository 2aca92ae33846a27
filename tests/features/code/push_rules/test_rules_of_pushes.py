"""Push rules in effect for git: every rule refuses what it forbids with its own message, and lets the rest in."""

from pathlib import Path
from typing import Any

import pytest

from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.features.code.git_ssh.ssh_client import SshWorld, ssh_server
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import Person, World

NOBODY = "You can only push commits that were committed with one of your own verified emails."


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


@pytest.fixture
def here(server: RunningServer, owner: Person, project: dict[str, Any], tmp_path: Path) -> GitClient:
    return clone(tmp_path / "here", address(server, project, owner.token))


def set_rule(owner: Person, project: dict[str, Any], **rule: Any) -> None:
    path = f"/projects/{project['id']}/push_rule"
    owner.client.delete(path)
    owner.client.ok("POST", path, json=rule)


def push(here: GitClient, name: str) -> str:
    """Push what was committed; the message of a refusal, or nothing."""
    done = here.run("push", "origin", f"HEAD:refs/heads/{name}")
    lines = [line.partition("GitLab: ")[2].rstrip() for line in done.text.split("\n") if "GitLab: " in line]
    assert (done.code == 0) == (lines == []), done.text
    return " ".join(lines)


@pytest.mark.parametrize(
    ("rule", "message", "refusal"),
    [
        ({"commit_message_regex": "^Fix"}, "Change", "Commit message does not follow the pattern '^Fix'"),
        ({"commit_message_regex": "^Fix"}, "Change\n\nFix a fault", ""),  # the start of any line
        (
            {"commit_message_negative_regex": "secret$"},
            "The secret\n\nand more",
            "Commit message contains the forbidden pattern 'secret$'",
        ),
        (
            {"author_email_regex": "@example.com$"},
            "x",
            "Committer's email 'cli@x' does not follow the pattern '@example.com$'",
        ),
        ({"reject_non_dco_commits": True}, "x", "Commit message must contain a DCO signoff"),
        ({"reject_non_dco_commits": True}, "x\n\nSigned-off-by: A <a@example.com>", ""),
        ({"reject_unsigned_commits": True}, "x", "Commit must be signed with a GPG key"),
        ({"commit_committer_check": True}, "x", f"You cannot push commits for 'cli@x'. {NOBODY}"),
        (
            {"commit_committer_name_check": True},
            "x",
            "Your git username is inconsistent with GitLab account name",
        ),
        ({"member_check": True}, "x", "Author 'cli@x' is not a member of team"),
    ],
)
def test_commits_obey(
    owner: Person, project: dict[str, Any], here: GitClient, rule: dict[str, Any], message: str, refusal: str
) -> None:
    set_rule(owner, project, **rule)
    here.commit("a.txt", message, message)
    assert push(here, f"topic-{here.ok('rev-parse', '--short', 'HEAD').strip()}") == refusal


def test_one_bad_commit_refuses_all_and_old_commits_count_no_more(
    owner: Person, project: dict[str, Any], here: GitClient
) -> None:
    owner.client.delete(f"/projects/{project['id']}/push_rule")
    here.commit("old.txt", "old", "bad but early")
    assert push(here, "early") == ""
    set_rule(owner, project, commit_message_regex="^Good")
    here.commit("b.txt", "b", "Good")
    here.commit("c.txt", "c", "worse")
    here.commit("d.txt", "d", "Good again")
    assert push(here, "many") == "Commit message does not follow the pattern '^Good'"
    here.ok("reset", "-q", "--hard", "HEAD~2")
    assert push(here, "many") == ""


def test_people_are_known_by_their_confirmed_addresses(
    world: World, owner: Person, project: dict[str, Any], here: GitClient
) -> None:
    mail, other = f"{owner.username}@example.com", world.user()
    world.admin.ok("POST", f"/users/{owner.id}/emails", json={"email": f"second-{mail}"})
    here.ok("config", "user.name", "x")

    def commit(author: str, committer: str) -> str:
        (here.folder / "who.txt").write_text(f"{author} {committer}")
        here.ok("add", "who.txt")
        here.ok("commit", "-q", "-m", "x", GIT_AUTHOR_EMAIL=author, GIT_COMMITTER_EMAIL=committer)
        refusal = push(here, "who")
        if refusal:
            here.ok("reset", "-q", "--hard", "HEAD~1")
        return refusal

    set_rule(owner, project, commit_committer_check=True)
    assert commit("cli@x", mail.upper()) == ""
    assert commit("cli@x", f"second-{mail}") == f"Committer email 'second-{mail}' is not verified."
    assert commit(mail, f"{other.username}@example.com").startswith("You cannot push commits for")
    set_rule(owner, project, member_check=True)
    assert commit(f"{other.username}@example.com", mail) == ""
    assert commit(mail, "stranger@x") == "Committer 'stranger@x' is not a member of team"
    set_rule(owner, project, author_email_regex="@example.com$")
    assert commit("a@x", mail) == "Author's email 'a@x' does not follow the pattern '@example.com$'"


def test_names_of_branches_and_deleted_tags(owner: Person, project: dict[str, Any], here: GitClient) -> None:
    set_rule(owner, project, branch_name_regex="^(feature|fix)/", deny_delete_tag=True)
    here.commit("n.txt")
    assert push(here, "other") == "Branch name does not follow the pattern '^(feature|fix)/'"
    assert push(here, "feature/one") == ""
    assert push(here, "main") == ""
    here.ok("tag", "v1")
    here.ok("push", "-q", "origin", "v1")
    assert "GitLab: You cannot delete a tag" in here.refused("push", "origin", ":v1")
    assert owner.client.delete(f"/projects/{project['id']}/repository/tags/v1").status_code == 204


def test_names_and_sizes_of_files(owner: Person, project: dict[str, Any], here: GitClient) -> None:
    set_rule(owner, project, file_name_regex=r"\.exe$", prevent_secrets=True, max_file_size=1)

    def added(path: str, size: int = 1) -> str:
        here.commit(path, "x" * size)
        refusal = push(here, "files")
        if refusal:
            here.ok("reset", "-q", "--hard", "HEAD~1")
        return refusal

    assert added("a/b.exe") == r"File name a/b.exe was prohibited by the pattern \.exe$."
    assert added("keys/id_rsa") == "File name keys/id_rsa was prohibited by the pattern id_rsa$."
    assert added("aws/credentials") == r"File name aws/credentials was prohibited by the pattern aws\/credentials$."
    assert added("large.bin", 1024 * 1024 + 1) == 'File "large.bin" is larger than the allowed size of 1 MB'
    assert added("exactly.bin", 1024 * 1024) == ""
    here.ok("mv", "exactly.bin", "renamed.pem")
    here.ok("commit", "-q", "-m", "Rename")
    assert push(here, "files") == r"File name renamed.pem was prohibited by the pattern \.(pem|key)$."
    here.ok("reset", "-q", "--hard", "HEAD~1")
    # A pushed pack is looked at as well as single objects.
    for number in range(110):
        (here.folder / f"f{number}").write_text(str(number))
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Many")
    assert added("many.key") == r"File name many.key was prohibited by the pattern \.(pem|key)$."
    assert push(here, "files") == ""


def test_pushes_over_ssh_obey_too(databases: Databases, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with ssh_server(databases.fresh(data), data) as server:
        world = SshWorld(server, tmp_path)
        project = world.project()
        _, key = world.member(project, 40)
        world.wait_for_ssh(key)
        server.call("POST", f"/projects/{project['id']}/push_rule", json={"commit_message_regex": "^Fix"})
        here = world.git(key, "here")
        here.ok("clone", "-q", project["ssh_url_to_repo"], ".")
        here.commit("a.txt", "a", "Change")
        said = here.refused("push", "origin", "HEAD:refs/heads/topic")
        assert "GitLab: Commit message does not follow the pattern '^Fix'" in said
        here.ok("commit", "-q", "--amend", "-m", "Fix it")
        here.ok("push", "-q", "origin", "HEAD:refs/heads/topic")
