"""Push mirrors: here, from one project of a server to another."""

from typing import Any

import gitlab
import pytest

from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    world.admin.ok("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": True})
    return world.user()


@pytest.fixture
def source(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


@pytest.fixture
def target(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner)


def address(target: dict[str, Any], token: str) -> str:
    return str(target["http_url_to_repo"]).replace("://", f"://oauth2:{token}@")


def refs(owner: Person, project: dict[str, Any]) -> dict[str, str]:
    base = f"/projects/{project['id']}/repository"
    found = owner.client.ok("GET", f"{base}/branches") + owner.client.ok("GET", f"{base}/tags")
    return {one["name"]: one["commit"]["id"] for one in found}


def branch(owner: Person, project: dict[str, Any], name: str, text: str = "x") -> None:
    path = f"/projects/{project['id']}/repository/files/{name}.txt"
    body = {"branch": name, "start_branch": "main", "commit_message": name, "content": text}
    owner.client.ok("POST", path, json=body)


def test_changes_are_pushed_on(world: World, owner: Person, source: dict[str, Any], target: dict[str, Any]) -> None:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        mirrors = client.projects.get(source["id"]).remote_mirrors
        mirror = mirrors.create({"url": address(target, owner.token)})
        assert (mirror.enabled, mirror.update_status, mirror.last_update_at) == (False, "none", None)
        host = target["http_url_to_repo"].partition("://")[2]
        assert mirror.url == f"http://*****:*****@{host}"
        mirror.enabled = True
        mirror.save()
        assert mirror.update_status == "scheduled"
        world.run_jobs()
        (mirror,) = mirrors.list()
        assert (mirror.update_status, mirror.last_error) == ("finished", None)
        assert mirror.last_successful_update_at == mirror.last_update_at >= mirror.last_update_started_at
        assert refs(owner, target) == refs(owner, source)

        branch(owner, source, "side")
        base = f"/projects/{source['id']}/repository"
        owner.client.ok("POST", f"{base}/tags", json={"tag_name": "v1", "ref": "main", "message": "one"})
        world.run_jobs()
        assert refs(owner, target) == refs(owner, source)
        assert set(refs(owner, target)) == {"main", "side", "v1"}

        owner.client.ok("DELETE", f"{base}/branches/side")
        branch(owner, target, "theirs")
        assert owner.client.post(f"/projects/{source['id']}/remote_mirrors/{mirror.id}/sync").status_code == 204
        world.run_jobs()
        assert refs(owner, target) == refs(owner, source)
        mirror.delete()
        assert mirrors.list() == []


def test_what_diverged_is_kept_and_branches_are_chosen(
    world: World, owner: Person, source: dict[str, Any], target: dict[str, Any]
) -> None:
    path, call = f"/projects/{source['id']}/remote_mirrors", owner.client.ok
    body = {"url": address(target, owner.token), "enabled": True, "mirror_branch_regex": "^rel"}
    mirror = call("POST", path, json=body)
    assert (mirror["mirror_branch_regex"], mirror["only_protected_branches"]) == ("^rel", False)
    for name in ("release", "other"):
        branch(owner, source, name)
    world.run_jobs()
    assert set(refs(owner, target)) == {"release"}

    one = f"{path}/{mirror['id']}"
    changed = call("PUT", one, json={"only_protected_branches": True, "keep_divergent_refs": True})
    assert (changed["mirror_branch_regex"], changed["only_protected_branches"]) == (None, True)
    call("POST", f"/projects/{source['id']}/protected_branches", json={"name": "release"})
    file = {"branch": "release", "commit_message": "theirs", "content": "theirs"}
    call("POST", f"/projects/{target['id']}/repository/files/theirs.txt", json=file)
    before = refs(owner, target)["release"]
    call("POST", f"{one}/sync")
    world.run_jobs()
    shown = call("GET", one)
    assert shown["update_status"] == "failed"
    assert shown["last_error"] == (
        "Some refs have diverged and have not been updated on the remote:\n\nrefs/heads/release"
    )
    assert refs(owner, target) == {"release": before, "main": refs(owner, source)["main"]}


def test_failures_are_told_without_the_password(world: World, owner: Person, source: dict[str, Any]) -> None:
    path, client = f"/projects/{source['id']}/remote_mirrors", owner.client
    nowhere = f"http://someone:s3cret@{world.server.url.partition('://')[2]}/no/where.git"
    mirror = client.ok("POST", path, json={"url": nowhere, "enabled": True})
    world.run_jobs()
    shown = client.ok("GET", f"{path}/{mirror['id']}")
    assert shown["update_status"] == "to_retry"
    assert "Authentication failed" in shown["last_error"]
    assert "s3cret" not in str(shown)

    def refused(**body: Any) -> tuple[int, Any]:
        answer = client.post(path, json=body)
        return answer.status_code, answer.json()

    assert refused() == (400, {"error": "url is missing"})
    text = "is blocked: Only allowed schemes are git, http, https, ssh"
    assert refused(url="file:///etc") == (400, {"message": {"url": [text]}})
    text = "is blocked: Username needs to start with an alphanumeric character"
    assert refused(url="ssh://-oProxyCommand=x@a.example/b") == (400, {"message": {"url": [text]}})
    for user in ("a%2Fb", "a%40b", "%5Bb", "", "a%0Ab"):
        code, answer = refused(url=f"ssh://{user}:word@a.example:2222/b")
        assert (code, "Username" in str(answer)) == (400, True)
    both = refused(url="https://a.example", only_protected_branches=True, mirror_branch_regex="a")
    assert both == (400, {"error": "only_protected_branches, mirror_branch_regex are mutually exclusive"})
    assert refused(url="https://a.example", host_keys=["x"]) == (400, {"message": {"host_keys": ["are invalid"]}})
    client.ok("PUT", f"{path}/{mirror['id']}", json={"enabled": False})
    stopped = client.post(f"{path}/{mirror['id']}/sync")
    text = "Cannot proceed with the push mirroring. Please verify your mirror configuration."
    assert (stopped.status_code, stopped.json()) == (400, {"message": text})
    assert client.get(f"{path}/0").json() == {"message": "404 Not found"}


def test_only_maintainers_see_mirrors(world: World, owner: Person, source: dict[str, Any]) -> None:
    path, developer = f"/projects/{source['id']}/remote_mirrors", world.user()
    world.member(source, developer, "developer")
    for answer in (developer.client.get(path), developer.client.post(path, json={"url": "https://a.example"})):
        assert (answer.status_code, answer.json()) == (401, {"message": "401 Unauthorized"})
    assert world.user().client.get(path).status_code == 404


def test_local_addresses_are_refused_unless_allowed(world: World, source: dict[str, Any], owner: Person) -> None:
    name = "allow_local_requests_from_web_hooks_and_services"
    world.admin.ok("PUT", "/application/settings", json={name: False})
    try:
        body = {"url": "ssh://git@10.0.0.1/a.git"}
        answer = owner.client.post(f"/projects/{source['id']}/remote_mirrors", json=body)
    finally:
        world.admin.ok("PUT", "/application/settings", json={name: True})
    text = "is blocked: Requests to the local network are not allowed"
    assert (answer.status_code, answer.json()) == (400, {"message": {"url": [text]}})
