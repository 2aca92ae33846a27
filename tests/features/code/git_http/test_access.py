"""Who may clone and push, and what git sees otherwise."""

import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import delete

from ingot.features.code.git_http.refusals import ACCESS_DENIED, HELP
from ingot.identity import second_factors
from ingot.kit.rate_windows import hit, rate_windows
from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.support import plain_http
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World

BROKEN = {"Authorization": "Basic ?"}


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


def wait_for_fork(person: Person, fork: dict[str, Any]) -> None:
    until(lambda: person.client.ok("GET", f"/projects/{fork['id']}")["import_status"] == "finished")


def refs(
    server: RunningServer, project: dict[str, Any] | str, auth: Any = None, service: str = "git-upload-pack"
) -> httpx.Response:
    path = project if isinstance(project, str) else f"{project['path_with_namespace']}.git"
    return plain_http.get(f"{server.url}/{path}/info/refs", params={"service": service}, auth=auth)


def test_strangers_are_asked_who_they_are(world: World, server: RunningServer, owner: Person) -> None:
    private = world.project(owner, initialize_with_readme=True)

    for path in (f"{private['path_with_namespace']}.git", "no/such.git", "nothing.git"):
        answer = refs(server, path)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == 'Basic realm="GitLab"'
    wrong = refs(server, private, auth=("x", "glpat-wrong"))
    assert wrong.status_code == 401
    assert wrong.text.startswith("HTTP Basic: Access denied.")


def test_people_without_rights_get_404_and_403(world: World, server: RunningServer, owner: Person) -> None:
    private = world.project(owner, initialize_with_readme=True)
    stranger, guest, reporter = world.user(), world.user(), world.user()
    world.member(private, guest, "guest")
    world.member(private, reporter, "reporter")

    assert refs(server, private, auth=("x", stranger.token)).status_code == 404
    read = refs(server, private, auth=("x", guest.token))
    assert (read.status_code, read.text) == (403, "You are not allowed to download code from this project.")
    assert refs(server, private, auth=("x", reporter.token)).status_code == 200
    push = refs(server, private, auth=("x", reporter.token), service="git-receive-pack")
    assert (push.status_code, push.text) == (403, "You are not allowed to push code to this project.")


def test_public_projects_are_read_by_everybody_and_pushed_by_members(
    world: World, server: RunningServer, owner: Person, tmp_path: Path
) -> None:
    public = world.project(owner, initialize_with_readme=True, visibility="public")

    here = clone(tmp_path / "here", address(server, public, None))

    assert (here.folder / "README.md").exists()
    assert refs(server, public, service="git-receive-pack").status_code == 401
    here.commit("a.txt")
    assert "could not read Username" in here.refused("push", "origin", "main")
    counted = owner.client.ok("GET", f"/projects/{public['id']}")
    assert counted["id"] == public["id"]


@pytest.mark.parametrize(
    ("scopes", "reads", "writes"),
    [
        (["api"], 200, 200),
        (["write_repository"], 200, 200),
        (["read_repository"], 200, 403),
        (["read_api"], 401, 401),
        (["read_user"], 401, 401),
    ],
)
def test_scopes_open_reading_and_writing(
    world: World, server: RunningServer, owner: Person, scopes: list[str], reads: int, writes: int
) -> None:
    project = world.project(owner, initialize_with_readme=True)
    token = world.token(owner.id, scopes)

    assert refs(server, project, auth=("any", token)).status_code == reads
    assert refs(server, project, auth=("any", token), service="git-receive-pack").status_code == writes


def test_the_token_may_stand_in_any_place(world: World, server: RunningServer, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)

    for auth in (("oauth2", owner.token), (owner.token, ""), (owner.token, "x-oauth-basic"), ("", owner.token)):
        assert refs(server, project, auth=auth).status_code == 200


def test_revoked_tokens_and_blocked_people_are_refused(world: World, server: RunningServer) -> None:
    person = world.user()
    project = world.project(person, initialize_with_readme=True)
    world.admin.ok("POST", f"/users/{person.id}/block")

    answer = refs(server, project, auth=("x", person.token))

    assert (answer.status_code, answer.text) == (403, "403 Forbidden - Your account has been blocked.")


