"""Git that never ends: requests that wait for it are answered 503, and other requests do not wait behind them."""

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.features.code.git_http.git_client import GitClient
from tests.support import plain_http
from tests.support.databases import Databases
from tests.support.server import ROOT_TOKEN
from tests.support.slow_git import PATIENT, TOO_SLOW, SlowGit, slow_git
from tests.support.waiting import until
from tests.support.walking import ENDPOINTS, arguments, named

pytestmark = pytest.mark.costly

ENDED = "503 Service Unavailable - The git operation was ended to make room for others. Try again later."
PLACES = 24  # eight turns and sixteen places for slow calls
NOT_DELAYED = 60.0  # seconds; the slow calls hold their threads for as long as the test wants, up to 300


def blame(git: SlowGit, last: int) -> httpx.Response:
    """Of the lines to this one: git is asked once for equal questions."""
    lines = f"range[start]=1&range[end]={last}"
    return git.ask(f"/api/v4{git.path}/repository/files/README.md/blame?ref=main&{lines}")


def branch(git: SlowGit) -> float:
    """Seconds that a cheap git read takes."""
    begin = time.monotonic()
    assert git.ask(f"/api/v4{git.path}/repository/branches/main").status_code == 200
    return time.monotonic() - begin


@pytest.fixture(scope="module")
def impatient(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowGit]:
    with slow_git(databases, tmp_path_factory.mktemp("impatient"), 0.3, INGOT_WORKER="false") as git:
        yield git


@pytest.fixture(scope="module")
def patient(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowGit]:
    with slow_git(databases, tmp_path_factory.mktemp("patient"), PATIENT) as git:
        yield git


def test_every_endpoint_says_that_git_took_too_long(impatient: SlowGit) -> None:
    values = {"id": impatient.project["id"], "merge_request_iid": 1, "sha": impatient.commit, "branch": "main"}
    values |= {"file_path": "README.md", "ref": "main", "from": "main", "to": "other", "content": "a", "path": "a"}
    faults, late = [], set()

    with impatient.hanging("git-dir"):
        for endpoint in ENDPOINTS:
            if not endpoint.path.startswith("/projects/{id}/") or endpoint.method == "DELETE" or not endpoint.waits:
                continue
            parts = [part.strip("{}*").removesuffix(":int") if "{" in part else "" for part in endpoint.path.split("/")]
            path = "/".join(
                str(values.get(name, 1)) if name else part
                for name, part in zip(parts, endpoint.path.split("/"), strict=True)
            )
            given = arguments(endpoint.params, skip=endpoint.path_params)
            given |= {name: values[name] for name in given.keys() & values.keys()}
            content: dict[str, Any] = {"params": given} if endpoint.method in ("GET", "HEAD") else {"json": given}
            answer = impatient.ask(f"/api/v4{path}", endpoint.method, **content)
            if answer.status_code == 503:
                late.add(named(endpoint))
                if endpoint.method != "HEAD":
                    assert answer.json() == {"message": TOO_SLOW}, named(endpoint)
                assert answer.headers["Retry-After"] == "5"
            elif answer.status_code >= 500:
                faults.append(f"{named(endpoint)}: {answer.status_code}")

    assert faults == []
    assert len(late) >= 10, late


def test_git_clients_are_told_that_git_took_too_long(impatient: SlowGit) -> None:
    # Only git knows this version of the protocol.
    with impatient.hanging("advertise-refs"):
        answer = greeting(impatient, "git-upload-pack", "version=1")

    assert (answer.status_code, answer.text) == (503, "The git operation took too long.")


def test_clients_learn_the_refs_while_git_hangs(patient: SlowGit) -> None:
    """Fetches of nothing start no git, so that many of them cost little."""
    asked = [("git-upload-pack", "version=2"), ("git-upload-pack", ""), ("git-receive-pack", "version=2")]
    before = [greeting(patient, *question) for question in asked]

    with patient.hanging("-pack"):
        again = [greeting(patient, *question) for question in asked]
        address = patient.server.address(patient.project)
        listed = GitClient(patient.folder / "client").ok("ls-remote", address)

    assert [(answer.status_code, answer.content) for answer in again] == [(200, answer.content) for answer in before]
    assert "\trefs/heads/main\n" in listed


