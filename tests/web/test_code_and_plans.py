"""Pages of code and of plans: files by what they are, commits taken back, labels and milestones of groups."""

import pytest

from tests.support.server import RunningServer
from tests.support.world import Person, World
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly


@pytest.fixture(scope="module")
def olga(world: World) -> Person:
    return world.user("olga")


@pytest.fixture(scope="module")
def place(world: World, olga: Person) -> str:
    world.project(olga, path="press", initialize_with_readme=True)
    return "/olga/press"


@pytest.fixture(scope="module")
def browser(server: RunningServer, olga: Person) -> Browser:
    created = Browser(server)
    created.enter_by_link("olga")
    return created


def test_files_are_shown_by_what_they_are(browser: Browser, olga: Person, place: str) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 2048\n"
    contents = {
        "coins.csv": "name,weight\npenny,3\n", "odd.py": "a = 1  # \u202e hidden\n", "large.bin": pointer,
        "sign.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>", "here.big": "large",
    }  # fmt: skip
    actions = [{"action": "create", "file_path": name, "content": text} for name, text in contents.items()]
    actions.append({"action": "create", "file_path": "raw.dat", "content": "AAECAw==", "encoding": "base64"})
    rule = {"action": "create", "file_path": ".gitattributes", "content": "*.big filter=lfs\n"}
    for body in (
        {"branch": "kinds", "start_branch": "main", "commit_message": "Track", "actions": [rule]},
        {"branch": "kinds", "commit_message": "Kinds", "actions": actions},
    ):
        olga.client.ok("POST", "/projects/olga%2Fpress/repository/commits", json=body)
    shown = {name: browser.open(f"{place}/-/blob/kinds/{name}") for name in (*contents, "raw.dat")}
    assert shown["coins.csv"].tree.find(".//table//td").text == "penny"
    assert browser.open(f"{place}/-/blob/kinds/coins.csv?plain=1").tree.find(".//*[@id='L2']") is not None
    assert "U+202E" in shown["odd.py"].text
    assert "Stored with Git LFS (2.0 KiB). The object is missing on this server" in shown["large.bin"].text
    offered = {name: any("lfs=true" in link for link in page.links()) for name, page in shown.items()}
    assert [name for name, is_offered in offered.items() if is_offered] == ["here.big"]
    assert "00 01 02 03" in shown["raw.dat"].text
    assert shown["sign.svg"].tree.find(".//p[@class='picture']/img") is not None
    assert "attachment" in browser.http.get(f"{place}/-/raw/kinds/odd.py?inline=false").headers["content-disposition"]
    blame = browser.open(f"{place}/-/blame/kinds/odd.py")
    assert "this week" in blame.text
    before = browser.open(f"{place}/-/blame_before/kinds/odd.py")
    assert "/-/commit/" in before.path  # the file begins with it
    found = browser.open(f"{place}/-/commits/kinds?search=kINDs&author=olga")
    oldest = browser.open(f"{place}/-/commits/kinds?search=kINDs&author=olga&page=last")
    assert (str(oldest.response.url.query, "utf-8"), oldest.text) == ("search=kINDs&author=olga&page=1", found.text)
    assert len(found.tree.findall(".//a[@class='title']")) == 1


def test_a_commit_is_reverted_and_a_branch_says_what_goes_with_it(browser: Browser, olga: Person, place: str) -> None:
    project = "/projects/olga%2Fpress/repository"
    file = {"branch": "lone", "start_branch": "main", "content": "x", "commit_message": "Lone\n\nSeen-by: Ben"}
    olga.client.ok("POST", f"{project}/files/lone.txt", json=file)
    sha = olga.client.ok("GET", f"{project}/commits/lone")["id"]
    page = browser.open(f"{place}/-/commit/{sha}")
    assert "Seen-by" in page.text
    form = browser.open(f"{page.path}/revert")
    unknown = browser.send(form, "/revert", branch="no-such-branch")
    assert unknown.status in (400, 404)
    asked = browser.send(form, "/revert", branch="lone", new_branch="unlone")
    assert asked.path == f"{place}/-/merge_requests/new"
    assert olga.client.ok("GET", f"{project}/commits/unlone")["parent_ids"] == [sha]
    assert "No commits are lost" in browser.open(f"{place}/-/branches/remove?branch=lone").text
    gone = browser.open(f"{place}/-/branches/remove?branch=unlone")
    assert "1 commit is not on any other branch or tag" in gone.text
    assert browser.send(gone, "/remove").path == f"{place}/-/branches"
    assert "default branch" in browser.open(f"{place}/-/branches/remove?branch=main").text


