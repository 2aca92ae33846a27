"""What deliveries cost: statements and questions to name servers are shared by what is delivered together."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from ingot.features.integrations.web_hooks.delivering import deliver_waiting
from ingot.features.integrations.web_hooks.messages import DELIVERY
from ingot.kit.db import counting_statements
from ingot.kit.jobs import Run, ownership
from ingot.kit.outbound import Outbound
from tests.kit.outbound.servers import StoryTeller
from tests.support.databases import Databases
from tests.support.receiver import Receiver
from tests.support.server import RunningServer
from tests.support.world import World

HOST = "receiver.example"


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server without a worker: the test delivers."""
    data = tmp_path_factory.mktemp("data")
    settings = {"worker": False, "outbound_allow_local": True}
    with RunningServer(databases.fresh(data), data, **settings) as running:
        yield running


@pytest.fixture
def names(server: RunningServer) -> Iterator[StoryTeller]:
    """The name server that deliveries ask."""
    names = StoryTeller(["127.0.0.1"])
    server.services.outbound = Outbound(resolver=names)
    yield names
    server.services.outbound = None


def deliver(server: RunningServer, hook_id: int) -> int:
    """Deliver what waits for a hook, as a worker would; the number of statements."""
    db = server.services.db
    with db.write() as tx:
        [claim] = ownership.claim(tx, "test", [DELIVERY], 1)
    with counting_statements() as counter:
        deliver_waiting(Run(db, server.services, claim, timeout=None, is_live=lambda: True), hook_id)
    with db.write() as tx:
        ownership.finish(tx, [claim])
    return counter[0]


@pytest.fixture
def hook(world: World, receiver: Receiver) -> tuple[str, int, str]:
    """A project, the id of its hook, and the path where that delivers."""
    project = world.project(world.user())
    place, path = f"/projects/{project['id']}", f"/{world.name('hook')}/"
    url = f"http://{HOST}:{urlsplit(receiver.url).port}{path}"
    created = world.admin.ok("POST", f"{place}/hooks", json={"url": url, "push_events": False, "issues_events": True})
    return place, created["id"], path


def test_one_delivery_is_a_look_and_one_short_transaction(
    server: RunningServer, world: World, receiver: Receiver, names: StoryTeller, hook: tuple[str, int, str]
) -> None:
    place, hook_id, path = hook
    world.admin.ok("POST", f"{place}/issues", json={"title": "One"})

    number = deliver(server, hook_id)

    assert len(receiver.received(path)) == 1
    # Messages, hook, rules; then the beginning, whose job it is, the message, the log, the counter of failures.
    assert number <= 8


def test_deliveries_side_by_side_share_their_statements_and_the_address(
    server: RunningServer, world: World, receiver: Receiver, names: StoryTeller, hook: tuple[str, int, str]
) -> None:
    place, hook_id, path = hook
    for number in range(15):
        world.admin.ok("POST", f"{place}/issues", json={"title": str(number)})

    number = deliver(server, hook_id)

    assert len(receiver.received(path)) == 15
    assert names.asked == [HOST]
    # Three looks, and five statements for each group that ended together: fifteen alone would need 15 * 8.
    assert number <= 3 + 15 * 5
    assert len(world.admin.ok("GET", f"{place}/hooks/{hook_id}/events")) == 15


def test_failures_in_a_row_are_counted_one_by_one(
    server: RunningServer, world: World, receiver: Receiver, names: StoryTeller, hook: tuple[str, int, str]
) -> None:
    """Also those that end together: the fourth puts the hook to rest."""
    place, hook_id, path = hook
    url = f"http://{HOST}:{urlsplit(receiver.url).port}"
    world.admin.ok("PUT", f"{place}/hooks/{hook_id}", json={"url": f"{url}/answer/500{path}"})
    for number in range(4):
        world.admin.ok("POST", f"{place}/issues", json={"title": str(number)})

    deliver(server, hook_id)

    assert len(receiver.received(f"/answer/500{path}")) == 4
    shown = world.admin.ok("GET", f"{place}/hooks/{hook_id}")
    assert (shown["alert_status"], shown["disabled_until"] is None) == ("temporarily_disabled", False)
