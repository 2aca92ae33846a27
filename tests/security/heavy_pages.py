"""Every page, form and address outside the API, to be asked with a long text.

Pages are found as a visitor finds them, by links. A form is sent with the text in each of its fields; a page is asked
with it in its address, and in each part of the query that its module reads.
"""

import inspect
import re
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import httpx
from lxml import etree

from ingot.kit import wire
from ingot.kit.errors import Malformed
from ingot.web.registry import PageTable
from tests.support.furnishing import Furniture

TYPED = (None, "text", "search", "password", "email", "url", "tel", "hidden", "number", "date")
OF_A_KIND = 2
OF_A_FAMILY = 6  # `wikis/{rest*}` is a page, its history and a form
LONGEST_SEGMENT, LONGEST_VALUE, LONGEST_GRANT = 3000, 4000, 20_000
NAME = re.compile(r"\{(\w+)(:int|\*)?\}")
READ = re.compile(r'(?:values\.get\(|values\[|text\(call, |query\.get\()"([\w\[\]]+)"')
# Pages that only scripts ask, for as long as they are open.
STREAMS = "/events"
TOKEN = "authenticity_token"
TABLE = PageTable()
PAGES = {
    f"{endpoint.method} {place}: {endpoint.path}": endpoint
    for place, router in TABLE._routers.items()
    for endpoint in router.endpoints
}
NAMES = {id(endpoint): name for name, endpoint in PAGES.items()}


def page_at(method: str, address: str) -> str | None:
    """The name of the page at an address; None for what is no page."""
    try:
        result = TABLE.find(method, wire.path_segments(urlsplit(address).path.encode()))
    except Malformed:
        return None
    return NAMES[id(result.endpoint)] if result else None


@cache
def read_by(name: str) -> tuple[str, ...]:
    """The parts of forms and queries that the module of a page reads."""
    return tuple(sorted(set(READ.findall(inspect.getsource(sys.modules[PAGES[name].handler.__module__])))))


@dataclass(frozen=True)
class Form:
    """A form of a page, with what is in it."""

    http: httpx.Client
    address: str
    values: dict[str, str]
    typed: tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """A request with a long text."""

    name: str
    http: httpx.Client
    method: str
    build: Callable[[], httpx.Request]  # most of a sample's cases are never sent


