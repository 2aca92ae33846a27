"""Which changed lines of a diff differ by white space only."""

import time

from ingot.web.diffs import spaces_of
from tests.support.processor_time import slowness


def shown(old: list[str], new: list[str]) -> list[str]:
    """The lines that count as changed."""
    lines = ["@@ -1 +1 @@", *(f"-{line}" for line in old), *(f"+{line}" for line in new), " end"]
    equal = spaces_of("\n".join(lines))
    return [line for number, line in enumerate(lines[1:-1], 1) if number not in equal]


def test_lines_are_paired_in_their_order() -> None:
    assert shown(["if a:", "b", "", "c", ""], ["if  a:", "  b", "", " cc", ""]) == ["-c", "+ cc"]
    assert shown(["}", "}", "}"], [" }", " }", " }", " }"]) == ["+ }"]
    assert shown(["a", "b", "c"], ["c ", "a ", "b "]) == ["-c", "+c "]
    assert shown(["x", "one", "x"], ["new", " x", " one", "x "]) == ["+new"]
    assert shown(["gone"], ["come"]) == ["-gone", "+come"]


def test_hostile_lines_cost_what_their_number_says() -> None:
    """Equal lines between different ones, of which each could be paired with each."""
    old = ["x" if number % 2 else f"y{number}" for number in range(5000)]
    new = [" x" if number % 2 else f"z{number}" for number in range(5000)]
    begun = time.process_time()
    assert len(shown(old, new)) >= 5000
    assert time.process_time() - begun < 5 * slowness()
