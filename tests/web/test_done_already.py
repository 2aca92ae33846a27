"""What a form asks for may be so already: another tab did it, or the button was pressed twice."""

import socket
from urllib.parse import urlencode, urlsplit

import pytest

from ingot.features.people.user_pages import SESSION_COOKIE
from tests.support.server import RunningServer
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly


def token_of(browser: Browser) -> str:
    """What a form of this visitor needs."""
    page = browser.open("/-/user_settings/profile")
    return str(page.tree.xpath("//input[@name='authenticity_token']/@value")[0])


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("/smithy/anvil/-/star", {}),
        ("/smithy/anvil/-/unstar", {}),
        ("/smithy/anvil/-/issues/1/follow/subscribe", {}),
        ("/smithy/anvil/-/issues/1/follow/unsubscribe", {}),
        ("/smithy/anvil/-/issues/1/follow/todo", {}),
        ("/smithy/anvil/-/labels/1/subscription", {"subscribed": "true"}),
        ("/users/chloe/follow", {}),
    ],
)
def test_a_form_that_is_sent_twice_says_twice_that_it_is_done(
    smithy: RunningServer, address: str, fields: dict[str, str]
) -> None:
    browser = Browser(smithy)
    browser.enter_by_link("dai")
    sent = {"authenticity_token": token_of(browser), **fields}

    answers = [Visit(browser.http.post(address, data=sent)) for _ in range(3)]

    assert [visit.status for visit in answers] == [200, 200, 200], answers[-1].text
    said = [visit.tree.xpath("string(//p[@class='flash'])") for visit in answers]
    assert said[0]
    assert len(set(said)) == 1


def test_no_answer_to_a_form_has_bytes_that_do_not_belong_to_it(smithy: RunningServer) -> None:
    """What follows on the same connection is the answer to the next request, whatever was written in the form."""
    browser = Browser(smithy)
    browser.enter_by_link("dai")
    browser.http.post("/smithy/anvil/-/star", data={"authenticity_token": token_of(browser)})
    body = urlencode(
        {"authenticity_token": token_of(browser), "description": "\r\n\r\nHTTP/1.1 200 OK\r\n\r\nforged"}
    ).encode()
    head = (
        f"POST /smithy/anvil/-/star HTTP/1.1\r\nHost: x\r\nCookie: {SESSION_COOKIE}="
        f"{browser.http.cookies[SESSION_COOKIE]}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode()
    following = b"GET /robots.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

    parts = urlsplit(smithy.url)
    with socket.create_connection((parts.hostname or "", parts.port or 0)) as wire:
        wire.sendall(head + body + following)
        answer = b"".join(iter(lambda: wire.recv(65536), b""))

    heads = [part.partition(b"\r\n")[0] for part in answer.split(b"HTTP/1.1 ")[1:]]
    assert [head[:3] for head in heads] == [b"303", b"200"]
    assert b"forged" not in answer
