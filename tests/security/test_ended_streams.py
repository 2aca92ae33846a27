"""A stream that tells of changes ends with the access of the person who opened it, whichever way it is lost."""

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

import httpx
from lxml import etree

from tests.security.test_doors_outside_the_api import session_of
from tests.support import plain_http
from tests.support.world import World


def events(client: httpx.Client, path: str) -> Iterator[str]:
    """The events of a stream, and its heartbeats."""
    with client.stream("GET", path) as answer:
        assert answer.status_code == 200
        for line in answer.iter_lines():
            if line.startswith((":", "event: ")):
                yield line.removeprefix("event: ")


def sign_out(client: httpx.Client) -> None:
    page: Any = etree.HTML(client.get("/").text)
    token = page.xpath("//form[@action='/users/sign_out']/input[@name='authenticity_token']/@value")[0]
    client.post("/users/sign_out", data={"authenticity_token": token})


def test_streams_end_with_the_access_of_their_reader(world: World) -> None:
    owner = world.user()
    project = world.project(owner, initialize_with_readme=True, shared_runners_enabled=False)
    world.commit(project, "main", {".gitlab-ci.yml": "wait: {script: [x]}"}, user_id=owner.id)
    world.run_jobs()
    pipeline = owner.client.ok("GET", f"/projects/{project['id']}/pipelines")[0]["id"]
    path = f"/{project['path_with_namespace']}/-/pipelines/{pipeline}/events?seen=older"
    people = {name: world.user() for name in ("leaves", "revokes", "removed", "blocked", "demoted", "stays")}
    for person in people.values():
        if person is people["demoted"]:
            world.admin.ok("PUT", f"/users/{person.id}", json={"admin": True})
        else:
            world.member(project, person, "developer")

    with ExitStack() as opened:
        clients: dict[str, httpx.Client] = {}
        streams: dict[str, Iterator[str]] = {}
        for name, person in people.items():
            clients[name] = opened.enter_context(plain_http.client(base_url=world.server.url, timeout=120))
            if name == "revokes":
                clients[name].headers["PRIVATE-TOKEN"] = person.token
            else:
                clients[name].cookies.update(session_of(world, person.id))
            streams[name] = events(clients[name], path)
            assert next(streams[name]) == "changed"

        sign_out(clients["leaves"])
        people["revokes"].client.ok("DELETE", "/personal_access_tokens/self")
        world.admin.ok("DELETE", f"/projects/{project['id']}/members/{people['removed'].id}")
        world.admin.ok("POST", f"/users/{people['blocked'].id}/block")
        world.admin.ok("PUT", f"/users/{people['demoted'].id}", json={"admin": False})

        # On a busy machine hearts may have beaten before; that of a stream which goes on beats for ten minutes.
        for name in ("leaves", "revokes", "removed", "blocked", "demoted"):
            said = [event for event in islice(streams[name], 12) if not event.startswith(":")]
            assert said == ["changed", "over"], name
        owner.client.ok("POST", f"/projects/{project['id']}/pipelines/{pipeline}/cancel")
        assert [event for event in streams["stays"] if not event.startswith(":")][-1] == "over"
