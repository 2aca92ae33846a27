"""People, stars, languages, storage, topics, attributes, pictures and upkeep of projects."""

import pytest

from tests.support import plain_http
from tests.support.waiting import until
from tests.support.world import World

PICTURE = b"\x89PNG\r\n\x1a\n" + b"\0" * 64


def test_users_are_all_effective_members(world: World) -> None:
    ada, ben, cleo = world.user(), world.user(), world.user()
    group = world.group(ada, visibility="public")
    project = world.project(ada, namespace_id=group["id"], visibility="public")
    here = f"/projects/{project['id']}/users"
    world.member(group, ben, "guest", kind="groups")
    world.member(project, cleo, "guest")

    def ids(**params: object) -> list[int]:
        return [user["id"] for user in world.anonymous.get(here, **params).json()]

    assert ids() == [ada.id, ben.id, cleo.id]
    assert ids(search="@" + ben.username) == [ben.id]
    assert ids(skip_users=f"{ada.id},{cleo.id}") == [ben.id]
    assert ids(skip_users=[ada.id]) == [ben.id, cleo.id]


def test_starrers_with_a_private_profile_stay_unseen(world: World) -> None:
    ada, ben = world.user(), world.user()
    shy = world.user(private_profile=True)
    here = f"/projects/{world.project(ada, visibility='public')['id']}"
    for person in (ben, shy):
        person.client.ok("POST", f"{here}/star")

    assert [entry["user"]["id"] for entry in ada.client.get(f"{here}/starrers").json()] == [ben.id]
    assert [entry["id"] for entry in ada.client.get(f"/users/{ben.id}/starred_projects").json()] == [
        int(here.rsplit("/", 1)[-1])
    ]
    assert ada.client.get(f"/users/{shy.username}/starred_projects").json() == []
    assert len(shy.client.get(f"/users/{shy.username.upper()}/starred_projects").json()) == 1


def test_projects_of_a_user_are_the_personal_ones(world: World) -> None:
    ada, ben = world.user(), world.user()
    group = world.group(ada)
    world.project(ada, namespace_id=group["id"], visibility="private")
    private, public = world.project(ada), world.project(ada, visibility="public")
    here = f"/users/{ada.username}/projects"

    def ids(person: object) -> list[int]:
        return [entry["id"] for entry in person.get(here).json()]  # type: ignore[attr-defined]

    assert ids(ada.client) == [public["id"], private["id"]]
    assert ids(ben.client) == [public["id"]]
    assert ids(world.anonymous) == [public["id"]]
    assert ids(world.admin) == [public["id"], private["id"]]
    assert ada.client.get("/users/nobody-has-this/projects").json() == {"message": "404 User Not Found"}
    assert [entry["id"] for entry in ben.client.get(here, min_access_level=10).json()] == []
    page = ada.client.get(here, pagination="keyset", order_by="id", per_page=1)
    assert f"id_before={public['id']}" in page.headers["Link"]


def test_storage_and_fetches(world: World) -> None:
    ada = world.user()
    here = f"/projects/{world.project(ada)['id']}"

    assert ada.client.get(f"{here}/storage").status_code == 403
    assert world.admin.ok("GET", f"{here}/storage")["disk_path"].startswith("@hashed/")
    assert ada.client.ok("GET", f"{here}/statistics") == {"fetches": {"total": 0, "days": []}}
    assert world.anonymous.get(f"{here}/statistics").status_code in (401, 404)


def test_custom_attributes_are_for_administrators(world: World) -> None:
    ada = world.user()
    project = world.project(ada)
    here = f"/projects/{project['id']}"

    assert ada.client.put(f"{here}/custom_attributes/color", json={"value": "red"}).status_code == 403
    assert world.admin.ok("PUT", f"{here}/custom_attributes/color", json={"value": "red"}) == {
        "key": "color",
        "value": "red",
    }
    shown = world.admin.get(here, with_custom_attributes=True).json()
    assert shown["custom_attributes"] == [{"key": "color", "value": "red"}]
    assert "custom_attributes" not in ada.client.get(here, with_custom_attributes=True).json()
    result = world.admin.get("/projects", custom_attributes={"color": "red"}).json()
    assert [entry["id"] for entry in result] == [project["id"]]
    assert world.admin.get("/projects", custom_attributes="red").json() == {"error": "custom_attributes is invalid"}
    assert world.admin.delete(f"{here}/custom_attributes/color").status_code == 204


