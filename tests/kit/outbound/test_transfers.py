"""Bodies both ways: streamed, bounded, and with errors that tell no secrets."""

import asyncio
import io
import socket
import time
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web

from ingot.kit.outbound import (
    Answer,
    BodyTooLarge,
    Limits,
    Outbound,
    OutboundFailed,
    OutboundTimeout,
    Rules,
    UrlRefused,
    download_blocking,
    head_blocking,
    upload_blocking,
    without_secrets,
)
from tests.kit.outbound.servers import StoryTeller, certified, serving
from tests.support.ports import free_port

LOCAL = Rules(allow_local=True)


def with_server(*routes: web.RouteDef, call: Callable[[str], Any]) -> Any:
    async def scenario() -> Any:
        async with serving(*routes) as port:
            return await asyncio.to_thread(call, f"http://127.0.0.1:{port}")

    return asyncio.run(scenario())


def downloaded(base: str, **options: Any) -> tuple[Answer, bytes]:
    file = io.BytesIO()
    answer = download_blocking(Outbound(), f"{base}/file?signature=s3cret", LOCAL, file, **options)
    return answer, file.getvalue()


def file_route(content: bytes, **headers: str) -> web.RouteDef:
    async def send(request: web.Request) -> web.Response:
        return web.Response(body=content, headers=headers, content_type="application/gzip")

    return web.get("/file", send)


def test_a_file_is_downloaded_with_its_headers():
    content = bytes(range(256)) * 20_000

    answer, body = with_server(file_route(content), call=downloaded)

    assert body == content
    assert (answer.status, answer.headers["content-type"]) == (200, "application/gzip")
    assert answer.headers["Content-Length"] == str(len(content))


def test_a_packed_body_is_not_unpacked():
    _answer, body = with_server(file_route(b"\x1f\x8bpacked", **{"Content-Encoding": "gzip"}), call=downloaded)

    assert body == b"\x1f\x8bpacked"


def test_headers_can_be_refused_before_the_body_is_read():
    def refuse(answer: Answer) -> None:
        raise ValueError(answer.headers["Content-Type"])

    with pytest.raises(ValueError, match="application/gzip"):
        with_server(file_route(b"x"), call=lambda base: downloaded(base, accept=refuse))


def test_an_announced_size_over_the_limit_is_refused():
    with pytest.raises(BodyTooLarge, match="larger than 10 bytes"):
        with_server(file_route(b"x" * 11), call=lambda base: downloaded(base, limits=Limits(reply_bytes=10)))


def test_an_unannounced_size_over_the_limit_is_cut_off():
    sent = []

    async def endless(request: web.Request) -> web.StreamResponse:
        reply = web.StreamResponse()
        await reply.prepare(request)
        for number in range(10_000):
            await reply.write(b"x" * 65_536)
            sent.append(number)
        return reply

    with pytest.raises(BodyTooLarge):
        with_server(web.get("/file", endless), call=lambda base: downloaded(base, limits=Limits(reply_bytes=1_000_000)))

    assert len(sent) < 1000


def test_a_body_of_exactly_the_limit_is_fine():
    assert with_server(file_route(b"x" * 10), call=lambda base: downloaded(base, limits=Limits(reply_bytes=10)))[1]


def test_a_download_that_breaks_off_is_an_error():
    async def broken(request: web.Request) -> web.StreamResponse:
        reply = web.StreamResponse(headers={"Content-Length": "1000"})
        await reply.prepare(request)
        await reply.write(b"half")
        assert request.transport is not None
        request.transport.close()
        return reply

    with pytest.raises(OutboundFailed, match="broke off"):
        with_server(web.get("/file", broken), call=downloaded)


def test_another_status_gives_the_beginning_of_its_text_and_no_file():
    async def refuse(request: web.Request) -> web.Response:
        return web.Response(status=403, text="<Message>Request has expired</Message>" + "x" * 10_000)

    answer, body = with_server(web.get("/file", refuse), call=downloaded)

    assert (answer.status, body) == (403, b"")
    assert answer.text.startswith("<Message>Request has expired")
    assert len(answer.text) <= 4096


def test_redirects_are_followed_and_secrets_stay_behind():
    seen = []

    async def scenario() -> Answer:
        async def final(request: web.Request) -> web.Response:
            seen.append(dict(request.headers))
            return web.Response(text="here")

        async with serving(web.get("/there", final)) as other:

            async def first(request: web.Request) -> web.Response:
                return web.Response(status=302, headers={"Location": "second"})

            async def second(request: web.Request) -> web.Response:
                seen.append(dict(request.headers))
                return web.Response(status=307, headers={"Location": f"http://127.0.0.1:{other}/there"})

            async with serving(web.get("/first", first), web.get("/second", second)) as port:
                headers = {"PRIVATE-TOKEN": "t", "X-Kept": "1"}
                url = f"http://127.0.0.1:{port}/first"
                async with Outbound().request("GET", url, LOCAL, headers=headers) as reply:
                    return Answer(reply.status, reply.headers, await reply.text())

    answer = asyncio.run(scenario())

    assert (answer.status, answer.text) == (200, "here")
    assert seen[0]["PRIVATE-TOKEN"] == "t"
    assert "PRIVATE-TOKEN" not in seen[1]
    assert seen[1]["X-Kept"] == "1"


def test_endless_redirects_end():
    hops = []

    async def again(request: web.Request) -> web.Response:
        hops.append(1)
        return web.Response(status=302, headers={"Location": "/"})

    with pytest.raises(OutboundFailed, match="more than 5 redirects"):
        with_server(web.get("/", again), call=lambda base: head_blocking(Outbound(), base + "/", LOCAL))

    assert len(hops) == 6


