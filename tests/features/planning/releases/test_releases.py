"""Releases: made, read, changed and deleted, with everything that they show."""

from collections.abc import Iterator
from typing import Any

import gitlab
import pytest

from tests.features.transfer.project_imports.making import exported, imported, relation
from tests.support import plain_http
from tests.support.runner import project_runner
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def api(world: World, owner: Person) -> Iterator[gitlab.Gitlab]:
    with gitlab.Gitlab(world.server.url, private_token=owner.token) as client:
        yield client


@pytest.fixture
def project(world: World, owner: Person) -> dict[str, Any]:
    return world.project(owner, initialize_with_readme=True)


def place(project: dict[str, Any]) -> str:
    return f"/projects/{project['id']}/releases"


def test_a_release_from_creation_to_removal(
    api: gitlab.Gitlab, world: World, owner: Person, project: dict[str, Any]
) -> None:
    here = api.projects.get(project["id"])
    here.milestones.create({"title": "one"})
    links = [{"name": "bin", "url": "https://example.com/bin", "filepath": "/bin/app", "link_type": "package"}]

    release = here.releases.create(
        {"tag_name": "v1", "ref": "main", "tag_message": "First", "description": "*Notes*", "milestones": ["one"],
         "assets": {"links": links}}
    )  # fmt: skip

    url = project["web_url"]
    assert release.get_id() == release.name == "v1"
    assert release.author["username"] == owner.username
    assert release.commit["title"] == "Initial commit"
    assert release.commit_path == f"/{project['path_with_namespace']}/-/commit/{release.commit['id']}"
    assert release.tag_path == f"/{project['path_with_namespace']}/-/tags/v1"
    assert release.upcoming_release is False
    assert release.assets["count"] == 5
    assert release.assets["sources"][1] == {
        "format": "tar.gz", "url": f"{url}/-/archive/v1/{project['path']}-v1.tar.gz",
    }  # fmt: skip
    [link] = release.assets["links"]
    assert link["direct_asset_url"] == f"{url}/-/releases/v1/downloads/bin/app"
    assert [(one["title"], one["issue_stats"]) for one in release.milestones] == [("one", {"total": 0, "closed": 0})]
    assert release._links["edit_url"] == f"{url}/-/releases/v1/edit"
    assert here.tags.get("v1").attributes["release"] == {"tag_name": "v1", "description": "*Notes*"}
    assert here.tags.get("v1").message == "First"

    release.description = "Changed"
    release.save()
    here.releases.update("v1", {"milestones": []})

    changed = here.releases.get("v1", include_html_description=True)
    assert changed.description_html == "<p>Changed</p>"
    assert not hasattr(changed, "milestones")
    assert [one.tag_name for one in here.releases.list()] == ["v1"]
    here.releases.delete("v1")
    assert here.releases.list() == []
    assert here.tags.get("v1").attributes["release"] is None


def test_links_from_creation_to_removal(api: gitlab.Gitlab, owner: Person, project: dict[str, Any]) -> None:
    release = api.projects.get(project["id"]).releases.create({"tag_name": "v/1", "ref": "main"})

    link = release.links.create({"url": "https://example.com/a", "name": "a"})
    release.links.create({"url": "https://example.com/b", "name": "b"})

    assert link.link_type == "other"
    assert [one.name for one in release.links.list()] == ["b", "a"]
    link.name = "c"
    link.url = "https://example.com/c"
    link.save()
    assert release.links.get(link.id).name == "c"
    with pytest.raises(gitlab.GitlabCreateError, match="has already been taken"):
        release.links.create({"url": "https://example.com/d", "name": "b"})
    everything = f"{place(project)}/v%2F1/assets/links"
    wrong = {"name": "x", "url": "javascript:alert(1)", "direct_asset_path": "no-slash"}
    assert owner.client.post(everything, json=wrong).json()["message"] == {
        "url": ["is blocked: Only allowed schemes are http, https, ftp"],
        "filepath": ["is in an invalid format"],
    }
    assert owner.client.put(f"{everything}/{link.id}", json={"link_type": "image"}).json() == {
        "error": "name, url are missing, at least one parameter must be provided"
    }
    deleted = owner.client.delete(f"{everything}/{link.id}")
    assert (deleted.status_code, deleted.json()["name"]) == (200, "c")
    assert owner.client.get(f"{everything}/{link.id}").json() == {"message": "404 Not found"}