def test_a_picture_is_kept_shown_and_taken_away(world: World) -> None:
    ada = world.user()
    project = world.project(ada)
    here = f"/projects/{project['id']}"

    shown = ada.client.ok("PUT", here, files={"avatar": ("face of me.png", PICTURE)})
    picture = ada.client.get(f"{here}/avatar")
    refused = ada.client.put(here, files={"avatar": ("x.png", b"<svg>")})
    too_big = ada.client.put(here, files={"avatar": ("x.png", PICTURE + b"\0" * 204_800)})

    assert shown["avatar_url"].endswith(f"/uploads/-/system/project/avatar/{project['id']}/face_of_me.png")
    assert (picture.content, picture.headers["content-type"]) == (PICTURE, "image/png")
    assert refused.status_code == 400
    assert too_big.json() == {"message": {"avatar": ["is too big (should be at most 200 KiB)"]}}
    assert plain_http.get(shown["avatar_url"]).status_code == 404
    assert plain_http.get(shown["avatar_url"], headers={"PRIVATE-TOKEN": ada.token}).content == PICTURE
    assert ada.client.ok("PUT", here, json={"avatar": ""})["avatar_url"] is None
    assert ada.client.get(f"{here}/avatar").status_code == 404


def test_members_of_another_project_are_taken_over(world: World) -> None:
    ada, ben, cleo = world.user(), world.user(), world.user()
    source, target = world.project(ada), world.project(ada)
    world.member(source, ben, "developer")
    world.member(source, cleo, "owner")
    here = f"/projects/{target['id']}/import_project_members"

    assert ada.client.ok("POST", f"{here}/{source['id']}") == {"status": "success"}
    assert ben.client.ok("GET", f"/projects/{target['id']}")["permissions"]["project_access"]["access_level"] == 30
    assert ada.client.post(f"{here}/{target['id']}").json() == {
        "message": "Import failed",
        "reason": "import_failed_error",
    }
    public = world.project(visibility="public")
    assert ada.client.post(f"{here}/{public['id']}").json() == {"message": "403 Forbidden - Project"}
    assert ada.client.post(f"{here}/99999").json() == {"message": "404 Project Not Found"}


def test_housekeeping_runs_in_the_background(world: World) -> None:
    ada = world.user()
    project = world.project(ada, initialize_with_readme=True)
    here = f"/projects/{project['id']}"

    assert ada.client.post(f"{here}/housekeeping", json={"task": "prune"}).status_code == 201
    assert ada.client.post(f"{here}/housekeeping", json={"task": "paint"}).status_code == 400
    statistics = until(
        lambda: (result := ada.client.get(here, statistics=True).json()["statistics"])["commit_count"] and result
    )
    assert statistics["commit_count"] == 1
    assert statistics["storage_size"] == statistics["repository_size"] > 0


def test_a_project_can_start_from_another(world: World) -> None:
    ada = world.user()
    template = world.project(ada, initialize_with_readme=True)

    created = world.project(ada, template_project_id=template["id"])

    until(lambda: ada.client.ok("GET", f"/projects/{created['id']}")["import_status"] == "finished")
    assert ada.client.ok("GET", f"/projects/{created['id']}")["empty_repo"] is False
    assert "forked_from_project" not in created


