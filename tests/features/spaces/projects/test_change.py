"""Editing, archiving, starring, forking, moving, sharing and deleting projects."""

from typing import Any

import pytest

from tests.support.waiting import until
from tests.support.world import World


def refusal(answer: Any) -> tuple[int, Any]:
    return answer.status_code, answer.json()


def test_an_edit_changes_what_was_sent_and_nothing_else(world: World) -> None:
    ada = world.user()
    before = world.project(ada, description="old")
    here = f"/projects/{before['id']}"

    after = ada.client.ok(
        "PUT",
        here,
        json={
            "description": "**new**",
            "merge_method": "ff",
            "issues_access_level": "private",
            "wiki_enabled": False,
            "topics": "b,a",
            "build_timeout": 7200,
            "emails_disabled": True,
            "container_expiration_policy_attributes": {"enabled": True, "keep_n": 5},
            "archived": True,
        },
    )

    changed = {key for key in before if before[key] != after[key]}
    assert changed - {"updated_at"} == {
        "description",
        "description_html",
        "merge_method",
        "issues_access_level",
        "wiki_access_level",
        "wiki_enabled",
        "topics",
        "tag_list",
        "build_timeout",
        "emails_disabled",
        "emails_enabled",
        "container_expiration_policy",
    }
    assert after["topics"] == ["a", "b"]
    assert after["description_html"] == "<p><strong>new</strong></p>"
    assert after["container_expiration_policy"]["keep_n"] == 5
    assert after["last_activity_at"] == before["last_activity_at"]


@pytest.mark.parametrize(
    ("change", "body"),
    [
        ({"build_timeout": 10}, {"message": {"build_timeout": ["needs to be between 10 minutes and 1 month"]}}),
        (
            {"ci_config_path": "/x"},
            {"message": {"ci_config_path": ["cannot include leading slash or directory traversal."]}},
        ),
        ({"merge_method": "octopus"}, {"error": "merge_method does not have a valid value"}),
        ({"description": "x" * 2001}, {"message": {"description": ["is too long (maximum is 2000 characters)"]}}),
        (
            {"visibility": "public"},
            {"message": {"visibility_level": ["public is not allowed in a private group."]}},
        ),
        ({"path": "blob"}, {"message": {"path": ["blob is a reserved name"]}}),
    ],
)
def test_an_edit_is_refused_with_the_documented_body(world: World, change: dict[str, Any], body: Any) -> None:
    ada = world.user()
    group = world.group(ada, visibility="private")
    project = world.project(ada, namespace_id=group["id"])

    assert refusal(ada.client.put(f"/projects/{project['id']}", json=change)) == (400, body)


def test_an_empty_edit_names_what_could_be_sent(world: World) -> None:
    ada = world.user()
    project = world.project(ada)

    status, body = refusal(ada.client.put(f"/projects/{project['id']}", json={"archived": True}))

    assert status == 400
    assert body["error"].startswith("allow_merge_on_skipped_pipeline, analytics_access_level, ")
    assert body["error"].endswith("are missing, at least one parameter must be provided")


def test_maintainers_edit_but_only_owners_change_the_visibility(world: World) -> None:
    ada, ben = world.user(), world.user()
    project = world.project(ada)
    here = f"/projects/{project['id']}"
    world.member(project, ben, "developer")
    assert ben.client.put(here, json={"description": "x"}).status_code == 403

    world.admin.ok("PUT", f"{here}/members/{ben.id}", json={"access_level": 40})

    assert ben.client.put(here, json={"description": "x"}).status_code == 200
    assert refusal(ben.client.put(here, json={"visibility": "public"})) == (403, {"message": "403 Forbidden"})
    assert refusal(ben.client.put(here, json={"ci_pipeline_variables_minimum_override_role": "owner"})) == (
        400,
        {"message": "Changing the ci_pipeline_variables_minimum_override_role to the owner role is not allowed"},
    )


def test_a_renamed_project_answers_at_its_old_path(world: World) -> None:
    ada = world.user()
    project = world.project(ada, path="before")

    ada.client.ok("PUT", f"/projects/{project['id']}", json={"path": "after", "name": "After"})
    old = ada.client.get(f"/projects/{ada.username}%2Fbefore", license=True)

    assert old.status_code == 301
    assert old.headers["Location"].endswith(f"/api/v4/projects/{project['id']}?license=true")
    assert refusal(ada.client.delete(f"/projects/{ada.username}%2Fbefore")) == (
        405,
        {"message": "Non GET methods are not allowed for moved projects"},
    )
    assert ada.client.ok("GET", f"/projects/{ada.username}%2FAFTER")["name"] == "After"


