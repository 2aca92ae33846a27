from tests.support.world import Person, World


def test_opening_reading_and_listing(world: World) -> None:
    owner: Person = world.user()
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "feature", {"f.txt": "hello\n"})

    created = owner.client.ok(
        "POST",
        f"/projects/{project['id']}/merge_requests",
        json={"title": "Draft: a", "source_branch": "feature", "target_branch": "main", "labels": "x,y"},
    )

    assert created["iid"] == 1
    assert created["draft"] is True
    assert created["labels"] == ["x", "y"]
    assert created["merge_status"] == "can_be_merged"
    assert created["detailed_merge_status"] == "draft_status"
    one = owner.client.ok("GET", f"/projects/{project['id']}/merge_requests/1")
    assert one["changes_count"] == "1"
    assert one["user"] == {"can_merge": True}
    for path in ("/merge_requests", f"/projects/{project['id']}/merge_requests"):
        assert [entry["id"] for entry in owner.client.ok("GET", path)] == [created["id"]]
