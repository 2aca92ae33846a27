"""Pictures of groups and users: uploaded, shown, replaced, taken away."""

import zlib

import httpx

from tests.support.world import World


def png(colour: int = 0) -> bytes:
    """A picture of one pixel."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")

    head = chunk(b"IHDR", (1).to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes([0, colour]))) + chunk(b"IEND", b"")


def upload(content: bytes, name: str = "logo.png") -> dict[str, tuple[str, bytes, str]]:
    return {"avatar": (name, content, "image/png")}


def test_a_group_gets_a_picture_and_loses_it(world: World) -> None:
    anna = world.user()
    group = world.group(anna)
    place = f"/groups/{group['id']}"

    shown = anna.client.ok("PUT", place, files=upload(png(1), "my logo.png"))
    assert shown["avatar_url"].endswith(f"/uploads/-/system/group/avatar/{group['id']}/my_logo.png")
    assert anna.client.get(f"{place}/avatar").content == png(1)
    anna.client.ok("PUT", place, files=upload(png(2)))
    assert anna.client.get(f"{place}/avatar").content == png(2)
    assert anna.client.ok("PUT", place, json={"avatar": ""})["avatar_url"] is None
    answer = anna.client.get(f"{place}/avatar")
    assert (answer.status_code, answer.json()) == (404, {"message": "404 Avatar Not Found"})


def test_a_group_is_created_with_a_picture(world: World) -> None:
    anna = world.user()

    answer = anna.client.request(
        "POST", "/groups", data={"name": "Painters", "path": world.name("painters")}, files=upload(png())
    )

    assert answer.status_code == 201
    assert answer.json()["avatar_url"] is not None


def test_the_address_follows_the_visibility_of_the_group(world: World) -> None:
    anna = world.user()
    private = world.group(anna)
    public = world.group(anna, visibility="public")
    urls = [
        anna.client.ok("PUT", f"/groups/{group['id']}", files=upload(png()))["avatar_url"]
        for group in (private, public)
    ]

    assert [httpx.get(url).status_code for url in urls] == [404, 200]
    mine = httpx.get(urls[0], headers={"PRIVATE-TOKEN": anna.token})
    assert (mine.status_code, mine.content, mine.headers["content-type"]) == (200, png(), "image/png")
    assert httpx.get(urls[1].replace("logo.png", "other.png")).status_code == 404


def test_only_small_pictures_are_taken(world: World) -> None:
    anna = world.user()
    group = world.group(anna)

    script = anna.client.put(f"/groups/{group['id']}", files=upload(b"<svg onload='alert(1)'/>", "x.svg"))
    assert script.status_code == 400
    assert script.json()["message"]["avatar"][0].startswith("file format is not supported.")
    large = anna.client.put(f"/groups/{group['id']}", files=upload(png() + b"\0" * 300_000))
    assert large.json() == {"message": {"avatar": ["is too big (should be at most 200 KiB)"]}}


def test_a_user_sets_a_picture(world: World) -> None:
    anna = world.user()

    shown = anna.client.ok("PUT", "/user/avatar", files=upload(png(3)))

    assert httpx.get(shown["avatar_url"]).content == png(3)
    assert anna.client.ok("GET", "/user")["avatar_url"] == shown["avatar_url"]
    assert world.anonymous.ok("GET", "/avatar?email=nobody@example.com")["avatar_url"].startswith("https://")


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
