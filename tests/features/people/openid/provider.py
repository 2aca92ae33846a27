"""A real OpenID Connect provider that others wrote, in a process of its own."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

from tests.support import plain_http
from tests.web.browsing import Browser, Visit


@dataclass(frozen=True)
class Provider:
    """The running provider."""

    url: str

    def set_person(self, subject: str, **claims: object) -> None:
        """Say what the provider tells about somebody."""
        assert plain_http.put(f"{self.url}/users/{subject}", json=claims).status_code == 204

    def allow(self, authorization_url: str, subject: str) -> str:
        """Sign in there as somebody; returns the address that the browser is sent back to."""
        answer = plain_http.post(authorization_url, data={"sub": subject})
        assert answer.status_code == 302, answer.text
        return answer.headers["location"]


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Start the provider; the machine chooses its port."""
    command = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        try:
            yield Provider(_address(process.stdout))
        finally:
            process.terminate()


def _address(output: IO[str]) -> str:
    lines = []
    for line in output:
        lines.append(line)
        if match := re.search(r"running on (http://[0-9.]+:[0-9]+)", line):
            return match[1]
    raise AssertionError(f"the provider did not start: {''.join(lines)}")


def begin(browser: Browser, return_to: str = "/dashboard/todos") -> str:
    """Press the button of the sign-in page; returns where it leads."""
    address = f"/users/auth/openid_connect?return_to={return_to}"
    answer = browser.http.get(address, follow_redirects=False)
    assert answer.status_code == 302, answer.text
    return str(answer.headers["location"])


def sign_in(browser: Browser, provider: Provider, subject: str, return_to: str = "/dashboard/todos") -> Visit:
    """The whole way."""
    return browser.open(provider.allow(begin(browser, return_to), subject))
