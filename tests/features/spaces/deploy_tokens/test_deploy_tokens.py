"""Deploy tokens: made, listed, deleted, and used by git and jobs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gitlab
import pytest

from tests.features.code.git_http.git_client import GitClient, address, clone
from tests.support.runner import project_runner
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def api(world: World, owner: Person) -> Iterator[gitlab.Gitlab]:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        yield client


@pytest.fixture(scope="module")
def group(world: World, owner: Person) -> dict[str, Any]:
    return world.group(owner, visibility="private")


@pytest.fixture(scope="module")
def project(world: World, owner: Person, group: dict[str, Any]) -> dict[str, Any]:
    created = world.project(owner, namespace_id=group["id"], initialize_with_readme=True)
    world.commit(created, "main", {".gitlab-ci.yml": "job: {script: 'true'}"}, message="x [skip ci]", user_id=owner.id)
    return created


@pytest.mark.parametrize("kind", ["projects", "groups"])
def test_from_creation_to_removal(
    api: gitlab.Gitlab, kind: str, project: dict[str, Any], group: dict[str, Any]
) -> None:
    place = getattr(api, kind).get((project if kind == "projects" else group)["id"])

    token = place.deploytokens.create(
        {"name": "foo", "username": "bar", "expires_at": "2050-01-31", "scopes": ["read_registry"]}
    )

    assert token.token.startswith("gldt-")
    assert (token.username, token.scopes, token.revoked, token.expired) == ("bar", ["read_registry"], False, False)
    assert token.expires_at == "2050-01-31T00:00:00Z"
    listed = place.deploytokens.list()[-1]
    assert listed.id == token.id
    assert not hasattr(listed, "token")
    assert place.deploytokens.get(token.id).name == "foo"
    assert token.id in [one.id for one in place.deploytokens.list(active=True)]
    token.delete()
    assert token.id not in [one.id for one in place.deploytokens.list()]
    with pytest.raises(gitlab.GitlabDeleteError, match="404 Not found"):
        place.deploytokens.delete(token.id)


def test_tokens_fetch_and_never_push(
    world: World, owner: Person, project: dict[str, Any], group: dict[str, Any], tmp_path: Path
) -> None:
    other = world.project(owner)
    git = GitClient(tmp_path)
    body = {"name": "ci", "scopes": ["read_repository"]}
    for index, place in enumerate((f"/projects/{project['id']}", f"/groups/{group['id']}")):
        token = owner.client.ok("POST", f"{place}/deploy_tokens", json=body)
        url = address(world.server, project, token["token"], token["username"])

        work = clone(tmp_path / str(index), url)
        work.commit("new.txt")

        assert token["username"] == f"gitlab+deploy-token-{token['id']}"
        assert "You are not allowed to upload code" in work.refused("push", "origin", "HEAD:refs/heads/new")
        git = GitClient(tmp_path)
        assert "Access denied" in git.refused(
            "ls-remote", address(world.server, other, token["token"], token["username"])
        )
        assert "Access denied" in git.refused("ls-remote", address(world.server, project, token["token"], "somebody"))
        assert world.server.client(token["token"]).get("/projects").status_code == 401
        owner.client.delete(f"{place}/deploy_tokens/{token['id']}")
        assert "Access denied" in git.refused("ls-remote", url)


def test_expired_tokens_and_tokens_for_something_else_fetch_nothing(
    world: World, owner: Person, project: dict[str, Any], tmp_path: Path
) -> None:
    place = f"/projects/{project['id']}/deploy_tokens"
    expired = {"name": "old", "scopes": ["read_repository"], "expires_at": "2020-01-01"}
    for body in (expired, {"name": "packages", "scopes": "read_package_registry,write_package_registry"}):
        token = owner.client.ok("POST", place, json=body)
        url = address(world.server, project, token["token"], token["username"])
        assert "Access denied" in GitClient(tmp_path).refused("ls-remote", url)

    assert [token["name"] for token in owner.client.ok("GET", f"{place}?active=false")] == ["old"]
    assert "old" not in [token["name"] for token in owner.client.ok("GET", f"{place}?active=true")]


def test_jobs_are_told_the_token_that_is_named_for_them(world: World, owner: Person, project: dict[str, Any]) -> None:
    body = {"name": "gitlab-deploy-token", "scopes": ["read_repository"], "username": "deployer"}
    token = owner.client.ok("POST", f"/projects/{project['id']}/deploy_tokens", json=body)
    runner = project_runner(world, project)
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})

    job = runner.take()

    assert (job.variable("CI_DEPLOY_USER"), job.variable("CI_DEPLOY_PASSWORD")) == ("deployer", token["token"])


def test_wrong_input(owner: Person, project: dict[str, Any]) -> None:
    place = f"/projects/{project['id']}/deploy_tokens"
    wrong = {
        "Scopes can't be blank": {"name": "t", "scopes": []},
        "Username can contain only letters, digits, '_', '-', '+', and '.'": {
            "name": "t", "scopes": ["read_registry"], "username": "a b",
        },
    }  # fmt: skip

    for message, body in wrong.items():
        refused = owner.client.post(place, json=body)
        assert (refused.status_code, refused.json()) == (400, {"message": message})
    assert owner.client.post(place, json={"name": "t", "scopes": ["api"]}).json() == {
        "error": "scopes does not have a valid value"
    }


def test_roles(world: World, owner: Person, project: dict[str, Any], group: dict[str, Any]) -> None:
    maintainer, developer = world.user(), world.user()
    world.member(group, maintainer, "maintainer", kind="groups")
    world.member(group, developer, "developer", kind="groups")
    body = {"name": "t", "scopes": ["read_repository"]}

    assert maintainer.client.get(f"/groups/{group['id']}/deploy_tokens").status_code == 200
    assert maintainer.client.post(f"/groups/{group['id']}/deploy_tokens", json=body).status_code == 403
    assert maintainer.client.post(f"/projects/{project['id']}/deploy_tokens", json=body).status_code == 201
    assert developer.client.get(f"/projects/{project['id']}/deploy_tokens").status_code == 403
    assert world.anonymous.get(f"/projects/{project['id']}/deploy_tokens").status_code == 401
    assert owner.client.get("/deploy_tokens").status_code == 403
    assert world.admin.queries("/deploy_tokens", per_page=1) == world.admin.queries("/deploy_tokens", per_page=4)
