from tests.support.world import World


def test_version_and_metadata_are_one(world: World) -> None:
    person = world.user()

    version, metadata = person.client.ok("GET", "/version"), person.client.ok("GET", "/metadata")

    assert version == metadata
    assert (version["version"], version["enterprise"]) == ("17.9.0-ee", True)
    assert version["kas"] == {"enabled": False, "externalUrl": None, "externalK8sProxyUrl": None, "version": None}
    assert world.anonymous.get("/version").json() == {"message": "401 Unauthorized"}


def test_version_names_its_scopes(world: World) -> None:
    person = world.user()

    reply = world.server.client(world.token(person.id, ["read_repository"])).get("/version")

    assert reply.json() == {
        "error": "insufficient_scope",
        "error_description": "The request requires higher privileges than provided by the access token.",
        "scope": "read_user ai_features api read_api",
    }
