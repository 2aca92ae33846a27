"""Calls that could tell an outsider of hidden things: every read with every value of every parameter."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

from ingot.access.abilities import Administrator, GroupAbility, ProjectAbility
from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field
from tests.support.two_worlds import OpenWorld, Secrets
from tests.support.walking import EVERY_ENDPOINT, SAMPLES, sample


def is_open_to_outsiders(endpoint: Endpoint) -> bool:
    """Whether the guard lets anybody in who has no role; what it refuses is the matter of the walk by roles."""
    guard = endpoint.guard
    if isinstance(guard, Administrator):
        return False
    return not isinstance(guard, ProjectAbility | GroupAbility) or guard.outsiders or type(guard) not in PLAIN_GUARDS


PLAIN_GUARDS = (ProjectAbility, GroupAbility)
READS = [
    one for one in EVERY_ENDPOINT if one.method == "GET" and one.path != "/openapi.json" and is_open_to_outsiders(one)
]
PAGING = ("page", "per_page", "pagination", "cursor", "page_token")
WORDS = ("open", "secret")
ANY_OR_NONE = ("None", "Any")
NUMBERS = ("2", "7")  # the id of the insider and the iid of the confidential issue; the weight of that issue
ABSENT = "987654321"
LONG_AGO = "2020-01-01T00:00:00Z"
# What differs from one call to the next without saying anything of the world.
PASSING = {
    "date", "x-request-id", "x-runtime", "x-gitlab-meta", "x-query-count", "ratelimit-limit", "ratelimit-name",
    "ratelimit-observed", "ratelimit-remaining", "ratelimit-reset",
}  # fmt: skip
LINKS = re.compile(r"<[^>]*")
# Clocks that run on, and the last activity of a public project: that its members work is public, at what is not.
MOVING = re.compile(r'"(queued_duration|duration|last_activity_at)":("[^"]*"|[\d.]+|null),?')
# Members of a project know with whom it was shared.
KNOWN_TO_MEMBERS = ("/projects/{id}/members/all", "/projects/{id}/members/all/{user_id}", "/projects/{id}/users",
                    "/projects/{id}/groups")  # fmt: skip


@dataclass(frozen=True)
class Ask:
    """One request: the path with its values, and a query."""

    url: str
    query: tuple[tuple[str, str], ...] = ()

    def answer(self, http: httpx.Client) -> tuple[Any, ...]:
        """Status, headers and body, without what passes and without the address that was asked."""
        reply = http.get(f"/api/v4{self.url}", params=list(self.query))
        body = MOVING.sub("", reply.text)
        skipped = PASSING if body == reply.text else PASSING | {"etag", "content-length"}
        headers = sorted((name, value) for name, value in reply.headers.items() if name not in skipped)
        # Links to other pages repeat the path and the query.
        shown = tuple((name, LINKS.sub("<…", value) if name == "link" else value) for name, value in headers)
        return reply.status_code, shown, body

    def guess(self, http: httpx.Client, echo: str = ABSENT) -> tuple[Any, ...]:
        """The answer with `echo` in place of the id that does not exist; its length is compared with the body."""
        status, headers, body = self.answer(http)
        return status, [one for one in headers if one[0] not in ("etag", "content-length")], body.replace(ABSENT, echo)


def identifiers(created: OpenWorld, path: str) -> dict[str, str]:
    """Values of a path's parameters: the public things."""
    kind = path.strip("/").split("/")[0]
    ids = {"projects": created.project["id"], "groups": created.group["id"], "users": created.insider.id, "topics": 1}
    ids["namespaces"] = created.group["id"]
    known = {name: value for name, value in created.paths.items() if ":" not in name}
    known |= {name.partition(":")[2]: value for name, value in created.paths.items() if name.startswith(f"{kind}:")}
    return known | ({"id": str(ids[kind])} if kind in ids else {})


def url_of(endpoint: Endpoint, values: dict[str, str]) -> str:
    """The endpoint's path with these values; 1 where there is none."""

    def value(match: re.Match[str]) -> str:
        return quote(values.get(match[1], "1"), safe="/" if match[2] == "*" else "")

    return re.sub(r"\{(\w+)(:int|\*)?\}", value, endpoint.path)


