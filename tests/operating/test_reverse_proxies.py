"""The examples for reverse proxies, with the real programs: TLS, forwarded addresses, encoded paths, large bodies."""

import os
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from ingot.testing import IngotServer
from tests.support import plain_http
from tests.support.ports import free_port
from tests.support.waiting import until

DEPLOY = Path(__file__).parents[2] / "deploy"
LARGE = 24 * 1024 * 1024
ADDRESS = "git.example.com"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate of its own in one file."""
    folder = tmp_path_factory.mktemp("certificate")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={ADDRESS}"]
    command += ["-addext", f"subjectAltName=DNS:{ADDRESS},IP:127.0.0.1"]
    command += ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    both = folder / "both.pem"
    both.write_text((folder / "certificate.pem").read_text() + (folder / "key.pem").read_text())
    return both


@pytest.fixture(scope="module")
def server() -> Iterator[IngotServer]:
    with IngotServer(allowed_hosts=ADDRESS) as started:
        yield started


def start_nginx(folder: Path, config: str) -> list[str]:
    main = f"daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; events {{}} http {{ access_log off;"
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = " ".join(f"{name}_temp_path {folder}/{name};" for name in names)
    (folder / "nginx.conf").write_text(f"{main} {temporary}\n{config}\n}}\n")
    return ["nginx", "-p", str(folder), "-e", f"{folder}/error.log", "-c", str(folder / "nginx.conf")]


def start_haproxy(folder: Path, config: str) -> list[str]:
    (folder / "haproxy.cfg").write_text(config)
    return ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")]


def start_caddy(folder: Path, config: str) -> list[str]:
    (folder / "Caddyfile").write_text(config)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


EXAMPLES = {
    "nginx": ("nginx.conf", start_nginx),
    "haproxy": ("haproxy-tls.cfg", start_haproxy),
    "caddy": ("Caddyfile", start_caddy),
}


@contextmanager
def proxy(kind: str, folder: Path, certificate: Path, server: IngotServer) -> Iterator[httpx.Client]:
    """The example with ports and files of the test, and a client that believes its certificate."""
    plain, secure = free_port(), free_port()
    file, start = EXAMPLES[kind]
    ports = f"{{\n\tadmin off\n\thttp_port {plain}\n\thttps_port {secure}\n}}\n"
    config = (DEPLOY / file).read_text().replace("127.0.0.1:8080", urlsplit(server.url).netloc)
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{plain};"), ("listen 443 ssl;", f"listen 127.0.0.1:{secure} ssl;"),
        ("bind :80\n", f"bind 127.0.0.1:{plain}\n"), ("bind :443", f"bind 127.0.0.1:{secure}"),
        ("/etc/ssl/git.example.com.pem", str(certificate)), ("/etc/ssl/git.example.com.key", str(certificate)),
        ("/etc/haproxy/git.example.com.pem", str(certificate)),
        # Caddy asks an authority for a certificate; the test has its own.
        ("git.example.com {\n", f"{ports}git.example.com {{\n\ttls {certificate} {certificate}\n"),
    ):  # fmt: skip
        config = config.replace(old, new)
    process = subprocess.Popen(start(folder, config), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    context = ssl.create_default_context(cafile=str(certificate))
    headers = {"PRIVATE-TOKEN": server.token, "Host": ADDRESS}
    try:
        url = f"https://127.0.0.1:{secure}"
        with httpx.Client(base_url=url, headers=headers, verify=context, timeout=120) as client:
            until(lambda: process.poll() is None and answers(client))
            redirect = plain_http.get(f"http://127.0.0.1:{plain}/a%2Fb?c=d", headers={"Host": ADDRESS})
            assert (redirect.status_code, redirect.headers["location"]) == (308, f"https://{ADDRESS}/a%2Fb?c=d")
            yield client
    finally:
        process.terminate()
        process.wait(120)


def answers(client: httpx.Client) -> bool:
    try:
        return client.get("/-/readiness").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.scale
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed"))
        for name in EXAMPLES
    ],
)
def test_the_example_serves(kind: str, tmp_path: Path, certificate: Path, server: IngotServer) -> None:
    ingot = server.ingot
    ingot.reset()
    ann = ingot.make_user("ann")
    project = ingot.make_project("app", owner=ann, files={"README.md": "Hello\n"})
    group: dict[str, Any] = ingot.make_group("walled", owner=ann)
    ingot.call("PUT", f"/groups/{group['id']}", {"ip_restriction_ranges": "203.0.113.0/24"}, who=ann)

    with proxy(kind, tmp_path, certificate, server) as client:
        mine = {"PRIVATE-TOKEN": ann.token}
        shown = client.get("/api/v4/projects/ann%2Fapp", headers=mine)
        file = client.get("/api/v4/projects/ann%2Fapp/repository/files/README.md/raw?ref=main", headers=mine)
        upload = client.post(
            f"/api/v4/projects/{project['id']}/uploads", headers=mine, files={"file": ("large.bin", b"x" * LARGE)}
        )
        claimed = client.get("/api/v4/groups/walled", headers={**mine, "X-Forwarded-For": "203.0.113.9"})
        port = client.base_url.port
        remote = f"https://ann:{ann.token}@{ADDRESS}:{port}/ann/app.git"
        resolve = f"http.curloptResolve={ADDRESS}:{port}:127.0.0.1"
        listed = subprocess.run(
            ["git", "-c", resolve, "ls-remote", remote], env={**os.environ, "GIT_SSL_CAINFO": str(certificate)},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    assert (shown.status_code, shown.json()["web_url"]) == (200, f"https://{ADDRESS}/ann/app")
    assert (file.status_code, file.text) == (200, "Hello\n")
    assert upload.status_code == 201
    assert claimed.status_code == 404  # what a client says about its address is not believed
    assert "refs/heads/main" in listed.stdout, listed.stderr


def test_the_examples_pass_on_what_ingot_needs() -> None:
    nginx, haproxy = (DEPLOY / "nginx.conf").read_text(), (DEPLOY / "haproxy-tls.cfg").read_text()

    assert "client_max_body_size 0;" in nginx
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in nginx
    assert "set-header X-Forwarded-For %[src]" in haproxy
    assert "X-Forwarded-Proto" in nginx
    assert "X-Forwarded-Proto" in haproxy
