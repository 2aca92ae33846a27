"""Names and lines with signs that nobody sees are shown with the numbers of these signs."""

import pytest

from ingot.gitstore.repository import Repository
from tests.support.server import RunningServer
from tests.support.world import Person, World
from tests.web.browsing import Browser
from tests.web.test_code_pages import PLAIN, write

pytestmark = pytest.mark.costly
PLACE = "/nora/names"
TURNED = "photo\u202egpj.exe"  # looks like photoexe.jpg
SHOWN = "photoU+202Egpj.exe"


@pytest.fixture(scope="module")
def nora(world: World) -> Person:
    return world.user("nora")


@pytest.fixture(scope="module")
def repository(world: World, nora: Person) -> Repository:
    repository = world.repository(world.project(nora, path="names", initialize_with_readme=True))
    write(repository, "main", {f"in/{TURNED}": (PLAIN, b"one\nt\xe2\x80\xaewo\n")}, "Add a file")
    return repository


@pytest.fixture(scope="module")
def browser(server: RunningServer, nora: Person) -> Browser:
    created = Browser(server)
    created.enter_by_link("nora")
    return created


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(
    "address", ["tree/main/in", f"blob/main/in/{TURNED}", f"blame/main/in/{TURNED}", "find_file/main", "commit/main"]
)
def test_a_file_cannot_look_like_another(browser: Browser, address: str) -> None:
    page = browser.open(f"{PLACE}/-/{address}")

    assert page.status == 200
    visible = page.tree.xpath(
        "//main//*[self::a or self::h2 or self::span[not(@class='hidden')]][contains(., 'photo')]"
    )
    names = {element.xpath("string()").strip().rpartition("/")[2] for element in visible}
    assert SHOWN in names
    assert TURNED not in names


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("query", ["", "?view=parallel"])
def test_changes_name_the_signs_that_turn_a_line(browser: Browser, query: str) -> None:
    page = browser.open(f"{PLACE}/-/commit/main{query}")

    cells = page.tree.xpath("//td[@data-sign='+']")
    assert [cell.xpath("string()") for cell in cells] == ["one", "tU+202Ewo"]
