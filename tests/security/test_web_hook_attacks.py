"""Web hooks of hostile owners and hostile receivers: how a message is framed is ours to say, what comes back can be
stored and shown, and no template makes a small payload large.
"""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from ingot.features.integrations.web_hooks.addresses import without_user
from ingot.kit.outbound import Outbound, Rules
from ingot.kit.outbound.client import Body
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.world import Person, World

UNREADABLE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Odd: a\xff\xfe\xed\xa0\x80z\r\n\r\nok"
GROWTH = 64 * 1024 * 1024


class RawReceiver:
    """Writes down what arrives, byte by byte, and answers with bytes that no library would send."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"
        self.heads: list[bytes] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            with client:
                data = b""
                while b"\r\n\r\n" not in data:
                    data += client.recv(65536)
                head, _, body = data.partition(b"\r\n\r\n")
                length = int(next(line for line in head.lower().split(b"\r\n") if b"content-length" in line)[15:])
                while len(body) < length:
                    body += client.recv(65536)
                self.heads.append(head)
                client.sendall(UNREADABLE)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(scope="module")
def receiver() -> Iterator[RawReceiver]:
    running = RawReceiver()
    yield running
    running.close()


@pytest.fixture(scope="module")
def owner(world: World) -> Person:
    world.admin.ok("PUT", "/application/settings", json={"allow_local_requests_from_web_hooks_and_services": True})
    return world.user()


@pytest.fixture(scope="module")
def hooks(world: World, owner: Person) -> str:
    return f"/projects/{world.project(owner, initialize_with_readme=True)['id']}/hooks"


@pytest.mark.parametrize("name", ["Host", "content-length", "Transfer-Encoding", "Connection", "Expect", "upgrade"])
def test_no_header_says_how_or_where_a_message_is_sent(owner: Person, hooks: str, name: str) -> None:
    pair = {"key": name, "value": "chunked"}
    hook = owner.client.ok("POST", hooks, json={"url": "https://hook.invalid/", "url_variables": [pair]})
    one = f"{hooks}/{hook['id']}"

    created = owner.client.post(hooks, json={"url": "https://hook.invalid/", "custom_headers": [pair]})
    changed = owner.client.put(one, json={"custom_headers": [pair]})
    added = owner.client.put(f"{one}/custom_headers/{name}", json={"value": "chunked"})

    assert [created.status_code, changed.status_code, added.status_code] == [422, 422, 422]
    assert owner.client.ok("GET", one)["custom_headers"] == []


async def post(url: str, headers: dict[str, str]) -> int:
    async def content() -> AsyncIterator[bytes]:
        yield b"{}"

    body = Body(content(), 2)
    async with Outbound().request("POST", url, Rules(allow_local=True), headers=headers, body=body) as reply:
        return reply.status


def test_a_request_has_one_length_and_one_host_whatever_its_caller_says(receiver: RawReceiver) -> None:
    headers = {"transfer-encoding": "chunked", "content-length": "3", "Host": "internal.example", "X-Own": "1"}

    assert asyncio.run(post(receiver.url, headers)) == 200

    names = [line.partition(b":")[0].lower() for line in receiver.heads[-1].split(b"\r\n")[1:]]
    assert names.count(b"content-length") == names.count(b"host") == names.count(b"x-own") == 1
    assert b"transfer-encoding" not in names
    assert b"internal.example" not in receiver.heads[-1]


@pytest.mark.parametrize("rest", ["", "/", "?to=@internal.example", "#@internal.example", "/a@b?c=@d"])
def test_nothing_behind_the_host_is_taken_for_it(rest: str) -> None:
    assert without_user(f"https://user:secret@hook.example{rest}") == (
        f"https://hook.example{rest}",
        ("user", "secret"),
    )


def test_what_a_receiver_answers_can_be_stored_and_shown(owner: Person, hooks: str, receiver: RawReceiver) -> None:
    hook = owner.client.ok("POST", hooks, json={"url": receiver.url})

    owner.client.ok("POST", f"{hooks}/{hook['id']}/test/push_events")

    [delivery] = owner.client.ok("GET", f"{hooks}/{hook['id']}/events")
    assert delivery["response_status"] == "200"
    assert delivery["response_headers"]["X-Odd"].startswith("a\ufffd")


def test_a_template_that_names_a_long_text_many_times_makes_no_large_message(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = tmp_path_factory.mktemp("data")
    part = "{{object_attributes}}"
    template = '{"a":[' + ",".join([part] * 180) + "]}"
    with ServerProcess(databases.fresh(data), data, INGOT_WORKER="false") as server:
        project = server.call("POST", "/projects", json={"name": "hooked"})
        place = f"/projects/{project['id']}"
        server.call("POST", f"{place}/issues", json={"title": "Long", "description": "<" * 1_000_000})
        options = {"url": "https://hook.invalid/", "custom_webhook_template": template, "issues_events": True}
        hook = server.call("POST", f"{place}/hooks", json=options)

        def deliver() -> list[dict[str, Any]]:
            with pytest.raises(AssertionError, match="The template makes a document of more than"):
                server.call("POST", f"{place}/hooks/{hook['id']}/test/issues_events")
            events: list[dict[str, Any]] = server.call("GET", f"{place}/hooks/{hook['id']}/events")
            return events

        deliver()
        [*_, newest], growth = server.growth(deliver)

    assert "more than" in newest["response_body"]
    assert growth < GROWTH
