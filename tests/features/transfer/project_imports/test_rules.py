"""What an import decides for itself: levels, positions, numbers, states, overrides, and what it never believes."""

import hashlib
import json
from typing import Any

import pytest

from tests.features.transfer.project_imports.making import (
    MOMENT,
    archive,
    exported,
    files_of,
    imported,
    relation,
    tarball,
    upload,
)
from tests.support.world import Person, World

SHA = "a" * 40


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    return world.user()


@pytest.fixture(scope="module")
def root(world: World) -> Person:
    return Person(1, "root", world.admin, "")


def finished(record: dict[str, Any]) -> dict[str, Any]:
    assert (record["import_status"], record["failed_relations"]) == ("finished", []), record
    return record


def read(person: Person, record: dict[str, Any], path: str = "") -> Any:
    return person.client.ok("GET", f"/projects/{record['id']}{path}")


BRANCH = {
    "name": "release", "allow_force_push": False, "created_at": MOMENT, "updated_at": MOMENT,
    "push_access_levels": [{"access_level": 30}], "merge_access_levels": [{"access_level": 0}],
}  # fmt: skip


def levels(person: Person, record: dict[str, Any]) -> tuple[list[int], list[int]]:
    result = read(person, record, "/protected_branches/release")
    return tuple([one["access_level"] for one in result[f"{kind}_access_levels"]] for kind in ("push", "merge"))  # type: ignore[return-value]


def test_loose_protection_is_believed_of_owners_of_the_top_group_only(world: World, owner: Person) -> None:
    group = world.group(owner)
    below = world.group(owner, parent_id=group["id"])
    maintainer = world.user()
    world.member(below, maintainer, "maintainer", kind="groups")
    content = archive(protected_branches=[BRANCH])

    mine = finished(imported(world, owner, content))
    owned = finished(imported(world, owner, content, namespace=below["full_path"]))
    managed = finished(imported(world, maintainer, content, namespace=below["full_path"]))

    assert levels(owner, mine) == ([40], [0])
    assert levels(owner, owned) == ([30], [0])
    assert levels(owner, managed) == ([40], [0])


def test_protection_for_single_people_stays_with_them(world: World, root: Person) -> None:
    person = world.user(email=f"{world.name('p')}@example.com")
    mail = world.admin.ok("GET", f"/users/{person.id}")["email"]
    grants = [
        {"access_level": 40, "user_id": 5},
        {"access_level": 40, "user_id": 6},
        {"access_level": 40, "group_id": 9},
    ]
    members = [{"access_level": 40, "user_id": 5, "user": {"id": 5, "public_email": mail}}]
    tag = {"name": "v*", "create_access_levels": [{"access_level": 40, "user_id": 5}]}
    content = archive(
        protected_branches=[{**BRANCH, "push_access_levels": grants}], protected_tags=[tag], project_members=members
    )

    record = finished(imported(world, root, content))

    result = read(root, record, "/protected_branches/release")["push_access_levels"]
    assert [(one["user_id"], one["access_level"]) for one in result if one["user_id"]] == [(person.id, 40), (1, 40)]
    assert [one["access_level"] for one in result if not one["user_id"]] == [40]
    tags = read(root, record, "/protected_tags/v*")["create_access_levels"]
    assert [one["user_id"] for one in tags] == [person.id]


def test_issues_stand_in_the_order_of_the_file(world: World, owner: Person) -> None:
    lines = [
        {"iid": iid, "title": f"i{iid}", "relative_position": place} for iid, place in ((1, 900), (2, 5), (3, None))
    ]

    record = finished(imported(world, owner, archive(issues=lines)))

    listed = read(owner, record, "/issues?order_by=relative_position&sort=asc")
    assert [one["iid"] for one in listed] == [1, 2, 3]
    assert [one["iid"] for one in relation(exported(world, owner, record["id"]), "issues")] == [1, 2, 3]


