"""A walk over every endpoint with long texts that are hard to match, to decode or to compare.

No text makes the server work for a second, grow, or fail. Work is the processor time of the server's process and of the
database's, which does not depend on what else the machine does.
"""

import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field, Params
from tests.contract.parameters import PICTURE, add_missing, base
from tests.support.databases import Databases
from tests.support.furnishing import Furniture, furnish
from tests.support.process import ServerProcess
from tests.support.processor_time import slowness
from tests.support.runner import WireRunner
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.walking import EVERY_ENDPOINT, named, sample
from tests.support.world import World

pytestmark = pytest.mark.costly

SIZE = 100_000
UNITS = {
    "dashes": "a-", "dots": ".", "comments": "<!--", "parentheses": "(", "stars": "*a", "carets": "^", "blanks": " ",
    "percents": "%", "control": "\x01\x1b", "combining": "e\u0301", "brackets": "[[", "digits": "1",
}  # fmt: skip
PATTERNS = {name: unit * (SIZE // len(unit.encode())) for name, unit in UNITS.items()}
SECONDS = 1.0
GROWTH = 64 * 1024 * 1024
REFUSED = {401, 403, 404, 405}
SAMPLED = 1  # patterns per parameter in the short form
SEED = 20261115
P = "/projects/{id}"
# What calls need beside their path, where the walk over parameters does not say it.
FILE, JOB = {"ref": "main"}, {"job": "build"}
ARGUMENTS = {
    f"POST {P}/repository/commits/{{sha}}/revert": {"branch": "spare"},  # on `main` the files would be gone
    **{f"GET {P}/repository/files/{{file_path}}{rest}": FILE for rest in ("", "/raw", "/blame")},
    **{f"HEAD {P}/repository/files/{{file_path}}{rest}": FILE for rest in ("", "/raw", "/blame")},
    f"GET {P}/repository/compare": {"from": "spare", "to": "main"},
    f"GET {P}/jobs/artifacts/{{ref_name}}/download": JOB,
    f"GET {P}/jobs/artifacts/{{ref_name}}/raw/{{artifact_path*}}": JOB,
}
# What the walk does not get into.
SUGGESTIONS = "needs a suggestion, which tests/features/review/merge_request_threads makes"
NOTHING_THERE = {
    f"GET {P}/export_relations/download": "needs an export, which is background work",
    f"GET {P}/jobs/artifacts/{{place*}}": "needs artifacts of a branch with a slash",
    "PUT /suggestions/{id}/apply": SUGGESTIONS,
    "PUT /suggestions/batch_apply": SUGGESTIONS,
}


@dataclass(frozen=True)
class Target:
    """A parameter that takes texts, with those around it: `actions`, `file_path`."""

    endpoint: Endpoint
    fields: tuple[Field, ...]

    def __str__(self) -> str:
        return f"{named(self.endpoint)} {'.'.join(field.wire for field in self.fields)}"


def takes_text(one: Field) -> bool:
    """Any text; a hash has any keys and values."""
    return (one.item if one.kind == "list" else one.kind) in ("string", "any", "hash") and not one.one_of


def texts(params: type[Params]) -> Iterator[tuple[Field, ...]]:
    """The parameters that take texts, and those inside others."""
    for one in params.fields.values():
        if one.nested is not None:
            yield from ((one, *inner) for inner in texts(one.nested))
        elif takes_text(one):
            yield (one,)


def others(params: type[Params]) -> list[Field]:
    """The parameters that take numbers, times or chosen words."""
    return [one for one in params.fields.values() if one.nested is None and not takes_text(one)]


TARGETS = [Target(endpoint, fields) for endpoint in EVERY_ENDPOINT for fields in texts(endpoint.params)]
OTHERS = [Target(endpoint, (field,)) for endpoint in EVERY_ENDPOINT for field in others(endpoint.params)]


def holding(body: dict[str, Any], fields: tuple[Field, ...], text: str) -> dict[str, Any]:
    """The body with the text in a parameter, and what is required around it."""
    field, *inner = fields
    value: Any = text
    if inner:
        around = body.get(field.wire) or sample(field)
        value = holding(around[0] if field.kind == "list" else around, tuple(inner), text)
    elif "hash" in (field.kind, field.item):
        value = {"walk": text, text: "walk"}
    return {**body, field.wire: [value] if field.kind == "list" and not (field.comma and not inner) else value}


def in_query(body: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The parameters of an address, each as long as it may be there."""
    for name, value in body.items():
        if isinstance(value, dict):
            yield from ((f"{name}[{inner}", one) for inner, one in in_query(_closed(value)))
        elif isinstance(value, list):
            yield from ((f"{name}[]", str(one)[:8000]) for one in value)
        else:
            yield name, value[:8000] if isinstance(value, str) else value


def _closed(value: dict[str, Any]) -> dict[str, Any]:
    return {f"{name[:3000]}]": one[:3000] if isinstance(one, str) else one for name, one in value.items()}


class Walk:
    """The server, what paths name on it, and its resources."""

    def __init__(
        self, server: ServerProcess, databases: Databases, furniture: Furniture, bodies: dict[str, dict[str, Any]]
    ) -> None:
        self.server, self.databases, self.furniture, self.bodies = server, databases, furniture, bodies
        self.http = httpx.Client(base_url=server.url, headers={"PRIVATE-TOKEN": ROOT_TOKEN}, timeout=120)

    def work(self) -> float:
        """Seconds of work so far."""
        return self.server.processor_time() + self.databases.processor_time()

    def send(self, target: Target, text: str) -> int:
        """Call the endpoint with this text; the status."""
        endpoint, wire = target.endpoint, target.fields[0].wire
        body = self.bodies[named(endpoint)]
        if wire not in endpoint.path_params:
            body = holding(body, target.fields, text)
        return self._call(endpoint, body, {wire: quote(text[:3000], safe="")})

    def cost(self, target: Target, text: str) -> tuple[int, float, float, int]:
        """The status, and what the call took: seconds of work, seconds of waiting, bytes of growth."""
        begin, work = time.monotonic(), self.work()
        status, growth = self.server.growth(lambda: self.send(target, text))
        return status, self.work() - work, time.monotonic() - begin, growth

    def reaches(self, endpoint: Endpoint) -> bool:
        """Whether the call finds what its path names when no text is in the way. Deletions are not tried."""
        return endpoint.method == "DELETE" or self._call(endpoint, self.bodies[named(endpoint)], {}) != 404

    def _call(self, endpoint: Endpoint, body: dict[str, Any], segments: dict[str, str]) -> int:
        path, method = f"/api/v4{self._path(endpoint, segments)}", endpoint.method
        if method not in ("POST", "PUT", "PATCH"):
            return self.http.request(method, path, params=list(in_query(body))).status_code
        if endpoint.path.startswith("/jobs/{job_id}") and "token" not in body:
            # Runners have a token of their own for each job.
            token = {"JOB-TOKEN": self.furniture.values["job", "token"]}
            return self.http.request(method, path, json=body, headers=token).status_code
        files = {name: ("walk.png", value, "image/png") for name, value in body.items() if isinstance(value, bytes)}
        if files:
            data = {name: value for name, value in body.items() if name not in files}
            return self.http.request(method, path, files=files, data=data).status_code
        return self.http.request(method, path, json=body).status_code

    def _path(self, endpoint: Endpoint, segments: dict[str, str]) -> str:
        """The path of things that are there, but for these segments."""

        def fill(match: re.Match[str]) -> str:
            if match[1] in segments:
                return segments[match[1]]
            return quote(self.furniture.value(endpoint.path, match[1]) or "1", safe="/" if match[2] == "*" else "")

        return re.sub(r"\{(\w+)(:int|\*)?\}", fill, endpoint.path)


def complete(furniture: Furniture, bodies: dict[str, dict[str, Any]]) -> None:
    """What is only needed here: a long text to look through, push rules, parts of wikis, jobs under way."""
    admin, place = furniture.admin, furniture.place
    admin.ok("POST", f"{place}/issues", json={"title": "Heavy", "description": "a-" * 5000})
    for where, kind in ((place, "projects"), (furniture.above, "groups")):
        admin.ok("POST", f"{where}/push_rule", json={"commit_message_regex": "a"})
        slug = furniture.value(f"/{kind}/{{id}}/wikis", "slug")
        [version] = admin.ok("GET", f"{where}/wikis/{slug}/-/versions")
        bodies[f"GET /{kind}/{{id}}/wikis/{{slug}}/-/diff"] = {"version": version["id"]}
        upload = admin.ok("POST", f"{where}/wikis/attachments", files={"file": ("a.png", PICTURE)})
        furniture.put(f"/{kind}/{{id}}/wikis/-/files/", "path", upload["file_path"].removeprefix("uploads/"))
    furniture.put(f"{P}/services/", "slug", "slack")  # the former name of integrations
    runner = WireRunner(furniture.world, furniture.values["runner", "token"])
    pipeline = admin.ok("POST", f"{place}/pipeline", json={"ref": "main"})
    furniture.put(f"{P}/jobs/{{job_id}}", "job_id", furniture.value("/jobs/", "job_id"))
    job = runner.take()
    furniture.put("/jobs/{job_id}", "job_id", job.id)
    furniture.values["job", "token"] = job.token
    jobs = admin.ok("GET", f"{place}/pipelines/{pipeline['id']}/jobs?scope=manual")
    furniture.put(f"{P}/jobs/{{job_id}}/play", "job_id", jobs[0]["id"])


@pytest.fixture
def walk(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    """A process that serves a furnished world, with the bodies that its calls need."""
    data = tmp_path_factory.mktemp("data")
    database = databases.fresh(data)
    with RunningServer(database, data) as first:
        furniture = furnish(World(first))
        add_missing(furniture)
        bodies = {named(one): ARGUMENTS.get(named(one)) or base(furniture, one) for one in EVERY_ENDPOINT}
        complete(furniture, bodies)
    with ServerProcess(database, data, INGOT_WORKER="false") as server:
        created = Walk(server, databases, furniture, bodies)
        yield created
        created.http.close()


def sampled() -> list[tuple[Target, str]]:
    chance = random.Random(SEED)
    return [(target, name) for target in TARGETS for name in chance.sample(sorted(PATTERNS), SAMPLED)]


def walk_over(walk: Walk, cases: list[tuple[Target, str]]) -> list[str]:
    """The faults that the walk meets, one line each. Deletions come last, so that the others find what they name."""
    faults: list[str] = []
    missed: set[str] = set()
    answers: dict[str, Counter[int]] = {}
    slowest, longest, largest = (0.0, ""), (0.0, ""), (0, "")
    for target, pattern in sorted(cases, key=lambda case: case[0].endpoint.method == "DELETE"):
        case = f"{target}={pattern}"
        status, spent, waited, growth = walk.cost(target, PATTERNS[pattern])
        if spent > SECONDS:
            # Without what is loaded at first use, or what calls before have left to be done.
            again = walk.cost(target, PATTERNS[pattern])
            status, spent, waited, growth = again if again[0] == status else (status, spent, waited, growth)
        seen = answers.setdefault(named(target.endpoint), Counter())
        if status == 404 and not seen[404] and not walk.reaches(target.endpoint):
            missed.add(named(target.endpoint))
        seen[status] += 1
        slowest, longest = max(slowest, (spent, case)), max(longest, (waited, case))
        largest = max(largest, (growth, case))
        if status >= 500 or (spent > SECONDS and spent > SECONDS * slowness()) or growth > GROWTH:
            faults.append(f"{case}: {status}, {spent:.2f} s, {growth // 1024 // 1024} MB")
    report(answers, slowest, longest, largest)
    return faults + [f"{name}: the walk has no such thing" for name in sorted(missed - NOTHING_THERE.keys())]


def report(
    answers: dict[str, Counter[int]], slowest: tuple[float, str], longest: tuple[float, str], largest: tuple[int, str]
) -> None:
    """For people: what the walk saw."""
    total = sum(answers.values(), Counter())
    refused = sorted(name for name, seen in answers.items() if not seen.keys() - REFUSED)
    sys.stdout.write(
        f"{total.total()} requests to {len(answers)} endpoints, {dict(sorted(total.items()))}\n"
        f"  most work {slowest[0]:.2f} s ({slowest[1]}), longest answer {longest[0]:.2f} s ({longest[1]}), "
        f"largest growth {largest[0] // 1024 // 1024} MB ({largest[1]})\n"
        f"  only refused: {refused}\n"
    )


def test_long_texts_make_no_endpoint_slow_large_or_faulty(walk: Walk) -> None:
    assert len(TARGETS) > 1200

    assert walk_over(walk, sampled()) == []


@pytest.mark.scale
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_in_every_text_parameter(walk: Walk, pattern: str) -> None:
    assert walk_over(walk, [(target, pattern) for target in TARGETS]) == []


@pytest.mark.scale
@pytest.mark.parametrize("pattern", ["digits", "percents"])
def test_a_pattern_where_no_text_belongs(walk: Walk, pattern: str) -> None:
    assert walk_over(walk, [(target, pattern) for target in OTHERS]) == []
