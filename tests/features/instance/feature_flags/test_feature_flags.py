from tests.support.world import World


def test_flags_are_set_listed_and_forgotten(world: World) -> None:
    created = world.admin.post("/features/mr_approved_filter", json={"value": True})

    assert (created.status_code, created.json()) == (
        201,
        {
            "name": "mr_approved_filter",
            "state": "on",
            "gates": [{"key": "boolean", "value": True}],
            "definition": {"name": "mr_approved_filter", "type": "development", "default_enabled": False},
        },
    )
    assert [flag["name"] for flag in world.admin.ok("GET", "/features")] == ["mr_approved_filter"]
    assert world.admin.post("/features/mr_approved_filter", json={"value": "false"}).json()["state"] == "off"
    assert world.admin.delete("/features/mr_approved_filter").status_code == 204
    assert world.admin.ok("GET", "/features") == []


def test_flags_open_for_some(world: World) -> None:
    person = world.user()

    one = world.admin.ok("POST", "/features/mr_approved_filter", json={"value": True, "user": person.username})
    share = world.admin.ok("POST", "/features/mr_approved_filter", json={"value": 30, "key": "percentage_of_actors"})
    missing = world.admin.post("/features/mr_approved_filter", json={"value": True, "project": "no/where"})
    strange = world.admin.post("/features/mr_approved_filter", json={"value": "maybe"})

    assert one["state"] == "conditional"
    assert {"key": "actors", "value": [f"User:{person.id}"]} in one["gates"]
    assert {"key": "percentage_of_actors", "value": 30} in share["gates"]
    assert missing.json() == {"message": "400 Bad request - no/where is not found!"}
    assert strange.status_code == 400
    world.admin.delete("/features/mr_approved_filter")


def test_an_unknown_flag_must_be_forced(world: World) -> None:
    refused = world.admin.post("/features/something_new", json={"value": True})
    forced = world.admin.post("/features/something_new", json={"value": True, "force": True})

    assert refused.status_code == 400
    assert forced.json()["definition"] is None
    assert "mr_approved_filter" in [entry["name"] for entry in world.admin.ok("GET", "/features/definitions")]
    world.admin.delete("/features/something_new")
