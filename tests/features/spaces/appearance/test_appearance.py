from collections.abc import Iterator

import pytest
from sqlalchemy import delete

from ingot.features.spaces.appearance.current import forget_look
from ingot.features.spaces.appearance.tables import appearances
from tests.support import plain_http
from tests.support.world import World

PATH = "/application/appearance"
UNSET = {
    "title": "", "description": "", "pwa_name": "", "pwa_short_name": "", "pwa_description": "", "pwa_icon": None,
    "logo": None, "header_logo": None, "favicon": None, "member_guidelines": "", "new_project_guidelines": "",
    "profile_image_guidelines": "", "header_message": "", "footer_message": "",
    "message_background_color": "#E75E40", "message_font_color": "#FFFFFF", "email_header_and_footer_enabled": False,
}  # fmt: skip
PICTURE = b"\x89PNG\r\n\x1a\n" + b"0" * 40


@pytest.fixture(autouse=True)
def plain_look(world: World) -> Iterator[None]:
    _forget(world)
    yield
    _forget(world)


def _forget(world: World) -> None:
    with world.server.services.db.write() as tx:
        tx.execute(delete(appearances))
    forget_look(world.server.services.db)


def test_administrators_change_the_look_of_pages(world: World) -> None:
    assert world.admin.ok("GET", PATH) == UNSET
    texts = {
        "title": "Forge <1>", "description": "Of **us** all", "header_message": "Maintenance at noon",
        "footer_message": "Internal", "message_background_color": "#0A0", "pwa_name": "Forge", "pwa_short_name": "F",
        "email_header_and_footer_enabled": True,
    }  # fmt: skip

    changed = world.admin.ok("PUT", PATH, json=texts)

    assert changed == {**UNSET, **texts}
    world.admin.ok("PUT", PATH, json={"footer_message": ""})
    assert world.admin.ok("GET", PATH) == {**changed, "footer_message": ""}
    page = plain_http.get(f"{world.server.url}/users/sign_in").text
    for part in ("· Forge &lt;1&gt;</title>", "<strong>us</strong>", ">Maintenance at noon<", "/-/appearance.css?0A0-"):
        assert part in page
    assert "background: #0A0; color: #FFFFFF;" in plain_http.get(f"{world.server.url}/-/appearance.css").text
    manifest = plain_http.get(f"{world.server.url}/-/manifest.json").json()
    assert (manifest["name"], manifest["short_name"]) == ("Forge", "F")


def test_pictures_are_shown_to_everybody(world: World) -> None:
    files = {name: (f"{name}.png", PICTURE) for name in ("logo", "header_logo", "favicon", "pwa_icon")}

    changed = world.admin.ok("PUT", PATH, files=files)

    assert changed["logo"] == "/uploads/-/system/appearance/logo/1/logo.png"
    page = plain_http.get(f"{world.server.url}/users/sign_in").text
    for name in ("logo", "header_logo", "favicon"):
        assert changed[name] in page
    assert plain_http.get(world.server.url + changed["pwa_icon"]).content == PICTURE
    assert world.admin.ok("PUT", PATH, json={"logo": ""})["logo"] is None
    assert plain_http.get(world.server.url + changed["logo"]).status_code == 404
    assert plain_http.get(f"{world.server.url}/uploads/-/system/appearance/title/1/x").status_code == 404


def test_who_may_not_and_what_is_refused(world: World) -> None:
    for client, status in ((world.anonymous, 401), (world.user().client, 403)):
        assert client.get(PATH).status_code == status
        assert client.put(PATH, json={"title": "x"}).status_code == status
    reply = world.admin.put(PATH, json={"message_font_color": "red; }"})
    text = {"message_font_color": ["must be a valid color code"]}
    assert (reply.status_code, reply.json()) == (400, {"message": text})
    script = world.admin.put(PATH, files={"favicon": ("x.svg", b"<svg onload=alert(1)>")})
    assert script.status_code == 400
    assert list(script.json()["message"]) == ["favicon"]