def test_exports_order_issues_by_position(world: World, owner: Person) -> None:
    project = world.project(owner)
    for title in ("a", "b", "c"):
        owner.client.ok("POST", f"/projects/{project['id']}/issues", json={"title": title})
    with world.server.services.db.write() as tx:
        from sqlalchemy import update

        from ingot.features.planning.issues import issues

        for iid, place in ((1, None), (2, 7), (3, 3)):
            mine = (issues.c.project_id == project["id"]) & (issues.c.iid == iid)
            tx.execute(update(issues).where(mine).values(relative_position=place))

    result = relation(exported(world, owner, project["id"]), "issues")

    assert [one["title"] for one in result] == ["c", "b", "a"]


def test_the_second_of_a_number_is_a_failure(world: World, owner: Person) -> None:
    record = imported(
        world,
        owner,
        archive(
            milestones=[{"iid": 1, "title": "first"}, {"iid": 1, "title": "second"}],
            issues=[{"iid": 4, "title": "one"}, {"iid": 4, "title": "two"}],
        ),
    )

    assert record["import_status"] == "finished"
    failures = {(one["relation_name"], one["line_number"]) for one in record["failed_relations"]}
    assert failures == {("milestones", 1), ("issues", 1)}
    assert [one["title"] for one in read(owner, record, "/milestones")] == ["first"]
    assert [one["title"] for one in read(owner, record, "/issues")] == ["one"]


def test_a_former_group_milestone_makes_room(world: World, owner: Person) -> None:
    group = {"iid": 1, "title": "of the group", "group_id": 3}
    own = {"iid": 1, "title": "of the project", "project_id": 7}
    lines = [{"iid": 1, "title": "a", "milestone": group}, {"iid": 2, "title": "b", "milestone": own}]

    record = finished(imported(world, owner, archive(issues=lines)))

    assert {one["title"]: one["iid"] for one in read(owner, record, "/milestones")} == {
        "of the project": 1, "of the group": 2
    }  # fmt: skip


def test_records_without_numbers_make_room_for_those_that_have_one(world: World, owner: Person) -> None:
    pipeline = {"ref": "main", "sha": SHA, "status": "success", "source": "push", "created_at": MOMENT}
    pipelines = [{**pipeline, "ref": f"r{iid or 'x'}", "iid": iid} for iid in (None, 1, 2, None, 3, 5, 4)]
    issues = [{"title": "none"}, {"iid": 1, "title": "first"}, {"title": "late"}, {"iid": 2, "title": "second"}]

    record = finished(imported(world, owner, archive(ci_pipelines=pipelines, issues=issues)))

    result = {one["ref"]: one["iid"] for one in read(owner, record, "/pipelines") if one["ref"] != "rx"}
    assert result == {"r1": 1, "r2": 2, "r3": 3, "r4": 4, "r5": 5}
    assert len({one["iid"] for one in read(owner, record, "/pipelines")}) == 7
    titles = {one["title"]: one["iid"] for one in read(owner, record, "/issues")}
    assert (titles["first"], titles["second"], len(titles)) == (1, 2, 4)


def test_a_label_that_only_a_board_uses_survives(world: World, owner: Person) -> None:
    label = {"title": "Doing", "color": "#aabbcc", "type": "ProjectLabel"}
    board = {"name": "Development", "lists": [{"list_type": "label", "position": 0, "label": label}]}

    record = finished(imported(world, owner, archive(boards=[board])))

    assert [(one["name"], one["color"]) for one in read(owner, record, "/labels")] == [("Doing", "#aabbcc")]
    again = exported(world, owner, record["id"])
    assert [one["title"] for one in relation(again, "labels")] == ["Doing"]
    assert relation(again, "boards")[0]["lists"][0]["label"]["title"] == "Doing"


