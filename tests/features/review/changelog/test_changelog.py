"""Release notes out of commits: what a client gets, what is committed, and what a project configures."""

from collections.abc import Iterator
from typing import Any

import gitlab
import pytest

from tests.support.client import Client
from tests.support.server import RunningServer
from tests.support.world import Person, World

DATE = {"date": "2026-03-11T03:45:40Z"}
CONFIG = """---
date_format: '%Y'
tag_regex: '^version-(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$'
include_groups: [{group}, no/such/group]
categories:
  feature: New
template: |
  {{% each categories %}}
  * {{{{ title }}}} {{% each entries %}}\\
  {{{{ title }}}} {{{{ commit.trailers.Issue }}}} {{% if author.credit %}}{{{{ author.reference }}}}{{% end %}}

  {{% end %}}
  {{% end %}}
"""


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def helper(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def project(world: World, owner: Person, helper: Person) -> dict[str, Any]:
    """Version 1.0.0, then: a commit of a merge request, one of somebody who is no member, one that is taken back."""
    created = world.project(owner, initialize_with_readme=True, visibility="public")
    path = f"/projects/{created['id']}"
    owner.client.ok("POST", f"{path}/repository/tags", json={"tag_name": "v1.0.0", "ref": "main"})
    owner.client.ok("POST", f"{path}/repository/tags", json={"tag_name": "v1.1.0-rc1", "ref": "main"})
    commit(owner, created, "a", "Add a\n\nChangelog: feature\nIssue: 7", branch="topic", start_branch="main")
    request = owner.client.ok(
        "POST", f"{path}/merge_requests", json={"source_branch": "topic", "target_branch": "main", "title": "Add a"}
    )
    owner.client.ok("PUT", f"{path}/merge_requests/{request['iid']}/merge")
    commit(owner, created, "b", "Repair b\n\nChangelog: bug", author_email=f"{helper.username}@example.com")
    mistake = commit(owner, created, "c", "A mistake\n\nChangelog: feature")
    commit(owner, created, "d", f"Take it back\n\nThis reverts commit {mistake}.")
    commit(owner, created, "e", "Say nothing about e")
    return created


def commit(person: Person, project: dict[str, Any], name: str, message: str, **more: Any) -> str:
    actions = [{"action": "create", "file_path": name, "content": more.pop("content", name)}]
    body = {"branch": "main", "commit_message": message, "actions": actions, **more}
    return str(person.client.ok("POST", f"/projects/{project['id']}/repository/commits", json=body)["id"])


@pytest.fixture
def anonymous(server: RunningServer) -> Client:
    return server.client(None)


@pytest.fixture
def client(world: World, owner: Person) -> Iterator[gitlab.Gitlab]:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as result:
        yield result


def notes(client: Client, project: dict[str, Any], **options: Any) -> str:
    answer = client.get(f"/projects/{project['id']}/repository/changelog", **{"version": "1.1.0", **DATE, **options})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["notes"])


def test_notes_name_commits_requests_and_contributors(
    client: gitlab.Gitlab, anonymous: Client, project: dict[str, Any], helper: Person
) -> None:
    commits = {one.title: one for one in client.projects.get(project["id"]).commits.list(iterator=True)}
    first, second = commits["Add a"].web_url, commits["Repair b"].web_url

    result = client.http_get(f"/projects/{project['id']}/repository/changelog", {"version": "v1.1.0", **DATE})

    assert isinstance(result, dict)
    assert result["notes"] == (
        "## 1.1.0 (2026-03-11)\n\n"
        f"### feature (1 change)\n\n- [Add a]({first}) ([merge request]({project['web_url']}/-/merge_requests/1))\n\n"
        f"### bug (1 change)\n\n- [Repair b]({second}) by @{helper.username}\n"
    )
    assert notes(anonymous, project) == result["notes"]
    assert notes(anonymous, project, **{"from": commits["Repair b"].id}).endswith("\n\nNo changes.\n")
    assert "Add a" not in notes(anonymous, project, trailer="Issue", to=commits["A mistake"].id, **{"from": "topic"})
    assert "### 7 (1 change)" in notes(anonymous, project, trailer="Issue")


