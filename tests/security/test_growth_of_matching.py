"""Four times the text takes about four times the work: every matcher of chosen texts, attacked directly."""

import time
from collections.abc import Callable

import pytest

from ingot.features.ci.config.inputs import load_with_inputs
from ingot.features.ci.variables.configured import scope_fits
from ingot.features.planning.issuable_lists.search import terms_of
from ingot.features.planning.issuables import count_tasks, references
from ingot.features.planning.issues.closing import closed_by, mentioned_in
from ingot.features.planning.notes.proposals import suggestion_blocks
from ingot.features.planning.quick_actions.parsing import split
from ingot.features.planning.todos.commands import names_in
from ingot.features.review.approvals.code_owners import parse as parse_code_owners
from ingot.features.review.merge_requests.mentions import mentioned_names
from ingot.gitstore.licences import identify
from ingot.gitstore.listing import matches_pattern, name_filter
from ingot.gitstore.trailers import parse_trailers
from ingot.kit.jobs.disclosure import disclosed
from ingot.kit.mentions import SEARCHED
from ingot.kit.search_terms import split_terms

SIZE = 5_000
HEADER = "spec:\n  inputs:\n    a:\n      default: b\n---\njob: '"

MATCHERS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "task lists": (count_tasks, ("<!--", " >", "- ", "\n")),
    "closing words": (closed_by, ("closes ", "fix http://a#1", "closes #1 and ", "a/")),
    "references": (mentioned_in, (".", "a-", "a/", "&a#1", "http://a#1,")),
    "named requests": (lambda text: references(text, "!"), (".", "a-", "a/", "&a!1", "http://a/a/-/merge_requests/1,")),
    "mentions": (lambda text: mentioned_names([text]), ("@", "@a-", "`a", "```")),
    "people to notify": (names_in, ("@a,", "@a-", "~~~`a`", " ")),
    "code owners": (parse_code_owners, ("x", "[", "\\ ", "@")),
    "inputs": (lambda text: load_with_inputs(f"{HEADER}{text}'", {}, {}), ("$[[ ", "$[[", "$[[x")),
    "scopes": (lambda text: scope_fits("a*" * 20 + "b", text), ("a",)),
    "branch searches": (name_filter("a*" * 20 + "b$"), ("a",)),
    "protected names": (lambda text: matches_pattern(text, "a*" * 20 + "b"), ("a",)),
    "quick actions": (lambda text: split(f"/{text}", "Issue"), ("a", " ", "\n/a ")),
    "suggestions": (suggestion_blocks, ("```suggestion\n", "`", "````suggestion\n")),
    "licences": (identify, ("\n", "# ", "[a ", "licence ")),
    "trailers": (lambda text: parse_trailers(f"t\n\nKey: v\n{text}"), (" a\n", "a-", "A: b\n")),
    "search terms": (split_terms, ('"', '"a ', 'a" ')),
    "searches of issues": (terms_of, ('"', '"a ')),
    "messages of failed jobs": (disclosed, ("a", "token", "a://", "x@")),
}


def _work(match: Callable[[str], object], text: str) -> float:
    """Seconds of processor time, the best of three, without that of other threads."""
    times = []
    for _ in range(3):
        started = time.thread_time()
        match(text)
        times.append(time.thread_time() - started)
    return min(times)


@pytest.mark.parametrize(
    ("name", "piece"), [(name, piece) for name, (_, pieces) in MATCHERS.items() for piece in pieces]
)
def test_work_grows_with_the_length_only(name: str, piece: str) -> None:
    match = MATCHERS[name][0]
    match("a")  # compiles

    small, large = (_work(match, piece * (size // len(piece))) for size in (SIZE, 4 * SIZE))

    # Quadratic growth would be sixteenfold. What takes a few milliseconds is too short to compare.
    assert large < 10 * small + 0.02


@pytest.mark.parametrize("name", ["closing words", "references", "mentions", "people to notify"])
def test_names_and_references_count_at_the_beginning_of_a_text_only(name: str) -> None:
    match = MATCHERS[name][0]
    named = "closes #7 @somebody "

    assert match(named + "x" * SEARCHED) == match(named)
    assert match(named) != match("")
    assert match("x " * (SEARCHED // 2) + named) == match("")
