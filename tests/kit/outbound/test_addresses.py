"""Local addresses are refused in every spelling, and nobody is called to find out."""

import asyncio

import pytest
from aiohttp import web

from ingot.kit.outbound import Outbound, Rules, UrlRefused, download_blocking, head_blocking, upload_blocking
from ingot.kit.outbound.addresses import (
    BROADCAST,
    LINK_LOCAL,
    LOCAL_NETWORK,
    LOCALHOST,
    LOOPBACK,
    METADATA,
    MULTICAST,
    SHARED,
    reason_against,
)
from ingot.kit.outbound.dial import Gate
from tests.kit.outbound.servers import StoryTeller, a_trap, serving

ANY_SCHEME = Rules(schemes=("http", "https"))

SPELLINGS = [
    # loopback
    ("127.0.0.1", LOOPBACK),
    ("127.0.0.1.", LOOPBACK),
    ("127.1", LOOPBACK),
    ("127.0.1", LOOPBACK),
    ("127.255.255.254", LOOPBACK),
    ("2130706433", LOOPBACK),
    ("0x7f000001", LOOPBACK),
    ("0x7f.0.0.1", LOOPBACK),
    ("0x7F.1", LOOPBACK),
    ("0177.0.0.1", LOOPBACK),
    ("0177.1", LOOPBACK),
    ("017700000001", LOOPBACK),
    ("127.0x0.0.0x1", LOOPBACK),
    ("localhost", LOOPBACK),
    ("LOCALHOST", LOOPBACK),
    ("localhost.", LOOPBACK),
    ("anything.LocalHost", LOOPBACK),
    ("user:password@localhost", LOOPBACK),
    ("example.com@127.0.0.1", LOOPBACK),
    ("①②⑦.⓪.⓪.①", LOOPBACK),
    ("127。0。0。1", LOOPBACK),
    ("%6c%6f%63%61%6c%68%6f%73%74", "Hostname or IP address invalid"),
    ("[::1]", LOOPBACK),
    ("[0:0:0:0:0:0:0:1]", LOOPBACK),
    ("[0000:0000:0000:0000:0000:0000:0000:0001]", LOOPBACK),
    ("[::ffff:127.0.0.1]", LOOPBACK),
    ("[::ffff:7f00:1]", LOOPBACK),
    ("[0:0:0:0:0:ffff:127.0.0.1]", LOOPBACK),
    ("[::127.0.0.1]", LOOPBACK),
    ("[::ffff:0:127.0.0.1]", LOOPBACK),
    ("[64:ff9b::127.0.0.1]", LOOPBACK),
    ("[64:ff9b::7f00:1]", LOOPBACK),
    ("[2002:7f00:1::]", LOOPBACK),
    # this machine
    ("0.0.0.0", LOCALHOST),
    ("0", LOCALHOST),
    ("0x0", LOCALHOST),
    ("0.1.2.3", LOCALHOST),
    ("[::]", LOCALHOST),
    ("[::ffff:0.0.0.0]", LOCALHOST),
    # private networks
    ("10.0.0.1", LOCAL_NETWORK),
    ("10.255.255.255", LOCAL_NETWORK),
    ("167772161", LOCAL_NETWORK),
    ("172.16.0.1", LOCAL_NETWORK),
    ("172.31.255.255", LOCAL_NETWORK),
    ("192.168.1.1", LOCAL_NETWORK),
    ("0xc0a80101", LOCAL_NETWORK),
    ("[::ffff:192.168.1.1]", LOCAL_NETWORK),
    ("[64:ff9b::10.0.0.1]", LOCAL_NETWORK),
    ("[2002:0a00:0001::1]", LOCAL_NETWORK),
    ("[fc00::1]", LOCAL_NETWORK),
    ("[fd12:3456:789a::1]", LOCAL_NETWORK),
    ("[fec0::1]", LOCAL_NETWORK),
    ("[2001:0:53aa:64c:0:0:0:1]", LOCAL_NETWORK),
    ("[2001:db8::1]", LOCAL_NETWORK),
    ("192.0.2.1", LOCAL_NETWORK),
    ("198.18.0.1", LOCAL_NETWORK),
    ("240.0.0.1", LOCAL_NETWORK),
    # link local and metadata services
    ("169.254.0.1", LINK_LOCAL),
    ("169.254.169.254", LINK_LOCAL),
    ("2852039166", LINK_LOCAL),
    ("0xa9fea9fe", LINK_LOCAL),
    ("0251.0376.0251.0376", LINK_LOCAL),
    ("[::ffff:169.254.169.254]", LINK_LOCAL),
    ("[::ffff:a9fe:a9fe]", LINK_LOCAL),
    ("[fe80::1]", LINK_LOCAL),
    ("[fe80::1%25lo]", "Hostname or IP address invalid"),
    ("[fd00:ec2::254]", LOCAL_NETWORK),
    ("100.100.100.200", SHARED),
    ("192.0.0.192", LOCAL_NETWORK),
    ("168.63.129.16", METADATA),
    # the rest
    ("100.64.0.1", SHARED),
    ("255.255.255.255", BROADCAST),
    ("4294967295", BROADCAST),
    ("224.0.0.1", MULTICAST),
    ("239.255.255.250", MULTICAST),
    ("[ff02::1]", MULTICAST),
]


