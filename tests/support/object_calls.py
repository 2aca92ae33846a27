"""How often the object store was asked, as the metrics tell it."""

from collections.abc import Callable

from ingot.kit import tallies
from ingot.kit.tallies import Tally


def object_calls(work: Callable[[], object]) -> dict[tuple[str, str], int]:
    """How many calls of each name and result it took."""
    before = tallies.totals()
    work()
    counts = {key: tally.number - before.get(key, Tally()).number for key, tally in tallies.totals().items()}
    return {(name, result): count for (part, name, result), count in counts.items() if part == "object" and count}
