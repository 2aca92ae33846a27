"""The manual at `/help` and as files: every page is reached, every link and picture leads somewhere."""

import posixpath
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from lxml import etree

from ingot.web.manual.files import write_files
from ingot.web.manual.page import FOLDER, page_names
from tests.support.server import RunningServer
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly


def targets(visit: Visit) -> list[str]:
    """Where the links of a page lead, with their anchors."""
    here = str(visit.response.url)
    return [urljoin(here, link) for link in visit.tree.xpath("//main//a/@href")]


def test_every_page_is_reached_and_every_link_leads_somewhere(server: RunningServer) -> None:
    browser = Browser(server)
    visits: dict[str, Visit] = {}
    waiting = [f"{server.url}/help"]
    links: set[str] = set()
    pictures: set[str] = set()
    while waiting:
        address = waiting.pop()
        if address in visits:
            continue
        visit = visits[address] = browser.open(address)
        assert visit.status == 200, address
        links.update(targets(visit))
        pictures.update(urljoin(address, source) for source in visit.tree.xpath("//article//img/@src"))
        waiting += [urldefrag(one)[0] for one in targets(visit) if urlsplit(one).path.startswith("/help/")]

    reached = {urlsplit(address).path.removeprefix("/help/") for address in visits}
    assert set(page_names()) <= reached
    assert {path.stem for path in FOLDER.glob("*.md")} <= set(page_names())
    missing = []
    for link in links:
        address, anchor = urldefrag(link)
        if address.startswith(server.url) and anchor and not visits[address].tree.xpath("//*[@id=$id]", id=anchor):
            missing.append(link)
    assert missing == []
    assert any(one.endswith(".png") for one in pictures)
    for picture in pictures:
        assert browser.open(picture).response.headers["content-type"].startswith("image/"), picture


def test_the_manual_allows_nothing_inline_and_needs_no_script(server: RunningServer) -> None:
    visit = Browser(server).open("/help/operating")

    assert visit.tree.xpath("//article//h1")[0].text == "Operating"
    assert "script-src 'self'; style-src 'self'" in visit.response.headers["content-security-policy"]
    assert not visit.tree.xpath("//*[@style] | //style | //script[not(@src)] | //@*[starts-with(name(), 'on')]")


@pytest.mark.parametrize("name", ["nothing", "../README", "api/projects", "pictures/../../pyproject.toml", "README.md"])
def test_what_is_no_page_is_not_found(server: RunningServer, name: str) -> None:
    assert Browser(server).open(f"/help/{name}").status == 404


def test_search_finds_sections_and_shows_headings_first(server: RunningServer) -> None:
    browser = Browser(server)
    hits = browser.open("/help/search?query=backup+RESTORE")
    nothing = browser.open("/help/search?query=%3Cscript%3Ealert")

    first = hits.tree.xpath("//ul[contains(@class, 'manual-hits')]//a")[0]
    assert first.get("href") == "/help/operating#md-backup-and-restore"
    assert "Nothing found for “<script>alert”" in nothing.text
    assert not nothing.tree.xpath("//script[not(@src)]")


def test_the_files_lead_to_each_other(tmp_path: Path) -> None:
    count = write_files(tmp_path)
    files = {str(path.relative_to(tmp_path)): path for path in tmp_path.rglob("*") if path.is_file()}
    trees = {name: etree.HTML(path.read_text()) for name, path in files.items() if name.endswith(".html")}

    assert len(trees) == count == len(page_names()) + 1
    missing = []
    for name, tree in trees.items():
        for target in tree.xpath("//@href | //@src"):
            path, anchor = urldefrag(target)
            if urlsplit(path).scheme:
                continue
            file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if file not in files or (anchor and not trees[file].xpath("//*[@id=$id]", id=anchor)):
                missing.append(f"{name}: {target}")
    assert missing == []