def test_there_are_enough_spellings():
    assert len({spelling for spelling, _reason in SPELLINGS}) >= 40


@pytest.mark.parametrize(("spelling", "reason"), SPELLINGS, ids=[spelling for spelling, _ in SPELLINGS])
def test_a_local_address_is_refused_without_a_connection(spelling, reason):
    with a_trap() as trap:
        url = f"http://{spelling}:{trap.port}/archive.tar.gz"
        outbound = Outbound()

        for attempt in (
            lambda: asyncio.run(outbound.check(url, ANY_SCHEME)),
            lambda: head_blocking(outbound, url, ANY_SCHEME),
            lambda: upload_blocking(outbound, "PUT", url, ANY_SCHEME, [b"secret"], 6),
        ):
            with pytest.raises(UrlRefused) as caught:
                attempt()
            assert caught.value.reason == reason

        assert not trap.was_touched()


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "1.1.1.1",
        "172.32.0.1",
        "172.15.255.255",
        "100.128.0.1",
        "169.253.1.1",
        "11.0.0.1",
        "126.255.255.255",
        "128.0.0.1",
        "2606:4700:4700::1111",
        "2a00:1450:4001:81b::200e",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
    ],
)
def test_a_public_address_is_fine(address):
    assert reason_against(address) is None


def test_one_local_address_among_public_ones_refuses_the_name(tmp_path):
    resolver = StoryTeller(["93.184.216.34", "2606:2800:220:1::1", "10.0.0.1"])

    with pytest.raises(UrlRefused, match=LOCAL_NETWORK):
        asyncio.run(Outbound(resolver=resolver).check("https://files.example/a", Rules()))


@pytest.mark.parametrize("local", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "10.1.2.3"])
def test_a_name_server_that_changes_its_mind_leads_nowhere(local):
    with a_trap() as trap:
        resolver = StoryTeller(["93.184.216.34"], [local])
        outbound = Outbound(resolver=resolver)
        url = f"http://rebinding.example:{trap.port}/"

        asyncio.run(outbound.check(url, ANY_SCHEME))
        with pytest.raises(UrlRefused):
            head_blocking(outbound, url, ANY_SCHEME)

        assert not trap.was_touched()
        assert resolver.asked == ["rebinding.example"] * 2


def test_the_address_dialled_has_the_last_word():
    gate = Gate(ANY_SCHEME)

    with pytest.raises(UrlRefused, match=LOOPBACK):
        gate.socket((2, 1, 6, "", ("127.0.0.1", 80)))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "spelling", ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "169.254.169.254"]
)
def test_a_redirect_into_the_local_network_is_refused_without_a_connection(status, spelling):
    async def scenario() -> None:
        with a_trap() as trap:

            async def away(request: web.Request) -> web.Response:
                return web.Response(status=status, headers={"Location": f"http://{spelling}:{trap.port}/x"})

            async with serving(web.get("/", away)) as port:
                rules = Rules(schemes=("http", "https"), allowed=(f"127.0.0.1:{port}",))
                with pytest.raises(UrlRefused):
                    await asyncio.to_thread(head_blocking, Outbound(), f"http://127.0.0.1:{port}/", rules)
            assert not trap.was_touched()

    asyncio.run(scenario())


