"""Searches that are made to be slow: they find nothing wrong, and cost no more than plain ones."""

import time

import pytest

from ingot.features.code.code_search.hits import LONGEST_DATA, chunks
from ingot.features.code.code_search.query import parse_query
from ingot.features.code.code_search.trigrams import CONTENTS, MOST_TRIGRAMS, matching
from tests.support.code_index import index_code
from tests.support.world import World

LONG = "a" * 1024
HOSTILE = [
    LONG,
    "ab" * 512,
    "path:" + "*a" * 500,
    "filename:" + "a*" * 500 + "b",
    "extension:" + "*" * 1000,
    "path:" + "%_" * 500,
    "-path:" + "\\" * 1000,
    "(a+)+$ " + "a" * 900,
    '"' * 1000,
    "' OR 1=1 --",
    "NEAR(a b) AND NOT *",
    "blob:" + "f" * 1000,
    "filename: path: extension:",
    "\u0130\u00df\ufb03" * 300,
]


@pytest.mark.parametrize("ref", [None, "other"])
def test_hostile_searches_are_answered_at_the_cost_of_plain_ones(world: World, ref: str | None) -> None:
    owner = world.user()
    project = world.project(owner)
    deep = "/".join(["a" * 60] * 20)
    world.commit(project, "main", {f"{deep}/{'a' * 100}.txt": f"{LONG * 50}\n" * 4, "b.txt": "plain\n"})
    world.commit(project, "other", {"c.txt": "other\n"})
    index_code(world.server)
    path = f"/projects/{project['id']}/search"

    def spent(search: str) -> float:
        before = time.process_time()
        answer = owner.client.get(path, scope="blobs", search=search, ref=ref)
        assert answer.status_code == 200, (search, answer.text)
        return time.process_time() - before

    plain = max(spent("plain") for _ in range(3))
    for search in HOSTILE:
        assert spent(search) < 50 * plain + 2.0, search


def test_long_phrases_ask_for_a_bounded_number_of_trigrams() -> None:
    phrase = "".join(chr(ord("a") + number % 23) + chr(ord("a") + number % 19) for number in range(500))
    for dialect in ("sqlite", "postgresql"):
        statement = matching(dialect, CONTENTS, phrase)
        assert statement is not None
        [value] = statement.compile().params.values()
        assert len(value.split(" AND ") if isinstance(value, str) else value) == MOST_TRIGRAMS
        assert matching(dialect, CONTENTS, "ab") is None


def test_stars_in_a_row_are_one() -> None:
    [condition] = parse_query("path:a***b").conditions()
    assert condition.compile().params == {"path_lower_1": "%a%b%"}


def test_a_file_of_one_line_is_shown_in_part() -> None:
    [(line, data)] = chunks("needle " * 100_000, "needle")
    assert (line, len(data)) == (1, LONGEST_DATA)
