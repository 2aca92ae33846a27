"""Pages of code that a repository of a few plain files does not have: links, pictures, long folders, many names."""

from urllib.parse import unquote

import pytest

from ingot.gitstore import refs
from ingot.gitstore.commit_objects import write_blob, write_commit
from ingot.gitstore.objects import get_commit
from ingot.gitstore.refs import RefUpdate
from ingot.gitstore.repository import Repository
from ingot.gitstore.sizes import LARGEST_SHOWN
from ingot.gitstore.tree_edit import Folder
from tests.gitstore.conftest import ANNA
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import Person, World
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly
PLACE = "/pola/museum"
GONE = "1" * 40
MODULES = '[submodule "one"]\n\tpath = lib\n\turl = ../hall.git\n[submodule "two"]\n\tpath = far\n\turl = https://x.example/y\n'
MODULES += '[submodule "three"]\n\tpath = vault\n\turl = ../../vera/vault\n'
PLAIN, LINK, MODULE = "100644", "120000", "160000"
ENTRIES = {
    "README.md": (PLAIN, b"# Museum\n\n- [ ] dust\n- [x] glass\n"), "docs/a.txt": (PLAIN, b"a\n"),
    "docs/to-readme": (LINK, b"../README.md"),
    "nowhere": (LINK, b"../outside"), "docs/up": (LINK, b".."), "odd": (LINK, b"..odd/"), "..odd/x": (PLAIN, b"x"),
    ".gitmodules": (PLAIN, MODULES.encode()), "lib": (MODULE, GONE.encode()),
    "far": (MODULE, GONE.encode()), "vault": (MODULE, GONE.encode()),
    "wide.txt": (PLAIN, "Hello wide".encode("utf-16")),
    "old.txt": (PLAIN, "Köln".encode("latin-1")), "coin.png": (PLAIN, b"\x89PNG\r\n\x1a\n"),
    "sign.svg": (PLAIN, b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "plan.pdf": (PLAIN, b"%PDF-1.4\n"),
    "die.bin": (PLAIN, b"\0\1"), "die.py": (PLAIN, b"def strike():\n    return 3\n"),
}  # fmt: skip


def write(
    repository: Repository, branch: str, entries: dict[str, tuple[str, bytes]], message: str, merged: str = ""
) -> str:
    """A commit with entries of any kind on top of a branch, and of another commit."""
    head = refs.find_branch(repository, branch)
    root = Folder(repository, get_commit(repository, head).tree_id if head else None)
    for path, (mode, content) in entries.items():
        sha = content.decode() if mode == MODULE else write_blob(repository, content)
        root.put([part.encode() for part in path.split("/")], mode, sha)
    sha = write_commit(repository, root.write(), [parent for parent in (head, merged) if parent], message, ANNA, ANNA)
    refs.update(repository, [RefUpdate(f"refs/heads/{branch}", sha)])
    return sha


@pytest.fixture(scope="module")
def pola(world: World) -> Person:
    return world.user("pola")


@pytest.fixture(scope="module")
def browser(server: RunningServer, pola: Person) -> Browser:
    created = Browser(server)
    created.enter_by_link("pola")
    return created


@pytest.fixture(scope="module")
def museum(world: World, pola: Person) -> Repository:
    world.project(pola, path="hall", initialize_with_readme=True)
    world.project(world.user("vera"), path="vault", visibility="private")
    project = world.project(pola, path="museum", initialize_with_readme=True)
    repository = world.repository(project)
    write(repository, "main", ENTRIES, "Lay out the museum")
    write(repository, "main", {"docs/b.txt": (PLAIN, b"b\n")}, "Add b")
    return repository


def filled(browser: Browser, address: str) -> Visit:
    """A page whose last commits are known; it does not wait for them."""
    visits = [browser.open(address)]
    until(lambda: not visits[-1].tree.xpath("//*[@data-fills]") or visits.append(browser.open(address)))
    return visits[-1]


@pytest.mark.usefixtures("museum")
def test_looking_for_one_file_opens_it(browser: Browser) -> None:
    found = browser.open(f"{PLACE}/-/find_file/main?q=odd+x")
    assert found.tree.xpath("//ul[@id='paths']//a/@href") == [f"{PLACE}/-/blob/main/..odd/x"]
    (form,) = (form for form in found.tree.xpath("//form[.//input[@id='q']]"))
    (button,) = form.xpath(".//button/@name")
    assert browser.open(f"{PLACE}/-/find_file/main?q=odd+x&{button}=1").path == f"{PLACE}/-/blob/main/..odd/x"
    assert browser.open(f"{PLACE}/-/find_file/main?q=README&{button}=1").path.endswith("/-/find_file/main")


@pytest.mark.usefixtures("museum")
def test_a_folder_says_what_changed_it_last_and_where_its_links_lead(browser: Browser) -> None:
    home = browser.open(PLACE)
    rows = {row[0].xpath("string()").split()[0]: row for row in home.tree.xpath("//table[@class='files']//tr[td]")}
    assert rows["lib"].xpath(".//a/@href")[0] == f"/pola/hall/-/tree/{GONE}"
    assert rows["far"].xpath(".//a/@href")[0] == "https://x.example/y"
    assert rows["vault"][0].xpath(".//a/@href") == []
    assert "submodule at 11111111" in rows["lib"].xpath("string()")
    assert home.tree.xpath("//section//input/@aria-label") == ["Open", "Done"]
    docs = filled(browser, f"{PLACE}/-/tree/main/docs")
    shown = {row[0].xpath("string()").split()[0]: row[1].xpath("string()").strip() for row in
             docs.tree.xpath("//table[@class='files']//tr[td]")}  # fmt: skip
    laid = dict.fromkeys(("a.txt", "to-readme", "up"), "Lay out the museum")
    assert shown == {**laid, "b.txt": "Add b"}
    assert "Add b" in docs.tree.xpath("string(//p[@class='last-commit'])")
    link = filled(browser, f"{PLACE}/-/blob/main/docs/to-readme")
    assert "Lay out the museum" in link.tree.xpath("string(//p[@class='last-commit'])")
    assert f"{PLACE}/-/blob/main/README.md" in link.links()
    for name, target in (("docs/up", ""), ("odd", "/..odd")):
        assert f"{PLACE}/-/tree/main{target}" in browser.open(f"{PLACE}/-/blob/main/{name}").tree.xpath("//p/a/@href")
    assert "which does not exist in this repository" in browser.open(f"{PLACE}/-/blob/main/nowhere").text
    assert browser.open(f"{PLACE}/-/tree/main/no/such").status == 404


def test_any_subject_and_what_came_with_a_merge_is_told(browser: Browser, museum: Repository) -> None:
    side = write(museum, "side", {"side.txt": (PLAIN, b"s\n")}, "Aside")
    marked = write(museum, "odd", {"halls/a.txt": (PLAIN, b"a\n")}, "Mark \x01 it")
    merge = write(museum, "odd", {"halls/b.txt": (PLAIN, b"b\n")}, "Merge it", merged=side)

    halls = filled(browser, f"{PLACE}/-/tree/odd/halls")

    named = {row[0].xpath("string()").strip(): row[1].xpath(".//a/@href") for row in
             halls.tree.xpath("//table[@class='files']//tr[td]")}  # fmt: skip
    assert named == {"a.txt": [f"{PLACE}/-/commit/{marked}"], "b.txt": [f"{PLACE}/-/commit/{merge}"]}
    for name, sha in (("a.txt", marked), ("b.txt", merge)):
        file = filled(browser, f"{PLACE}/-/blob/odd/halls/{name}")
        assert f"{PLACE}/-/commit/{sha}" in file.tree.xpath("//p[@class='last-commit']//a/@href")


def test_messages_of_commits_link_what_they_name(browser: Browser, pola: Person, museum: Repository) -> None:
    number = pola.client.ok("POST", f"/projects/{PLACE[1:].replace('/', '%2F')}/issues", json={"title": "Dust"})["iid"]
    address = f"https://dust.example/?a=1&b=#{number}"
    text = f"Grüße: see #{number}, #9999 and x#{number} by @pola at <{address}>.\n\n<b>"
    sha = write(museum, "dust", {"dust.txt": (PLAIN, b"x")}, f"Dust\n\n{text}")
    (shown,) = browser.open(f"{PLACE}/-/commit/{sha}").tree.xpath("//pre[@class='message']")
    assert "".join(shown.itertext()) == text
    assert shown.xpath(".//a/@href") == [f"{PLACE}/-/issues/{number}", "/pola", address]
    assert shown.xpath(".//a/text()") == [f"#{number}", "@pola", address]


def test_a_commit_of_a_year_that_no_calendar_has_hinders_nobody(browser: Browser, museum: Repository) -> None:
    head = write(museum, "far", {"docs/far.txt": (PLAIN, b"far\n")}, "Far away")
    lines = museum.git("cat-file", "commit", head).stdout.split(b"\n")
    dated = [b"%s> 99999999999999 +0000" % line.partition(b">")[0] if b"> " in line else line for line in lines]
    sha = museum.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=b"\n".join(dated)).stdout.decode().strip()
    refs.update(museum, [RefUpdate("refs/heads/far", sha)])
    assert "Far away" in browser.open(f"{PLACE}/-/tree/far/docs").text
    assert "9999-12-31" in browser.open(f"{PLACE}/-/graphs/far").text


