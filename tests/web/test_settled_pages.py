"""What a visit has from visits before is never older than what another process has written since."""

from collections.abc import Iterator

import pytest
from sqlalchemy import select, update

from ingot.features.code.protected_branches.tables import protected_branch_access_levels
from ingot.identity.tables import users
from ingot.instance.tables import instance_facts
from ingot.kit.db import Database
from tests.support.server import RunningServer
from tests.web.browsing import Browser

pytestmark = pytest.mark.costly

ANVIL = "/smithy/anvil"


@pytest.fixture
def other(smithy: RunningServer) -> Iterator[Database]:
    """The database as another process writes to it."""
    database = Database(smithy.services.db.url.render_as_string(hide_password=False))
    yield database
    database.dispose()


def write_something_else(other: Database, word: str) -> None:
    with other.write() as tx:
        tx.execute(instance_facts.insert().values(name=word, value="x"))


def test_the_name_of_a_person(ben: Browser, other: Database) -> None:
    for name in ("Chloe the First", "Chloe the Second"):
        write_something_else(other, name)
        assert name not in ben.open(f"{ANVIL}/-/merge_requests").text
        with other.write() as tx:
            tx.execute(update(users).where(users.c.username == "chloe").values(name=name))
        assert name in ben.open(f"{ANVIL}/-/merge_requests").text


def test_who_may_change_what_runs_on_a_protected_branch(ben: Browser, other: Database) -> None:
    def controls() -> int:
        page = ben.open(f"{ANVIL}/-/pipelines/1").tree
        return len(page.xpath("//main//form[contains(@action, '/pipelines/1/')]"))

    levels = protected_branch_access_levels
    with other.read() as conn:
        before = conn.execute(select(levels.c.id, levels.c.access_level)).all()
    assert controls() > 0
    write_something_else(other, "levels")
    with other.write() as tx:
        tx.execute(update(levels).values(access_level=0))
    assert controls() == 0
    with other.write() as tx:
        for row in before:
            tx.execute(update(levels).where(levels.c.id == row.id).values(access_level=row.access_level))
    assert controls() > 0
