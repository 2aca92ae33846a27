"""Small texts that make a backtracking pattern work for seconds, sent through every door that matches texts.

The server runs as a process of its own, so that its processor time tells what an attack costs on any machine. The long
form measures the answers of `/-/liveness` as well.
"""

import sys
from collections.abc import Callable, Iterator

import httpx
import pytest

from tests.support.databases import Databases
from tests.support.probing import Probe, typical_delay
from tests.support.process import ServerProcess
from tests.support.processor_time import slowness
from tests.support.server import ROOT_TOKEN

pytestmark = pytest.mark.costly

MOST_WORK = 1.0  # seconds of processor time beyond that of plain text; the cured faults took 5 and more
LONGEST_WAIT = 0.1  # seconds that others wait because of an attack
LETTERS = "a" * 200
STARS = "a*" * 6 + "b"
ROOT = {"PRIVATE-TOKEN": ROOT_TOKEN}


class Victim:
    """A server, and a public project with a branch of many letters."""

    def __init__(self, server: ServerProcess) -> None:
        self.server = server
        self.http = httpx.Client(base_url=f"{server.url}/api/v4", timeout=300)
        self.created = 0
        self.path = self.project()
        self.commit(self.path, LETTERS, {"a.txt": "a"})

    def get(self, path: str, **params: str) -> httpx.Response:
        """As somebody unknown."""
        return self.http.get(path, params=params or httpx.URL(path).params)

    def post(self, path: str, **fields: object) -> httpx.Response:
        """As the administrator."""
        return self.http.post(path, json=fields, headers=ROOT)

    def name(self) -> str:
        """One that was never used before."""
        self.created += 1
        return f"name-{self.created}"

    def project(self) -> str:
        """A further project; returns its address."""
        options = {"name": self.name(), "visibility": "public", "initialize_with_readme": True}
        return f"/projects/{self.server.call('POST', '/projects', json=options)['id']}"

    def commit(self, path: str, branch: str, files: dict[str, str], message: str = "m") -> None:
        """Create files in a branch, which starts at main."""
        actions = [{"action": "create", "file_path": name, "content": text} for name, text in files.items()]
        start = {} if branch == "main" else {"start_branch": "main"}
        fields = {"branch": branch, "commit_message": message, "actions": actions, **start}
        self.server.call("POST", f"{path}/repository/commits", json=fields)

    def request(self, path: str, description: str) -> str:
        """A merge request; returns its address."""
        branch = self.name()
        self.commit(path, branch, {f"{branch}.txt": "x"})
        fields = {"title": "t", "source_branch": branch, "target_branch": "main", "description": description}
        return f"{path}/merge_requests/{self.server.call('POST', f'{path}/merge_requests', json=fields)['iid']}"


Attack = Callable[[Victim], httpx.Response]


def _commits(revision: str) -> Attack:
    return lambda victim: victim.get(f"{victim.path}/repository/commits", ref_name=revision)


def _search_with_stars(victim: Victim) -> httpx.Response:
    return victim.get(f"{victim.path}/repository/branches", search=f"{STARS}$")


def _tag_search_with_stars(victim: Victim) -> httpx.Response:
    victim.post(f"{victim.path}/repository/tags", tag_name=LETTERS, ref="main")
    return victim.get(f"{victim.path}/repository/tags", search=f"^{STARS}$")


def _protected_name_with_stars(victim: Victim) -> httpx.Response:
    victim.post(f"{victim.path}/protected_branches", name=STARS)
    return victim.get(f"{victim.path}/repository/branches")


def _issue(description: str) -> Attack:
    return lambda victim: victim.post(f"{victim.path}/issues", title="t", description=description)


def _note(body: str) -> Attack:
    def attack(victim: Victim) -> httpx.Response:
        issue = victim.post(f"{victim.path}/issues", title="t").json()
        return victim.post(f"{victim.path}/issues/{issue['iid']}/notes", body=body)

    return attack


def _merge_request(description: str, below: str) -> Attack:
    return lambda victim: victim.get(victim.request(victim.path, description) + below)


def _lint(content: str) -> Attack:
    return lambda victim: victim.post(f"{victim.path}/ci/lint", content=content)


def _with_input(text: str) -> str:
    return "spec:\n  inputs:\n    a:\n      default: b\n---\njob:\n  script: '" + text + "'\n"


