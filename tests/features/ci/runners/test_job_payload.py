from __future__ import annotations

import msgspec
import pytest

from ingot.features.ci.config import PlannedJob
from ingot.features.ci.runners.job_facts import Assignment, Dependency, GitFacts, QueueFacts
from ingot.features.ci.runners.job_payload import job_response, refspecs, required_features
from ingot.features.ci.variables.layers import CiVariable
from tests.features.ci.config.compiling import plan

GIT = GitFacts(
    repo_url="http://gitlab-ci-token:glcbt-1@git.test/team/demo.git", ref="main", sha="1" * 40, before_sha="0" * 40,
    is_tag=False, is_protected=True, default_depth=20,
)  # fmt: skip


INSTANCE = "1d9a1a5e-0000-4000-8000-000000000001"


def _job(text: str) -> PlannedJob:
    return plan(text).job("job")


def _body(job: PlannedJob, **given: object) -> dict[str, object]:
    base = Assignment(
        job_id=501, token="glcbt-1", plan=job, pipeline_id=77, project_id=9, project_name="demo",
        project_full_path="team/demo", namespace_id=3, root_namespace_id=3, user_id=5, instance_uuid=INSTANCE,
        runner_id=4, timeout=3600, git=GIT, variables=(CiVariable("CI_JOB_ID", "501"),),
        queue=QueueFacts(seconds=2.5, running_on_instance_runners=0),
    )  # fmt: skip
    body = msgspec.json.encode(job_response(msgspec.structs.replace(base, **given)))
    result: dict[str, object] = msgspec.json.decode(body)
    return result


FULL = """
job:
  image: alpine:3
  services: [{name: postgres:16, alias: db}]
  before_script: [prepare]
  script: [make]
  after_script: [make clean]
  hooks: {pre_get_sources_script: [echo before clone]}
  cache: {key: default, paths: [vendor/]}
  artifacts:
    name: out
    paths: [out/]
    exclude: [out/*.tmp]
    expire_in: 1 week
    reports: {junit: report.xml}
"""


def test_the_whole_answer_to_a_runner() -> None:
    body = _body(
        _job(FULL),
        dependencies=(
            Dependency(id=500, name="prepare", filename="artifacts.zip", size=1234),
            Dependency(id=499, name="x"),
        ),
        registry="images.test",
    )

    features = body.pop("features")
    assert isinstance(features, dict)
    assert "script_failure" in features["failure_reasons"]
    assert body == {
        "id": 501,
        "token": "glcbt-1",
        "allow_git_fetch": True,
        "job_info": {
            "id": 501,
            "name": "job",
            "stage": "test",
            "pipeline_id": 77,
            "project_id": 9,
            "project_name": "demo",
            "project_full_path": "team/demo",
            "namespace_id": 3,
            "root_namespace_id": 3,
            "organization_id": 1,
            "instance_id": INSTANCE,
            "instance_uuid": INSTANCE,
            "user_id": 5,
            "time_in_queue_seconds": 2.5,
            "project_jobs_running_on_instance_runners_count": "0",
            "queue_size": 1,
            "queue_depth": 1,
        },
        "git_info": {
            "repo_url": GIT.repo_url,
            "repo_object_format": "sha1",
            "ref": "main",
            "sha": "1" * 40,
            "before_sha": "0" * 40,
            "ref_type": "branch",
            "refspecs": ["+refs/heads/main:refs/remotes/origin/main"],
            "depth": 20,
            "protected": True,
        },
        "runner_info": {"timeout": 3600, "uuid": body["runner_info"]["uuid"], "runner_session_url": None},
        "inputs": [],
        "variables": [
            {"key": "CI_JOB_ID", "value": "501", "public": True, "masked": False, "file": False, "raw": False}
        ],
        "steps": [
            {
                "name": "script",
                "script": ["prepare", "make"],
                "timeout": 3600,
                "when": "on_success",
                "allow_failure": False,
            },
            {
                "name": "after_script",
                "script": ["make clean"],
                "timeout": 3600,
                "when": "always",
                "allow_failure": True,
            },
        ],
        "hooks": [{"name": "pre_get_sources_script", "script": ["echo before clone"]}],
        "image": {"name": "alpine:3", "entrypoint": None, "ports": [], "executor_opts": {}, "pull_policy": None},
        "services": [
            {
                "name": "postgres:16",
                "alias": "db",
                "command": None,
                "entrypoint": None,
                "ports": [],
                "variables": [],
                "executor_opts": {},
                "pull_policy": None,
            }
        ],
        "artifacts": [
            {
                "name": "out",
                "untracked": False,
                "paths": ["out/"],
                "exclude": ["out/*.tmp"],
                "when": "on_success",
                "expire_in": "1 week",
                "artifact_type": "archive",
                "artifact_format": "zip",
            },
            {
                "name": "junit.xml",
                "paths": ["report.xml"],
                "when": "always",
                "expire_in": "1 week",
                "artifact_type": "junit",
                "artifact_format": "gzip",
            },
        ],
        "cache": [
            {
                "key": "default-protected",
                "untracked": False,
                "policy": "pull-push",
                "paths": ["vendor/"],
                "when": "on_success",
                "fallback_keys": [],
            }
        ],
        "credentials": [
            {"type": "registry", "url": "images.test", "username": "gitlab-ci-token", "password": "glcbt-1"}
        ],
        "dependencies": [
            {
                "id": 500,
                "name": "prepare",
                "token": "glcbt-1",
                "artifacts_file": {"filename": "artifacts.zip", "size": 1234},
            },
            {"id": 499, "name": "x", "token": "glcbt-1"},
        ],
        "secrets": {},
        "policy_options": {"execution_policy_job": False, "policy_name": ""},
    }