def test_passwords_open_git_until_there_is_a_second_factor(world: World, server: RunningServer, tmp_path: Path) -> None:
    password = "Right-Password-47"
    person = world.user(password=password, force_random_password=False)
    project = world.project(person, initialize_with_readme=True)
    url = address(server, project, None).replace("://", f"://{person.username}:{password}@")
    denied = f"{ACCESS_DENIED} See {server.url}{HELP}"

    here = clone(tmp_path / "here", url)
    here.commit("a.txt")
    here.ok("push", "origin", "main")

    wrong = refs(server, project, auth=(person.username, "wrong"))
    assert (wrong.status_code, wrong.text) == (401, denied)
    settings = {"password_authentication_enabled_for_git": False, "require_two_factor_authentication": True}
    for name, value in settings.items():
        world.admin.ok("PUT", "/application/settings", json={name: value, "two_factor_grace_period": 0})
        try:
            refused = refs(server, project, auth=(person.username, password))
            assert (refused.status_code, refused.text) == (401, denied)
        finally:
            world.admin.ok("PUT", "/application/settings", json={name: not value, "two_factor_grace_period": 48})
    assert refs(server, project, auth=(person.client.ok("GET", "/user")["email"], password)).status_code == 200
    with server.services.db.write() as tx:
        second_factors.enable(tx, server.services, person.id, second_factors.new_secret(), 0)
    # The same words: they do not tell that the password was right.
    refused = refs(server, project, auth=(person.username, password))
    assert (refused.status_code, refused.text) == (401, denied)
    assert refs(server, project, auth=(person.username, person.token)).status_code == 200
    assert httpx.get(f"{server.url}{HELP}", follow_redirects=True, timeout=120).url.path == "/help/git"


def test_passwords_cannot_be_guessed_through_git(world: World, server: RunningServer) -> None:
    password = "Right-Password-47"
    person = world.user(password=password, force_random_password=False)
    project = world.project(person, initialize_with_readme=True)

    def guess_then_know() -> bool:
        for _ in range(10):
            refs(server, project, auth=(person.username, "wrong"))
        return refs(server, project, auth=(person.username, password)).status_code == 401

    assert until(guess_then_know)  # the guesses may fall into two minutes
    assert refs(server, project, auth=(person.username, person.token)).status_code == 200


def test_an_address_cannot_guess_the_passwords_of_many(world: World, server: RunningServer) -> None:
    password = "Right-Password-47"
    person = world.user(password=password, force_random_password=False)
    project = world.project(person, initialize_with_readme=True)

    def guess_then_know() -> bool:
        for _ in range(60):
            hit(server.services.db, "git_password:ip:127.0.0.1", 60)
        return refs(server, project, auth=(person.username, password)).status_code == 401

    try:
        assert until(guess_then_know)  # the guesses may fall into two minutes
        assert refs(server, project, auth=(person.username, person.token)).status_code == 200
    finally:
        with server.services.db.write() as tx:
            tx.execute(delete(rate_windows))
    assert refs(server, project, auth=(person.username, password)).status_code == 200


def test_archived_projects_are_read_only(world: World, server: RunningServer, owner: Person) -> None:
    project = world.project(owner, initialize_with_readme=True)
    owner.client.ok("POST", f"/projects/{project['id']}/archive")

    assert refs(server, project, auth=("x", owner.token)).status_code == 200
    answer = refs(server, project, auth=("x", owner.token), service="git-receive-pack")
    assert answer.status_code == 403
    assert "archived" in answer.text


def test_renamed_projects_redirect(world: World, server: RunningServer, owner: Person, tmp_path: Path) -> None:
    project = world.project(owner, initialize_with_readme=True)
    here = clone(tmp_path / "here", address(server, project, owner.token))
    owner.client.ok("PUT", f"/projects/{project['id']}", json={"path": project["path"] + "-new"})
    here.commit("a.txt")

    here.ok("push", "-q", "origin", "main")
    here.ok("fetch", "-q")

    answer = refs(server, project, auth=("x", owner.token))
    assert answer.status_code == 301
    assert answer.headers["location"].endswith(
        f"/{project['path_with_namespace']}-new.git/info/refs?service=git-upload-pack"
    )
    assert refs(server, project).status_code == 401


