from tests.support.world import World


def test_the_caller_sees_themselves(world: World) -> None:
    person = world.user()

    reply = person.client.get("/user")

    assert reply.status_code == 200
    assert reply.json()["username"] == person.username


def test_anonymous_callers_have_no_self(world: World) -> None:
    reply = world.anonymous.get("/user")

    assert reply.status_code == 401
    assert reply.json() == {"message": "401 Unauthorized"}
