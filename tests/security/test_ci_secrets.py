"""CI/CD variables: neither a check of a configuration nor its errors tell their values to others."""

from typing import Any

import pytest

from tests.support.runner import project_runner
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

KEY = "Key-0123456789"  # protected and masked, of the project
PLAIN = "plain-9876543210"  # of the project
GROUP = "group-5555555555"
INSTANCE = "instance-4444444444"
VALUES = (KEY, PLAIN, GROUP, INSTANCE)

STEALING = [
    'include: [{project: "$DEPLOY_KEY", file: x.yml}]',
    'include: [{project: "g/$PLAIN", file: x.yml}]',
    'include: [{local: "$GROUP_KEY.yml"}]',
    'include: [{local: "/a/*$INSTANCE_KEY*.yml"}]',
    'include: [{component: "$CI_SERVER_FQDN/g/p/$DEPLOY_KEY@1"}]',
    'include: [{component: "$DEPLOY_KEY"}]',
    'include: [{remote: "https://$DEPLOY_KEY.invalid/x.yml"}]',
    'include: [{artifact: "$DEPLOY_KEY.yml", job: a}]',
    "".join(
        f"job-{name}: {{script: [x], environment: {{name: e/${name}, url: 'https://${name}.test'}}, tags: [${name}]}}\n"
        for name in ("DEPLOY_KEY", "PLAIN", "GROUP_KEY", "INSTANCE_KEY")
    ),
    'workflow: {name: "$DEPLOY_KEY $PLAIN"}\na: {script: [x], resource_group: "$DEPLOY_KEY"}',
    'spec: {inputs: {x: {default: "$PLAIN$DEPLOY_KEY"}}}\n---\n"$[[ inputs.x | expand_vars ]]": {script: [x]}',
    'spec: {inputs: {x: {default: "$GROUP_KEY"}}}\n---\na: {script: [x], stage: "$[[ inputs.x | expand_vars ]]"}',
]


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def group(world: World, owner: Person) -> dict[str, Any]:
    world.admin.ok("POST", "/admin/ci/variables", json={"key": "INSTANCE_KEY", "value": INSTANCE})
    created = world.group(owner, visibility="public")
    owner.client.ok("POST", f"/groups/{created['id']}/variables", json={"key": "GROUP_KEY", "value": GROUP})
    return created


def make(world: World, owner: Person, group: dict[str, Any], config: str = "ok: {script: [x]}") -> dict[str, Any]:
    """A public project with variables; main is protected."""
    created = world.project(owner, namespace_id=group["id"], initialize_with_readme=True, visibility="public")
    place = f"/projects/{created['id']}/variables"
    secret = {"key": "DEPLOY_KEY", "value": KEY, "protected": True, "masked": True}
    owner.client.ok("POST", place, json=secret)
    owner.client.ok("POST", place, json={"key": "PLAIN", "value": PLAIN})
    world.commit(created, "main", {".gitlab-ci.yml": config}, message="CI [skip ci]", user_id=owner.id)
    return created


@pytest.fixture(scope="module")
def project(world: World, owner: Person, group: dict[str, Any]) -> dict[str, Any]:
    return make(world, owner, group)


@pytest.fixture(scope="module")
def developer(world: World, owner: Person, project: dict[str, Any]) -> Person:
    """May push branches, but not to main."""
    person = world.user()
    world.member(project, person, "developer")
    base = f"/projects/{project['id']}/protected_branches"
    owner.client.delete(f"{base}/main")
    owner.client.ok("POST", base, json={"name": "main", "push_access_level": 40, "merge_access_level": 40})
    return person


def silent(text: str, values: tuple[str, ...] = VALUES) -> bool:
    return not any(value in text for value in values)


