"""Lists of more than ten thousand entries: every page can be reached, from both ends and with addresses that stay."""

from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from ingot.features.planning.issues import issues
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly
NUMBER = 10_045


@pytest.fixture(scope="module")
def home(smithy: RunningServer) -> str:
    """The list of a project with many issues: some of one moment, most without a day on which they are due."""
    client = smithy.client(ROOT_TOKEN)
    project = client.ok("POST", "/projects", json={"name": "Nails", "visibility": "public"})
    first = client.ok("POST", f"/projects/{project['id']}/issues", json={"title": "Nail 00001"})["id"]
    with smithy.services.db.write() as tx:
        row = dict(tx.execute(select(issues).where(issues.c.id == first)).one()._mapping)
        day = row["created_at"].date()
        del row["id"]
        rows = [
            {**row, "iid": number, "title": f"Nail {number:05}",
             "created_at": row["created_at"] + timedelta(number // 3),
             "due_date": day + timedelta(number % 7) if number % 100 == 0 else None}
            for number in range(2, NUMBER + 1)
        ]  # fmt: skip
        for start in range(0, len(rows), 1000):
            tx.execute(insert(issues), rows[start : start + 1000])
    return f"/{project['path_with_namespace']}/-/issues"


def numbers(page: Visit) -> list[int]:
    titles = page.tree.xpath("//ul[@class='rows']//a[@class='title']")
    return [int("".join(title.itertext()).removeprefix("Nail ")) for title in titles]


def follow(browser: Browser, page: Visit, words: str) -> Visit:
    (link,) = page.tree.xpath(f"//nav[@class='pager']/a[.='{words}']/@href")
    return browser.open(page.path + link)


def links(page: Visit) -> list[str]:
    return [link.text for link in page.tree.xpath("//nav[@class='pager']/a")]


@pytest.mark.parametrize("order", ["", "order_by=due_date&sort=asc", "order_by=title&sort=asc", "order_by=priority"])
def test_the_last_page_is_a_link_away_and_the_way_leads_back(smithy: RunningServer, home: str, order: str) -> None:
    visitor, client = Browser(smithy), smithy.client(ROOT_TOKEN)
    listed = f"/projects/{home.removesuffix('/-/issues').strip('/').replace('/', '%2F')}/issues?per_page=20&{order}"

    def expected(page: int) -> list[int]:
        return [issue["iid"] for issue in client.ok("GET", f"{listed}&page={page}")]

    first = visitor.open(f"{home}?{order}")
    assert ("More than 10,000 entries" in first.text, links(first)) == (True, ["Next", "Last"])
    second = follow(visitor, first, "Next")
    third = follow(visitor, second, "Next")
    assert [numbers(one) for one in (first, second, third)] == [expected(page) for page in (1, 2, 3)]
    assert numbers(follow(visitor, third, "Previous")) == numbers(second)
    assert numbers(follow(visitor, follow(visitor, third, "Previous"), "Previous")) == numbers(first)
    last = follow(visitor, third, "Last")
    assert links(last) == ["First", "Previous"]
    tail = [*expected(NUMBER // 20 - 1), *expected(NUMBER // 20), *expected(NUMBER // 20 + 1)]
    assert numbers(last) == tail[-20:]
    before = follow(visitor, last, "Previous")
    assert numbers(before) == tail[-40:-20]
    assert numbers(follow(visitor, before, "Next")) == numbers(last)
    assert numbers(follow(visitor, last, "First")) == numbers(first)


def test_places_that_nobody_made_lead_to_the_beginning(smithy: RunningServer, home: str) -> None:
    visitor = Browser(smithy)
    first = numbers(visitor.open(home))
    place = visitor.open(home).tree.xpath("//nav[@class='pager']/a[@rel='next']/@href")[0]
    for query in ("after=x", "before=W10", "after=WzEsW11d", f"{place[1:]}&order_by=title", "before="):
        page = visitor.open(f"{home}?{query}")
        assert page.status == 200, query
        if "order_by" not in query:
            assert numbers(page) == first, query
    assert numbers(visitor.open(f"{home}?page=2&{place[1:]}")) == numbers(visitor.open(f"{home}?page=2"))