@pytest.mark.parametrize("location", ["file:///etc/passwd", "gopher://x/", "http://[", "ftp://files.example/x"])
def test_a_redirect_to_another_kind_of_address_is_refused(location):
    async def scenario() -> None:
        async def away(request: web.Request) -> web.Response:
            return web.Response(status=302, headers={"Location": location})

        async with serving(web.get("/", away)) as port:
            with pytest.raises(UrlRefused):
                await asyncio.to_thread(head_blocking, Outbound(), f"http://127.0.0.1:{port}/", Rules(allow_local=True))

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://files.example/x", "Only allowed schemes are https"),
        ("ftp://files.example/x", "Only allowed schemes are https"),
        ("file:///etc/passwd", "Only allowed schemes are https"),
        ("javascript:alert(1)", "Only allowed schemes are https"),
        ("files.example/x", "Only allowed schemes are https"),
        ("https://", "URI is invalid"),
        ("https:///x", "URI is invalid"),
        ("https://files.example:99999/", "URI is invalid"),
        ("https://files.example:0/", "URI is invalid"),
        ("https://files.example:x/", "URI is invalid"),
        ("https://[::1/", "URI is invalid"),
        ("https://files.example/\r\nHost: evil", "URI is invalid"),
        ("https://files.example/a b", "URI is invalid"),
        ("https://-files.example/", "Hostname or IP address invalid"),
        ("https://_files.example/", "Hostname or IP address invalid"),
    ],
)
def test_a_url_that_is_no_https_url_is_refused_with_its_reason(url, reason):
    with pytest.raises(UrlRefused) as caught:
        asyncio.run(Outbound(resolver=StoryTeller(["93.184.216.34"])).check(url, Rules()))

    assert caught.value.reason == reason


def test_an_upload_may_use_plain_http_and_the_refusal_names_both_schemes():
    with pytest.raises(UrlRefused, match="Only allowed schemes are http, https"):
        asyncio.run(Outbound().check("ftp://files.example/x", ANY_SCHEME))


def test_a_name_that_does_not_resolve_is_refused():
    for attempt in (
        lambda: asyncio.run(Outbound().check("https://nowhere.invalid/x", Rules())),
        lambda: head_blocking(Outbound(), "https://nowhere.invalid/x", Rules()),
        lambda: asyncio.run(Outbound(resolver=StoryTeller([])).check("https://empty.example/", Rules())),
    ):
        with pytest.raises(UrlRefused, match="Host cannot be resolved or invalid"):
            attempt()


def test_a_very_long_host_is_refused():
    with pytest.raises(UrlRefused, match=r"Host is too long|URI is invalid"):
        asyncio.run(Outbound().check(f"https://{'a.' * 600}example/", Rules()))


@pytest.mark.parametrize(
    "entry", ["127.0.0.1", "127.0.0.1:{port}", "127.0.0.0/8", "Inner.example", "inner.example:{port}"]
)
def test_a_host_on_the_list_of_the_administrator_is_called(entry):
    assert status_with(entry) == 200


@pytest.mark.parametrize(
    "entry", ["127.0.0.1:1", "10.0.0.0/8", "other.example", "inner.example:1", "[::1]:{port}", "", "::1"]
)
def test_a_host_beside_the_list_of_the_administrator_is_not(entry):
    with pytest.raises(UrlRefused, match=LOOPBACK):
        status_with(entry)


def status_with(entry: str) -> int:
    async def scenario() -> int:
        async def hello(request: web.Request) -> web.Response:
            return web.Response(text="hello")

        async with serving(web.get("/", hello)) as port:
            rules = Rules(schemes=("http",), allowed=(entry.format(port=port),))
            outbound = Outbound(resolver=StoryTeller(["127.0.0.1"]))
            answer = await asyncio.to_thread(head_blocking, outbound, f"http://inner.example:{port}/", rules)
            return answer.status

    return asyncio.run(scenario())


def test_a_proxy_of_the_environment_is_not_used(monkeypatch, tmp_path):
    with a_trap() as trap:
        for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{trap.port}")

        with pytest.raises(UrlRefused), (tmp_path / "x").open("wb") as file:
            download_blocking(Outbound(), "http://10.0.0.1/x", ANY_SCHEME, file)

        assert not trap.was_touched()


def test_a_batch_asks_for_a_name_once_and_checks_its_address_for_each_request() -> None:
    names = StoryTeller(["127.0.0.1"])

    async def scenario() -> None:
        async def answer(_request: web.Request) -> web.Response:
            return web.Response(text="here")

        async with serving(web.get("/", answer)) as port:
            batch, url = Outbound(resolver=names).for_batch(), f"http://inside.example:{port}/"
            open_rules = Rules(allow_local=True)

            async def read(rules: Rules) -> str:
                async with batch.request("GET", url, rules) as reply:
                    return await reply.text()

            assert await asyncio.gather(read(open_rules), read(open_rules)) == ["here", "here"]
            with pytest.raises(UrlRefused, match=LOOPBACK):
                await read(ANY_SCHEME)
            assert await read(open_rules) == "here"

    asyncio.run(scenario())
    assert names.asked == ["inside.example"]