PIPELINE = {
    "iid": 3, "ref": "main", "sha": SHA, "status": "running", "source": "push", "created_at": MOMENT, "user_id": 1,
    "notes": [{"note": "on the commit", "commit_id": SHA, "author_id": 1, "author": {"name": "A"}}],
    "stages": [
        {"name": "deploy", "position": 2, "status": 6, "lock_version": 4},
        {
            "name": "test", "position": 1, "status": 3,
            "statuses": [
                {
                    "name": "unit", "status": "failed", "type": "Ci::Build", "failure_reason": 1, "token": "hush",
                    "trace": "log", "commands": "rm", "coverage_regex": "x", "options": {"image": "i"}, "stage_idx": 1,
                },
                {"name": "wait", "status": "pending", "type": "GenericCommitStatus", "target_url": "http://x"},
            ],
        },
    ],
}  # fmt: skip


def test_pipelines_end_and_keep_what_has_no_place(world: World, owner: Person) -> None:
    record = finished(imported(world, owner, archive(ci_pipelines=[PIPELINE])))

    pipeline = read(owner, record, "/pipelines")[0]
    jobs = {one["name"]: one for one in read(owner, record, f"/pipelines/{pipeline['id']}/jobs")}
    assert (pipeline["iid"], pipeline["status"]) == (3, "canceled")
    assert (jobs["unit"]["status"], jobs["unit"]["failure_reason"]) == ("failed", "script_failure")
    again = relation(exported(world, owner, record["id"]), "ci_pipelines")[0]
    assert [(one["name"], one["position"]) for one in again["stages"]] == [("test", 1), ("deploy", 2)]
    build = again["stages"][0]["builds"][0]
    assert build["commit_id"] == pipeline["id"]
    assert (build["coverage_regex"], build["options"], build["stage_idx"]) == ("x", {"image": "i"}, 1)
    assert "hush" not in str(again)
    assert not {"trace", "commands", "token", "bare_stages"} & (set(build) | set(again))
    notes = relation(exported(world, owner, record["id"]), "commit_notes")
    assert [(one["commit_id"], one["note"][:13]) for one in notes] == [(SHA, "on the commit")]


def test_secrets_and_rendered_texts_are_not_kept(world: World, owner: Person) -> None:
    lines = [
        {"title": "s", "content": "c", "description_html": "<script>", "secret_token": "hush", "encrypted_x": "hush"}
    ]
    content = archive(
        {"runners_token": "hush", "external_webhook_token": "hush"},
        snippets=lines,
        error_tracking_setting={"api_url": "https://x", "encrypted_token": "hush"},
        issues=[{"iid": 1, "title": "t", "title_html": "<script>", "zoom_meetings": [{"token": "hush", "url": "u"}]}],
    )

    record = finished(imported(world, owner, content))

    texts = b"".join(
        text for name, text in files_of(exported(world, owner, record["id"])).items() if name.startswith("tree/")
    )
    assert b"hush" not in texts
    assert b"<script>" not in texts
    assert b'"api_url":"https://x"' in texts


def test_events_without_an_author_are_dropped(world: World, owner: Person) -> None:
    events = [{"action": "created", "author_id": None}, {"action": "closed", "author_id": 4}]

    record = finished(imported(world, owner, archive(issues=[{"iid": 1, "title": "t", "events": events}])))

    again = relation(exported(world, owner, record["id"]), "issues")[0]["events"]
    assert [(event["action"], event["author_id"]) for event in again] == [("closed", owner.id)]


def test_events_come_along_and_are_listed(world: World, owner: Person) -> None:
    old = {"author_id": 4, "target_type": "Note", "action": 6, "created_at": MOMENT}
    note = {"note": "Indeed", "author_id": 4, "author": {"name": "Ann"}, "events": [old]}
    new = {"author_id": 4, "target_type": "Issue", "action": "closed", "created_at": MOMENT}
    strange = {"author_id": 4, "target_type": "Issue", "action": "promoted"}
    issue = {"iid": 7, "title": "Hinge", "state": "closed", "events": [new, strange], "notes": [note]}

    record = finished(imported(world, owner, archive(issues=[issue])))

    listed = owner.client.ok("GET", f"/projects/{record['id']}/events", params={"sort": "asc"})
    brought = [event for event in listed if event["imported"]]
    assert [(one["action_name"], one["target_type"], one["target_title"]) for one in brought] == [
        ("closed", "Issue", "Hinge"),
        ("commented on", "Note", None),
    ]
    assert {(one["imported_from"], one["author_id"], one["created_at"]) for one in brought} == {
        ("gitlab_project", owner.id, "2024-02-01T09:00:00Z")
    }
    again = relation(exported(world, owner, record["id"]), "issues")[0]
    assert [event["action"] for event in again["events"]] == ["promoted", "closed"]
    assert [event["action"] for event in again["notes"][0]["events"]] == ["commented"]


