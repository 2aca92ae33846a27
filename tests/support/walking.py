"""Calls made from declarations: the path with real values, and the smallest arguments that pass validation."""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from ingot.app import build_router, load_features
from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field, Params
from tests.support.world import World

# With those that only clients of other versions, and our own pages, know of.
EVERY_ENDPOINT = build_router(load_features()["routes"]).endpoints
ENDPOINTS = [one for one in EVERY_ENDPOINT if not one.hidden]
ROLES = ("guest", "planner", "reporter", "developer", "maintainer", "owner")
READS = ("GET", "HEAD")
SAMPLES: dict[str, Any] = {
    "integer": 1, "float": 1.0, "string": "x", "boolean": True, "datetime": "2030-01-01T00:00:00Z",
    "date": "2030-01-01", "hash": {}, "any": "x",
}  # fmt: skip


def named(endpoint: Endpoint) -> str:
    """How a walk names an endpoint."""
    return f"{endpoint.method} {endpoint.path}"


@dataclass
class Scenery:
    """The things that paths name: `/projects/{id}` is the private project, `{merge_request_iid}` a request in it."""

    world: World
    project: dict[str, Any]
    group: dict[str, Any]
    user_id: int
    values: dict[str, str] = field(default_factory=dict)

    def identifiers(self, path: str) -> dict[str, str]:
        """The ids that lead a path to things that are there, so that what lies behind them is reached."""
        kind = path.strip("/").split("/")[0]
        ids = {"projects": str(self.project["id"]), "groups": str(self.group["id"]), "users": str(self.user_id)}
        known = {name: value for name, value in self.values.items() if ":" not in name}
        known |= {name.partition(":")[2]: value for name, value in self.values.items() if name.startswith(f"{kind}:")}
        return known | ({"id": ids[kind]} if kind in ids else {})

    def url(self, endpoint: Endpoint) -> str:
        """The endpoint's path with real values where the scenery has them."""
        known = self.identifiers(endpoint.path)

        def value(match: re.Match[str]) -> str:
            name, suffix = match[1], match[2]
            declared = endpoint.params.fields.get(name)
            is_number = suffix == ":int" or (declared is not None and declared.kind == "integer")
            return quote(known.get(name) or ("1" if is_number else "x"), safe="/" if suffix == "*" else "")

        return re.sub(r"\{(\w+)(:int|\*)?\}", value, endpoint.path)


def arguments(params: type[Params], *, skip: list[str] = []) -> dict[str, Any]:  # noqa: B006 - never changed
    """Required parameters, and one of each set that must not be empty."""
    needed = {name for name, one in params.fields.items() if one.required}
    for names in (params.at_least_one, params.exactly_one):
        if names and not needed & set(names):
            needed.add(names[0])
    return {
        params.fields[name].wire: sample(params.fields[name])
        for name in params.fields
        if name in needed and params.fields[name].wire not in skip
    }


def sample(one: Field) -> Any:
    """A value that the declaration accepts."""
    if one.nested is not None:
        inner = arguments(one.nested)
        return [inner] if one.kind == "list" else inner
    if one.one_of:
        return [one.one_of[0]] if one.kind == "list" else one.one_of[0]
    if one.kind == "list":
        return [SAMPLES[one.item]]
    return SAMPLES.get(one.kind, "x")


def call(client: Any, scenery: Scenery, endpoint: Endpoint) -> Any:
    """Make the smallest call of the endpoint."""
    given = arguments(endpoint.params, skip=endpoint.path_params)
    url = scenery.url(endpoint)
    if endpoint.method in ("POST", "PUT", "PATCH"):
        if any(one.kind == "file" and one.required for one in endpoint.params.fields.values()):
            files = {"file": ("x.txt", b"x")}
            return client.request(endpoint.method, url, files=files, data={k: str(v) for k, v in given.items()})
        return client.request(endpoint.method, url, json=given)
    return client.request(endpoint.method, url, params={name: str(value) for name, value in given.items()})
