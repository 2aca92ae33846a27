"""Every setting can be set, is shown, and survives the next edit; groups that move take their projects along."""

from typing import Any

import pytest

from tests.features.spaces.projects.mirroring import give_origin
from tests.support.world import Person, World

SETTINGS: dict[str, Any] = {
    "allow_merge_on_skipped_pipeline": True, "analytics_access_level": "private", "autoclose_referenced_issues": False,
    "auto_cancel_pending_pipelines": "disabled", "auto_devops_deploy_strategy": "manual", "auto_devops_enabled": True,
    "build_git_strategy": "clone", "build_timeout": 7200, "builds_access_level": "private",
    "ci_allow_fork_pipelines_to_run_in_parent_project": False, "ci_config_path": "ci/x.yml",
    "ci_default_git_depth": 50, "ci_delete_pipelines_in_seconds": 86400, "ci_forward_deployment_enabled": False,
    "ci_forward_deployment_rollback_allowed": False, "ci_id_token_sub_claim_components": ["project_path", "ref"],
    "ci_job_token_scope_enabled": True, "ci_pipeline_variables_minimum_override_role": "developer",
    "ci_push_repository_for_job_token_allowed": True, "ci_restrict_pipeline_cancellation_role": "maintainer",
    "ci_separated_caches": False, "container_registry_access_level": "disabled", "description": "text",
    "emails_enabled": False, "enforce_auth_checks_on_uploads": False, "environments_access_level": "disabled",
    "external_authorization_classification_label": "secret", "feature_flags_access_level": "private",
    "forking_access_level": "private", "group_runners_enabled": False, "infrastructure_access_level": "disabled",
    "issue_branch_template": "%{id}", "issues_access_level": "private", "issues_template": "issue",
    "keep_latest_artifact": False, "lfs_enabled": False, "merge_commit_template": "merge",
    "merge_method": "rebase_merge",
    "merge_pipelines_enabled": True, "merge_requests_access_level": "private", "merge_requests_template": "mr",
    "merge_trains_enabled": True, "merge_trains_skip_train_allowed": True, "mirror_trigger_builds": True,
    "model_experiments_access_level": "private", "model_registry_access_level": "private",
    "monitor_access_level": "disabled", "only_allow_merge_if_all_discussions_are_resolved": True,
    "only_allow_merge_if_all_status_checks_passed": True, "only_allow_merge_if_pipeline_succeeds": True,
    "packages_enabled": False, "pages_access_level": "public", "pre_receive_secret_detection_enabled": True,
    "prevent_merge_without_jira_issue": True, "printing_merge_request_link_enabled": False, "public_jobs": False,
    "releases_access_level": "private", "remove_source_branch_after_merge": False, "repository_access_level": "private",
    "request_access_enabled": False, "requirements_access_level": "disabled",
    "resolve_outdated_diff_discussions": True, "restrict_user_defined_variables": True,
    "runner_token_expiration_interval": 3600, "security_and_compliance_access_level": "enabled",
    "service_desk_enabled": True, "shared_runners_enabled": False, "snippets_access_level": "disabled",
    "squash_commit_template": "squash", "squash_option": "always", "suggestion_commit_message": "suggest",
    "topics": ["a", "b"], "visibility": "internal", "warn_about_potentially_unwanted_characters": False,
    "wiki_access_level": "private", "approvals_before_merge": 2, "allow_pipeline_trigger_approve_deployment": True,
    "only_mirror_protected_branches": True, "mirror_overwrites_diverged_branches": True, "mirror": True,
}  # fmt: skip

SWITCHES = ("issues_enabled", "merge_requests_enabled", "jobs_enabled", "wiki_enabled", "snippets_enabled")


@pytest.fixture(scope="module")
def ada(world: World) -> Person:
    return world.user()