@pytest.mark.usefixtures("museum")
def test_files_are_sent_as_what_they_are_and_none_runs(browser: Browser) -> None:
    def raw(name: str, **headers: str) -> tuple[str, str, bool]:
        answer = browser.http.get(f"{PLACE}/-/raw/main/{name}", headers=headers)
        kind, disposition = answer.headers["content-type"], answer.headers["content-disposition"]
        assert (answer.status_code, answer.headers["x-content-type-options"]) == (200, "nosniff")
        return kind, disposition.partition(";")[0], "sandbox" in answer.headers["content-security-policy"]

    assert raw("coin.png") == ("image/png", "inline", True)
    assert raw("sign.svg") == ("text/plain; charset=utf-8", "inline", True)
    assert raw("sign.svg", **{"Sec-Fetch-Dest": "image"}) == ("image/svg+xml", "inline", True)
    assert raw("plan.pdf") == raw("die.bin") == ("application/octet-stream", "attachment", True)
    assert raw("README.md") == ("text/plain; charset=utf-8", "inline", True)
    pages = {name: browser.open(f"{PLACE}/-/blob/main/{name}") for name in ("wide.txt", "old.txt", "plan.pdf")}
    assert "Hello wide" in pages["wide.txt"].text
    assert "Köln" in pages["old.txt"].text
    assert "a PDF document (9 bytes)" in pages["plan.pdf"].text
    edits = {name: any("/-/edit/" in link for link in page.links()) for name, page in pages.items()}
    assert edits == {"wide.txt": False, "old.txt": False, "plan.pdf": False}  # a form would change their encoding


