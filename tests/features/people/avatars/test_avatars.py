"""Pictures of groups and users: uploaded, shown, replaced, taken away."""

from tests.features.people.avatars.pictures import png
from tests.support import plain_http
from tests.support.world import World


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

    assert [plain_http.get(url).status_code for url in urls] == [404, 200]
    mine = plain_http.get(urls[0], headers={"PRIVATE-TOKEN": anna.token})
    assert (mine.status_code, mine.content, mine.headers["content-type"]) == (200, png(), "image/png")
    assert plain_http.get(urls[1].replace("logo.png", "other.png")).status_code == 404


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

    assert plain_http.get(shown["avatar_url"]).content == png(3)
    assert anna.client.ok("GET", "/user")["avatar_url"] == shown["avatar_url"]
    assert world.anonymous.ok("GET", "/avatar?email=nobody@example.com")["avatar_url"].startswith("https://")