def test_relations_that_nobody_knows_cannot_stop_an_import(world: World, owner: Person) -> None:
    files = {
        "tree/project/novelties.ndjson": b'{"a":1}\n{broken\n',
        f"tree/project/{'x' * 200}.ndjson": b"{}\n",
        "tree/project/._issues.ndjson": b"junk",
        "tree/project/Odd Name.ndjson": b"junk",
    }

    record = finished(imported(world, owner, archive(files=files)))

    assert relation(exported(world, owner, record["id"]), "novelties") == [{"a": 1}]


def test_any_setting_of_a_project_can_be_overridden(world: World, owner: Person) -> None:
    overrides = {
        "lfs_enabled": "false", "topics": "one,two", "ci_default_git_depth": "7", "merge_method": "ff",
        "issues_access_level": "private", "pages_access_level": "public", "snippets_enabled": "false",
        "visibility_level": "20", "squash_option": "always", "packages_enabled": "false", "build_timeout": "12",
        "nonsense": "x", "only_allow_merge_if_pipeline_succeeds": "", "ci_forward_deployment_enabled": "false",
        "auto_cancel_pending_pipelines": "wrong", "path": "elsewhere",
    }  # fmt: skip
    content = archive(
        {"only_allow_merge_if_pipeline_succeeds": True, "squash_option": "never", "build_timeout": 4000},
        project_feature={"issues_access_level": 20, "snippets_access_level": 20},
    )

    record = finished(
        imported(world, owner, content, **{f"override_params[{key}]": value for key, value in overrides.items()})
    )

    project = read(owner, record)
    expected = {
        "lfs_enabled": False, "topics": ["one", "two"], "ci_default_git_depth": 7, "merge_method": "ff",
        "issues_access_level": "private", "pages_access_level": "public", "snippets_access_level": "disabled",
        "visibility": "public", "squash_option": "always", "packages_enabled": False, "build_timeout": 4000,
        "only_allow_merge_if_pipeline_succeeds": True, "ci_forward_deployment_enabled": False,
        "auto_cancel_pending_pipelines": "enabled",
    }  # fmt: skip
    assert {key: project[key] for key in expected} == expected
    assert project["path"] == record["path"] != "elsewhere"


def test_settings_of_pipelines_that_nobody_could_set_are_not_believed(world: World, owner: Person) -> None:
    given = {
        "default_git_depth": 5000, "pipeline_variables_minimum_override_role": "everybody",
        "keep_latest_artifact": False, "restrict_pipeline_cancellation_role": "maintainer",
    }  # fmt: skip

    shown = read(owner, finished(imported(world, owner, archive(ci_cd_settings=given))))

    assert (shown["ci_default_git_depth"], shown["ci_pipeline_variables_minimum_override_role"]) == (20, "maintainer")
    assert (shown["keep_latest_artifact"], shown["ci_restrict_pipeline_cancellation_role"]) == (False, "maintainer")


def test_the_runners_of_the_instance_follow_the_group(world: World, owner: Person) -> None:
    group = world.group(owner)
    owner.client.ok("PUT", f"/groups/{group['id']}", json={"shared_runners_setting": "disabled_and_unoverridable"})

    record = finished(imported(world, owner, archive({"shared_runners_enabled": True}), namespace=group["full_path"]))

    assert read(owner, record)["shared_runners_enabled"] is False


