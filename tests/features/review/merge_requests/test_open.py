from tests.support.world import Person, World


def test_opening_reading_and_listing(world: World) -> None:
    owner: Person = world.user()
    project = world.project(owner, initialize_with_readme=True)
    world.commit(project, "feature", {"f.txt": "hello\n"})

    made = owner.client.ok(
        "POST",
        f"/projects/{project['id']}/merge_requests",
        json={"title": "Draft: a", "source_branch": "feature", "target_branch": "main", "labels": "x,y"},
    )

    assert made["iid"] == 1
    assert made["draft"] is True
    assert made["labels"] == ["x", "y"]
    assert made["merge_status"] == "can_be_merged"
    assert made["detailed_merge_status"] == "draft_status"
    one = owner.client.ok("GET", f"/projects/{project['id']}/merge_requests/1")
    assert one["changes_count"] == "1"
    assert one["user"] == {"can_merge": True}
    for path in ("/merge_requests", f"/projects/{project['id']}/merge_requests"):
        assert [found["id"] for found in owner.client.ok("GET", path)] == [made["id"]]
