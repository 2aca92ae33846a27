"""Two nodes on one database: what one of them changes holds on the other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from ingot.identity.tables import personal_access_tokens, users
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.waiting import until
from tests.support.world import World


@pytest.fixture
def nodes(databases: Databases, tmp_path: Path) -> Iterator[tuple[RunningServer, RunningServer]]:
    url = databases.fresh(tmp_path)
    with RunningServer(url, tmp_path) as one, RunningServer(url, tmp_path) as two:
        yield one, two


def test_a_token_revoked_on_one_node_dies_on_the_other_within_seconds(
    nodes: tuple[RunningServer, RunningServer],
) -> None:
    one, two = nodes
    person = World(one).user()
    there = two.client(person.token)
    assert there.get("/user").status_code == 200

    with one.services.db.write() as tx:
        tx.execute(
            update(personal_access_tokens).where(personal_access_tokens.c.user_id == person.id).values(revoked=True)
        )
    until(lambda: there.get("/user").status_code == 401)


def test_a_blocked_user_is_refused_on_both_nodes_within_seconds(nodes: tuple[RunningServer, RunningServer]) -> None:
    one, two = nodes
    person = World(one).user()
    there = two.client(person.token)
    assert there.get("/user").status_code == 200

    with one.services.db.write() as tx:
        tx.execute(update(users).where(users.c.id == person.id).values(state="blocked"))

    until(lambda: there.get("/user").status_code == 403)
