"""What one caller learns of a silent store, the others are spared."""

import pytest

from ingot.kit.blobs import StoreUnavailable
from ingot.kit.blobs.availability import PAUSE, Availability

PATIENCE = 10.0


class Clock:
    """Goes on when it is told to."""

    moment = 100.0

    def __call__(self) -> float:
        return self.moment


@pytest.fixture
def clock() -> Clock:
    return Clock()


def wait_in_vain(store: Availability, clock: Clock) -> None:
    with store.asking():
        clock.moment += PATIENCE
        raise StoreUnavailable


@pytest.fixture
def silent(clock: Clock) -> Availability:
    """A store that has just kept somebody waiting in vain; the pause after that is over."""
    result = Availability(PATIENCE, clock)
    with pytest.raises(StoreUnavailable):
        wait_in_vain(result, clock)
    with pytest.raises(StoreUnavailable), result.asking():
        pytest.fail("nobody asks so soon")
    clock.moment += PATIENCE * PAUSE
    return result


def test_one_caller_tries_for_all(silent: Availability) -> None:
    with silent.asking(), pytest.raises(StoreUnavailable), silent.asking():
        pytest.fail("one is enough")

    with silent.asking(), silent.asking():
        pass


def test_a_caller_who_ends_without_the_store_leaves_the_trial_to_the_next(silent: Availability) -> None:
    with pytest.raises(KeyError), silent.asking():
        raise KeyError

    with silent.asking():
        pass


def test_a_trial_that_is_refused_at_once_costs_no_more_than_the_pause(silent: Availability, clock: Clock) -> None:
    with pytest.raises(StoreUnavailable), silent.asking():
        raise StoreUnavailable

    clock.moment += PATIENCE * PAUSE
    with silent.asking():
        pass
