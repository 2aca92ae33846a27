"""The walkthrough for Keycloak with a real one, run by hand: python -m tests.features.people.saml.try_keycloak URL

URL is that of a Keycloak (`kc.sh start-dev`) whose administrator is `admin` with the password `admin`. A realm, a
client imported from our metadata and a person are created in it; she signs in to a server of its own and gets her
role by the link of her group.
"""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import httpx
from lxml import etree

from ingot.testing import Ingot, running

PAGE = (Path(__file__).parents[4] / "docs" / "saml-walkthroughs.md").read_text()
BLOCK = re.compile(r"^( +)curl .*(?:\n\1 .*)*", re.MULTILINE)
PERSON = {
    "username": "ann", "email": "ann@example.com", "emailVerified": True, "firstName": "Ann", "lastName": "Archer",
    "enabled": True, "groups": ["/developers"],
    "credentials": [{"type": "password", "value": "secret-of-ann", "temporary": False}],
}  # fmt: skip
SETTINGS = {
    "saml_name_id_format": "persistent", "saml_force_name_id_format": "true", "saml.server.signature": "true",
    "saml.assertion.signature": "true", "saml.signature.algorithm": "RSA_SHA256", "saml.client.signature": "false",
    "saml.encrypt": "false",
}  # fmt: skip
X500 = {
    "email": ("email", "1.2.840.113549.1.9.1"),
    "givenName": ("firstName", "2.5.4.42"),
    "surname": ("lastName", "2.5.4.4"),
}
GROUPS = {"attribute.name": "groups", "attribute.nameformat": "Basic", "single": "true", "full.path": "false"}


def set_up_realm(url: str, metadata: str) -> str:
    """Make realm, group, person and client; the certificate of the realm."""
    login = {"grant_type": "password", "client_id": "admin-cli", "username": "admin", "password": "admin"}
    answer = httpx.post(f"{url}/realms/master/protocol/openid-connect/token", data=login, timeout=300)
    headers = {"Authorization": f"Bearer {answer.json()['access_token']}"}
    with httpx.Client(base_url=f"{url}/admin/realms", headers=headers, timeout=300) as admin:
        admin.delete("/acme")  # of a run before
        admin.post("", json={"realm": "acme", "enabled": True, "sslRequired": "none"}).raise_for_status()
        admin.post("/acme/groups", json={"name": "developers"}).raise_for_status()
        admin.post("/acme/users", json=PERSON).raise_for_status()
        document = {"Content-Type": "application/xml"}
        client = admin.post("/acme/client-description-converter", content=metadata, headers=document).json()
        client["attributes"] |= SETTINGS
        client["protocolMappers"] = [
            _mapper(name, "saml-user-property-mapper", x500(name, *names)) for name, names in X500.items()
        ]
        client["protocolMappers"].append(_mapper("groups", "saml-group-membership-mapper", GROUPS))
        admin.post("/acme/clients", json=client).raise_for_status()
        keys = admin.get("/acme/keys").json()["keys"]
    certificate = next(key["certificate"] for key in keys if key.get("algorithm") == "RS256")
    lines = "\n".join(textwrap.wrap(certificate, 64))
    return f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----\n"


def x500(name: str, field: str, number: str) -> dict[str, str]:
    """As the predefined mappers of Keycloak have it."""
    return {"user.attribute": field, "friendly.name": name, "attribute.name": f"urn:oid:{number}"}


def _mapper(name: str, kind: str, config: dict[str, str]) -> dict[str, object]:
    return {"name": name, "protocol": "saml", "protocolMapper": kind, "config": config}


def sign_in(address: str) -> httpx.Response:
    """Through the forms of the identity provider, as a browser sends them."""
    with httpx.Client(follow_redirects=True, timeout=300) as browser:
        form = browser.get(address)
        answered = _send(browser, form, username="ann", password="secret-of-ann")
        return _send(browser, answered)


def _send(browser: httpx.Client, page: httpx.Response, **fields: str) -> httpx.Response:
    for cookie in browser.cookies.jar:
        cookie.secure = False  # browsers send them to this machine without TLS too
    form: Any = etree.HTML(page.text).find(".//form")
    values = {field.get("name"): field.get("value") or "" for field in form.iter("input") if field.get("name")}
    return browser.post(str(page.url.join(form.get("action"))), data={**values, **fields})


def follow(ingot: Ingot, keycloak: str, folder: Path) -> list[tuple[str, int]]:
    """The commands of the page; members and their roles at the end."""
    commands = [textwrap.dedent(match[0]) for match in BLOCK.finditer(PAGE)]
    values = {**os.environ, "URL": ingot.url, "TOKEN": ingot.token}

    def run(command: str) -> None:
        text = command.replace("https://keycloak.example.com", keycloak).replace("curl ", "curl --fail --silent ", 1)
        subprocess.run(["sh", "-ec", text], env=values, cwd=folder, check=True, timeout=300, stdout=subprocess.DEVNULL)

    ingot.make_group("acme")
    run(commands[0])
    ours = ingot.call("GET", "/groups/acme/saml_provider")
    (folder / "idp.pem").write_text(set_up_realm(keycloak, httpx.get(ours["metadata_url"], timeout=300).text))
    run(next(one for one in commands if "keycloak" in one))
    run(commands[-1])
    page = sign_in(ours["sign_in_url"])
    assert page.status_code == 200, " ".join("".join(etree.HTML(page.text).itertext()).split())
    return [(one["username"], one["access_level"]) for one in ingot.call("GET", "/groups/acme/members")]


if __name__ == "__main__":
    with running() as server, tempfile.TemporaryDirectory() as place:
        members = follow(server, sys.argv[1].rstrip("/"), Path(place))
    print(members)  # noqa: T201
    sys.exit(("ann", 30) not in members)