def shown(person: Person, project: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = person.client.ok("GET", f"/projects/{project['id']}")
    return {name: result.get(name, "absent") for name in SETTINGS}


def test_every_setting_can_be_edited_and_stays(world: World, ada: Person) -> None:
    project = world.project(ada)
    give_origin(world, project)
    before = shown(ada, project)
    assert [name for name, value in SETTINGS.items() if before[name] == value] == []

    for name, value in SETTINGS.items():
        ada.client.ok("PUT", f"/projects/{project['id']}", json={name: value})

    assert shown(ada, project) == SETTINGS


def test_every_setting_can_be_given_at_creation(world: World, ada: Person) -> None:
    given = {name: value for name, value in SETTINGS.items() if "mirror" not in name}
    created = shown(ada, world.project(ada, **given))

    assert {name: created[name] for name in given} == given


def test_settings_can_be_emptied_again(world: World, ada: Person) -> None:
    project = world.project(ada, merge_commit_template="x", ci_config_path="x.yml", topics=["a"], description="d")

    emptied = ada.client.ok(
        "PUT",
        f"/projects/{project['id']}",
        json={"merge_commit_template": "", "ci_config_path": None, "topics": "", "description": ""},
    )

    assert emptied["merge_commit_template"] is None
    assert emptied["ci_config_path"] is None
    assert emptied["topics"] == []
    assert emptied["description"] == ""


@pytest.mark.parametrize("components", [["ref"], ["ref", "project_path"], []])
def test_subjects_of_id_tokens_begin_with_the_project(world: World, ada: Person, components: list[str]) -> None:
    project = world.project(ada)
    name = "ci_id_token_sub_claim_components"

    refused = ada.client.put(f"/projects/{project['id']}", json={name: components})

    assert refused.status_code == 400
    assert refused.json() == {"message": {name: ["project_path must be the first element of the sub claim"]}}


@pytest.mark.parametrize("switch", SWITCHES)
def test_older_switches_still_work(world: World, ada: Person, switch: str) -> None:
    project = world.project(ada, **{switch: False})
    level = f"{switch.removesuffix('_enabled').replace('jobs', 'builds')}_access_level"

    assert (project[switch], project[level]) == (False, "disabled")
    again = ada.client.ok("PUT", f"/projects/{project['id']}", json={switch: True})
    assert (again[switch], again[level]) == (True, "enabled")


def test_a_renamed_group_takes_its_projects_along(world: World, ada: Person) -> None:
    group = world.group(ada)
    project = world.project(ada, namespace_id=group["id"], name="Tool", path="tool")
    renamed = world.name("renamed")

    ada.client.ok("PUT", f"/groups/{group['id']}", json={"path": renamed, "name": "New Name"})
    now = ada.client.ok("GET", f"/projects/{project['id']}")
    old = ada.client.get(f"/projects/{group['path']}%2Ftool")

    assert now["path_with_namespace"] == f"{renamed}/tool"
    assert now["name_with_namespace"] == "New Name / Tool"
    assert old.status_code == 301
    result = ada.client.get("/projects", search=f"{renamed}/to", search_namespaces=True).json()
    assert [entry["id"] for entry in result] == [project["id"]]
    assert ada.client.get("/projects", search=group["path"], search_namespaces=True).json() == []


def test_a_renamed_user_takes_their_projects_along(world: World) -> None:
    ben = world.user()
    project = world.project(ben, path="tool")
    renamed = world.name("renamed")

    world.admin.ok("PUT", f"/users/{ben.id}", json={"username": renamed, "name": "Benjamin"})
    now = world.admin.ok("GET", f"/projects/{project['id']}")

    assert now["path_with_namespace"] == f"{renamed}/tool"
    assert now["name_with_namespace"] == f"Benjamin / {project['name']}"
    assert now["namespace"]["full_path"] == renamed


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("name_regex_keep", "[", "not valid RE2 syntax: missing ]: ["),
        ("name_regex_delete", "(", "not valid RE2 syntax: missing ): ("),
        ("name_regex", "a" * 256, "is too long (maximum is 255 characters)"),
    ],
)
def test_expressions_of_the_clean_up_must_be_expressions(world: World, name: str, text: str, said: str) -> None:
    project = world.project()

    reply = world.admin.put(f"/projects/{project['id']}", json={"container_expiration_policy_attributes": {name: text}})

    key = "name_regex" if name == "name_regex_delete" else name
    assert (reply.status_code, reply.json()) == (400, {"message": {f"container_expiration_policy.{key}": [said]}})


def test_object_formats_that_cannot_be_read_are_refused(world: World) -> None:
    name = world.name("wide")

    reply = world.admin.post("/projects", json={"name": name, "repository_object_format": "sha256"})

    assert (reply.status_code, reply.json()) == (
        400,
        {"message": {"repository_object_format": ["sha256 is not supported by this server, only sha1"]}},
    )
    assert world.project(name=name, repository_object_format="sha1")["repository_object_format"] == "sha1"