def greeting(git: SlowGit, service: str, protocol: str) -> httpx.Response:
    url = f"{git.server.url}/{git.project['path_with_namespace']}.git/info/refs"
    headers = {"Git-Protocol": protocol}
    return plain_http.get(url, params={"service": service}, headers=headers, auth=("root", ROOT_TOKEN))


def test_a_cheap_git_read_does_not_wait_behind_slow_ones(patient: SlowGit) -> None:
    with ThreadPoolExecutor(16) as clients, patient.hanging(" blame "):
        slow = [clients.submit(blame, patient, 100 + number) for number in range(16)]
        patient.wait_for_hanging(16)

        waits = [branch(patient) for _ in range(10)]

        assert not any(call.done() for call in slow)
        assert max(waits) < NOT_DELAYED
    assert {call.result().status_code for call in slow} == {200}


def test_more_slow_git_reads_than_places_make_room_for_others(patient: SlowGit) -> None:
    with ThreadPoolExecutor(2 * PLACES) as clients, patient.hanging(" blame "):
        slow: list[Future[httpx.Response]] = [
            clients.submit(blame, patient, 200 + number) for number in range(2 * PLACES)
        ]
        patient.wait_for_hanging(PLACES)

        wait = branch(patient)

    answers = [call.result() for call in slow]
    assert wait < NOT_DELAYED  # without an end it would wait as long as git hangs
    assert {answer.json()["message"] for answer in answers if answer.status_code != 200} == {ENDED}


def test_readers_of_the_same_wait_for_one_git(patient: SlowGit) -> None:
    with ThreadPoolExecutor(4) as clients, patient.hanging(" blame "):
        readers = [clients.submit(blame, patient, 50) for _ in range(4)]
        patient.wait_for_hanging(1)
        branch(patient)
        assert not any(reader.done() for reader in readers)
    answers = [reader.result() for reader in readers]

    assert [answer.status_code for answer in answers] == [200] * 4
    assert {answer.content for answer in answers} == {answers[0].content}
    assert patient.hung == 1


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("blame/main/README.md", " blame "),
        ("commits/main/README.md", "-- README.md"),
        ("commits/other/a.txt?page=last", "--count"),
        ("network/main", "--topo-order"),
        ("graphs/main", "--format=%aE"),
    ],
)
def test_a_page_says_that_git_is_at_work_and_shows_the_result_later(patient: SlowGit, address: str, words: str) -> None:
    url = f"{patient.server.url}/{patient.project['path_with_namespace']}/-/{address}"

    def is_waiting() -> bool:
        answer = plain_http.get(url, follow_redirects=True)
        assert answer.status_code == 200
        is_renewed = '<noscript><meta http-equiv="refresh" content="5' in answer.text
        assert (
            is_renewed == ('data-fills="page"' in answer.text) == ("The page refreshes automatically." in answer.text)
        )
        return is_renewed

    with patient.hanging(words):
        assert is_waiting()
        assert is_waiting()
        assert patient.hung == 1

    until(lambda: not is_waiting())


def test_blame_shows_the_lines_while_git_looks_for_their_commits(patient: SlowGit) -> None:
    patient.save("other", "create", "lines.txt", "first\nsec\u202eond\n")
    url = f"{patient.server.url}/{patient.project['path_with_namespace']}/-/blame/other/lines.txt"

    with patient.hanging(" blame "):
        early = plain_http.get(url).text

    assert 'id="L2"' in early
    assert "/-/blame_before/" not in early
    until(lambda: "/-/blame_before/" in plain_http.get(url).text)
    late = plain_http.get(url).text
    assert all('sec<span class="sign">U+202E</span>ond' in text for text in (early, late))