@pytest.mark.parametrize("branch", ["pic", "feat/crlf-\u00fctf"])
def test_a_file_is_previewed_with_the_pictures_of_its_branch_and_folder(
    browser: Browser, museum: Repository, branch: str
) -> None:
    text = "![x](only-here.svg) and [y](more.md)"
    write(museum, branch, {"docs/page.md": (PLAIN, text.encode()), "top.md": (PLAIN, text.encode())}, "Draw")

    def addresses(page: Visit, place: str) -> list[str]:
        return [str(one) for one in page.tree.xpath(f"{place}//@src | {place}//p/a[not(img)]/@href")]

    def preview(page: Visit, **fields: str) -> Visit:
        form, button = (page.tree.xpath(f"//{tag}[.//text()='Preview']")[-1] for tag in ("form", "button"))
        return Visit(browser.http.post(button.get("formaction"), data={**form_values(form), **fields}))

    edit = browser.open(f"{PLACE}/-/edit/{branch}/docs/page.md")
    first = preview(edit)
    shown = addresses(first, "//*[@id='preview']")
    assert shown == addresses(browser.open(f"{PLACE}/-/blob/{branch}/docs/page.md"), "//div[@class='text pad reading']")
    assert [unquote(one) for one in shown] == [
        f"{PLACE}/-/raw/{branch}/docs/only-here.svg", f"{PLACE}/-/blob/{branch}/docs/more.md"
    ]  # fmt: skip
    # The page without scripts can preview once more, and offers no more than the editor.
    assert addresses(preview(first), "//*[@id='preview']") == shown
    assert [page.tree.xpath("//details[@class='attach']") for page in (edit, first)] == [[], []]
    moved = preview(edit, file_path="top.md")
    assert addresses(moved, "//*[@id='preview']") == [one.replace("/docs/", "/") for one in shown]
    new = preview(browser.open(f"{PLACE}/-/new/{branch}/docs"), file_path="docs/new.md", content=text)
    assert addresses(new, "//*[@id='preview']") == shown


