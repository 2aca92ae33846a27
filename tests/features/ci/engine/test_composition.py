from __future__ import annotations

import itertools

import pytest

from ingot.features.ci.engine.composition import JobState, composite_status, next_status
from ingot.features.ci.engine.states import STATUSES, IllegalMove, moved


def _states(text: str) -> list[JobState]:
    """`failed! manual` reads: failed but allowed to, and manual."""
    return [JobState(word.rstrip("!"), word.endswith("!")) for word in text.split()]


STAGES = [
    ("", None),
    ("skipped", "skipped"),
    ("manual!", "skipped"),
    ("skipped manual!", "skipped"),
    ("success", "success"),
    ("success skipped", "success"),
    ("success failed!", "success"),
    ("success canceled!", "success"),
    ("success manual!", "success"),
    ("created", "created"),
    ("created failed!", "created"),
    ("preparing", "preparing"),
    ("canceled", "canceled"),
    ("canceled success skipped", "canceled"),
    ("pending", "pending"),
    ("pending created skipped", "pending"),
    ("running", "running"),
    ("running failed", "running"),
    ("pending success", "running"),
    ("canceling success", "canceling"),
    ("canceling running", "running"),
    ("waiting_for_resource success", "waiting_for_resource"),
    ("waiting_for_callback success", "waiting_for_callback"),
    ("manual", "manual"),
    ("manual success", "manual"),
    ("manual failed", "manual"),
    ("scheduled success", "scheduled"),
    ("preparing success", "preparing"),
    ("created success", "running"),
    ("failed", "failed"),
    ("failed success", "failed"),
    ("failed canceled", "failed"),
    ("failed skipped", "failed"),
]


@pytest.mark.parametrize(("states", "expected"), STAGES)
def test_the_status_of_a_stage(states: str, expected: str | None) -> None:
    assert composite_status(_states(states)) == expected


NEEDS = [
    ("success success", "success"),
    ("success failed!", "success"),
    ("success skipped", "skipped"),
    ("success manual!", "skipped"),
    ("success running", "pending"),
    ("manual", "pending"),
    ("failed success", "failed"),
    ("canceled success", "canceled"),
]


@pytest.mark.parametrize(("states", "expected"), NEEDS)
def test_the_status_of_needed_jobs(states: str, expected: str) -> None:
    assert composite_status(_states(states), needs=True) == expected


def test_every_mixture_has_a_status_whatever_the_order() -> None:
    every = [JobState(status, allowed) for status in STATUSES for allowed in (True, False)]
    for pair in itertools.product(every, repeat=2):
        result = composite_status(pair)
        assert result in STATUSES
        assert result == composite_status(pair[::-1])


STARTS = [
    ("on_success", None, False, "pending"),
    ("on_success", "success", False, "pending"),
    ("on_success", "skipped", False, "pending"),
    ("on_success", "skipped", True, "skipped"),
    ("on_success", "failed", False, "skipped"),
    ("on_success", "canceled", False, "skipped"),
    ("on_success", "running", False, None),
    ("on_success", "manual", False, None),
    ("on_failure", "failed", False, "pending"),
    ("on_failure", "success", False, "skipped"),
    ("on_failure", None, False, "skipped"),
    ("always", "failed", False, "pending"),
    ("always", "success", False, "pending"),
    ("always", "pending", True, None),
    ("manual", "success", False, "manual"),
    ("manual", "failed", False, "skipped"),
    ("delayed", "success", False, "scheduled"),
    ("delayed", "failed", False, "skipped"),
]


@pytest.mark.parametrize(("when", "previous", "needs", "expected"), STARTS)
def test_a_created_job_starts_waits_or_is_skipped(
    when: str, previous: str | None, needs: bool, expected: str | None
) -> None:
    assert next_status(when, previous, needs=needs) == expected


def test_a_move_that_is_not_in_the_table_is_refused_with_its_words() -> None:
    assert moved("created", "enqueue") == "pending"
    assert moved("running", "success") == "success"
    with pytest.raises(IllegalMove, match="Cannot transition status via :enqueue from :pending"):
        moved("pending", "enqueue")
    with pytest.raises(IllegalMove):
        moved("success", "drop")
