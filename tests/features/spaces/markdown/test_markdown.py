"""Markdown becomes HTML that cannot run anything."""

import gitlab
from lxml import etree

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


def test_footnotes_columns_and_files_are_where_people_expect_them(world: World) -> None:
    person = world.user()
    project = world.project(person, initialize_with_readme=True)
    text = "x[^a] [read](./README.md)\n\n[^a]: y\n\n|a|b|\n|:-:|--:|\n|1|2|\n\n```diff\n+new\n```\n"
    body = {"text": text, "gfm": True, "project": project["path_with_namespace"]}
    html = person.client.ok("POST", "/markdown", json=body)["html"]
    tree = etree.HTML(html)
    for link in tree.iterfind(".//a"):
        target = link.get("href")
        assert not target.startswith("#") or tree.find(f".//*[@id='{target[1:]}']") is not None
    assert [cell.get("align") for cell in tree.iterfind(".//td")] == ["center", "right"]
    assert f'href="/{project["path_with_namespace"]}/-/blob/main/README.md"' in html
    assert '<span class="gi">+new</span>' in html


def test_projects_that_one_may_not_see_are_not_there(world: World) -> None:
    person, stranger = world.user(), world.user()
    body = {"text": "x", "gfm": True, "project": world.project(person)["path_with_namespace"]}

    assert person.client.post("/markdown", json=body).status_code == 201
    assert stranger.client.post("/markdown", json=body).json() == {"message": "404 Project Not Found"}
    assert world.anonymous.post("/markdown", json=body).status_code == 401