def test_a_large_object_that_is_not_listed_ends_the_import(world: World, owner: Person) -> None:
    files = {"lfs-objects/x": b"large", "lfs-objects.json": b'{"y":[0]}'}

    record = imported(world, owner, archive(files=files))

    assert record["import_status"] == "failed"
    assert "LFS object" in record["import_error"]


def test_large_objects_are_called_by_their_content(world: World, owner: Person) -> None:
    oid = hashlib.sha256(b"large").hexdigest()
    files = {"lfs-objects/x": b"large", "lfs-objects/.junk": b"j", "lfs-objects/.d/junk": b"j"}

    record = finished(imported(world, owner, archive(files=files)))

    result = files_of(exported(world, owner, record["id"]))
    assert [name for name in result if name.startswith("lfs-objects/")] == [f"lfs-objects/{oid}"]


def test_overwriting_brings_people_along(world: World, owner: Person) -> None:
    old = world.project(owner)
    friend, fan = world.user(), world.user()
    world.member(old, friend, "developer")
    path = f"/projects/{old['id']}"
    owner.client.ok("PUT", path, json={"visibility": "public"})
    fan.client.ok("POST", f"{path}/star")
    owner.client.ok("POST", f"{path}/invitations", json={"email": "late@example.com", "access_level": 20})
    group = world.group(owner)
    owner.client.ok("POST", f"{path}/share", json={"group_id": group["id"], "group_access": 30})
    fork = fan.client.ok("POST", f"{path}/fork")

    created = upload(owner, archive({"visibility_level": 20}), path=old["path"], overwrite="true")
    world.run_jobs()

    new = owner.client.ok("GET", f"/projects/{created.json()['id']}")
    assert (new["path"], new["star_count"], new["forks_count"]) == (old["path"], 1, 1)
    assert friend.id in {one["id"] for one in read(owner, new, "/members")}
    assert [one["invite_email"] for one in read(owner, new, "/invitations")] == ["late@example.com"]
    assert [one["group_id"] for one in new["shared_with_groups"]] == [group["id"]]
    assert fan.client.ok("GET", f"/projects/{fork['id']}")["forked_from_project"]["id"] == new["id"]
    assert owner.client.get(path).status_code == 404


def test_who_does_not_own_the_namespace_cannot_overwrite(world: World, owner: Person) -> None:
    group = world.group(owner)
    old = world.project(owner, namespace_id=group["id"])
    maintainer = world.user()
    world.member(group, maintainer, "maintainer", kind="groups")

    record = imported(world, maintainer, archive(), path=old["path"], namespace=group["full_path"], overwrite="true")

    assert record["import_status"] == "failed"
    assert record["import_error"] == (
        f"User {maintainer.username} ({maintainer.id}) cannot overwrite a project in {group['full_path']}"
    )
    assert owner.client.get(f"/projects/{old['id']}").status_code == 200


def test_unpacking_ends_after_the_time_that_administrators_allow(world: World, owner: Person) -> None:
    world.admin.ok("PUT", "/application/settings", json={"max_decompressed_archive_size": 1})
    try:
        big = imported(world, owner, tarball({"VERSION": b"0.2.4", "x": b"0" * 2_000_000}))
    finally:
        world.admin.ok("PUT", "/application/settings", json={"max_decompressed_archive_size": 25600})

    assert "Decompressed archive size validation failed." in big["import_error"]
    assert world.admin.ok("GET", "/application/settings")["decompress_archive_file_timeout"] == 210


def test_members_of_the_group_are_exported_for_its_owners_only(world: World, owner: Person) -> None:
    group = world.group(owner)
    project = world.project(owner, namespace_id=group["id"])
    reporter, maintainer = world.user(), world.user()
    world.member(group, reporter, "reporter", kind="groups")
    world.member(project, maintainer, "maintainer")

    for_owner = relation(exported(world, owner, project["id"]), "project_members")
    for_maintainer = relation(exported(world, maintainer, project["id"]), "project_members")

    assert {one["user_id"]: (one["access_level"], one["source_type"]) for one in for_owner} == {
        maintainer.id: (40, "Project"), reporter.id: (20, "Project"), owner.id: (50, "Project")
    }  # fmt: skip
    assert [one["user_id"] for one in for_maintainer] == [maintainer.id]


