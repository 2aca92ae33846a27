from __future__ import annotations

import msgspec
import pytest

from ingot.features.ci.variables.facts import (
    CommitFacts,
    EnvironmentFacts,
    JobFacts,
    MergeRequestFacts,
    PipelineFacts,
    ProjectFacts,
    RunnerFacts,
    ServerFacts,
    UserFacts,
)
from ingot.features.ci.variables.layers import CiVariable, as_scope, is_maskable, layered
from ingot.features.ci.variables.predefined import job_variables, pipeline_variables
from ingot.kit.slugs import environment_slug, environment_tier, ref_slug

SERVER = ServerFacts(url="https://git.test:8443", version="18.2.1")
PROJECT = ProjectFacts(
    id=9, path="demo", full_path="team/sub/demo", title="Demo", namespace_id=3, url="https://git.test:8443/team/sub/demo",
    visibility="private", default_branch="main",
)  # fmt: skip
PIPELINE = PipelineFacts(
    id=77, iid=4, source="push", url="u", created_at="2030-01-01T00:00:00Z", ref="feature/Login", is_tag=False,
    is_protected=False,
    commit=CommitFacts(sha="1" * 40, before_sha="0" * 40, message="Title\n\nBody\n", author="A <a@x>", timestamp="t"),
)  # fmt: skip
USER = UserFacts(id=5, username="ann", name="Ann", email="ann@x.test")


def test_a_branch_pipeline_knows_its_branch() -> None:
    scope = as_scope(pipeline_variables(SERVER, PROJECT, PIPELINE, USER))

    expected = {
        "CI_COMMIT_BRANCH": "feature/Login",
        "CI_COMMIT_REF_SLUG": "feature-login",
        "CI_COMMIT_SHORT_SHA": "11111111",
        "CI_COMMIT_TITLE": "Title",
        "CI_COMMIT_DESCRIPTION": "Body",
        "CI_PROJECT_NAMESPACE": "team/sub",
        "CI_PROJECT_ROOT_NAMESPACE": "team",
        "CI_PROJECT_PATH_SLUG": "team-sub-demo",
        "CI_SERVER_HOST": "git.test",
        "CI_SERVER_PORT": "8443",
        "CI_SERVER_VERSION_MINOR": "2",
        "CI_API_V4_URL": "https://git.test:8443/api/v4",
        "CI_PIPELINE_SOURCE": "push",
        "GITLAB_USER_LOGIN": "ann",
    }
    assert expected.items() <= scope.items()
    assert "CI_COMMIT_TAG" not in scope


def test_a_tag_pipeline_knows_its_tag_and_no_branch() -> None:
    tagged = msgspec.structs.replace(PIPELINE, ref="v1", is_tag=True)

    scope = as_scope(pipeline_variables(SERVER, PROJECT, tagged, None))

    assert scope["CI_COMMIT_TAG"] == "v1"
    assert "CI_COMMIT_BRANCH" not in scope
    assert "GITLAB_USER_ID" not in scope


def test_a_merge_request_pipeline_knows_its_request_and_no_branch() -> None:
    request = MergeRequestFacts(
        id=1, iid=2, title="T", description="D", is_draft=True, is_approved=False, is_squashed=False,
        source_branch="topic", source_sha="a", source_is_protected=False, source_project=PROJECT, target_branch="main",
        target_sha="b", target_is_protected=True, target_project=PROJECT, diff_id=3, diff_base_sha="c",
        labels=("x", "y"),
    )  # fmt: skip
    facts = msgspec.structs.replace(
        PIPELINE, ref="refs/merge-requests/2/head", source="merge_request_event", merge_request=request
    )

    scope = as_scope(pipeline_variables(SERVER, PROJECT, facts, USER))

    assert scope["CI_MERGE_REQUEST_IID"] == "2"
    assert scope["CI_MERGE_REQUEST_LABELS"] == "x,y"
    assert scope["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] == "main"
    assert scope["CI_COMMIT_REF_NAME"] == "topic"
    assert "CI_COMMIT_BRANCH" not in scope


def test_the_token_of_a_job_is_never_public() -> None:
    job = JobFacts(
        id=1, name="b 1/2", group_name="b", stage="test", url="u", token="secret", repository_url="http://x:secret@y",
        timeout=60, parallel_index=1, parallel_total=2,
        environment=EnvironmentFacts(id=7, name="review/x", tier="other"),
    )  # fmt: skip

    variables = {
        variable.key: variable for variable in job_variables(job, RunnerFacts(id=2, description="r", tags=("a", "b")))
    }

    assert variables["CI_NODE_INDEX"].value == "1"
    assert variables["CI_RUNNER_TAGS"].value == '["a","b"]'
    assert variables["CI_JOB_NAME_SLUG"].value == "b-1-2"
    assert variables["CI_ENVIRONMENT_NAME"].value == "review/x"
    leaking = [key for key, variable in variables.items() if "secret" in variable.value and variable.public]
    assert leaking == []
    assert variables["CI_JOB_TOKEN"].masked


def test_the_last_layer_wins_and_stands_last() -> None:
    merged = layered(
        [CiVariable("A", "1"), CiVariable("B", "1")], [CiVariable("A", "2", masked=True)], [CiVariable("C", "3")]
    )

    assert [(variable.key, variable.value) for variable in merged] == [("B", "1"), ("A", "2"), ("C", "3")]


@pytest.mark.parametrize(
    ("value", "possible"), [("abcd1234", True), ("short", False), ("a b c d e f", False), ("a\nbcdefgh", False)]
)
def test_only_plain_long_values_can_be_masked(value: str, possible: bool) -> None:
    assert is_maskable(value) is possible


def test_slugs_fit_host_names() -> None:
    assert ref_slug("Feature/ABC_1--" + "x" * 99).startswith("feature-abc-1--x")
    assert len(ref_slug("x" * 99)) == 63
    assert environment_slug("production") == "production"
    for name in ("review/Feature Long Name Here", "1staging", "a" * 40, "UPPER", "x--y", "-"):
        slug = environment_slug(name)
        assert len(slug) <= 24
        assert slug[0].isalpha()
        assert slug == slug.lower()
    assert environment_slug("review/a") != environment_slug("review-a")


@pytest.mark.parametrize(
    ("name", "tier"),
    [("production", "production"), ("live", "production"), ("staging", "staging"),
     ("review/x", "development"), ("qa", "testing"), ("zzz", "other")],
)  # fmt: skip
def test_a_tier_is_guessed_from_the_name(name: str, tier: str) -> None:
    assert environment_tier(name) == tier
