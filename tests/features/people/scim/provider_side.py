"""The identity provider's side of SCIM: a client with the group's token and nothing else."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from tests.features.people.saml.organisation import Organisation, make_organisation
from tests.support.world import World

SETTINGS = {"sso_url": "https://idp.example/sso", "certificate_fingerprint": "ab" * 20}
USER = "urn:ietf:params:scim:schemas:core:2.0:User"
ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"


@dataclass
class ScimGroup:
    """A group with a SAML provider and a SCIM token."""

    org: Organisation
    url: str
    token: str

    def request(self, method: str, path: str = "", **options: Any) -> httpx.Response:
        """Anything below the group; every answer but an empty one is a SCIM message."""
        headers = {"Authorization": f"Bearer {self.token}", **options.pop("headers", {})}
        # Loading the certificate store costs 50 ms per call, and nothing here speaks TLS.
        answer = httpx.request(method, f"{self.url}/Users{path}", headers=headers, timeout=120, verify=False, **options)
        if answer.content:
            assert answer.headers["content-type"] == "application/scim+json"
        return answer

    def create(self, uid: str, email: str | None = None, **more: Any) -> httpx.Response:
        """Present a person as identity providers do."""
        body = {
            "schemas": [USER],
            "externalId": uid,
            "userName": uid,
            "active": None,
            "emails": [{"primary": True, "type": "work", "value": email or f"{uid}@scim.example"}],
            "name": {"formatted": "Test User", "familyName": "User", "givenName": "Test"},
            "meta": {"resourceType": "User"},
            **more,
        }
        return self.request("POST", json=body, headers={"Content-Type": "application/scim+json"})

    def get(self, uid: str) -> httpx.Response:
        return self.request("GET", at(uid))

    def patch(self, uid: str, *operations: Any) -> httpx.Response:
        return self.request("PATCH", at(uid), json={"Operations": list(operations)})

    def delete(self, uid: str, **headers: str) -> httpx.Response:
        return self.request("DELETE", at(uid), headers=headers)

    def level(self, user_id: int) -> int | None:
        """The person's direct role in the group."""
        answer = self.org.world.admin.get(f"/groups/{self.org.id}/members/{user_id}")
        return answer.json()["access_level"] if answer.status_code == 200 else None

    def identity(self, uid: str) -> Any:
        """What the owner sees of the person."""
        return self.org.owner.client.get(f"/groups/{self.org.id}/scim/{quote(uid, safe='')}").json()

    def person(self, uid: str) -> Any:
        """The account behind an identity, as administrators see it."""
        return self.org.world.admin.ok("GET", f"/users/{self.identity(uid)['user_id']}")


def at(uid: str) -> str:
    return f"/{quote(uid, safe='')}"


def make_scim_group(world: World, **settings: Any) -> ScimGroup:
    org = make_organisation(world)
    org.owner.client.ok("PUT", f"/groups/{org.id}/saml_provider", json={**SETTINGS, **settings})
    created = org.owner.client.ok("POST", f"/groups/{org.id}/scim_token")
    assert created["scim_api_url"] == f"{world.server.url}/api/scim/v2/groups/{org.path}"
    return ScimGroup(org, created["scim_api_url"], created["token"])


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """Status and detail of an error in SCIM's form."""
    body = answer.json()
    assert body["schemas"] == [ERROR]
    assert body["status"] == answer.status_code
    return answer.status_code, body["detail"]