def test_errors(world: World, owner: Person, project: dict[str, Any]) -> None:
    everything = place(project)
    owner.client.ok("POST", everything, json={"tag_name": "taken", "ref": "main"})
    posts: list[tuple[dict[str, Any], int, dict[str, Any]]] = [
        ({"tag_name": "taken"}, 409, {"message": "Release already exists"}),
        ({"tag_name": "new"}, 422, {"message": "Ref is not specified"}),
        ({"tag_name": "new", "ref": "nowhere"}, 400, {"message": "Target nowhere is invalid"}),
        ({"tag_name": "HEAD", "ref": "main"}, 400, {"message": "Tag name invalid"}),
        ({"tag_name": "new", "ref": "main", "milestones": "a,b"}, 400, {"message": "Milestone(s) not found: a, b"}),
        ({"tag_name": "new", "ref": "main", "milestone_ids": [987654]}, 400,
         {"message": "Milestone id(s) not found: 987654"}),
    ]  # fmt: skip
    for body, status, answer in posts:
        refused = owner.client.post(everything, json=body)
        assert (refused.status_code, refused.json()) == (status, answer)
    both = owner.client.put(f"{everything}/taken", json={"milestones": ["a"], "milestone_ids": [1]})
    assert both.json()["error"].startswith("milestones, milestone_ids Cannot specify")
    assert owner.client.put(f"{everything}/taken", json={"sha": "x"}).json() == {"message": "params is empty"}
    assert owner.client.get(f"{everything}/absent").json() == {"message": "404 Not Found"}
    assert owner.client.put(f"{everything}/absent", json={"name": "x"}).json() == {"message": "403 Forbidden"}
    assert owner.client.delete(f"{everything}/absent").status_code == 403
    assert owner.client.get(f"{everything}/absent/assets/links").json() == {"message": "404 Not found"}


def test_a_link_that_is_there_twice_leaves_no_release_behind(owner: Person, project: dict[str, Any]) -> None:
    link = {"name": "a", "url": "https://example.com"}
    body = {"tag_name": "v1", "ref": "main", "assets": {"links": [link, link]}}

    refused = owner.client.post(place(project), json=body)

    assert (refused.status_code, refused.json()["message"].split(":")[0]) == (400, "Validation failed")
    assert owner.client.ok("GET", place(project)) == []


def test_roles(world: World, owner: Person, project: dict[str, Any]) -> None:
    people = {role: world.user() for role in ("guest", "reporter", "developer")}
    for role, person in people.items():
        world.member(project, person, role)
    owner.client.ok("POST", f"/projects/{project['id']}/protected_tags", json={"name": "p*"})
    owner.client.ok("POST", place(project), json={"tag_name": "v1", "ref": "main"})

    [seen] = people["guest"].client.ok("GET", place(project))
    assert seen["name"].startswith("Release-")
    assert {"tag_name", "commit", "evidences", "commit_path", "tag_path"}.isdisjoint(seen)
    assert seen["assets"] == {"count": 0, "links": []}
    assert people["guest"].client.get(f"{place(project)}/v1").status_code == 403
    read = people["reporter"].client.ok("GET", f"{place(project)}/v1")
    assert "edit_url" not in read["_links"]
    assert people["reporter"].client.post(place(project), json={"tag_name": "v2", "ref": "main"}).status_code == 403
    developer = people["developer"].client
    developer.ok("POST", place(project), json={"tag_name": "v2", "ref": "main"})
    refused = developer.post(place(project), json={"tag_name": "p1", "ref": "main"})
    assert (refused.status_code, refused.json()) == (
        403, {"message": "You are not allowed to create this tag as it is protected."},
    )  # fmt: skip
    assert world.user().client.get(place(project)).status_code == 404