def foreign_commit(world: World, project: dict[str, Any], config: str) -> str:
    """A commit of a stranger's fork, which a merge request brought into the project's repository."""
    stranger = world.user()
    fork = stranger.client.ok("POST", f"/projects/{project['id']}/fork", json={"path": world.name("fork")})
    world.run_jobs()
    sha = world.commit(fork, "theft", {".gitlab-ci.yml": config}, message="x [skip ci]", user_id=stranger.id)
    body = {"source_branch": "theft", "target_branch": "main", "title": "x", "target_project_id": project["id"]}
    stranger.client.ok("POST", f"/projects/{fork['id']}/merge_requests", json=body)
    world.run_jobs()
    return sha


@pytest.mark.parametrize("config", STEALING)
def test_a_commit_of_a_fork_learns_no_variable(
    world: World, project: dict[str, Any], developer: Person, owner: Person, config: str
) -> None:
    sha = foreign_commit(world, project, config)
    url = f"/projects/{project['id']}/ci/lint"
    reader = world.user()

    for client in (world.anonymous, reader.client, developer.client, owner.client):
        for name in ("content_ref", "sha"):
            for more in ({}, {"dry_run_ref": "main"}, {"ref": "main"}):
                given = {name: sha, "dry_run": "true", "include_jobs": "true", **more}
                answer = client.get(url, **given)
                assert answer.status_code == 200, answer.text
                assert silent(answer.text), answer.text


@pytest.mark.parametrize("config", STEALING)
def test_a_text_learns_no_variable(
    world: World, project: dict[str, Any], developer: Person, owner: Person, config: str
) -> None:
    url = f"/projects/{project['id']}/ci/lint"
    for client in (developer.client, owner.client):
        for ref in (None, "main"):
            body = {"content": config, "dry_run": True, "include_jobs": True, **({"ref": ref} if ref else {})}
            answer = client.post(url, json=body)
            assert answer.status_code == 200, answer.text
            assert silent(answer.text), answer.text
    assert world.anonymous.post(url, json={"content": config}).status_code == 401


def test_conditions_of_a_foreign_text_answer_no_guesses(project: dict[str, Any], developer: Person) -> None:
    guess = f'right: {{script: [x], rules: [{{if: $DEPLOY_KEY == "{KEY}"}}]}}\nall: {{script: [x]}}'
    body = {"content": guess, "dry_run": True, "include_jobs": True, "ref": "main"}
    checked = developer.client.ok("POST", f"/projects/{project['id']}/ci/lint", json=body)

    assert [job["name"] for job in checked["jobs"]] == ["all"]


SHOWING = "a: {script: [x], environment: {name: e/$DEPLOY_KEY/$PLAIN/$GROUP_KEY/$INSTANCE_KEY}}"


def test_only_those_who_may_run_the_file_of_a_ref_see_its_values(
    world: World, owner: Person, group: dict[str, Any]
) -> None:
    project = make(world, owner, group, SHOWING)
    developer, reporter = world.user(), world.user()
    world.member(project, developer, "developer")
    world.member(project, reporter, "reporter")
    base = f"/projects/{project['id']}"
    owner.client.delete(f"{base}/protected_branches/main")
    rule = {"name": "main", "push_access_level": 40, "merge_access_level": 40}
    owner.client.ok("POST", f"{base}/protected_branches", json=rule)
    world.commit(project, "topic", {"a.txt": "a"}, message="x [skip ci]", user_id=developer.id)
    reading = world.server.client(world.token(owner.id, ["read_api"]))

    def environment(client: Any, **more: Any) -> str | None:
        checked = client.ok("GET", f"{base}/ci/lint", params={**more, "dry_run": "true", "include_jobs": "true"})
        shown: str | None = checked["jobs"][0]["environment"]
        return shown

    everything = f"e/{KEY}/{PLAIN}/{GROUP}/{INSTANCE}"
    assert environment(owner.client) == everything
    text = {"content": SHOWING, "dry_run": True, "include_jobs": True, "ref": "main"}
    assert owner.client.ok("POST", f"{base}/ci/lint", json=text)["jobs"][0]["environment"] == everything
    for client in (developer.client, reporter.client, world.anonymous, reading):
        assert environment(client) == "e////"
    assert developer.client.ok("POST", f"{base}/ci/lint", json=text)["jobs"][0]["environment"] == "e////"
    # A branch of one's own has what its jobs would get: nothing that is protected.
    own = {"content_ref": "topic", "dry_run_ref": "topic"}
    assert environment(developer.client, **own) == f"e//{PLAIN}/{GROUP}/{INSTANCE}"
    assert environment(reporter.client, **own) == "e////"
    # The text of one ref in the name of another is nobody's own.
    assert environment(owner.client, content_ref="topic", dry_run_ref="main") == "e////"


