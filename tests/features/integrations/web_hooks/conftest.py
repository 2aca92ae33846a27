"""A world whose hooks may reach this machine, and a receiver for them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.receiver import Delivered, Receiver, running_receiver
from tests.support.world import Person, World


@pytest.fixture(scope="module")
def receiver() -> Iterator[Receiver]:
    """Where hooks deliver."""
    with running_receiver() as running:
        yield running


@dataclass(frozen=True)
class Hooked:
    """A project with an owner, and a hook of it that wants everything."""

    world: World
    receiver: Receiver
    owner: Person
    project: dict[str, Any]
    path: str

    @property
    def place(self) -> str:
        """The project's address in the interface."""
        return f"/projects/{self.project['id']}"

    def arrivals(self) -> list[Delivered]:
        """What has arrived, after all that waited was delivered."""
        self.world.server.run_jobs()
        return self.receiver.received(self.path)

    def bodies(self, **wanted: object) -> list[Any]:
        """The payloads with these values at the top."""
        bodies = [one.body for one in self.arrivals()]
        return [body for body in bodies if all(body.get(name) == value for name, value in wanted.items())]


Make = Callable[..., Hooked]


@pytest.fixture(scope="module")
def open_world(world: World) -> World:
    """Hooks may reach this machine."""
    world.admin.ok("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": True})
    return world


@pytest.fixture(scope="module")
def make_hooked(open_world: World, receiver: Receiver) -> Make:
    """Makes a project with a hook that wants the events of these switches."""

    def make(*flags: str, project: dict[str, Any] | None = None, owner: Person | None = None, **more: Any) -> Hooked:
        owner = owner or open_world.user()
        project = project or open_world.project(owner, initialize_with_readme=True)
        open_world.server.run_jobs()
        path = f"/{open_world.name('hook')}/"
        body = {"url": receiver.url + path, "push_events": False, **dict.fromkeys(flags, True), **more}
        owner.client.ok("POST", f"/projects/{project['id']}/hooks", json=body)
        return Hooked(open_world, receiver, owner, project, path)

    return make