def test_order_pages_and_statements(owner: Person, project: dict[str, Any]) -> None:
    for number, moment in ((1, "2024-03-01"), (2, "2024-01-01"), (3, "2024-02-01")):
        body = {"tag_name": f"v{number}", "ref": "main", "released_at": moment}
        owner.client.ok("POST", place(project), json=body)

    def tags(**options: Any) -> list[str]:
        return [one["tag_name"] for one in owner.client.get(place(project), **options).json()]

    assert tags() == ["v1", "v3", "v2"]
    assert tags(sort="asc") == ["v2", "v3", "v1"]
    assert tags(order_by="created_at") == ["v3", "v2", "v1"]
    assert tags(per_page=2, page=2) == ["v2"]
    assert tags(updated_before="2020-01-01") == []
    first = owner.client.get(place(project), pagination="keyset", per_page=2)
    following = owner.client.get(first.links["next"]["url"])
    assert [one["tag_name"] for one in first.json() + following.json()] == ["v1", "v3", "v2"]
    assert owner.client.queries(place(project), per_page=1) == owner.client.queries(place(project), per_page=3)


def test_the_latest_release_and_lasting_addresses_redirect(
    api: gitlab.Gitlab, world: World, owner: Person, project: dict[str, Any]
) -> None:
    assert owner.client.get(f"{place(project)}/permalink/latest").status_code == 404
    links = [{"name": "bin", "url": "https://example.com/bin", "direct_asset_path": "/bin/app"}]
    body = {"tag_name": "v1", "ref": "main", "assets": {"links": links}}
    created = owner.client.ok("POST", place(project), json=body)

    assert api.http_get(f"{place(project)}/permalink/latest")["tag_name"] == "v1"  # follows the redirect
    moved = owner.client.get(f"{place(project)}/permalink/latest/downloads/bin/app", order_by="released_at", a="b")
    assert moved.status_code == 302
    assert moved.headers["Location"].endswith(f"/projects/{project['id']}/releases/v1/downloads/bin/app?a=b")
    assert owner.client.get(moved.headers["Location"]).headers["Location"] == "https://example.com/bin"
    assert owner.client.get(f"{place(project)}/v1/downloads/absent").status_code == 404
    page = created["assets"]["links"][0]["direct_asset_url"]
    asked = plain_http.get(page, headers={"PRIVATE-TOKEN": owner.token})
    assert (asked.status_code, asked.headers["Location"]) == (307, "https://example.com/bin")
    assert plain_http.get(page).status_code == 404


def test_evidence_is_collected_at_the_release_and_on_demand(
    world: World, owner: Person, project: dict[str, Any]
) -> None:
    owner.client.ok("POST", place(project), json={"tag_name": "v1", "ref": "main"})
    owner.client.ok("POST", place(project), json={"tag_name": "old", "ref": "main", "released_at": "2020-01-01"})
    upcoming = owner.client.ok(
        "POST", place(project), json={"tag_name": "far", "ref": "main", "released_at": "2090-01-01"}
    )
    world.run_jobs()

    assert upcoming["upcoming_release"] is True
    [evidence] = owner.client.ok("GET", f"{place(project)}/v1")["evidences"]
    read = plain_http.get(evidence["filepath"], headers={"PRIVATE-TOKEN": owner.token})
    assert read.json()["release"]["tag_name"] == "v1"
    assert plain_http.get(evidence["filepath"]).status_code == 404
    for tag in ("old", "far"):
        assert owner.client.ok("GET", f"{place(project)}/{tag}")["evidences"] == []
    assert owner.client.post(f"{place(project)}/old/evidence").status_code == 202
    assert len(owner.client.ok("GET", f"{place(project)}/old")["evidences"]) == 1
    assert owner.client.post(f"{place(project)}/absent/evidence").status_code == 404


