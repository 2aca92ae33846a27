"""Requests that two readers could cut differently: the server refuses them, or reads them as a proxy before it does."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.ports import free_port
from tests.support.raw_http import connect, exchange, read_all, statuses
from tests.support.server import RunningServer

HAPROXY = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin")
POST = b"POST /api/v4/projects HTTP/1.1\r\nHost: %s\r\n"
GET = b"GET /-/liveness HTTP/1.1\r\nHost: %s\r\n"
# What an attacker wants to slip past the proxy.
SMUGGLED = b"GET /-/readiness HTTP/1.1\r\nHost: %s\r\n\r\n"
LAST = GET + b"Connection: close\r\n\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"

REFUSED = {
    "length and chunks": POST + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "chunks and length": POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n" + SMUGGLED,
    "two encodings": POST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "unknown encoding": POST + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "encoding not last": POST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "vertical tab": POST + b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "two lengths": POST + b"Content-Length: 0\r\nContent-Length: 5\r\n\r\nabcde" + SMUGGLED,
    "same length twice": POST + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde" + SMUGGLED,
    "list of lengths": POST + b"Content-Length: 5, 5\r\n\r\nabcde" + SMUGGLED,
    "signed length": POST + b"Content-Length: +5\r\n\r\nabcde" + SMUGGLED,
    "negative length": POST + b"Content-Length: -5\r\n\r\nabcde" + SMUGGLED,
    "hexadecimal length": POST + b"Content-Length: 0x5\r\n\r\nabcde" + SMUGGLED,
    "folded header": GET + b"X-A: b\r\n c\r\n\r\n",
    "folded encoding": POST + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "bare line feeds": b"GET /-/liveness HTTP/1.1\nHost: %s\n\n",
    "line feed in a header": GET + b"X: a\nContent-Length: 5\r\n\r\n",
    "carriage return in a header": GET + b"X: a\rContent-Length: 5\r\n\r\n",
    "nul in a header": GET + b"X: a\x00b\r\n\r\n",
    "blank before the colon": POST + b"Content-Length : 5\r\n\r\nabcde",
    "blank before the first header": b"GET /-/liveness HTTP/1.1\r\n Host: %s\r\n\r\n",
    "line feed after a chunk extension": CHUNKED + b"5;a\nabcde\r\n0\r\n\r\n" + SMUGGLED,
    "line feeds between chunks": CHUNKED + b"5\nabcde\n0\n\n" + SMUGGLED,
    "prefixed chunk size": CHUNKED + b"0x5\r\nabcde\r\n0\r\n\r\n" + SMUGGLED,
    "negative chunk size": CHUNKED + b"-5\r\nabcde\r\n0\r\n\r\n" + SMUGGLED,
    "chunk size beyond numbers": CHUNKED + b"f" * 20 + b"5\r\nabcde\r\n0\r\n\r\n" + SMUGGLED,
    "other target and host": b"GET http://evil.example/-/liveness HTTP/1.1\r\nHost: %s\r\n\r\n",
    "two hosts": GET + b"Host: evil.example\r\n\r\n",
    "no host": b"GET /-/liveness HTTP/1.1\r\nX-Host: %s\r\n\r\n",
    "chunks in HTTP/1.0": b"POST / HTTP/1.0\r\nHost: %s\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "other versions": b"GET /-/liveness HTTP/2.0\r\nHost: %s\r\n\r\n",
    "tunnel": b"CONNECT evil.example:80 HTTP/1.1\r\nHost: %s\r\n\r\n" + SMUGGLED,
    "long target": b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: %s\r\n\r\n",
    "long header": GET + b"X: " + b"a" * 140_000 + b"\r\n\r\n",
    "many headers": GET + b"X: a\r\n" * 200 + b"\r\n",
}
READ_ALIKE = {
    "chunk extensions": (CHUNKED + b"5;a=b;c\r\nabcde\r\n0\r\n\r\n" + LAST, [401, 200]),
    "trailers": (CHUNKED + b"5\r\nabcde\r\n0\r\nX-Sum: 1\r\n\r\n" + LAST, [401, 200]),
    "body of a GET": (GET + b"Content-Length: 5\r\n\r\nGET /" + LAST, [200, 200]),
    "same target and host": (b"GET http://%s/-/liveness HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", [200]),
    "one after the other": (2 * (GET + b"\r\n") + LAST, [200, 200, 200]),
}


def at(server: RunningServer, request: bytes) -> bytes:
    return request.replace(b"%s", server.url.removeprefix("http://").encode())


@pytest.fixture(scope="module")
def proxy(server: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """HAProxy before the server, on one kept connection; its own address where HAProxy is not installed."""
    if HAPROXY is None:
        yield server.url
        return
    port = free_port()
    folder: Path = tmp_path_factory.mktemp("haproxy")
    place = server.url.removeprefix("http://")
    (folder / "haproxy.cfg").write_text(
        "defaults\n mode http\n timeout connect 60s\n timeout client 120s\n timeout server 120s\n http-reuse always\n"
        f"frontend people\n bind 127.0.0.1:{port}\n option forwardfor\n default_backend nodes\n"
        f"backend nodes\n server one {place} maxconn 1\n"
    )
    process = subprocess.Popen([HAPROXY, "-db", "-f", str(folder / "haproxy.cfg")], stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    limit = time.monotonic() + 120
    while True:
        try:
            connect(url).close()
            break
        except ConnectionError:
            assert time.monotonic() < limit, "HAProxy did not start"
    yield url
    process.terminate()
    process.wait()


@pytest.mark.parametrize("name", REFUSED)
def test_an_unclear_request_is_refused_once_and_the_connection_closed(server: RunningServer, name: str) -> None:
    answer = exchange(server.url, at(server, REFUSED[name]))

    assert [status // 100 for status in statuses(answer)] in ([4], [5]), answer
    assert statuses(answer)[0] in (400, 414, 431, 501, 505)
    assert b"connection: close" in answer.lower()


@pytest.mark.parametrize("name", READ_ALIKE)
def test_a_clear_request_is_read_as_the_standard_says(server: RunningServer, name: str) -> None:
    request, expected = READ_ALIKE[name]

    assert statuses(exchange(server.url, at(server, request))) == expected


@pytest.mark.parametrize("name", [*REFUSED, *READ_ALIKE])
def test_nothing_is_smuggled_past_a_proxy(server: RunningServer, proxy: str, name: str) -> None:
    """As many answers come back as HAProxy saw requests, and the next caller on its connection gets their own."""
    request = REFUSED.get(name) or READ_ALIKE[name][0]

    answer = exchange(proxy, at(server, request), half_close=True)
    following = exchange(proxy, at(server, LAST))

    assert statuses(following) == [200], following
    assert b'{"status":"ok"}' in following
    # The readiness page, which only smuggled requests ask for, names the database. HAProxy may pass a tail that it
    # clearly sees as a request of its own: then it is one for both.
    assert b'"database"' not in following
    assert len(statuses(answer)) <= 3


def test_trailers_are_no_headers(server: RunningServer) -> None:
    token = server.client().token
    trailed = b"2\r\n{}\r\n0\r\nPRIVATE-TOKEN: " + str(token).encode() + b"\r\n\r\n"

    answer = exchange(
        server.url, at(server, POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + trailed)
    )

    assert statuses(answer) == [401]


def test_what_follows_an_upgrade_is_no_request(server: RunningServer) -> None:
    upgrade = GET + b"Connection: upgrade\r\nUpgrade: h2c\r\n\r\n" + SMUGGLED

    answer = exchange(server.url, at(server, upgrade))

    assert statuses(answer) == [200]
    assert b'"database"' not in answer


def test_an_answer_is_given_before_the_request_after_it_is_refused(server: RunningServer) -> None:
    with connect(server.url) as connection:
        connection.sendall(at(server, GET + b"\r\nNO SENSE\r\n\r\n"))

        assert statuses(read_all(connection)) == [200]


def test_a_stranger_behind_the_proxy_cannot_choose_an_address(server: RunningServer, proxy: str) -> None:
    if HAPROXY is None:
        spoofed = GET.replace(b"liveness", b"metrics") + b"X-Forwarded-For: 127.0.0.1, 203.0.113.9\r\n"
    else:
        spoofed = GET.replace(b"liveness", b"metrics") + b"X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n"

    answer = exchange(proxy, at(server, spoofed + b"Connection: close\r\n\r\n"))

    assert statuses(answer) == [404]
