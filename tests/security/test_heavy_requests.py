"""A walk over every endpoint with long texts that are hard to match, to decode or to compare.

No text makes the server work for a second, grow, or fail. Work is the processor time of the server's process, which
does not depend on what else the machine does.
"""

import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ingot.kit.endpoint import Endpoint
from ingot.kit.params import Field
from tests.support.databases import Databases
from tests.support.process import ServerProcess
from tests.support.server import ROOT_TOKEN
from tests.support.walking import ENDPOINTS, arguments, named

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

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.http = httpx.Client(base_url=server.url, headers={"PRIVATE-TOKEN": ROOT_TOKEN}, timeout=120)
        options = {"path": "heavy", "name": "heavy", "initialize_with_readme": True}
        self.project = server.call("POST", "/projects", json=options)
        self.group = server.call("POST", "/groups", json={"path": "heavies", "name": "heavies"})
        base = f"/projects/{self.project['id']}"
        server.call("POST", f"{base}/issues", json={"title": "Heavy", "description": "a-" * 5000})
        server.call("POST", f"{base}/labels", json={"name": "heavy", "color": "#112233"})

    def seconds(self) -> float:
        """Processor time of the server so far."""
        fields = Path(f"/proc/{self.server.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def send(self, endpoint: Endpoint, field: Field, text: str) -> int:
        """Call the endpoint with this text; the status."""
        given: dict[str, Any] = arguments(endpoint.params, skip=endpoint.path_params)
        values = {"projects": self.project["id"], "groups": self.group["id"]}
        own = str(values.get(endpoint.path.strip("/").split("/")[0], 1))
        path = "/api/v4" + "/".join(
            _segment(part, own, text if field.wire in part else "1") for part in endpoint.path.split("/")
        )
        if field.wire not in endpoint.path_params:
            given[field.wire] = [text] if field.kind == "list" and not field.comma else text
        if endpoint.method in ("POST", "PUT", "PATCH"):
            return self.http.request(endpoint.method, path, json=given).status_code
        # As long as an address may be.
        query = {name: value[:8000] if isinstance(value, str) else value for name, value in given.items()}
        return self.http.request(endpoint.method, path, params=query).status_code


def _segment(part: str, own: str, text: str) -> str:
    if not part.startswith("{"):
        return part
    if part.startswith("{id"):
        return own
    return "1" if text == "1" else httpx.QueryParams({"x": text[:3000]}).__str__()[2:].replace("+", "%20")


@pytest.fixture
def walk(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    data = tmp_path_factory.mktemp("data")
    with ServerProcess(databases.fresh(data), data, INGOT_WORKER="false") as server:
        created = Walk(server)
        yield created
        created.http.close()


def sampled() -> list[tuple[Endpoint, Field, str]]:
    chance = random.Random(SEED)
    return [(*target, name) for target in TARGETS for name in chance.sample(sorted(PATTERNS), SAMPLED)]


def walk_over(walk: Walk, cases: list[tuple[Endpoint, Field, str]]) -> list[str]:
    """The faults that the walk meets, one line each. Deletions come last, so that the others find what they name."""
    faults = []
    answers: Counter[int] = Counter()
    slowest, largest = (0.0, ""), 0
    for endpoint, field, pattern in sorted(cases, key=lambda case: case[0].method == "DELETE"):
        memory, begin = walk.server.memory(), walk.seconds()
        status = walk.send(endpoint, field, PATTERNS[pattern])
        spent, growth = walk.seconds() - begin, walk.server.memory() - memory
        answers[status] += 1
        case = f"{named(endpoint)} {field.wire}={pattern}"
        slowest, largest = max(slowest, (spent, case)), max(largest, growth)
        if status >= 500 or spent > SECONDS or growth > GROWTH:
            faults.append(f"{case}: {status}, {spent:.2f} s, {growth // 1024 // 1024} MB")
    figures = f"slowest {slowest[0]:.2f} s ({slowest[1]}), largest growth {largest // 1024 // 1024} MB"
    sys.stdout.write(f"{len(cases)} requests, {figures}, {dict(answers)}\n")
    assert answers[404] < sum(answers.values()) / 2, answers
    return faults


def test_long_texts_make_no_endpoint_slow_large_or_faulty(walk: Walk) -> None:
    assert len(TARGETS) > 300

    assert walk_over(walk, sampled()) == []


@pytest.mark.scale
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_in_every_text_parameter(walk: Walk, pattern: str) -> None:
    assert walk_over(walk, [(*target, pattern) for target in TARGETS]) == []