def test_groups_list_the_releases_of_all_projects_that_one_may_read(world: World, owner: Person) -> None:
    group = world.group(owner, visibility="public")
    shown, hidden = (
        world.project(owner, namespace_id=group["id"], initialize_with_readme=True, visibility=visibility)
        for visibility in ("public", "private")
    )
    for project, tag in ((shown, "a"), (hidden, "b")):
        owner.client.ok("POST", place(project), json={"tag_name": tag, "ref": "main"})

    assert [one["tag_name"] for one in owner.client.ok("GET", f"/groups/{group['id']}/releases?sort=asc")] == ["a", "b"]
    [seen] = world.anonymous.ok("GET", f"/groups/{group['id']}/releases")
    assert (seen["tag_name"], seen["commit"]["title"]) == ("a", "Initial commit")
    [simple] = world.anonymous.ok("GET", f"/groups/{group['id']}/releases?simple=true")
    assert set(simple) == {"name", "tag_name", "description", "created_at", "released_at", "upcoming_release"}


def test_jobs_release_with_their_token(world: World, owner: Person, project: dict[str, Any]) -> None:
    config = "job: {script: 'true', release: {tag_name: v$CI_PIPELINE_IID, description: Built}}"
    world.commit(project, "main", {".gitlab-ci.yml": config}, message="x [skip ci]", user_id=owner.id)
    runner = project_runner(world, project)
    owner.client.ok("POST", f"/projects/{project['id']}/pipeline", json={"ref": "main"})
    job = runner.take()

    # What `release-cli create` sends; the runner runs it as the step `release`.
    assert any(
        step["name"] == "release" and "release-cli create" in step["script"][0] for step in job.response["steps"]
    )
    body = {"tag_name": "v1", "description": "Built", "ref": "main"}
    created = world.anonymous.post(place(project), json=body, headers=job.headers)

    assert (created.status_code, created.json()["author"]["username"]) == (201, owner.username)
    assert world.anonymous.get(f"{place(project)}/v1", headers=job.headers).status_code == 200


def test_deleting_the_tag_deletes_its_release(owner: Person, project: dict[str, Any]) -> None:
    owner.client.ok("POST", place(project), json={"tag_name": "v1", "ref": "main"})

    owner.client.delete(f"/projects/{project['id']}/repository/tags/v1")

    assert owner.client.ok("GET", place(project)) == []


def test_archives_carry_releases(world: World, owner: Person, project: dict[str, Any]) -> None:
    owner.client.ok("POST", f"/projects/{project['id']}/milestones", json={"title": "one"})
    links = [{"name": "bin", "url": "https://example.com/bin", "direct_asset_path": "/bin/app"}]
    body = {"tag_name": "v1", "ref": "main", "description": "Notes", "milestones": ["one"], "assets": {"links": links}}
    written = owner.client.ok("POST", place(project), json=body)

    content = exported(world, owner, project["id"])
    copy = imported(world, owner, content)

    [record] = relation(content, "releases")
    assert (record["tag"], record["links"][0]["filepath"]) == ("v1", "/bin/app")
    assert record["milestone_releases"][0]["milestone"]["title"] == "one"
    [read] = owner.client.ok("GET", place(copy))
    for field in ("tag_name", "name", "description", "released_at", "created_at", "author"):
        assert read[field] == written[field]
    assert read["commit"]["id"] == written["commit"]["id"]
    assert [(one["name"], one["url"]) for one in read["assets"]["links"]] == [("bin", "https://example.com/bin")]
    assert [one["title"] for one in read["milestones"]] == ["one"]