def test_a_bare_job_has_no_artifacts_and_no_image() -> None:
    body = _body(_job("job: {script: x}"), queue=QueueFacts(running_on_instance_runners=None), reuses_clone=False)

    assert body["allow_git_fetch"] is False
    assert (body["artifacts"], body["image"], body["services"], body["credentials"]) == (None, None, [], [])
    assert "run" not in body
    info = body["job_info"]
    assert isinstance(info, dict)
    assert info["project_jobs_running_on_instance_runners_count"] == "+Inf"


def test_the_run_keyword_is_sent_as_a_string() -> None:
    body = _body(_job("job: {run: [{name: a, script: echo}]}"))

    assert body["run"] == '[{"name":"a","script":"echo"}]'
    assert body["steps"] == []


@pytest.mark.parametrize(
    ("git", "depth", "expected"),
    [
        ({}, 20, ["+refs/heads/main:refs/remotes/origin/main"]),
        ({"ref": "v1", "is_tag": True}, 20, ["+refs/tags/v1:refs/tags/v1"]),
        ({}, 0, ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]),
        ({"ref": "refs/merge-requests/2/head"}, 20, ["+refs/merge-requests/2/head:refs/merge-requests/2/head"]),
        (
            {"extra_refs": ("refs/pipelines/77",)},
            5,
            ["+refs/pipelines/77:refs/pipelines/77", "+refs/heads/main:refs/remotes/origin/main"],
        ),
        (
            {"extra_refs": ("refs/pipelines/77",), "ref_exists": False},
            5,
            ["+refs/pipelines/77:refs/pipelines/77"],
        ),
    ],
)
def test_only_what_is_needed_is_fetched(git: dict[str, object], depth: int, expected: list[str]) -> None:
    assert list(refspecs(msgspec.structs.replace(GIT, **git), depth)) == expected


@pytest.mark.parametrize(("options", "depth"), [("3", 3), ("0", 0), ("all", 20), ("", 20), ("-1", 20)])
def test_the_depth_follows_the_variable_when_it_is_a_number(options: str, depth: int) -> None:
    body = _body(_job("job: {script: x}"), variables=(CiVariable("GIT_DEPTH", options),))

    info = body["git_info"]
    assert isinstance(info, dict)
    assert info["depth"] == depth


@pytest.mark.parametrize(
    ("keywords", "features"),
    [
        ("", set()),
        ("artifacts: {reports: {junit: x}}", {"upload_multiple_artifacts"}),
        ("artifacts: {paths: [x], exclude: [y]}", {"artifacts_exclude"}),
        ("allow_failure: {exit_codes: 1}", {"return_exit_code"}),
        ("release: {tag_name: v1, description: d}", {"multi_build_steps"}),
    ],
)
def test_a_job_says_what_its_runner_must_be_able_to_do(keywords: str, features: set[str]) -> None:
    job = _job(f"job: {{{keywords + ', ' if keywords else ''}script: x}}")

    assert required_features(job, "main") == features
    assert required_features(job, "refs/merge-requests/1/head") == {*features, "refspecs"}


def test_a_release_line_expands_variables_but_runs_nothing() -> None:
    job = _job("""job: {script: x, release: {tag_name: "$T", description: 'a "b" `id` $(id)'}}""")

    steps = _body(job)["steps"]

    assert isinstance(steps, list)
    assert steps[1]["script"] == ['release-cli create --description "a \\"b\\" \\`id\\` \\$(id)" --tag-name "$T"']


@pytest.mark.parametrize(
    ("cache", "given", "key"),
    [
        ("{paths: [x]}", {}, "default-protected"),
        ("{key: k, paths: [x]}", {"git": msgspec.structs.replace(GIT, is_protected=False)}, "k-non_protected"),
        ("{key: k, paths: [x], unprotect: true}", {}, "k-non_protected"),
        ("{key: k, paths: [x]}", {"separate_caches": False}, "k"),
        ("{key: {files: [a, b], prefix: p}, paths: [x]}", {"file_digests": {("a", "b"): "abc"}}, "p-abc-protected"),
        ("{key: {files: [a]}, paths: [x]}", {}, "default-protected"),
    ],
)
def test_cache_keys_are_kept_apart(cache: str, given: dict[str, object], key: str) -> None:
    result = _body(_job(f"job: {{script: x, cache: {cache}}}"), **given)["cache"]

    assert isinstance(result, list)
    assert result[0]["key"] == key


def test_fallback_keys_are_kept_apart_like_the_key() -> None:
    job = _job("job: {script: x, cache: {key: k, paths: [x], fallback_keys: [a, b]}}")

    def keys(**given: object) -> object:
        return _body(job, **given)["cache"][0]["fallback_keys"]  # type: ignore[index]

    assert keys() == ["a-protected", "b-protected"]
    assert keys(separate_caches=False) == ["a", "b"]


def test_a_runner_has_one_uuid_per_instance() -> None:
    job = _job("job: {script: [x]}")

    def uuid(**given: object) -> object:
        return _body(job, **given)["runner_info"]["uuid"]  # type: ignore[index]

    assert uuid() == uuid(job_id=502)
    assert len({uuid(), uuid(runner_id=5), uuid(instance_uuid=INSTANCE.replace("1d9a", "1d9b"))}) == 3
