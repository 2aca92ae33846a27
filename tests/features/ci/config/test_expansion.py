from __future__ import annotations

import pytest

from ingot.features.ci.config import expand, expand_scope


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$A", "one"),
        ("${A}b", "oneb"),
        ("$Ab", ""),
        ("$A-$B", "one-two"),
        ("$$A", "$A"),
        ("$$$A", "$one"),
        ("100%", "100%"),
        ("$", "$"),
        ("${", "${"),
        ("$1", "$1"),
    ],
)
def test_a_text_is_expanded_once(text: str, expected: str) -> None:
    assert expand(text, {"A": "one", "B": "two"}) == expected


def test_unknown_names_can_be_kept() -> None:
    assert expand("$X/${Y}", {}, keep_unknown=True) == "$X/${Y}"


def test_variables_made_of_variables_are_resolved_and_circles_left_alone() -> None:
    scope = {"A": "$B/x", "B": "$C", "C": "end", "X": "$Y", "Y": "$X", "R": "$C"}

    result = expand_scope(scope, raw={"R"})

    assert (result["A"], result["B"], result["R"]) == ("end/x", "end", "$C")
    assert {result["X"], result["Y"]} <= {"$X", "$Y"}
