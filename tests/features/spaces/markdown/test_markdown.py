"""Markdown becomes HTML that cannot run anything."""

from typing import Any

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
    text = "x[^a] [read](./README.md) ![film](a.mp4)\n\n[^a]: y\n\n|a|b|\n|:-:|--:|\n|1|2|\n\n```diff\n+new\n```\n"
    body = {"text": text, "gfm": True, "project": project["path_with_namespace"]}
    html = person.client.ok("POST", "/markdown", json=body)["html"]
    tree = etree.HTML(html)
    for link in tree.iterfind(".//a"):
        target = link.get("href")
        assert not target.startswith("#") or tree.find(f".//*[@id='{target[1:]}']") is not None
    assert [cell.get("align") for cell in tree.iterfind(".//td")] == ["center", "right"]
    assert f'href="/{project["path_with_namespace"]}/-/blob/main/README.md"' in html
    assert '<span class="gi">+new</span>' in html
    assert tree.xpath("string(//a[.='film']/@href)") == f"/{project['path_with_namespace']}/-/raw/main/a.mp4"


def test_what_is_usual_beyond_markdown_is_there(world: World) -> None:
    text = (
        "[[_TOC_]]\n\n# First <\n\n## Second\n\n>>>\nquoted\n\n- [~] gone\n>>>\n\n>>> [!tip]\nso\n>>>\n\n"
        "- >>>\n  open\n\n>>>>\nlast\n>>>>\n\n"
        "{+ new +} [- old -] {+ mixed +]\n\nword\n: meaning"
    )
    html = world.user().client.ok("POST", "/markdown", json={"text": text})["html"]
    tree = etree.HTML(html)
    assert [link.get("href") for link in tree.xpath("//ul//ul/preceding-sibling::a | //ul//ul//a")] == [
        "#md-first",
        "#md-second",
    ]
    assert [tree.findtext(f".//{tag}", "").strip() for tag in ("ins", "del", "dt", "dd", "blockquote//s")] == [
        "new", "old", "word", "meaning", "gone",
    ]  # fmt: skip
    assert (tree.find(".//blockquote/p").text, tree.find(".//div[@class='alert alert-tip']/p[2]").text) == (
        "quoted",
        "so",
    )
    assert "{+ mixed +]" in html
    assert tree.xpath("//blockquote/p[.='last']")
    begun = world.user().client.ok("POST", "/markdown", json={"text": "---\na: 1\n---\n\n<b>x</b>"})["html"]
    assert (begun.startswith('<pre class="code">'), "<b>x</b>" in begun) == (True, True)


def test_references_say_more_if_asked_and_lead_to_other_projects(world: World) -> None:
    person, stranger = world.user(), world.user()
    project = world.project(person, initialize_with_readme=True)
    path = project["path_with_namespace"]
    at = f"/projects/{project['id']}"
    client = person.client
    name = client.ok("GET", "/user")["name"]
    milestone = client.ok("POST", f"{at}/milestones", json={"title": "1.0"})
    issue = {"title": "Sparks & <fire>", "assignee_ids": [person.id], "milestone_id": milestone["id"]}
    client.ok("POST", f"{at}/issues", json=issue)
    client.ok("POST", f"{at}/issues", json={"title": "Past"})
    client.ok("PUT", f"{at}/issues/2", json={"state_event": "close"})
    client.ok("POST", f"{at}/labels", json={"name": "hot iron", "color": "#aa0000"})
    file = {"file_path": "a.txt", "content": "a"}
    snippet = client.ok("POST", f"{at}/snippets", json={"title": "s", "visibility": "private", "files": [file]})["id"]
    sha = client.ok("GET", f"{at}/repository/commits/main")["id"]

    def links(text: str, project: str, client: Any = client) -> dict[str, str]:
        html = client.ok("POST", "/markdown", json={"text": text, "gfm": True, "project": project})["html"]
        return {"".join(link.itertext()): link.get("href") for link in etree.HTML(html).iterfind(".//a")}

    root = f"/{path}/-"
    assert links(f"#1+ and #1+s, #2+ ${snippet} {sha[:8]}...{sha[:9]}", path) == {
        "Sparks & <fire> (#1)": f"{root}/issues/1",
        f"Sparks & <fire> (#1) • {name} • 1.0": f"{root}/issues/1",
        "Past (#2 - closed)": f"{root}/issues/2",
        f"${snippet}": f"{root}/snippets/{snippet}",
        f"{sha[:8]}...{sha[:9]}": f"{root}/compare/{sha[:8]}...{sha[:9]}",
    }
    other = world.project(person)["path_with_namespace"]
    short = path.rpartition("/")[2]
    assert links(f'{path}#1+ {path}%1.0 {path}~"hot iron" {path}@{sha[:8]} {short}#2', other) == {
        f"Sparks & <fire> ({path}#1)": f"{root}/issues/1",
        f"{path}%1.0": f"{root}/milestones/1",
        f'{path}~"hot iron"': f"{root}/issues?labels=hot%20iron",
        f"{path}@{sha[:8]}": f"{root}/commit/{sha}",
        f"{short}#2": f"{root}/issues/2",
    }
    address = f"{world.server.url}{root}/issues/1"
    group = world.group(person)["id"]
    junk = f"ada@example.com bo@example.com a->b c->d 3#x e@f g@h {path}$\u0663 {path}#\u0663 {path}!0 @{group}"
    assert links(f"{junk} {address} {path}> {path}${snippet}", other) == {
        "ada@example.com": "mailto:ada@example.com",
        "bo@example.com": "mailto:bo@example.com",
        f"{path}#1": address,
        f"{path}>": f"/{path}",
        f"{path}${snippet}": f"{root}/snippets/{snippet}",
    }
    foreign = world.project(stranger)["path_with_namespace"]
    hidden = f"{path}#1+ {path}%1.0 {path}> {path}@{sha[:8]} {path}${snippet}"
    assert links(hidden, foreign, stranger.client) == {}


def test_projects_that_one_may_not_see_are_not_there(world: World) -> None:
    person, stranger = world.user(), world.user()
    body = {"text": "x", "gfm": True, "project": world.project(person)["path_with_namespace"]}

    assert person.client.post("/markdown", json=body).status_code == 201
    assert stranger.client.post("/markdown", json=body).json() == {"message": "404 Project Not Found"}
    assert world.anonymous.post("/markdown", json=body).status_code == 401


def test_diagrams_stay_code_and_a_sentence_says_so(world: World) -> None:
    text = "```mermaid\ngraph TD;\n A-->B;\n```\n\n```python\nA\n```\n"
    tree = etree.HTML(world.user().client.ok("POST", "/markdown", json={"text": text})["html"])

    assert tree.findtext(".//pre/code") == "graph TD;\n A-->B;"
    assert tree.xpath("//p/text()") == ["This is the code of a Mermaid diagram."]
