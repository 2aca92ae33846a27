"""A walk over every endpoint with long texts that are hard to match, to decode or to compare.

No text makes the server work for a second, grow, or fail. Work is the processor time of the server's process, which
does not depend on what else the machine does.
"""

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field
from tests.contract.parameters import add_missing, base
from tests.support.databases import Databases
from tests.support.furnishing import Furniture, furnish
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN, RunningServer
from tests.support.walking import ENDPOINTS, named
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
    "PUT /suggestions/{id}/apply": SUGGESTIONS,
    "PUT /suggestions/batch_apply": SUGGESTIONS,
}


def texts(endpoint: Endpoint) -> list[Field]:
    """The parameters that take any text."""
    return [
        one
        for one in endpoint.params.fields.values()
        if (one.kind in ("string", "any") or (one.kind == "list" and one.item in ("string", "any")))
        and one.nested is None
        and not one.one_of
    ]


TARGETS = [(endpoint, field) for endpoint in ENDPOINTS for field in texts(endpoint)]


class Walk:
    """The server, what paths name on it, and its resources."""

    def __init__(self, server: ServerProcess, furniture: Furniture, bodies: dict[str, dict[str, Any]]) -> None:
        self.server, self.furniture, self.bodies = server, furniture, bodies
        self.http = httpx.Client(base_url=server.url, headers={"PRIVATE-TOKEN": ROOT_TOKEN}, timeout=120)

    def send(self, endpoint: Endpoint, field: Field, text: str) -> int:
        """Call the endpoint with this text; the status."""
        body = dict(self.bodies[named(endpoint)])
        if field.wire not in endpoint.path_params:
            body[field.wire] = [text] if field.kind == "list" and not field.comma else text
        return self._call(endpoint, body, {field.wire: quote(text[:3000], safe="")})

    def reaches(self, endpoint: Endpoint) -> bool:
        """Whether the call finds what its path names when no text is in the way. Deletions are not tried."""
        return endpoint.method == "DELETE" or self._call(endpoint, self.bodies[named(endpoint)], {}) != 404

    def _call(self, endpoint: Endpoint, body: dict[str, Any], segments: dict[str, str]) -> int:
        path, method = f"/api/v4{self._path(endpoint, segments)}", endpoint.method
        if method not in ("POST", "PUT", "PATCH"):
            # As long as an address may be.
            query = {name: value[:8000] if isinstance(value, str) else value for name, value in body.items()}
            return self.http.request(method, path, params=query).status_code
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


@pytest.fixture
def walk(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    """A process that serves a furnished world, with the bodies that its calls need."""
    data = tmp_path_factory.mktemp("data")
    database = databases.fresh(data)
    with RunningServer(database, data) as first:
        furniture = furnish(World(first))
        add_missing(furniture)
        bodies = {named(one): ARGUMENTS.get(named(one)) or base(furniture, one) for one in ENDPOINTS if texts(one)}
        description = {"description": "a-" * 5000}
        furniture.admin.ok("POST", f"{furniture.place}/issues", json={"title": "Heavy", **description})
    with ServerProcess(database, data, INGOT_WORKER="false") as server:
        created = Walk(server, furniture, bodies)
        yield created
        created.http.close()


def sampled() -> list[tuple[Endpoint, Field, str]]:
    chance = random.Random(SEED)
    return [(*target, name) for target in TARGETS for name in chance.sample(sorted(PATTERNS), SAMPLED)]


def walk_over(walk: Walk, cases: list[tuple[Endpoint, Field, str]]) -> list[str]:
    """The faults that the walk meets, one line each. Deletions come last, so that the others find what they name."""
    faults: list[str] = []
    missed: set[str] = set()
    answers: Counter[int] = Counter()
    slowest, largest = (0.0, ""), 0
    for endpoint, field, pattern in sorted(cases, key=lambda case: case[0].method == "DELETE"):
        memory, begin = walk.server.memory(), walk.server.processor_time()
        status = walk.send(endpoint, field, PATTERNS[pattern])
        spent, growth = walk.server.processor_time() - begin, walk.server.memory() - memory
        answers[status] += 1
        case = f"{named(endpoint)} {field.wire}={pattern}"
        slowest, largest = max(slowest, (spent, case)), max(largest, growth)
        if status >= 500 or spent > SECONDS or growth > GROWTH:
            faults.append(f"{case}: {status}, {spent:.2f} s, {growth // 1024 // 1024} MB")
        if status == 404 and not walk.reaches(endpoint):
            missed.add(named(endpoint))
    figures = f"slowest {slowest[0]:.2f} s ({slowest[1]}), largest growth {largest // 1024 // 1024} MB"
    sys.stdout.write(f"{len(cases)} requests, {figures}, {dict(answers)}, not reached: {sorted(missed)}\n")
    return faults + [f"{name}: the walk has no such thing" for name in sorted(missed - NOTHING_THERE.keys())]


def test_long_texts_make_no_endpoint_slow_large_or_faulty(walk: Walk) -> None:
    assert len(TARGETS) > 300

    assert walk_over(walk, sampled()) == []


@pytest.mark.scale
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_in_every_text_parameter(walk: Walk, pattern: str) -> None:
    assert walk_over(walk, [(*target, pattern) for target in TARGETS]) == []