def upload_route(received: list[Any], status: int = 200) -> list[web.RouteDef]:
    async def take(request: web.Request) -> web.Response:
        body = await request.read()
        received.append((request.method, dict(request.headers), body))
        return web.Response(status=status, text="thanks")

    return [web.put("/up", take), web.post("/up", take)]


@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_an_upload_is_streamed_with_its_length_and_headers(method):
    received: list[Any] = []

    answer = with_server(
        *upload_route(received),
        call=lambda base: upload_blocking(
            Outbound(),
            method,
            f"{base}/up",
            LOCAL,
            (bytes([n]) * 100_000 for n in range(50)),
            5_000_000,
            headers={"Content-Type": "application/gzip"},
        ),
    )

    assert (answer.status, answer.text) == (200, "")
    (seen_method, headers, body), *rest = received
    assert not rest
    assert seen_method == method
    assert headers["Content-Length"] == "5000000"
    assert headers["Content-Type"] == "application/gzip"
    assert "Transfer-Encoding" not in headers
    assert body == b"".join(bytes([n]) * 100_000 for n in range(50))


def test_a_refused_upload_gives_status_and_text():
    answer = with_server(
        *upload_route([], status=403),
        call=lambda base: upload_blocking(Outbound(), "PUT", f"{base}/up", LOCAL, [b"x"], 1),
    )

    assert (answer.status, answer.text) == (403, "thanks")


def test_in_silence_others_are_read_and_nothing_is_sent():
    received: list[Any] = []
    silent = Rules(allow_local=True, is_silent=True)

    def call(base: str) -> int:
        with pytest.raises(UrlRefused, match="Silent mode enabled"):
            upload_blocking(Outbound(), "PUT", f"{base}/up", silent, [b"x"], 1)
        return head_blocking(Outbound(), f"{base}/file", silent).status

    assert with_server(*upload_route(received), file_route(b"x"), call=call) == 200
    assert received == []


def test_an_upload_is_not_sent_twice_by_a_redirect():
    async def away(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(status=307, headers={"Location": "/elsewhere"})

    answer = with_server(
        web.put("/up", away), call=lambda base: upload_blocking(Outbound(), "PUT", f"{base}/up", LOCAL, [b"x"], 1)
    )

    assert answer.status == 307


@pytest.mark.parametrize("chunks", [[b"too short"], [b"x" * 50, b"y" * 51]])
def test_a_body_that_is_not_as_long_as_announced_is_an_error(chunks):
    with pytest.raises(ValueError, match="announced 100 bytes"):
        with_server(
            *upload_route([]),
            call=lambda base: upload_blocking(Outbound(), "PUT", f"{base}/up", LOCAL, chunks, 100),
        )


def test_a_failure_while_reading_the_body_is_the_caller_s_own():
    def broken():
        yield b"x"
        raise KeyError("row gone")

    with pytest.raises(KeyError, match="row gone"):
        with_server(
            *upload_route([]),
            call=lambda base: upload_blocking(Outbound(), "PUT", f"{base}/up", LOCAL, broken(), 100),
        )


def test_a_silent_server_is_given_up_in_time():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/?token=s3cret"
        begun = time.monotonic()

        for limits in (Limits(total=0.3), Limits(read=0.3)):
            with pytest.raises(OutboundTimeout) as caught:
                head_blocking(Outbound(), url, LOCAL, limits)
            assert "s3cret" not in repr(caught.value)

        assert time.monotonic() - begun < 50  # the usual limit is a minute


def test_a_server_that_stops_in_the_middle_is_given_up_in_time():
    async def stall(request: web.Request) -> web.StreamResponse:
        reply = web.StreamResponse(headers={"Content-Length": "1000"})
        await reply.prepare(request)
        await reply.write(b"half")
        await asyncio.sleep(60)
        return reply

    with pytest.raises(OutboundTimeout):
        with_server(web.get("/file", stall), call=lambda base: downloaded(base, limits=Limits(read=0.3)))


def test_a_server_that_is_not_there_is_an_error_without_the_address():
    with pytest.raises(OutboundFailed) as caught:
        head_blocking(Outbound(), f"http://user:s3cret@127.0.0.1:{free_port()}/?token=s3cret", LOCAL)

    assert str(caught.value) == "the server could not be reached"


def test_https_checks_the_certificate_for_the_name_that_was_asked_for(tmp_path):
    async def scenario(name: str) -> int:
        server, client = certified("files.example", tmp_path)

        async def hello(request: web.Request) -> web.Response:
            return web.Response(text=request.host)

        async with serving(web.get("/", hello), tls=server) as port:
            outbound = Outbound(tls=client, resolver=StoryTeller(["127.0.0.1"]))
            rules = Rules(allowed=("127.0.0.1",))
            answer = await asyncio.to_thread(head_blocking, outbound, f"https://{name}:{port}/", rules)
            return answer.status

    assert asyncio.run(scenario("files.example")) == 200
    with pytest.raises(OutboundFailed, match="certificate is not trusted"):
        asyncio.run(scenario("other.example"))


def test_a_certificate_that_nobody_vouches_for_is_not_trusted(tmp_path):
    async def scenario() -> None:
        server, _client = certified("localhost", tmp_path)
        async with serving(tls=server) as port:
            await asyncio.to_thread(head_blocking, Outbound(), f"https://localhost:{port}/", LOCAL)

    with pytest.raises(OutboundFailed, match="certificate is not trusted"):
        asyncio.run(scenario())


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://u:p@h.example/a/b?X-Amz-Signature=1#f", "https://h.example/a/b"),
        ("https://h.example:8443/a", "https://h.example:8443/a"),
        ("https://[", "[FILTERED]"),
    ],
)
def test_a_url_is_shown_without_its_secrets(url, shown):
    assert without_secrets(url) == shown