def test_a_relation_import_applies_attributes_and_members_again(world: World) -> None:
    owner, friend = world.user(), world.user()
    project = world.project(owner, description="old", visibility="private")
    maintainer = world.user()
    world.member(project, maintainer, "maintainer")
    member = {
        "access_level": 30,
        "source_type": "Project",
        "user_id": 77,
        "user": {"id": 77, "public_email": friend.client.ok("GET", "/user")["email"], "username": "x"},
    }
    root = {"description": "new", "visibility_level": 20, "merge_requests_ff_only_enabled": True}
    content = archive(root, milestones=[{"iid": 1, "title": "one"}], project_members=[member])

    def send(client: Any) -> dict[str, Any]:
        created = client.post(
            "/projects/import-relation",
            data={"path": project["path_with_namespace"], "relation": "milestones"},
            files={"file": ("a.tar.gz", content, "application/gzip")},
        )
        assert created.status_code == 201, created.text
        world.run_jobs()
        result: dict[str, Any] = owner.client.ok("GET", f"/projects/{project['id']}")
        return result

    result = send(maintainer.client)
    assert (result["description"], result["merge_method"], result["visibility"]) == ("new", "ff", "private")
    assert friend.client.get(f"/projects/{project['id']}").status_code == 404  # only administrators map people

    result = send(world.admin)
    assert result["visibility"] == "public"
    people = owner.client.get(f"/projects/{project['id']}/members").json()
    assert {one["id"]: one["access_level"] for one in people}[friend.id] == 30


@pytest.mark.parametrize("version", ["0.2.4", "0.2.4\n", " 0.2.4 ", "0.02.4", "0.2.4.0"])
def test_versions_compare_by_their_parts(world: World, owner: Person, version: str) -> None:
    content = tarball({"VERSION": version.encode(), "tree/project.json": b"{}"})
    assert imported(world, owner, content)["import_status"] == "finished"


def test_a_legacy_file_of_odd_shapes_is_read_as_far_as_it_makes_sense(world: World, owner: Person) -> None:
    document = {
        "labels": "x",
        "milestones": [None, 5, {"title": "one"}],
        "issues": {"iid": 1, "title": "alone"},
        "ci_pipelines": [{"id": "x", "sha": SHA}, {"id": 1, "sha": SHA}, 5],
        "merge_requests": [{"title": "no branches"}],
    }
    content = tarball({"VERSION": b"0.2.4", "project.json": json.dumps(document).encode()})

    record = imported(world, owner, content)

    assert record["import_status"] == "finished"
    texts = [(one["relation_name"], one["exception_message"]) for one in record["failed_relations"]]
    assert texts == [("merge_requests", "Source branch can't be blank")]
    assert len(owner.client.get(f"/projects/{record['id']}/pipelines").json()) == 2
    assert [one["title"] for one in owner.client.get(f"/projects/{record['id']}/issues").json()] == ["alone"]


def test_a_schedule_rests_and_belongs_to_the_importer(world: World, owner: Person) -> None:
    line = {"description": "nightly", "ref": "main", "cron": "0 1 * * *", "active": True, "owner_id": 5}
    record = imported(world, owner, archive(pipeline_schedules=[{**line, "inputs": [{"name": "a", "value": "b"}]}]))

    assert record["failed_relations"] == []
    [schedule] = owner.client.get(f"/projects/{record['id']}/pipeline_schedules").json()
    assert (schedule["active"], schedule["owner"]["id"], schedule["cron_timezone"]) == (False, owner.id, "UTC")
    [written] = relation(exported(world, owner, record["id"]), "pipeline_schedules")
    assert (written["description"], written["inputs"]) == ("nightly", [{"name": "a", "value": "b"}])