@dataclass
class Site:
    """A server as an administrator and a stranger see it, and what they found."""

    url: str
    furniture: Furniture
    visitors: tuple[httpx.Client, ...]
    visited: Counter[str] = field(default_factory=Counter)
    forms: dict[str, Form] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def explore(self) -> None:
        """Follow every link, a few of each kind of page."""
        for http in self.visitors:
            seen: set[str] = set()
            counts: Counter[str] = Counter()
            pages = [one for one, page in PAGES.items() if page.method == "GET" and "{" not in page.path]
            waiting = [self.address(name) for name in pages]
            while waiting:
                address = waiting.pop(0)
                name = page_at("GET", address)
                if name is None or address in seen or name.endswith(STREAMS):
                    continue
                seen.add(address)
                counts[name] += 1
                if counts[name] <= (OF_A_FAMILY if "*}" in name else OF_A_KIND):
                    waiting += self._open(http, name, address)

        for name, page in PAGES.items():
            if page.method == "POST" and name not in self.forms:
                self._add_unseen(name)

    def _add_unseen(self, name: str) -> None:
        """A form that no page shows at the moment has the fields that its module reads."""
        some = next(form for form in self.forms.values() if form.http is self.visitors[0])
        names = read_by(name)
        if names:
            values = {**dict.fromkeys(names, "x"), TOKEN: some.values[TOKEN]}
            self.forms[name] = Form(some.http, self.address(name, "x"), values, names)

    def _open(self, http: httpx.Client, name: str, address: str) -> list[str]:
        """Keep the forms of a page; where it leads to."""
        answer = http.get(address)
        if answer.status_code >= 500:
            self.faults.append(f"{address}: {answer.status_code}")
        if answer.status_code != 200 or not answer.headers.get("content-type", "").startswith("text/html"):
            return []
        self.visited[name] += 1
        tree, here = etree.HTML(answer.text), str(answer.url)
        for form in tree.iterfind(".//form"):
            self._keep(http, form, here)
        addresses = (urljoin(here, link.get("href")) for link in tree.iterfind(".//a[@href]"))
        return [one.removeprefix(self.url) for one in addresses if one.startswith(self.url)]

    def _keep(self, http: httpx.Client, form: Any, here: str) -> None:
        address = urlsplit(urljoin(here, form.get("action") or "")).path
        name = page_at("POST", address)
        if (form.get("method") or "get").upper() != "POST" or name is None:
            return
        values, typed = contents(form)
        if typed and (name not in self.forms or len(typed) > len(self.forms[name].typed)):
            self.forms[name] = Form(http, address, values, typed)

    def address(self, name: str, text: str = "") -> str:
        """The address of a page, with a text in place of what is no number."""
        place = name.partition(":")[0].split(" ")[1]
        path = NAME.sub(lambda part: "1" if part[2] == ":int" else quote(text, safe=""), PAGES[name].path)
        if path == "home":
            path = ""
        if place == "project":
            home = f"/{self.furniture.project['path_with_namespace']}"
            return f"{home}/{path}" if path in ("", "edit", "activity") else f"{home}/-/{path}"
        return f"/groups/{self.furniture.group['full_path']}/-/{path}" if place == "group" else f"/{path}"

    def cases(self, text: str) -> Iterator[Case]:
        """The text in each field of each form, in addresses and in queries, and at the doors beside the pages."""
        last = {name for name in self.forms if name.endswith(("/archive", "/remove"))}  # they take things away
        yield from self._sent(text, self.forms.keys() - last)
        yield from self._opened(text)
        yield from self._doors(text)
        yield from self._sent(text, last)

    def _sent(self, text: str, names: Collection[str]) -> Iterator[Case]:
        for name in sorted(names):
            form = self.forms[name]
            for one in form.typed:
                build = partial(form.http.build_request, "POST", form.address, data={**form.values, one: text})
                yield Case(f"{name} {one}", form.http, "POST", build)

    def _opened(self, text: str) -> Iterator[Case]:
        http = self.visitors[0]
        for name, page in PAGES.items():
            if page.method != "GET" or name.endswith(STREAMS):
                continue
            if NAME.search(re.sub(r"\{\w+:int\}", "", page.path)):
                address = self.address(name, text[:LONGEST_SEGMENT])
                yield Case(f"{name} address", http, "GET", partial(http.build_request, "GET", address))
            for one in read_by(name):
                query = {one: text[:LONGEST_VALUE]}
                build = partial(http.build_request, "GET", self.address(name, "main"), params=query)
                yield Case(f"{name} ?{one}", http, "GET", build)

    def _doors(self, text: str) -> Iterator[Case]:
        """Interfaces of other standards, each with the text in each of its parts."""
        signed_in, stranger = self.visitors
        project, group = self.furniture.project["path_with_namespace"], self.furniture.group["full_path"]
        scim = f"/api/scim/v2/groups/{group}/Users"
        bearer = {"Authorization": f"Bearer {self.furniture.values['scim', 'token']}"}
        person = {
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "externalId": "heavy", "userName": "heavy",
            "emails": [{"value": "heavy@example.com", "primary": True}], "name": {"formatted": "Heavy"},
        }  # fmt: skip
        part = quote(text[:LONGEST_SEGMENT], safe="")
        doors: list[tuple[str, str, dict[str, Any]]] = [
            *(("POST", f"/oauth/{door}", {"data": {**GRANT, one: text[:LONGEST_GRANT]}})
              for door in ("token", "authorize_device", "introspect", "revoke", "userinfo") for one in GRANT),
            *(("GET", f"/oauth/{door}", {"params": {"access_token": text[:LONGEST_VALUE]}})
              for door in ("token/info", "userinfo")),
            ("GET", "/.well-known/webfinger", {"params": {"resource": text[:LONGEST_VALUE]}}),
            *(("GET", "/oauth/authorize", {"params": {**REQUEST, one: text[:LONGEST_VALUE]}}) for one in REQUEST),
            *(("POST", f"/groups/{group}/-/saml/callback", {"data": {**ARRIVAL, one: text}}) for one in ARRIVAL),
            *(("POST", "/-/saml/link", {"data": {one: text}}) for one in ("proof", "ticket")),
            ("GET", f"/groups/{group}/-/saml/sso", {"params": {"return_to": text[:LONGEST_VALUE]}}),
            ("GET", scim, {"params": {"filter": f'userName eq "{text[:LONGEST_VALUE]}"'}, "headers": bearer}),
            ("GET", scim, {"params": {"filter": text[:LONGEST_VALUE]}, "headers": bearer}),
            ("GET", f"{scim}/{part}", {"headers": bearer}),
            *(("POST", scim, {"json": {**person, one: text}, "headers": bearer}) for one in person),
            ("POST", scim, {"json": {**person, "name": {"formatted": text}}, "headers": bearer}),
            ("POST", scim, {"json": {**person, "emails": [{"value": text, "primary": True}]}, "headers": bearer}),
            ("PATCH", f"{scim}/walk-uid", {"headers": bearer, "json": operation(path=text)}),
            ("PATCH", f"{scim}/walk-uid", {"headers": bearer, "json": operation(op=text)}),
            ("PATCH", f"{scim}/walk-uid", {"headers": bearer, "json": operation(value=text)}),
            ("POST", f"/{project}.git/info/lfs/objects/batch",
             {"json": {"operation": "download", "objects": [{"oid": text, "size": 1}]}}),
            ("POST", f"/{project}.git/info/lfs/objects/batch", {"json": {"operation": text, "objects": []}}),
            ("POST", f"/{project}.git/info/lfs/locks", {"json": {"path": text}}),
            ("GET", f"/{project}.git/info/lfs/locks", {"params": {"path": text[:LONGEST_VALUE]}}),
            ("GET", f"/{project}.git/info/refs", {"params": {"service": text[:LONGEST_VALUE]}}),
            ("POST", f"/{project}.git/git-upload-pack", {"content": text.encode()}),
            ("POST", f"/{project}.git/git-receive-pack", {"content": text.encode()}),
            ("GET", f"/{part}.git/info/refs", {"params": {"service": "git-upload-pack"}}),
            ("GET", f"/users/{part}/calendar.json", {}),
            ("GET", f"/{project}/-/releases/{part}/downloads/{part}", {}),
            ("GET", f"/{project}/uploads/{'a' * 32}/{part}", {}),
            ("GET", f"/-/project/1/uploads/{'a' * 32}/{part}", {}),
            ("GET", f"/-/asset/{part}/{part}", {}),
            ("POST", "/-/user_settings/personal_access_tokens", {"data": {"name": text}}),
        ]  # fmt: skip
        password = "Basic " + b64encode(f"root:{self.furniture.admin.token}".encode()).decode()
        for number, (method, address, options) in enumerate(doors):
            if ".git/" in address:
                options = {**options, "headers": {"Authorization": password}}
            build = partial(signed_in.build_request, method, address, **options)
            yield Case(f"{method} {address[:90]} {number}", signed_in, method, build)
        for header in ("Authorization", "PRIVATE-TOKEN", "JOB-TOKEN", "Accept", "Referer", "If-None-Match", "Range"):
            value = re.sub(r"[^ -~]", "?", text[:8000]).strip() or "?"
            path = f"/api/v4/projects/{self.furniture.project['id']}"
            build = partial(stranger.build_request, "GET", path, headers={header: value})
            yield Case(f"header {header}", stranger, "GET", build)