PLAIN_INPUT = 'spec: {inputs: {x: {default: "$PLAIN"}}}\n---\n'
FAULTY = [
    *STEALING[:8],
    'include: [{local: "$PLAIN/x.txt"}]',
    'include: [{local: ["ok.yml", "$PLAIN.yml"]}]',
    'include: [{local: "files/$PLAIN.yml"}]',
    'include: [{local: "files/*$PLAIN*.yml"}]',
    'include: [{project: "$PATH_OF_PROJECT", file: "$PLAIN.yml"}]',
    'include: [{project: "$PATH_OF_PROJECT", file: "files/$PLAIN.yml"}]',
    'spec: {inputs: {x: {default: "$DEPLOY_KEY"}}}\n---\n"$[[ inputs.x | expand_vars ]]": {script: [x]}',
    PLAIN_INPUT + 'a: {script: [x], stage: "$[[ inputs.x | expand_vars ]]"}',
    PLAIN_INPUT + '"$[[ inputs.x | expand_vars ]]": {script: [x], needs: [gone]}',
    PLAIN_INPUT + 'a: {script: [x], "$[[ inputs.x | expand_vars ]]": 1}',
    PLAIN_INPUT + 'a: {script: [x], needs: ["$[[ inputs.x | expand_vars | truncate(0,16) ]]"]}',
    PLAIN_INPUT + 'include: [{local: "$[[ inputs.x | expand_vars ]].yml"}]',
    PLAIN_INPUT + '"$[[ inputs.x | expand_vars ]]": {script: [x], tags: ["' + "t" * 300 + '"]}',
    'include: [{local: given.yml, inputs: {x: "$PLAIN"}}]',
]  # fmt: skip
FILES = {
    "ok.yml": "ok: {script: [x]}",
    f"files/{PLAIN}.yml": "a: [b",
    "given.yml": 'spec: {inputs: {x: {}}}\n---\na: {script: [x], stage: "$[[ inputs.x | expand_vars ]]"}',
}


@pytest.mark.parametrize("config", FAULTY)
def test_no_error_of_a_pipeline_holds_a_value(world: World, owner: Person, group: dict[str, Any], config: str) -> None:
    project = make(world, owner, group)
    base = f"/projects/{project['id']}"
    path = {"key": "PATH_OF_PROJECT", "value": project["path_with_namespace"]}
    owner.client.ok("POST", f"{base}/variables", json=path)
    world.commit(project, "main", {".gitlab-ci.yml": config, **FILES}, user_id=owner.id)
    world.run_jobs()

    pushed = owner.client.ok("GET", f"{base}/pipelines?per_page=1")[0]["id"]
    shown = world.anonymous.get(f"{base}/pipelines/{pushed}")
    refused = owner.client.post(f"{base}/pipeline", json={"ref": "main"})
    trigger = owner.client.ok("POST", f"{base}/triggers", json={"description": "t"})
    triggered = world.anonymous.post(f"{base}/trigger/pipeline?token={trigger['token']}&ref=main")
    checked = owner.client.get(f"{base}/ci/lint", dry_run="true")

    assert shown.json()["yaml_errors"], "the file should be faulty"
    assert refused.status_code == 400
    assert triggered.status_code == 400
    assert checked.json()["errors"]
    partly = (*VALUES, PLAIN[:16], PLAIN[:8])
    for text in (shown.json()["yaml_errors"], refused.text, triggered.text, str(checked.json()["errors"])):
        assert silent(text, partly), text