def _code_owners(line: str) -> Attack:
    def attack(victim: Victim) -> httpx.Response:
        path = victim.project()
        victim.commit(path, "main", {"CODEOWNERS": f"{line}\n"})
        return victim.get(f"{victim.request(path, '')}/approval_state")

    return attack


def _licence(text: str) -> Attack:
    def attack(victim: Victim) -> httpx.Response:
        path = victim.project()
        victim.commit(path, "main", {"LICENSE": text})
        return victim.get(path, license="true")

    return attack


def _commit_message(message: str) -> Attack:
    def attack(victim: Victim) -> httpx.Response:
        path = victim.project()
        victim.commit(path, "main", {"a.txt": "a"}, message)
        return victim.get(f"{path}/repository/commits", trailers="true")

    return attack


PLAIN = _code_owners("a @root")  # the longest way: a project, commits and a request, without a bad text
ATTACKS: dict[str, Attack] = {
    "revision of 6,000 steps": _commits("main" + "^" * 6000 + "!"),
    "revision of 4,000 steps": _commits("main" + "^" * 4000 + "!"),
    "stars in a branch search": _search_with_stars,
    "stars in a tag search": _tag_search_with_stars,
    "stars in a protected name": _protected_name_with_stars,
    "comments that never end": _issue("<!--" * 5_000),
    "many quotation marks before no task": _issue((" >" * 500 + "\n") * 20),
    "dots before no reference": _merge_request("." * 20_000, "/related_issues"),
    "dashes before no reference": _merge_request("a-" * 10_000, "/related_issues"),
    "folders before no reference": _merge_request("a/" * 10_000, "/related_issues"),
    "closing words without an end": _merge_request("closes http://" + "a" * 20_000, "/closes_issues"),
    "dashes in a mention": _merge_request("@" + "a-" * 10_000, "/participants"),
    "mentions that never end": _note("@a," * 5_000),
    "blanks in a block": _lint(_with_input("$[[" + " " * 1_000 + "x")),
    "many blocks": _lint(_with_input(("$[[" + " " * 300) * 100)),
    "slashes in a condition": _lint("job:\n  script: x\n  rules:\n    - if: '/" + "\\\\" * 5_000 + "'\n"),
    "stars in changed paths": _lint("job:\n  script: x\n  rules:\n    - changes: ['" + "a*" * 400 + "b']\n"),
    "an owner without an address": _code_owners("a " + "x" * 15_000),
    "a section without an end": _code_owners("[" * 15_000),
    "blank lines in a licence": _licence("\n" * 20_000 + "x"),
    "folded lines in a trailer": _commit_message("t\n\nKey: v\n" + " a\n" * 30_000),
}


@pytest.fixture(scope="module")
def victim(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    folder = tmp_path_factory.mktemp("victim")
    with ServerProcess(databases.fresh(folder), folder / "data") as server:
        victim = Victim(server)
        PLAIN(victim)  # what is loaded and compiled at first use is no part of what an attack costs
        yield victim
        victim.http.close()


@pytest.fixture(scope="module")
def plain_work(victim: Victim) -> float:
    """Processor time of the longest way without a bad text."""
    return _work(victim, PLAIN)[1]


def _work(victim: Victim, attack: Attack) -> tuple[httpx.Response, float]:
    begin = victim.server.processor_time()
    answer = attack(victim)
    return answer, victim.server.processor_time() - begin


@pytest.mark.parametrize("name", ATTACKS)
def test_little_work_is_done_for(name: str, victim: Victim, plain_work: float) -> None:
    probe = Probe(victim.server.url)

    with probe.running():
        answer, work = _work(victim, ATTACKS[name])
    if work > MOST_WORK:
        answer, work = _work(victim, ATTACKS[name])  # without what is loaded at first use

    assert answer.status_code < 500
    assert probe.faults == []
    assert work < MOST_WORK * slowness() + 2 * plain_work


@pytest.mark.scale
@pytest.mark.parametrize("name", ATTACKS)
def test_nobody_waits_because_of(name: str, victim: Victim) -> None:
    delay, figures = typical_delay(victim.server.url, lambda: ATTACKS[name](victim))

    sys.stdout.write(f"{name}: {figures}\n")
    assert delay < LONGEST_WAIT
