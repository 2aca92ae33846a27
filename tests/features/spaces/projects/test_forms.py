"""Which fields a project shows to whom."""

import concurrent.futures
from typing import Any

import pytest

from tests.support.waiting import until
from tests.support.world import Person, World

SIMPLE = {
    "id", "description", "name", "name_with_namespace", "path", "path_with_namespace", "created_at", "default_branch",
    "tag_list", "topics", "ssh_url_to_repo", "http_url_to_repo", "web_url", "readme_url", "forks_count", "avatar_url",
    "star_count", "last_activity_at", "namespace",
}  # fmt: skip

OPEN = SIMPLE - {"default_branch", "readme_url", "forks_count"} | {
    "container_registry_image_prefix", "_links", "packages_enabled", "empty_repo", "archived", "visibility", "owner",
    "resolve_outdated_diff_discussions", "container_expiration_policy", "repository_object_format", "issues_enabled",
    "merge_requests_enabled", "wiki_enabled", "jobs_enabled", "snippets_enabled", "container_registry_enabled",
    "service_desk_enabled", "can_create_merge_request_in", "issues_access_level", "repository_access_level",
    "merge_requests_access_level", "forking_access_level", "wiki_access_level", "builds_access_level",
    "snippets_access_level", "pages_access_level", "analytics_access_level", "container_registry_access_level",
    "security_and_compliance_access_level", "releases_access_level", "environments_access_level",
    "feature_flags_access_level", "infrastructure_access_level", "monitor_access_level",
    "model_experiments_access_level", "model_registry_access_level", "emails_disabled", "emails_enabled",
    "shared_runners_enabled", "lfs_enabled", "creator_id", "import_status", "open_issues_count", "description_html",
    "updated_at", "public_jobs", "shared_with_groups", "only_allow_merge_if_pipeline_succeeds",
    "allow_merge_on_skipped_pipeline", "request_access_enabled", "only_allow_merge_if_all_discussions_are_resolved",
    "remove_source_branch_after_merge", "printing_merge_request_link_enabled", "printing_merge_requests_link_enabled",
    "merge_method", "squash_option", "enforce_auth_checks_on_uploads", "suggestion_commit_message",
    "merge_commit_template", "squash_commit_template", "issue_branch_template",
    "warn_about_potentially_unwanted_characters", "autoclose_referenced_issues", "approvals_before_merge", "mirror",
    "external_authorization_classification_label", "marked_for_deletion_at", "marked_for_deletion_on",
    "requirements_enabled", "requirements_access_level", "security_and_compliance_enabled", "compliance_frameworks",
    "issues_template", "merge_pipelines_enabled", "merge_trains_enabled", "merge_trains_skip_train_allowed",
    "only_allow_merge_if_all_status_checks_passed", "allow_pipeline_trigger_approve_deployment",
    "prevent_merge_without_jira_issue", "permissions", "max_artifacts_size",
}  # fmt: skip

CODE = {"default_branch", "readme_url", "forks_count", "ci_config_path", "merge_requests_template"}
REPORTER = CODE | {"service_desk_address", "statistics"}
DEVELOPER = {"pre_receive_secret_detection_enabled", "secret_push_protection_enabled"}
MAINTAINER = {
    "import_url", "import_type", "import_error", "ci_default_git_depth", "ci_delete_pipelines_in_seconds",
    "ci_forward_deployment_enabled", "ci_forward_deployment_rollback_allowed", "ci_job_token_scope_enabled",
    "ci_separated_caches", "ci_allow_fork_pipelines_to_run_in_parent_project", "ci_id_token_sub_claim_components",
    "build_git_strategy", "keep_latest_artifact", "restrict_user_defined_variables",
    "ci_pipeline_variables_minimum_override_role", "runners_token", "runner_token_expiration_interval",
    "group_runners_enabled", "auto_cancel_pending_pipelines", "build_timeout", "auto_devops_enabled",
    "auto_devops_deploy_strategy", "ci_push_repository_for_job_token_allowed",
    "ci_restrict_pipeline_cancellation_role", "repository_size_limit",
}  # fmt: skip
ADMIN = {"repository_storage", "custom_attributes"}