def test_errors_name_things_as_they_are_written(world: World, owner: Person, group: dict[str, Any]) -> None:
    config = 'include: [{project: "$CI_PROJECT_NAMESPACE/$PLAIN", file: x.yml}]'
    project = make(world, owner, group, config)
    refused = owner.client.post(f"/projects/{project['id']}/pipeline", json={"ref": "main"}).json()["message"]["base"]
    given = [{"key": "CI_PROJECT_NAMESPACE", "value": "given-secret"}]
    other = owner.client.post(f"/projects/{project['id']}/pipeline", json={"ref": "main", "variables": given})

    assert refused[0].startswith(f"Project `{group['full_path']}/$PLAIN` not found or access denied!")
    assert "given-secret" not in other.text
    assert "`$CI_PROJECT_NAMESPACE/$PLAIN`" in other.text


def test_a_pipeline_uses_its_variables_all_the_same(world: World, owner: Person, group: dict[str, Any]) -> None:
    config = """
spec: {inputs: {x: {default: "$PLAIN"}}}
---
include: [{local: "files/$PLAIN.yml"}]
workflow: {name: "$PLAIN and $DEPLOY_KEY"}
"$[[ inputs.x | expand_vars ]]": {script: [x], environment: {name: e/$PLAIN}}
"""
    project = make(world, owner, group, config)
    files = {f"files/{PLAIN}.yml": "included: {script: [x]}"}
    world.commit(project, "main", files, message="x [skip ci]", user_id=owner.id)
    base = f"/projects/{project['id']}"
    created = owner.client.ok("POST", f"{base}/pipeline", json={"ref": "main"})
    jobs = owner.client.get(f"{base}/pipelines/{created['id']}/jobs").json()

    assert sorted(job["name"] for job in jobs) == ["included", PLAIN]
    assert owner.client.ok("GET", f"{base}/pipelines/{created['id']}")["name"] == f"{PLAIN} and [MASKED]"
    assert [one["name"] for one in owner.client.get(f"{base}/environments").json()] == [f"e/{PLAIN}"]
    job = project_runner(world, project).take()
    assert job.variable("DEPLOY_KEY") == KEY


def test_a_child_of_a_forks_merge_request_gets_nothing_protected(
    world: World, owner: Person, group: dict[str, Any]
) -> None:
    project = make(world, owner, group)
    base = f"/projects/{project['id']}"
    owner.client.ok("POST", f"{base}/protected_branches", json={"name": "*", "push_access_level": 40})
    developer = world.user()
    world.member(project, developer, "developer")
    fork = developer.client.ok("POST", f"{base}/fork", json={"path": world.name("fork")})
    world.run_jobs()
    rules = "rules: [{if: $CI_MERGE_REQUEST_IID}]"
    config = f"below: {{trigger: {{include: child.yml}}, {rules}}}\nbeside: {{script: [x], {rules}}}"
    child = "steal: {script: [x], environment: {name: e/k$DEPLOY_KEY}}"
    files = {".gitlab-ci.yml": config, "child.yml": child}
    world.commit(fork, "theft", files, message="x [skip ci]", user_id=developer.id)
    body = {"source_branch": "theft", "target_branch": "main", "title": "x", "target_project_id": project["id"]}
    request = developer.client.ok("POST", f"/projects/{fork['id']}/merge_requests", json=body)
    developer.client.post(f"{base}/merge_requests/{request['iid']}/pipelines")
    world.run_jobs()

    runner = project_runner(world, project)
    taken = {}
    while (answer := runner.ask()).status_code == 201:
        taken[answer.json()["job_info"]["name"]] = answer.json()

    assert set(taken) == {"steal", "beside"}
    for response in taken.values():
        sent = {one["key"]: one["value"] for one in response["variables"]}
        assert KEY not in sent.values()
        assert "DEPLOY_KEY" not in sent
        assert sent["PLAIN"] == PLAIN
    assert silent(world.anonymous.get(f"{base}/environments").text, (KEY,))
