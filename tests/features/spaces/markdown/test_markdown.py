"""Markdown becomes HTML that cannot run anything."""

import gitlab

from tests.support.world import World


def test_texts_are_rendered_without_scripts(world: World) -> None:
    person = world.user()
    with gitlab.Gitlab(world.server.url, private_token=person.token) as api:
        html = api.markdown("**Bold** <script>alert(1)</script>")

    assert html.startswith('<p dir="auto"><strong>Bold</strong>')
    assert "<script>" not in html
    own_side = person.client.ok("POST", "/markdown", json={"text": '<p dir="rtl">x</p>\n\n- one'})["html"]
    assert own_side.count("dir=") == 2
    assert own_side.startswith('<p dir="rtl">x</p>')
    assert '<ul dir="auto">' in own_side


def test_projects_that_one_may_not_see_are_not_there(world: World) -> None:
    person, stranger = world.user(), world.user()
    body = {"text": "x", "gfm": True, "project": world.project(person)["path_with_namespace"]}

    assert person.client.post("/markdown", json=body).status_code == 201
    assert stranger.client.post("/markdown", json=body).json() == {"message": "404 Project Not Found"}
    assert world.anonymous.post("/markdown", json=body).status_code == 401