LICENCE = """MIT License

Copyright (c) 2024 Ada

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""


@pytest.fixture(scope="module")
def ada(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def private(world: World, ada: Person) -> dict[str, Any]:
    return world.project(ada, initialize_with_readme=True)


def fields(client: Any, project: dict[str, Any]) -> set[str]:
    shown = client.get(f"/projects/{project['id']}", statistics=True, with_custom_attributes=True)
    assert shown.status_code == 200, shown.text
    return set(shown.json())


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("guest", OPEN),
        ("planner", OPEN),
        ("reporter", OPEN | REPORTER),
        ("developer", OPEN | REPORTER | DEVELOPER),
        ("maintainer", OPEN | REPORTER | DEVELOPER | MAINTAINER),
        ("owner", OPEN | REPORTER | DEVELOPER | MAINTAINER),
    ],
)
def test_each_role_sees_its_fields_of_a_private_project(
    world: World, private: dict[str, Any], role: str, expected: set[str]
) -> None:
    person = world.user()
    world.member(private, person, role)

    shown = fields(person.client, private)

    assert (shown - expected, expected - shown) == (set(), set())


def test_an_administrator_sees_everything(world: World, private: dict[str, Any]) -> None:
    assert fields(world.admin, private) == OPEN | REPORTER | DEVELOPER | MAINTAINER | ADMIN


def test_a_private_project_does_not_exist_for_others(world: World, private: dict[str, Any]) -> None:
    for client in (world.anonymous, world.user().client):
        answer = client.get(f"/projects/{private['id']}")
        assert (answer.status_code, answer.json()) == (404, {"message": "404 Project Not Found"})


def test_a_public_project_in_three_forms(world: World, ada: Person) -> None:
    project = world.project(ada, visibility="public", initialize_with_readme=True)
    stranger = world.user()

    assert set(world.anonymous.ok("GET", f"/projects/{project['id']}")) == SIMPLE
    assert fields(stranger.client, project) == OPEN | CODE
    ada.client.ok("PUT", f"/projects/{project['id']}", json={"repository_access_level": "private"})
    assert fields(stranger.client, project) == OPEN | {"merge_requests_template"} - CODE
    hidden = world.anonymous.ok("GET", f"/projects/{project['id']}")
    assert (hidden["default_branch"], hidden["readme_url"]) == (None, None)


def test_a_fresh_project_has_the_documented_values(ada: Person, private: dict[str, Any]) -> None:
    shown = ada.client.ok("GET", f"/projects/{private['id']}")

    assert {name: shown[name] for name in EXPECTED} == EXPECTED
    assert shown["_links"]["repo_branches"].endswith(f"/api/v4/projects/{private['id']}/repository/branches")
    assert shown["container_expiration_policy"]["cadence"] == "1d"
    assert shown["ssh_url_to_repo"] == f"git@127.0.0.1:{private['path_with_namespace']}.git"
    assert shown["http_url_to_repo"] == f"{shown['web_url']}.git"
    assert shown["namespace"] == {
        "id": shown["namespace"]["id"],
        "name": ada.username.title(),
        "path": ada.username,
        "kind": "user",
        "full_path": ada.username,
        "parent_id": None,
        "avatar_url": shown["owner"]["avatar_url"],
        "web_url": shown["owner"]["web_url"],
    }


EXPECTED = {
    "visibility": "private",
    "archived": False,
    "issues_enabled": True,
    "jobs_enabled": True,
    "wiki_enabled": True,
    "snippets_enabled": True,
    "packages_enabled": True,
    "lfs_enabled": True,
    "public_jobs": True,
    "pages_access_level": "private",
    "security_and_compliance_access_level": "private",
    "issues_access_level": "enabled",
    "merge_method": "merge",
    "squash_option": "default_off",
    "allow_merge_on_skipped_pipeline": None,
    "merge_commit_template": None,
    "build_timeout": 3600,
    "build_git_strategy": "fetch",
    "auto_cancel_pending_pipelines": "enabled",
    "ci_default_git_depth": 20,
    "ci_config_path": None,
    "ci_pipeline_variables_minimum_override_role": "maintainer",
    "ci_restrict_pipeline_cancellation_role": "developer",
    "ci_job_token_scope_enabled": False,
    "keep_latest_artifact": True,
    "auto_devops_enabled": False,
    "auto_devops_deploy_strategy": "continuous",
    "import_status": "none",
    "approvals_before_merge": 0,
    "star_count": 0,
    "forks_count": 0,
    "open_issues_count": 0,
    "compliance_frameworks": [],
    "topics": [],
    "shared_with_groups": [],
    "marked_for_deletion_on": None,
    "mirror": False,
    "empty_repo": False,
    "default_branch": "main",
    "repository_object_format": "sha1",
    "printing_merge_request_link_enabled": True,
    "can_create_merge_request_in": True,
    "service_desk_address": None,
}


def test_the_group_access_looks_higher_in_the_single_call_than_in_the_list(world: World, ada: Person) -> None:
    top = world.group(ada)
    sub = world.group(ada, parent_id=top["id"])
    project = world.project(ada, namespace_id=sub["id"])
    ben = world.user()
    world.member(top, ben, "developer", kind="groups")

    single = ben.client.ok("GET", f"/projects/{project['id']}")["permissions"]
    listed = ben.client.get("/projects", membership=True).json()[0]["permissions"]

    assert single == {"project_access": None, "group_access": {"access_level": 30, "notification_level": 3}}
    assert listed == {"project_access": None, "group_access": None}


def test_licence_languages_and_statistics_come_from_the_repository(world: World, ada: Person) -> None:
    project = world.project(ada, initialize_with_readme=True)
    here = f"/projects/{project['id']}"
    actions = [
        {"action": "create", "file_path": "LICENSE", "content": LICENCE},
        {"action": "create", "file_path": "main.py", "content": "print(1)\n" * 30},
        {"action": "create", "file_path": "tool.rb", "content": "puts 1\n" * 10},
    ]
    ada.client.ok(
        "POST",
        f"{here}/repository/commits",
        json={"branch": "main", "commit_message": "Add code", "actions": actions},
    )

    shown = ada.client.get(here, license=True).json()
    languages = until(lambda: ada.client.ok("GET", f"{here}/languages"))
    statistics = ada.client.get(here, statistics=True).json()["statistics"]

    assert shown["license_url"] == f"{shown['web_url']}/-/blob/main/LICENSE"
    assert shown["license"]["key"] == "mit"
    assert shown["license"]["source_url"] is None
    assert list(languages) == ["Python", "Ruby"]
    assert sum(languages.values()) == pytest.approx(100)
    assert statistics["commit_count"] == 2
    assert [entry["id"] for entry in ada.client.get("/projects", with_programming_language="ruby").json()] == [
        project["id"]
    ]
    assert "license" not in ada.client.ok("GET", here)


def test_a_push_moves_the_activity_and_an_edit_the_update(world: World, ada: Person) -> None:
    project = world.project(ada, initialize_with_readme=True)
    here = f"/projects/{project['id']}"
    with world.server.services.db.write() as tx:
        tx.exec_driver_sql(
            "UPDATE projects SET last_activity_at = '2024-01-01 00:00:00', updated_at = '2024-01-01 00:00:00'"
            f" WHERE id = {project['id']}"
        )

    ada.client.ok(
        "POST",
        f"{here}/repository/files/x.txt",
        json={"branch": "main", "commit_message": "x", "content": "x"},
    )
    pushed = ada.client.ok("GET", here)
    ada.client.ok("PUT", here, json={"description": "edited"})
    edited = ada.client.ok("GET", here)

    assert pushed["last_activity_at"] > "2025"
    assert pushed["updated_at"] == "2024-01-01T00:00:00Z"
    assert edited["updated_at"] > "2025"
    assert edited["last_activity_at"] == pushed["last_activity_at"]
    assert [entry["id"] for entry in ada.client.get(f"/users/{ada.id}/contributed_projects").json()][:1] == [
        project["id"]
    ]


def test_twenty_simultaneous_creations_of_one_path_give_one_project(world: World, ada: Person) -> None:
    body = {"name": "Race", "path": "race"}

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ada.client.post("/projects", json=body), range(20)))

    taken = ["has already been taken"]
    refused = {"message": {"project_namespace.name": taken, "name": taken, "path": taken}}
    assert sorted(answer.status_code for answer in answers) == [201] + [400] * 19
    assert all(answer.json() == refused for answer in answers if answer.status_code == 400)


def test_even_a_fork_with_everything_asked_for_costs_few_queries(world: World, ada: Person) -> None:
    group = world.group(ada, visibility="public")
    source = world.project(ada, visibility="public", initialize_with_readme=True)
    fork = ada.client.ok("POST", f"/projects/{source['id']}/fork", json={"namespace_id": group["id"]})
    ada.client.ok("GET", f"/projects/{fork['id']}")

    plain = ada.client.queries(f"/projects/{fork['id']}")
    everything = world.admin.queries(
        f"/projects/{fork['id']}", statistics=True, license=True, with_custom_attributes=True
    )

    assert plain <= 8
    assert everything <= 10


def test_the_link_to_cluster_agents_leads_to_an_empty_list(world: World) -> None:
    owner, reporter = world.user(), world.user()
    project = world.project(owner)
    world.member(project, reporter, "reporter")
    link = project["_links"]["cluster_agents"]

    assert (owner.client.get(link).status_code, owner.client.get(link).json()) == (200, [])
    assert reporter.client.get(link).status_code == 403
    assert world.user().client.get(link).status_code == 404
