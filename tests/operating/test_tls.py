"""TLS without a proxy: certificate files, with git, curl and a client that checks the certificate."""

import os
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from ingot.cli.ready import require_certificate
from ingot.settings import SettingError, make
from tests.operating.test_command_line import environment, ingot, refused
from tests.support import plain_http
from tests.support.waiting import until

pytestmark = pytest.mark.costly

TOKEN = "glpat-tls-tests-1"
HANDSHAKES = 16


def write_certificate(folder: Path, name: str = "localhost") -> Path:
    """A certificate that is its own authority, and its key."""
    folder.mkdir(exist_ok=True)
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    command += ["-keyout", str(folder / "new.key"), "-out", str(folder / "new.pem")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    (folder / "new.key").rename(folder / "key.pem")
    (folder / "new.pem").rename(folder / "certificate.pem")
    return folder / "certificate.pem"


def is_closed(connection: socket.socket) -> bool:
    """The server has ended it; a server that still waits has sent nothing."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


class Secure:
    """A running server with a certificate."""

    def __init__(self, folder: Path, url: str, process: subprocess.Popen[str]) -> None:
        self.folder, self.url, self.process = folder, url, process

    def client(self) -> httpx.Client:
        context = ssl.create_default_context(cafile=str(self.folder / "certificate.pem"))
        return plain_http.client(base_url=self.url, verify=context, headers={"PRIVATE-TOKEN": TOKEN})

    def certificate(self, newest: ssl.TLSVersion = ssl.TLSVersion.MAXIMUM_SUPPORTED) -> bytes:
        """What the server shows to a new connection."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_ciphers("ALL:@SECLEVEL=0")  # this client would speak the oldest versions too
        context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        context.maximum_version = newest
        with self.connect() as plain, context.wrap_socket(plain, server_hostname="localhost") as wrapped:
            return wrapped.getpeercert(binary_form=True) or b""

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", urlsplit(self.url).port or 0), timeout=120)


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secure]:
    folder = tmp_path_factory.mktemp("tls")
    write_certificate(folder)
    given = {
        "INGOT_TLS_CERTIFICATE": str(folder / "certificate.pem"), "INGOT_TLS_KEY": str(folder / "key.pem"),
        "INGOT_ROOT_TOKEN": TOKEN, "INGOT_WORKERS": "1", "INGOT_MAX_CONNECTIONS": str(HANDSHAKES),
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "ingot", "serve", "--port", "0", "--data", "data"],
        cwd=folder, env=environment(**given), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]
    yield Secure(folder, url, process)
    process.terminate()
    process.communicate(timeout=120)


def test_addresses_and_cookies_are_those_of_https(secure: Secure) -> None:
    with secure.client() as client:
        user = client.get("/api/v4/user").json()
        foreign = client.get("/api/v4/user", headers={"Host": "evil.example.com"}).json()
        page = client.get("/users/sign_in", headers={"PRIVATE-TOKEN": ""})

    assert secure.url.startswith("https://")
    assert user["web_url"] == f"{secure.url}/root"
    assert foreign["web_url"] == f"{secure.url}/root"
    cookies = page.headers.get_list("set-cookie")
    assert cookies
    assert all("; secure" in cookie.lower() for cookie in cookies), cookies


def test_git_and_curl_reach_it(secure: Secure, tmp_path: Path) -> None:
    authority = str(secure.folder / "certificate.pem")
    with secure.client() as client:
        client.post("/api/v4/projects", json={"name": "app", "initialize_with_readme": True}).raise_for_status()

    asked = subprocess.run(
        ["curl", "--silent", "--fail", "--cacert", authority, f"{secure.url}/api/v4/user?private_token={TOKEN}"],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    remote = f"{secure.url}/root/app.git".replace("://", f"://root:{TOKEN}@")
    settings = {"GIT_SSL_CAINFO": authority, "GIT_TERMINAL_PROMPT": "0"}
    cloned = subprocess.run(
        ["git", "clone", "--quiet", remote, str(tmp_path / "app")],
        env={**os.environ, **settings}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip

    assert '"username":"root"' in asked.stdout, asked
    assert cloned.returncode == 0, cloned.stderr
    assert (tmp_path / "app" / "README.md").exists()


def test_old_versions_of_tls_and_plain_http_are_refused(secure: Secure) -> None:
    assert secure.certificate(ssl.TLSVersion.TLSv1_2)
    with pytest.warns(DeprecationWarning, match="TLSv1_1"), pytest.raises(ssl.SSLError, match="EOF"):
        secure.certificate(ssl.TLSVersion.TLSv1_1)
    with pytest.raises(httpx.TransportError):
        plain_http.get(secure.url.replace("https:", "http:"))


def test_clients_that_never_finish_the_handshake_keep_nobody_out(secure: Secure) -> None:
    silent = [secure.connect() for _ in range(3 * HANDSHAKES)]
    try:
        with secure.client() as client:
            assert client.get("/api/v4/user").status_code == 200
        until(lambda: sum(is_closed(one) for one in silent) >= 2 * HANDSHAKES)
    finally:
        for one in silent:
            one.close()


def test_a_renewed_certificate_is_used_while_connections_stay(secure: Secure) -> None:
    before = secure.certificate()
    with secure.client() as client:
        client.get("/-/liveness").raise_for_status()
        (secure.folder / "key.pem").write_text("half written")
        assert secure.certificate() == before
        renewed = ssl.PEM_cert_to_DER_cert(write_certificate(secure.folder).read_text())
        until(lambda: secure.certificate() == renewed)
        # The client would not believe the new certificate: this is the old connection.
        assert client.get("/-/liveness").status_code == 200
    assert renewed != before


def test_certificates_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    mine, other = write_certificate(tmp_path / "mine"), write_certificate(tmp_path / "other")
    key = mine.with_name("key.pem")
    command = ["openssl", "ec", "-in", str(key), "-aes128", "-passout", "pass:secret", "-out", str(tmp_path / "locked")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    cases = {
        (str(tmp_path / "no.pem"), ""): "tls_certificate points to .*no.pem, which does not exist",
        (str(mine), str(tmp_path)): "tls_key points to .*, which cannot be read: Is a directory",
        (str(mine), str(other.with_name("key.pem"))): "tls_key .*key.pem does not belong to .*certificate.pem",
        (str(mine), ""): "must hold a certificate and its key in PEM",
        (str(mine), str(tmp_path / "locked")): "tls_key is encrypted",
    }

    for (certificate, key_file), sentence in cases.items():
        with pytest.raises(SettingError, match=sentence):
            require_certificate(make({"tls_certificate": certificate, "tls_key": key_file}))
    with pytest.raises(SettingError, match="tls_key requires tls_certificate"):
        make({"tls_key": str(key)})
    with pytest.raises(SettingError, match="base_url must begin with https:"):
        make({"tls_certificate": str(mine), "base_url": "http://git.example.com"})
    both = tmp_path / "both.pem"
    both.write_text(mine.read_text() + key.read_text())
    require_certificate(make({"tls_certificate": str(both)}))
    missing = {"INGOT_TLS_CERTIFICATE": str(tmp_path / "no.pem")}
    refused(ingot("serve", "--port", "0", cwd=tmp_path, **missing), "Invalid setting: tls_certificate points to")
