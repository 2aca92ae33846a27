"""What administrators tell everybody."""

import gitlab

from tests.support.world import World


def test_a_message_from_creation_to_removal(world: World) -> None:
    with gitlab.Gitlab(world.server.url, private_token=world.admin.token) as api:
        message = api.broadcastmessages.create({"message": "this is the message"})

        assert (message.color, message.font, message.broadcast_type) == ("#E75E40", "#FFFFFF", "banner")
        assert message.active is True
        message.color = "#444444"
        message.save()
        assert api.broadcastmessages.get(message.id).color == "#444444"
        api.broadcastmessages.update(message.id, {"ends_at": "2020-01-01"})
        assert api.broadcastmessages.get(message.id).active is False
        older = [one["id"] for one in world.anonymous.ok("GET", "/broadcast_messages")]
        assert older == sorted(older, reverse=True)
        assert message.id in older
        message.delete()
    assert world.anonymous.get(f"/broadcast_messages/{message.id}").json() == {"message": "404 Not found"}


def test_only_administrators_write_and_colours_are_checked(world: World) -> None:
    person = world.user()

    assert person.client.post("/broadcast_messages", json={"message": "x"}).status_code == 403
    assert world.anonymous.post("/broadcast_messages", json={"message": "x"}).status_code == 401
    refused = world.admin.post("/broadcast_messages", json={"message": "x", "color": "red"})
    assert (refused.status_code, refused.json()) == (400, {"message": {"color": ["must be a valid color code"]}})
    assert world.admin.post("/broadcast_messages", json={"message": " "}).status_code == 400
