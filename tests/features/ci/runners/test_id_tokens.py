"""`id_tokens` of jobs: signed by the keys that the server publishes, with claims that a project cannot choose."""

from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from ingot.identity import signing_keys
from tests.support import plain_http
from tests.support.runner import WireJob, WireRunner, project_runner
from tests.support.world import Person, World

CONFIG = """
default:
  id_tokens: {DEFAULT_TOKEN: {aud: https://vault.example}}
variables: {PLACE: example.org, CI_PROJECT_PATH: victim/secrets, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "1"}
build:
  timeout: 10 minutes
  environment: {name: production, deployment_tier: production}
  id_tokens:
    ONE: {aud: "https://$PLACE"}
    MANY: {aud: [a, b]}
  script: [make]
plain: {script: [make]}
request:
  id_tokens: {ONE: {aud: x}}
  rules: [{if: $CI_PIPELINE_SOURCE == "merge_request_event"}]
  script: [make]
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person) -> dict[str, Any]:
    created = world.project(owner, visibility="public")
    world.commit(created, "main", {".gitlab-ci.yml": CONFIG}, message="Begin [ci skip]")
    world.run_jobs()
    return created


def claims_of(world: World, token: str | None) -> dict[str, Any]:
    """The claims of a token that the published keys verify."""
    assert token is not None
    result = plain_http.get(f"{world.server.url}/.well-known/openid-configuration").json()
    keys = KeySet.import_key_set(plain_http.get(result["jwks_uri"]).json())
    claims: dict[str, Any] = jwt.decode(token, keys, algorithms=["RS256"]).claims
    assert claims["iss"] == result["issuer"]
    return claims


def taken(runner: WireRunner, *names: str) -> dict[str, WireJob]:
    """Jobs by name, as the runner gets them."""
    jobs = [runner.take() for _ in names]
    assert {job.name for job in jobs} == set(names)
    return {job.name: job for job in jobs}


def test_a_job_proves_what_it_is(world: World, project: dict[str, Any], owner: Person) -> None:
    pipeline = owner.client.ok("POST", f"/projects/{project['id']}/pipeline?ref=main")
    jobs = taken(project_runner(world, project, run_untagged=True), "build", "plain")
    build = jobs["build"]

    claims = claims_of(world, build.variable("ONE"))

    path, group = project["path_with_namespace"], project["namespace"]
    expected = {
        "aud": "https://example.org", "sub": f"project_path:{path}:ref_type:branch:ref:main",
        "project_id": str(project["id"]), "project_path": path, "namespace_id": str(group["id"]),
        "namespace_path": group["full_path"], "job_project_path": path, "user_id": str(owner.id),
        "user_login": owner.username, "user_access_level": "owner", "pipeline_id": str(pipeline["id"]),
        "pipeline_source": "api", "job_id": str(build.id), "ref": "main", "ref_type": "branch",
        "ref_path": "refs/heads/main", "ref_protected": "true", "sha": pipeline["sha"],
        "environment": "production", "deployment_tier": "production", "environment_action": "start",
        "runner_environment": "self-hosted", "project_visibility": "public", "ci_config_sha": pipeline["sha"],
    }  # fmt: skip
    assert {name: claims.get(name) for name in expected} == expected
    assert claims.keys().isdisjoint({"groups_direct", "user_identities"})
    assert claims["ci_config_ref_uri"].endswith(f"/{path}//.gitlab-ci.yml@refs/heads/main")
    assert (claims["exp"] - claims["iat"], claims["iat"] - claims["nbf"]) == (600, 5)
    many = claims_of(world, build.variable("MANY"))
    assert many["aud"] == ["a", "b"]
    assert many["jti"] != claims["jti"]
    shown = {one["key"]: one for one in build.response["variables"]}
    assert (shown["ONE"]["masked"], shown["ONE"]["public"]) == (True, False)
    assert build.variable("DEFAULT_TOKEN") is None
    assert claims_of(world, jobs["plain"].variable("DEFAULT_TOKEN"))["aud"] == "https://vault.example"
    assert not [one for one in shown if one.startswith("CI_JOB_JWT")]


def test_a_flag_adds_the_groups_of_the_user_who_may_add_accounts(
    world: World, project: dict[str, Any], owner: Person
) -> None:
    group = world.group(owner)
    identity = {"provider": "openid_connect", "extern_uid": world.name("uid")}
    world.admin.ok("PUT", f"/users/{owner.id}", json=identity)
    preference = {"pass_user_identities_to_ci_jwt": True}
    usual = owner.client.ok("GET", "/user/preferences")
    changed = owner.client.ok("PUT", "/user/preferences", json=preference)
    world.admin.ok("POST", "/features/ci_jwt_groups_direct", json={"value": True})
    try:
        owner.client.ok("POST", f"/projects/{project['id']}/pipeline?ref=main")
        jobs = taken(project_runner(world, project, run_untagged=True), "build", "plain")
    finally:
        world.admin.ok("DELETE", "/features/ci_jwt_groups_direct")
        owner.client.ok("PUT", "/user/preferences", json={"pass_user_identities_to_ci_jwt": False})

    claims = claims_of(world, jobs["build"].variable("ONE"))
    assert group["full_path"] in claims["groups_direct"]
    assert claims["user_identities"] == [identity]
    assert usual == {
        "id": owner.id, "user_id": owner.id, "view_diffs_file_by_file": False, "show_whitespace_in_diffs": True,
        "pass_user_identities_to_ci_jwt": False,
    }  # fmt: skip
    assert changed == {**usual, **preference}
    empty = owner.client.put("/user/preferences", json={})
    assert (empty.status_code, "at least one parameter must be provided" in empty.text) == (400, True)


def test_tokens_are_no_credentials_here(world: World, project: dict[str, Any], owner: Person) -> None:
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline?ref=main")
    jobs = taken(project_runner(world, project, run_untagged=True), "build", "plain")
    token = jobs["build"].variable("ONE")

    for headers in ({"Authorization": f"Bearer {token}"}, {"PRIVATE-TOKEN": token}, {"JOB-TOKEN": token}):
        assert plain_http.get(f"{world.server.url}/api/v4/user", headers=headers).status_code == 401


def test_a_fork_does_not_get_the_name_of_its_target(world: World, project: dict[str, Any], owner: Person) -> None:
    stranger = world.user()
    fork = stranger.client.ok("POST", f"/projects/{project['id']}/fork")
    world.run_jobs()
    world.commit(fork, "change", {"x.txt": "x"}, message="Change [ci skip]")
    world.run_jobs()
    body = {"source_branch": "change", "target_branch": "main", "title": "T", "target_project_id": project["id"]}
    stranger.client.ok("POST", f"/projects/{fork['id']}/merge_requests", json=body)
    world.run_jobs()
    owner.client.ok("POST", f"/projects/{project['id']}/merge_requests/1/pipelines")
    job = taken(project_runner(world, project, run_untagged=True), "request")["request"]

    claims = claims_of(world, job.variable("ONE"))

    assert claims["project_path"] == fork["path_with_namespace"]
    assert claims["sub"] == f"project_path:{fork['path_with_namespace']}:ref_type:branch:ref:change"
    assert (claims["ref"], claims["job_project_path"]) == ("change", project["path_with_namespace"])


def test_a_rotated_key_still_verifies_running_jobs(world: World, project: dict[str, Any], owner: Person) -> None:
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline?ref=main")
    build = taken(project_runner(world, project, run_untagged=True), "build", "plain")["build"]

    signing_keys.rotate(world.server.services)

    assert claims_of(world, build.variable("ONE"))["job_id"] == str(build.id)