@pytest.mark.usefixtures("museum")
@pytest.mark.parametrize("kind", ["blob", "blame"])
def test_code_has_its_colours_for_one_of_the_next_readers(browser: Browser, kind: str) -> None:
    def keywords() -> list[str]:
        page = browser.open(f"{PLACE}/-/{kind}/main/die.py")
        assert "def strike():" in page.tree.xpath("string(//table)")
        return page.tree.xpath("//table//span[@class='k']/text()")

    assert until(keywords) == ["def", "return"]


def test_what_cannot_be_shown_whole_says_so(browser: Browser, museum: Repository) -> None:
    write(museum, "huge", {"huge.md": (PLAIN, b"# words\n" * (LARGEST_SHOWN // 8 + 1))}, "Grow")
    huge = browser.open(f"{PLACE}/-/blob/huge/huge.md")
    assert (huge.status, len(huge.tree.xpath("//table[@id='lines']//tr"))) == (200, 2000)
    assert "Showing the first 2,000 lines of a large file" in huge.text
    assert not any("/-/edit/" in link or "plain=1" in link for link in huge.links())
    assert "A binary file has no lines." in browser.open(f"{PLACE}/-/blame/main/die.bin").text
    assert browser.open(f"{PLACE}/-/tree/main/docs/a.txt").path == f"{PLACE}/-/blob/main/docs/a.txt"
    lost = browser.open(f"{PLACE}/-/compare/main...nosuch")
    assert (lost.status, lost.tree.xpath("//input[@id='to']/@value")) == (404, ["nosuch"])
    assert "There is no branch, tag or commit named nosuch in this repository." in lost.text


def test_long_folders_have_pages_and_the_picker_names_branches_and_tags(browser: Browser, museum: Repository) -> None:
    many = {f"a{number:04}": (PLAIN, b"x") for number in range(1100)}
    write(museum, "long", {**many, "README.md": (PLAIN, b"# The long one\n")}, "Grow")
    tip = refs.find_branch(museum, "long")
    assert tip is not None
    refs.update(museum, [RefUpdate(f"refs/tags/v{number}", tip) for number in range(22)])
    first, second = (browser.open(f"{PLACE}/-/tree/long?page={page}") for page in (1, 2))
    assert ("a0001" in first.text, "a1099" in first.text, "The long one" in first.text) == (True, False, True)
    assert ("a0001" in second.text, "a1099" in second.text) == (False, True)
    names = first.tree.xpath("//select[@id='ref']//option/text()")
    assert {"main", "long", "All 22 tags…"} <= set(names)
    assert browser.open(f"{PLACE}/-/switch_ref?ref=/tags").path == f"{PLACE}/-/tags"
    asked = f"{PLACE}/-/switch_ref?ref=v1&kind=blame&path=README.md"
    assert browser.open(asked).path == f"{PLACE}/-/blame/v1/README.md"
    refs.create_tag(museum, "v-noted", tip, message="Struck", tagger=ANNA)
    tags = browser.open(f"{PLACE}/-/tags?search=v&sort=name_asc")
    assert f"{PLACE}/-/tags?search=v&sort=name_asc&page=2" in tags.links()
    first_tag = tags.tree.xpath("//ul[@class='rows']/li")[0].xpath("string()")
    assert all(words in first_tag for words in ("v-noted", "Struck", f"Tagged by {ANNA.name}", str(ANNA.when.date())))
    assert f"by {ANNA.name}" in browser.open(f"{PLACE}/-/tags/v-noted").text
    oldest = browser.open(f"{PLACE}/-/tags?sort=version_asc").tree.xpath("//a[@class='title mono']/text()")
    assert oldest.index("v2") < oldest.index("v10")
    branches = browser.open(f"{PLACE}/-/branches?sort=name_asc").tree.xpath("//a[@class='title mono']/text()")
    assert branches == ["main", *sorted(set(branches) - {"main"})]
    graph = browser.open(f"{PLACE}/-/network/long")
    assert f"{PLACE}/-/tree/long" in graph.tree.xpath("//a[@class='chip']/@href")
    people = browser.open(f"{PLACE}/-/graphs/long")
    assert "1 commit" in people.text
    assert people.tree.xpath("//svg[@class='bars']/rect")
    assert "No tags match your search" in browser.open(f"{PLACE}/-/tags?search=zz").text


def test_merged_branches_are_deleted_together(browser: Browser, museum: Repository) -> None:
    tip = refs.find_branch(museum, "main")
    assert tip is not None
    refs.create_branch(museum, "merged-1", get_commit(museum, tip).parent_ids[0])
    write(museum, "apart", {"other": (PLAIN, b"1")}, "Apart")
    done = browser.send(browser.open(f"{PLACE}/-/branches"), "/remove_merged")
    assert "Merged branches deleted." in done.text
    assert refs.find_branch(museum, "merged-1") is None
    assert (refs.find_branch(museum, "apart"), refs.find_branch(museum, "main")) != (None, None)


@pytest.mark.usefixtures("museum")
def test_lists_of_projects_are_sorted(browser: Browser) -> None:
    def names(order: str) -> list[str]:
        page = browser.open(f"/dashboard/projects?order={order}")
        return [link.rpartition("/")[2] for link in page.tree.xpath("//ul[@class='rows']//a[@class='title']/@href")]

    assert names("name") == ["hall", "museum"]
    assert names("created_at") == ["museum", "hall"]
    assert set(names("nonsense")) == {"hall", "museum"}


@pytest.mark.usefixtures("museum")
def test_snippets_of_several_files_are_written_and_talked_about(browser: Browser, pola: Person) -> None:
    typed = {"title": "Dies", "file_name": "a.py", "content": "\nx = 1", "file_name_2": "b.md", "content_2": "# B"}
    snippet = browser.send(browser.open(f"{PLACE}/-/snippets/new"), "/snippets", **typed)
    address = f"/projects/pola%2Fmuseum/snippets/{snippet.path.rpartition('/')[2]}"
    long = {"files": [{"action": "create", "file_path": "long.txt", "content": "y" * 600_000}]}
    pola.client.ok("PUT", address, json=long)
    form = browser.open(f"{snippet.path}/edit")
    assert "long.txt is too long to edit here" in form.text
    taken = {"file_name_2": "a.py", "content_2": "# Kept"}
    refused = browser.send(form, "/edit", **taken)
    assert (refused.status, "# Kept" in refused.text) == (422, True)
    browser.send(
        form, "/edit", content="\nx = 2", file_name_2="c.md", content_2="# B", file_name_4="d.txt", content_4="d"
    )

    def files() -> dict[str, str]:
        names = [row["path"] for row in pola.client.ok("GET", address)["files"]]
        return {name: pola.client.get(f"{address}/files/main/{name}/raw").text[:9] for name in names}

    assert files() == {"a.py": "\nx = 2", "c.md": "# B", "d.txt": "d", "long.txt": "y" * 9}
    saved = browser.send(browser.open(f"{snippet.path}/edit"), "/edit", remove="1")
    assert set(files()) == {"c.md", "d.txt", "long.txt"}
    said = browser.send(saved, "/comment", body="Which *die*?")
    assert "Which die?" in said.text
    edit = next(link for link in said.links() if "/notes/" in link)
    saved = browser.send(browser.open(edit), "/edit", body="Which *coin*?")
    assert (saved.path, "Which coin?" in saved.text, "edited 20" in saved.text) == (snippet.path, True, True)
    liked = browser.send(saved, f"{snippet.path}/react", name="heart")
    assert liked.tree.xpath("//button[@aria-pressed='true']")
    assert "Which coin?" not in browser.send(browser.open(edit), "/remove").text
    assert browser.send(said, "/remove").path == f"{PLACE}/-/snippets"


@pytest.mark.usefixtures("museum")
def test_links_of_a_wiki_lead_to_its_pages_before_they_are_written(browser: Browser, pola: Person) -> None:
    content = "[[Old tools]], [[the rest|more/Coins#gold]], [[x|javascript://a]] and `[[code]]`"
    pola.client.ok("POST", "/projects/pola%2Fmuseum/wikis", json={"title": "home", "content": content})
    links = browser.open(f"{PLACE}/-/wikis/home").tree.xpath("//article//a")
    assert [(link.text, link.get("href")) for link in links] == [
        ("Old tools", f"{PLACE}/-/wikis/Old-tools"), ("the rest", f"{PLACE}/-/wikis/more/Coins#gold"), ("x", None),
    ]  # fmt: skip
    for words, found in (("HO", ["home"]), ("zz", [])):
        listed = browser.open(f"{PLACE}/-/wikis/pages?search={words}")
        assert listed.tree.xpath("//ul[@class='rows']//a/text()") == found
    assert listed.tree.xpath("//input[@id='clone']/@value") == [f"{browser.server.url}/pola/museum.wiki.git"]
    form = browser.open(links[0].get("href"))
    assert (form.path, form.tree.xpath("//input[@name='title']/@value")) == (f"{PLACE}/-/wikis/new", ["Old-tools"])


def test_strangers_search_as_far_as_the_api_lets_them(server: RunningServer, world: World) -> None:
    sven = world.user("sven")
    numbers = [world.project(sven, path=path, visibility="public")["id"] for path in ("fair", "feast")]
    for place, title in enumerate(("Silver spoon", "Silver fork", "Silver secret")):
        issue = {"title": title, "confidential": title == "Silver secret"}
        sven.client.ok("POST", f"/projects/{numbers[place % 2]}/issues", json=issue)
    stranger, here = Browser(server), f"project_id={numbers[0]}&search=silver&scope"
    page = stranger.open(f"/search?{here}=issues")
    listed = stranger.http.get(f"/api/v4/projects/{numbers[0]}/issues?search=silver").json()
    assert page.tree.xpath("//a[@class='title']/text()") == [row["title"] for row in listed] == ["Silver spoon"]
    closed = set()
    for scope in ("blobs", "commits", "issues", "merge_requests", "milestones", "notes", "users", "wiki_blobs"):
        assert stranger.http.get(f"/api/v4/projects/{numbers[0]}/search?scope={scope}&search=silver").status_code == 401
        page = stranger.open(f"/search?{here}={scope}")
        if page.tree.xpath("//*[starts-with(text(), 'Sign in to search ')]"):
            closed.add(scope)
            assert any(link.startswith("/users/sign_in?return_to=%2Fsearch") for link in page.links())
    assert closed == {"blobs", "commits", "notes", "users", "wiki_blobs"}
