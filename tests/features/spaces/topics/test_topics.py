"""Topics: shared by projects, with a picture."""

from tests.features.people.avatars.pictures import png
from tests.support.world import World


def test_topics_are_shared_without_regard_to_case(world: World) -> None:
    ada = world.user()
    one = world.project(ada, topics=["Ruby", "web"])
    two = world.project(ada, topics=["ruby"])

    assert two["topics"] == ["Ruby"]
    result = ada.client.get("/topics", search="rub").json()
    assert [(topic["name"], topic["total_projects_count"]) for topic in result] == [("Ruby", 2)]
    assert ada.client.get(f"/topics/{result[0]['id']}").json()["title"] == "Ruby"
    assert world.anonymous.get("/topics", search="rub").json() == []  # both projects are private
    assert world.anonymous.get(f"/topics/{result[0]['id']}").status_code == 404
    by_topic = ada.client.get("/projects", topic="Ruby, web").json()
    assert [entry["id"] for entry in by_topic] == [one["id"]]
    assert ada.client.get("/projects", topic_id=result[0]["id"], topic="nope").json() == []


def test_topics_keep_their_picture(world: World) -> None:
    picture = {"avatar": ("a.png", png(), "image/png")}
    name = world.name("topic")

    created = world.admin.post("/topics", data={"name": name, "title": "T"}, files=picture)

    assert created.status_code == 201
    topic = created.json()
    prefix = f"{world.server.url}/uploads/-/system/projects/topic/avatar/{topic['id']}/"
    assert topic["avatar_url"].startswith(prefix)
    assert world.anonymous.get(topic["avatar_url"]).content == png()
    path = f"/topics/{topic['id']}"
    changed = world.admin.put(path, files={"avatar": ("b.png", png(1), "image/png")}).json()
    assert world.anonymous.get(changed["avatar_url"]).content == png(1)
    assert world.anonymous.get(topic["avatar_url"]).status_code == 404
    assert world.admin.ok("PUT", path, json={"title": "U"})["avatar_url"] == changed["avatar_url"]
    assert world.admin.put(path, data={"avatar": ""}).json()["avatar_url"] is None
    assert world.anonymous.get(changed["avatar_url"]).status_code == 404
    wrong = world.admin.put(path, files={"avatar": ("c.svg", b"<svg/>", "image/svg+xml")})
    assert (wrong.status_code, list(wrong.json()["message"])) == (400, ["avatar"])


def test_the_picture_of_a_hidden_topic_is_hidden(world: World) -> None:
    owner, name = world.user(), world.name("topic")
    world.project(owner, topics=[name], visibility="private")
    topic = next(one for one in world.admin.ok("GET", "/topics", params={"search": name}) if one["name"] == name)
    changed = world.admin.put(f"/topics/{topic['id']}", files={"avatar": ("b.png", png(), "image/png")}).json()

    assert world.anonymous.get(changed["avatar_url"]).status_code == 404
    assert owner.client.get(changed["avatar_url"]).content == png()