def test_the_default_branch_must_exist(world: World) -> None:
    ada = world.user()
    project = world.project(ada, initialize_with_readme=True)

    assert refusal(ada.client.put(f"/projects/{project['id']}", json={"default_branch": "nope"})) == (
        400,
        {"message": {"base": ["Could not change HEAD: branch 'nope' does not exist"]}},
    )


def test_archiving_is_repeatable_and_for_owners(world: World) -> None:
    ada, ben = world.user(), world.user()
    project = world.project(ada)
    here = f"/projects/{project['id']}"
    world.member(project, ben, "maintainer")

    assert ben.client.post(f"{here}/archive").status_code == 403
    assert ada.client.ok("POST", f"{here}/archive")["archived"] is True
    assert ada.client.ok("POST", f"{here}/archive")["archived"] is True
    assert ada.client.ok("POST", f"{here}/unarchive")["archived"] is False


def test_a_star_counts_once(world: World) -> None:
    ada, ben = world.user(), world.user()
    here = f"/projects/{world.project(ada, visibility='public')['id']}"

    assert ben.client.ok("POST", f"{here}/star")["star_count"] == 1
    assert ben.client.post(f"{here}/star").status_code == 304
    assert ada.client.ok("POST", f"{here}/star")["star_count"] == 2
    assert ben.client.ok("POST", f"{here}/unstar")["star_count"] == 1
    assert ben.client.post(f"{here}/unstar").status_code == 304


def test_a_fork_has_its_own_git_data_and_knows_its_source(world: World) -> None:
    ada, ben = world.user(), world.user()
    source = world.project(ada, visibility="public", initialize_with_readme=True, description="d")

    created = ben.client.ok("POST", f"/projects/{source['id']}/fork")
    here = f"/projects/{created['id']}"
    done = until(lambda: (read := ben.client.ok("GET", here))["import_status"] == "finished" and read)

    assert created["import_status"] == "scheduled"
    assert created["forked_from_project"]["id"] == source["id"]
    assert done["empty_repo"] is False
    assert done["readme_url"].endswith("/-/blob/main/README.md")
    assert done["mr_default_target_self"] is False
    assert ada.client.ok("GET", f"/projects/{source['id']}")["forks_count"] == 1
    assert refusal(ben.client.post(f"/projects/{source['id']}/fork")) == (
        409,
        {
            "message": [
                "Name has already been taken",
                "Path has already been taken",
                "Project namespace name has already been taken",
            ]
        },
    )
    assert refusal(ben.client.put(here, json={"visibility": "public"}))[0] == 200
    assert ben.client.delete(f"{here}/fork").status_code == 204
    assert ben.client.delete(f"{here}/fork").status_code == 304
    assert ada.client.ok("GET", f"/projects/{source['id']}")["forks_count"] == 0


def test_forking_needs_the_code_and_a_place_for_it(world: World) -> None:
    ada, ben = world.user(), world.user()
    source = world.project(ada)
    world.member(source, ben, "guest")
    here = f"/projects/{source['id']}/fork"

    assert refusal(ben.client.post(here)) == (404, {"message": "404 Not Found"})
    assert refusal(ada.client.post(here, json={"namespace_path": "nowhere"})) == (
        404,
        {"message": "404 Namespace Not Found"},
    )
    assert refusal(ada.client.post(here, json={"path": "other", "name": "Other", "branches": "nope"})) == (
        404,
        {"message": "404 Source Branch Not Found"},
    )


def test_a_group_can_keep_its_forks_inside(world: World) -> None:
    ada = world.user()
    group = world.group(ada)
    sub = world.group(ada, parent_id=group["id"])
    source = world.project(ada, namespace_id=group["id"])
    ada.client.ok("PUT", f"/groups/{group['id']}", json={"prevent_forking_outside_group": True})

    outside = ada.client.post(f"/projects/{source['id']}/fork")
    inside = ada.client.post(f"/projects/{source['id']}/fork", json={"namespace_id": sub["id"]})

    assert refusal(outside) == (404, {"message": "404 Target Namespace Not Found"})
    assert inside.status_code == 201


def test_fork_relations_are_made_and_refused(world: World) -> None:
    ada = world.user()
    one, two = world.project(ada), world.project(ada)

    assert refusal(ada.client.post(f"/projects/{one['id']}/fork/{one['id']}")) == (
        400,
        {"message": "Target project cannot be equal to source project"},
    )
    created = ada.client.ok("POST", f"/projects/{one['id']}/fork/{two['id']}")
    assert created["forked_from_project"]["id"] == two["id"]
    assert refusal(ada.client.post(f"/projects/{one['id']}/fork/{two['id']}")) == (
        409,
        {"message": "Project already forked"},
    )