GRANT = {
    "grant_type": "authorization_code", "client_id": "x", "client_secret": "x", "code": "x", "redirect_uri": "x",
    "refresh_token": "x", "device_code": "x", "token": "x", "scope": "x", "code_verifier": "x", "username": "x",
    "password": "x",
}  # fmt: skip
ARRIVAL = {"SAMLResponse": "x", "RelayState": "x"}
REQUEST = {
    "client_id": "x", "redirect_uri": "x", "response_type": "code", "scope": "api", "state": "x", "nonce": "x",
    "code_challenge": "x", "code_challenge_method": "S256", "prompt": "login", "max_age": "1", "response_mode": "query",
}  # fmt: skip


def operation(**more: str) -> dict[str, Any]:
    """A change of a person over SCIM."""
    return {"Operations": [{"op": "replace", "path": "name.formatted", "value": "x", **more}]}


def contents(form: Any) -> tuple[dict[str, str], tuple[str, ...]]:
    """The values of a form, and the names of those that a visitor may write."""
    values, typed = {}, []
    for one in form.iter("input", "textarea", "select"):
        name = one.get("name")
        if name and one.tag == "select":
            options = one.findall("option")
            chosen = next(
                (option for option in options if "selected" in option.attrib), options[0] if options else None
            )
            values[name] = (chosen.get("value") or chosen.text or "") if chosen is not None else ""
        elif name and one.get("type") in TYPED:
            values[name] = one.get("value") or one.text or ""
            typed += [name] if name != TOKEN else []
    return values, tuple(typed)