def test_labels_and_milestones_are_promoted(browser: Browser, world: World, olga: Person) -> None:
    group = world.group(olga, path="guild")
    project = world.project(olga, path="hall", namespace_id=group["id"])
    address = f"/projects/{project['id']}"
    label = olga.client.ok("POST", f"{address}/labels", json={"name": "up", "color": "#ff0000", "priority": 2})["id"]
    milestone = olga.client.ok("POST", f"{address}/milestones", json={"title": "Up"})
    issue = {"title": "Climb", "milestone_id": milestone["id"], "labels": "up"}
    iid = olga.client.ok("POST", f"{address}/issues", json=issue)["iid"]
    olga.client.ok("PUT", f"{address}/issues/{iid}", json={"state_event": "close"})
    assert "1 of 1 done" in browser.open("/guild/hall/-/milestones").text
    listed = browser.open("/guild/hall/-/labels")
    assert "priority 2" in listed.text
    edited = browser.send(browser.open(f"/guild/hall/-/labels/{label}/edit"), "/edit", priority="")
    assert "priority 2" not in edited.text
    browser.send(listed, f"/{label}/promote")
    browser.send(browser.open(f"/guild/hall/-/milestones/{milestone['iid']}"), f"/{milestone['id']}/promote")
    assert [row["name"] for row in olga.client.ok("GET", f"/groups/{group['id']}/labels")] == ["up"]
    assert [row["title"] for row in olga.client.ok("GET", f"/groups/{group['id']}/milestones")] == ["Up"]
    assert "hall" in browser.open("/groups/guild?search=ha").text
    assert "You can restore the project for" in browser.open("/guild/hall/edit").text
    removed = browser.send(browser.open("/guild/hall/edit"), "/edit/remove", confirm="guild/hall")
    assert removed.status == 200
    path = olga.client.ok("GET", address)["path_with_namespace"]
    assert "was deleted on" in browser.open(f"/{path}").text
    assert browser.send(browser.open(f"/{path}/edit"), "/edit/restore").path == "/guild/hall/edit"
    visitor = Browser(browser.server)
    visitor.enter_by_link(world.user().username)
    olga.client.ok("PUT", f"/groups/{group['id']}", json={"visibility": "public"})
    asked = visitor.send(visitor.open("/groups/guild"), "/request_access")
    assert "Access requested" in asked.text
    assert len(olga.client.ok("GET", f"/groups/{group['id']}/access_requests")) == 1
    colours = browser.open("/search?search=Climb&scope=issues").tree.xpath("//span[@class='label']//circle/@fill")
    assert colours == ["#ff0000"]


def test_a_group_tells_what_happened_in_projects_that_one_may_see(
    browser: Browser, olga: Person, world: World, server: RunningServer
) -> None:
    group = world.group(olga, visibility="public")
    root = f"/groups/{group['full_path']}"
    for path, visibility in (("attic", "public"), ("cellar", "private")):
        fields = {"name": path, "namespace_id": group["id"], "visibility": visibility}
        number = olga.client.ok("POST", "/projects", json=fields)["id"]
        olga.client.ok("POST", f"/projects/{number}/issues", json={"title": f"Sweep the {path}"})
        if visibility == "public":
            secret = {"title": "Hide the key", "confidential": True}
            olga.client.ok("POST", f"/projects/{number}/issues", json=secret)
    said = ("Sweep the attic", "Sweep the cellar", "Hide the key", "created the project")
    own, strange = browser.open(f"{root}/-/activity"), Browser(server).open(f"{root}/-/activity")
    assert [words in own.text for words in said] == [True, True, True, True]
    assert [words in strange.text for words in said] == [True, False, False, True]
    assert f"{root}/-/activity" in browser.open(root).links()
    assert "No activity yet." in browser.open(f"{root}/-/activity?before=1").text

    def names(order: str) -> list[str]:
        listed = browser.open(f"{root}?order_by={order}").tree.iterfind(".//a[@class='title']")
        return [name for link in listed if (name := link.get("href").rpartition("/")[2]) in ("attic", "cellar")]

    assert (names("name"), names("created_at"), len(names("nonsense"))) == (["attic", "cellar"], ["cellar", "attic"], 2)
    assert browser.open(f"{root}/-/archived?order_by=name").status == 200