def test_a_transfer_moves_path_rights_and_visibility(world: World) -> None:
    ada, ben = world.user(), world.user()
    group = world.group(ada, visibility="internal")
    project = world.project(ada, visibility="public")
    world.member(group, ben, "reporter", kind="groups")
    here = f"/projects/{project['id']}"

    moved = ada.client.ok("PUT", f"{here}/transfer", json={"namespace": group["full_path"]})

    assert moved["path_with_namespace"] == f"{group['full_path']}/{project['path']}"
    assert moved["visibility"] == "internal"
    assert "owner" not in moved
    assert ben.client.ok("GET", here)["permissions"]["group_access"]["access_level"] == 20
    assert refusal(ada.client.put(f"{here}/transfer", json={"namespace": group["id"]})) == (
        400,
        {"message": 'Failed to transfer project {:new_namespace=>["Project is already in this namespace."]}'},
    )
    assert refusal(ada.client.put(f"{here}/transfer", json={"namespace": "no/where"})) == (
        404,
        {"message": "404 Namespace Not Found"},
    )


def test_a_share_gives_rights_until_it_ends(world: World) -> None:
    ada, ben = world.user(), world.user()
    project, group = world.project(ada), world.group(ben)
    here = f"/projects/{project['id']}"
    body = {"group_id": group["id"], "group_access": 30}
    assert refusal(ada.client.post(f"{here}/share", json=body)) == (404, {"message": "Not Found"})

    world.member(group, ada, "guest", kind="groups")
    created = ada.client.ok("POST", f"{here}/share", json=body)

    assert created["group_access"] == 30
    assert ben.client.get(here).status_code == 200
    assert ben.client.put(here, json={"description": "x"}).status_code == 403
    assert refusal(ada.client.post(f"{here}/share", json=body)) == (
        409,
        {"message": "Group already shared with this group"},
    )
    assert ada.client.ok("GET", here)["shared_with_groups"] == [
        {
            "group_id": group["id"],
            "group_name": group["name"],
            "group_full_path": group["full_path"],
            "group_access_level": 30,
            "expires_at": None,
        }
    ]
    assert ada.client.delete(f"{here}/share/{group['id']}").status_code == 204
    assert ben.client.get(here).status_code == 404
    assert refusal(ada.client.delete(f"{here}/share/{group['id']}")) == (
        404,
        {"message": "404 Group Link Not Found"},
    )
    assert refusal(ada.client.delete(f"{here}/share/x")) == (400, {"error": "group_id is invalid"})
    assert refusal(ada.client.post(f"{here}/share", json={"group_id": group["id"]})) == (
        400,
        {"error": "group_access is missing, group_access does not have a valid value"},
    )


def test_a_group_project_is_marked_restored_and_removed(world: World) -> None:
    ada = world.user()
    group = world.group(ada)
    project = world.project(ada, namespace_id=group["id"], name="Old", path="old")
    here = f"/projects/{project['id']}"
    assert refusal(ada.client.delete(here, params={"permanently_remove": "true"})) == (
        400,
        {"message": "Project must be marked for deletion first."},
    )

    assert ada.client.delete(here).status_code == 202
    marked = ada.client.ok("GET", here)
    assert ada.client.delete(here).status_code == 202
    twin = world.project(ada, namespace_id=group["id"], name="Old", path="old")
    restored = ada.client.ok("POST", f"{here}/restore")

    assert marked["path"] == f"old-deleted-{project['id']}"
    assert marked["archived"] is True
    assert marked["marked_for_deletion_on"] == marked["marked_for_deletion_at"]
    assert restored["archived"] is False
    assert restored["marked_for_deletion_on"] is None
    assert restored["path"].startswith("old-")
    assert len(restored["path"]) == len("old-xxxxx")
    assert twin["path"] == "old"

    ada.client.delete(here)
    assert refusal(ada.client.delete(here, params={"permanently_remove": "true", "full_path": "x/y"})) == (
        400,
        {"message": "`full_path` is incorrect. You must enter the complete path for the project."},
    )
    path = ada.client.ok("GET", here)["path_with_namespace"]
    assert ada.client.delete(here, params={"permanently_remove": "true", "full_path": path}).status_code == 202
    assert ada.client.get(here).status_code == 404


def test_an_older_copy_is_not_deleted(world: World) -> None:
    ada = world.user()
    project = world.project(ada)

    answer = ada.client.delete(
        f"/projects/{project['id']}", headers={"If-Unmodified-Since": "Thu, 01 Jan 2015 00:00:00 GMT"}
    )

    assert refusal(answer) == (412, {"message": "412 Precondition Failed"})
