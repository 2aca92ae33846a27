"""How many clones, fetches and pushes one project may have at once follows how many there may be."""

import pytest

from ingot.settings import SettingError, make


@pytest.mark.parametrize(("all_together", "of_one_project"), [(64, 48), (16, 12), (3, 3), (2, 2), (1, 1)])
def test_a_project_may_have_three_quarters_of_all_transfers(all_together: int, of_one_project: int) -> None:
    assert make({"git_transfers": all_together}).transfers_per_project == of_one_project
    assert make({"git_transfers": all_together, "git_transfers_per_project": 5}).transfers_per_project == 5


def test_fewer_than_none_are_refused() -> None:
    with pytest.raises(SettingError, match="git_transfers_per_project must be at least 0, not -1"):
        make({"git_transfers_per_project": -1})