@pytest.mark.parametrize(
    ("options", "body"),
    [
        ({}, {"error": "name, path are missing, at least one parameter must be provided"}),
        ({"name": "x", "template_name": "rails"}, {"message": {"template_name": ["'rails' is unknown or invalid"]}}),
        (
            {"name": "x", "template_name": "rails", "import_url": "https://example.com/x.git"},
            {"error": "import_url, template_name are mutually exclusive"},
        ),
        ({"name": "x", "mirror": True}, {"message": {"import_url": ["can't be blank"]}}),
        (
            {"name": "x", "template_project_id": 999999},
            {"message": {"template_project_id": ["999999 is unknown or invalid"]}},
        ),
        ({"name": "x", "namespace_id": 99999}, {"message": {"namespace": ["is not valid"]}}),
        (
            {"name": "<x>", "path": "x"},
            {
                "message": {
                    "name": [
                        (
                            "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces."
                            " It must start with a letter, digit, emoji, or '_'."
                        )
                    ]
                }
            },
        ),
        ({"name": "x", "visibility": "secret"}, {"error": "visibility does not have a valid value"}),
    ],
)
def test_a_creation_is_refused_with_the_documented_body(world: World, options: dict[str, object], body: object) -> None:
    answer = world.user().client.post("/projects", json=options)

    assert (answer.status_code, answer.json()) == (400, body)


def test_taken_names_and_paths_are_told_apart(world: World) -> None:
    ada = world.user()
    world.project(ada, name="Taken", path="taken")

    def refused(**body: str) -> object:
        return ada.client.post("/projects", json=body).json()["message"]

    taken = ["has already been taken"]
    assert refused(name="Taken", path="taken") == {"project_namespace.name": taken, "name": taken, "path": taken}
    assert refused(name="Other", path="TAKEN") == {"path": taken}
    assert refused(name="Taken", path="other") == {"project_namespace.name": taken, "name": taken}
    assert ada.client.ok("POST", "/projects", json={"name": "Foo Project"})["path"] == "foo-project"


def test_the_personal_limit_holds(world: World) -> None:
    ada, none = world.user(projects_limit=1), world.user(projects_limit=0)
    world.project(ada)

    over, never = ada.client.post("/projects", json={"name": "x"}), none.client.post("/projects", json={"name": "x"})

    assert (over.status_code, over.json()) == (
        403,
        {"error": ["You've reached your limit of 1 projects created. Contact your GitLab administrator."]},
    )
    assert never.json() == {
        "error": ["You cannot create projects in your personal namespace. Contact your GitLab administrator."]
    }


def test_an_administrator_creates_for_somebody(world: World) -> None:
    ada = world.user()

    created = world.admin.ok("POST", f"/projects/user/{ada.id}", json={"name": "Gift"})

    assert created["owner"]["id"] == ada.id
    assert ada.client.post(f"/projects/user/{ada.id}", json={"name": "x"}).status_code == 403
    assert world.admin.post("/projects/user/99999", json={"name": "x"}).json() == {"message": "404 User Not Found"}
    assert world.admin.post(f"/projects/user/{ada.id}", json={"path": "x"}).json() == {"error": "name is missing"}


def test_a_project_above_its_groups_visibility_is_lowered(world: World) -> None:
    ada = world.user()
    group = world.group(ada, visibility="internal")

    assert world.project(ada, namespace_id=group["id"], visibility="public")["visibility"] == "internal"


def test_an_unknown_storage_is_refused(world: World) -> None:
    refusal = {"message": {"repository_storage_moves": ["is invalid"]}}
    project = world.project()

    created = world.admin.post("/projects", json={"name": world.name("x"), "repository_storage": "attic"})
    edited = world.admin.put(f"/projects/{project['id']}", json={"repository_storage": "attic"})

    assert (created.status_code, created.json()) == (400, refusal)
    assert (edited.status_code, edited.json()) == (400, refusal)


def test_a_project_without_an_origin_becomes_no_mirror(world: World) -> None:
    project = world.project()

    answer = world.admin.put(f"/projects/{project['id']}", json={"mirror": True})

    assert (answer.status_code, answer.json()) == (400, {"message": {"import_url": ["can't be blank"]}})