def values_of(one: Field) -> list[str]:
    """What to try for a parameter, from its declaration alone; its default is what the plain call has."""
    if one.one_of:
        return [str(choice) for choice in one.one_of if choice != one.default]
    kind = one.item if one.kind == "list" else one.kind
    if kind == "boolean":
        return ["false" if one.default else "true"]
    if kind in ("datetime", "date"):
        return [LONG_AGO]
    if kind in ("integer", "float"):
        return list(NUMBERS)
    words = [*WORDS, *ANY_OR_NONE] if one.words else list(WORDS)
    return words if kind in ("string", "any") else []


def parameters(endpoint: Endpoint) -> Iterator[tuple[str, Field]]:
    """The parameters of the query, nested ones by their names on the wire."""
    for one in endpoint.params.fields.values():
        if one.wire in endpoint.path_params or one.name in endpoint.path_params or one.name in PAGING:
            continue
        if one.nested is not None:
            for inner in one.nested.fields.values():
                yield f"{one.wire}[{inner.wire}]{'[]' if inner.kind == 'list' else ''}", inner
        else:
            yield f"{one.wire}[]" if one.kind == "list" else one.wire, one


def required(endpoint: Endpoint) -> dict[str, str]:
    """The parameters without which the endpoint refuses."""
    fields = [one for one in endpoint.params.fields.values() if one.required and one.name not in endpoint.path_params]
    return {one.wire: str(sample(one)) for one in fields}


def asks(created: OpenWorld, endpoint: Endpoint) -> Iterator[Ask]:
    """The endpoint for the open and the closed project, then with each value of each filter."""
    values = identifiers(created, endpoint.path)
    base = required(endpoint)
    yield Ask(url_of(endpoint, values), tuple(base.items()))
    if endpoint.path.startswith("/projects/{id"):
        yield Ask(url_of(endpoint, {**values, "id": str(created.closed["id"])}), tuple(base.items()))
    for name, one in parameters(endpoint):
        for value in values_of(one):
            yield Ask(url_of(endpoint, values), tuple({**base, name: value}.items()))
            if one.required and one.one_of:  # a search for what is hidden, of each kind
                hidden = {wire: "secret" if text == SAMPLES["string"] else text for wire, text in base.items()}
                yield Ask(url_of(endpoint, values), tuple({**hidden, name: value}.items()))


def questions(created: OpenWorld, endpoint: Endpoint, callers: list[str]) -> Iterator[tuple[str, Ask]]:
    """Who asks what: everybody makes the plain calls, and they take turns with the filters."""
    if endpoint.path in KNOWN_TO_MEMBERS:
        callers = [name for name in callers if name != "guest"]
    turn = itertools.cycle(callers)
    for ask in asks(created, endpoint):
        is_plain = len(ask.query) == len(required(endpoint))
        for caller in callers if is_plain else [next(turn)]:
            if caller != "guest" or not _asks_for_members(endpoint, ask):
                yield caller, ask


def _asks_for_members(endpoint: Endpoint, ask: Ask) -> bool:
    return endpoint.path.startswith("/projects/") and ("scope", "users") in ask.query


def guesses(created: OpenWorld, endpoint: Endpoint, secrets: Secrets) -> Iterator[tuple[str, Ask, Ask]]:
    """A private thing in place of the public one, and something that does not exist in the same place."""
    values, base = identifiers(created, endpoint.path), tuple(required(endpoint).items())
    kind = endpoint.path.strip("/").split("/")[0]
    private = dict(secrets.values)
    if kind in ("projects", "groups", "namespaces"):
        private["id"] = str((secrets.project if kind == "projects" else secrets.group)["id"])
    for name, value in private.items():
        if f"{{{name}}}" in endpoint.path or f"{{{name}:int}}" in endpoint.path:
            there, nowhere = (url_of(endpoint, {**values, name: one}) for one in (value, ABSENT))
            yield value, Ask(there, base), Ask(nowhere, base)
    for name, one in parameters(endpoint):
        number = secrets.numbers.get(one.name)
        if number is not None:
            here = url_of(endpoint, values)
            yield number, Ask(here, (*base, (name, number))), Ask(here, (*base, (name, ABSENT)))