def test_notes_are_written_between_the_versions(client: gitlab.Gitlab, project: dict[str, Any]) -> None:
    place = client.projects.get(project["id"])
    old = "# Changes\n\n## 1.2.0 (2026-04-01)\n\nLater.\n\n## 1.0.0 (2026-01-01)\n\nFirst."
    old += f"\n\n## 0.0.{'9' * 5000}"
    place.files.create({"file_path": "NEWS.md", "branch": "main", "content": old, "commit_message": "Write news"})

    path = f"/projects/{project['id']}/repository/changelog"
    assert client.http_post(path, post_data={"version": "1.1.0", "file": "NEWS.md", **DATE}) is True
    client.http_post(path, post_data={"version": "0.9.0", "from": "v1.0.0", "message": "Old", **DATE})

    text = place.files.get("NEWS.md", "main").decode().decode()
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## 1.2.0 (2026-04-01)",
        "## 1.1.0 (2026-03-11)",
        "## 1.0.0 (2026-01-01)",
        f"## 0.0.{'9' * 5000}",
    ]
    assert place.files.get("CHANGELOG.md", "main").decode().startswith(b"## 0.9.0 (2026-03-11)\n\n### feature")
    assert [one.title for one in place.commits.list(get_all=False)][:2] == ["Old", "Add changelog for version 1.1.0"]


def test_a_project_configures_its_notes(world: World, anonymous: Client, owner: Person, helper: Person) -> None:
    group = world.group(owner, visibility="public")
    world.member(group, helper, 30, "groups")
    project = world.project(owner, initialize_with_readme=True, visibility="public")
    world.member(project, helper, 30)
    commit(owner, project, ".gitlab/changelog_config.yml", "Configure", content=CONFIG.format(group=group["full_path"]))
    owner.client.ok(
        "POST", f"/projects/{project['id']}/repository/tags", json={"tag_name": "version-1.0.0", "ref": "main"}
    )
    commit(owner, project, "a", "Add a\n\nChangelog: feature\nIssue: 7", author_email=f"{helper.username}@example.com")
    commit(owner, project, "b", "Add b\n\nChangelog: bug")

    assert notes(anonymous, project) == (
        f"## 1.1.0 (2026)\n\n* New Add a 7 @{helper.username}\n* bug Add b  @{owner.username}\n"
    )
    configured = notes(anonymous, project, config_file="none.yml", **{"from": "version-1.0.0"})
    assert configured.startswith("## 1.1.0 (2026-03-11)\n\n### feature (1 change)")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("[", "c.yml is not valid YAML"),
        ('categories: !!int ""', "c.yml is not valid YAML"),
        ("a: &a {b: c}\ncategories: {<<: *a}", "c.yml has aliases, which are not supported"),
        ('date_format: "\\ud800"', "c.yml is invalid: "),
        ("- a", "c.yml does not hold a mapping"),
        ("date_format: '%999999999d'", "c.yml has an invalid date_format"),
        ("categories: [a]", "c.yml is invalid: Expected `object`, got `array` - at `$.categories`"),
        ("template: '{% each categories %}'", "The template is invalid: a statement has no end"),
        ("template: '{% end %}'", "The template is invalid: there is nothing before end"),
        ("tag_regex: '('", "tag_regex is invalid: "),
    ],
)
def test_a_wrong_configuration_is_explained(
    world: World, owner: Person, project: dict[str, Any], content: str, reason: str
) -> None:
    branch = world.name("wrong")
    commit(owner, project, "c.yml", "Configure", content=content, branch=branch, start_branch="main")
    path = f"/projects/{project['id']}/repository/changelog"
    answer = owner.client.get(path, version="1.1.0", config_file="c.yml", config_file_ref=branch)
    assert answer.status_code == 422
    assert answer.json()["message"].startswith(f"Failed to generate the changelog: {reason}")


def test_refusals(world: World, anonymous: Client, owner: Person, helper: Person, project: dict[str, Any]) -> None:
    path = f"/projects/{project['id']}/repository/changelog"
    unspecified = "The commit start range is unspecified, and no previous tag could be found to use instead"
    for client, method, options, status, body in (
        (anonymous, "GET", {}, 400, {"error": "version is missing"}),
        (anonymous, "GET", {"version": "1.1"}, 400, {"error": "version is invalid"}),
        (anonymous, "GET", {"version": "1.0.0"}, 422, unspecified),
        (anonymous, "GET", {"version": "2.0.0", "to": "x"}, 422, "The commit range is invalid: x does not exist"),
        (anonymous, "POST", {"version": "2.0.0"}, 401, {"message": "401 Unauthorized"}),
        (
            helper.client,
            "POST",
            {"version": "2.0.0"},
            403,
            {"message": "403 Forbidden - You are not allowed to commit a changelog on this branch"},
        ),
        (owner.client, "POST", {"version": "2.0.0", "branch": "x"}, 422, "The branch x does not exist"),
    ):
        answer = client.request(method, path, **({"params" if method == "GET" else "json": options}))
        expected = {"message": f"Failed to generate the changelog: {body}"} if isinstance(body, str) else body
        assert (answer.status_code, answer.json()) == (status, expected)
    secret = world.project(owner, initialize_with_readme=True)
    answer = helper.client.get(f"/projects/{secret['id']}/repository/changelog", version="1.0.0")
    assert (answer.status_code, answer.json()) == (404, {"message": "404 Project Not Found"})