def test_addresses_without_git_redirect_to_those_with_it(
    world: World, server: RunningServer, owner: Person, tmp_path: Path
) -> None:
    project = world.project(owner, initialize_with_readme=True, visibility="public")

    GitClient(tmp_path).ok("clone", "-q", f"{server.url}/{project['path_with_namespace']}", "here")

    assert (tmp_path / "here" / "README.md").exists()


def test_old_clients_and_wrong_methods_are_told_so(world: World, server: RunningServer, owner: Person) -> None:
    project = world.project(owner, visibility="public")
    base = f"{server.url}/{project['path_with_namespace']}.git"

    assert plain_http.get(f"{base}/info/refs").status_code == 403
    assert plain_http.get(f"{base}/info/refs", params={"service": "git-evil"}).status_code == 403
    assert plain_http.get(f"{base}/git-upload-pack").status_code == 405
    assert plain_http.post(f"{base}/info/refs", params={"service": "git-upload-pack"}).status_code == 405
    assert plain_http.post(f"{base}/git-receive-pack", content=b"zzzz", auth=("x", owner.token)).status_code == 400
    assert (
        plain_http.get(f"{base}/info/refs?service=git-upload-pack", headers={"Authorization": "Basic ?"}).status_code
        == 401
    )


@pytest.mark.parametrize("version", ["0", "2"])
@pytest.mark.parametrize("service", ["git-upload-pack", "git-receive-pack"])
@pytest.mark.parametrize("body", [b"zzzz", b"ffff", b"0003x", b"0009garba", b"000cgarbage\n0000"])
def test_requests_that_are_no_git_are_refused_as_such(
    world: World, server: RunningServer, owner: Person, service: str, body: bytes, version: str
) -> None:
    project = world.project(owner, initialize_with_readme=True)
    url = f"{server.url}/{project['path_with_namespace']}.git/{service}"

    reply = plain_http.post(url, content=body, auth=("x", owner.token), headers={"Git-Protocol": f"version={version}"})

    what = "push" if service == "git-receive-pack" else "fetch"
    assert (reply.status_code, reply.text) == (400, f"The {what} request is malformed.")


def test_maintainers_of_the_target_push_to_a_fork_that_allows_it(
    world: World, server: RunningServer, owner: Person, tmp_path: Path
) -> None:
    target = world.project(owner, initialize_with_readme=True, visibility="public")
    contributor = world.user()
    fork = contributor.client.ok("POST", f"/projects/{target['id']}/fork", json={})
    wait_for_fork(contributor, fork)
    assert contributor.client.ok("GET", f"/projects/{fork['id']}/repository/branches/main")["protected"]
    world.commit(fork, "topic", {"t.txt": "t\n"})
    here = clone(tmp_path / "here", address(server, fork, owner.token), "--branch", "topic")
    here.commit("more.txt")
    assert "403" in here.refused("push", "origin", "topic")
    request = contributor.client.ok(
        "POST",
        f"/projects/{fork['id']}/merge_requests",
        json={
            "title": "T",
            "source_branch": "topic",
            "target_branch": "main",
            "target_project_id": target["id"],
            "allow_collaboration": True,
        },
    )
    assert request["state"] == "opened"

    here.ok("push", "-q", "origin", "topic")

    said = here.refused("push", "origin", "topic:other")
    assert "GitLab: You are not allowed to push code to this project." in said


def test_pushes_larger_than_the_instance_allows_are_refused(
    world: World, server: RunningServer, owner: Person, tmp_path: Path
) -> None:
    project = world.project(owner, initialize_with_readme=True)
    here = clone(tmp_path / "here", address(server, project, owner.token))
    (here.folder / "big.bin").write_bytes(os.urandom(1_500_000))
    here.ok("add", ".")
    here.ok("commit", "-q", "-m", "Big")
    world.admin.ok("PUT", "/application/settings", json={"receive_max_input_size": 1})

    try:
        said = here.refused("push", "origin", "main")
    finally:
        world.admin.ok("PUT", "/application/settings", json={"receive_max_input_size": None})

    assert "maximum allowed size" in said
    here.ok("push", "-q", "origin", "main")
