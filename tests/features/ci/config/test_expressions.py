from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingot.features.ci.config.expressions import BadExpression, Condition

SCOPE = {"A": "one", "B": "two", "E": "", "P": "/^o.e$/", "SPACE": " "}

CASES = [
    ("$A", True),
    ("${A}", True),
    ("$MISSING", False),
    ("$E", False),
    ("$SPACE", False),
    ('$A == "one"', True),
    ("$A == 'two'", False),
    ('$A != "two"', True),
    ('"one" == $A', True),
    ("$A == $A", True),
    ("$A == $B", False),
    ("$MISSING == null", True),
    ("$E == null", False),
    ('$E == ""', True),
    ('$MISSING == ""', False),
    ("$A != null", True),
    ("$A =~ /^o/", True),
    ("$A =~ /^O/", False),
    ("$A =~ /^O/i", True),
    ("$A !~ /x/", True),
    ("$A =~ $P", True),
    ("$A =~ $B", False),
    ("$MISSING =~ /x/", False),
    ("$MISSING !~ /x/", True),
    (r"$A =~ /o\/|ne/", True),
    ("$A && $B", True),
    ("$A && $MISSING", False),
    ("$MISSING || $B", True),
    ("$MISSING && $A || $B", True),
    ("$MISSING && ($A || $B)", False),
    ("($MISSING || $A) && $B == 'two'", True),
    ("$A || $MISSING && $MISSING", True),
    ("(($A))", True),
    ("$A==\"one\"&&$B=='two'", True),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_a_condition_holds_as_written(text: str, expected: bool) -> None:
    assert Condition(text).holds(SCOPE) is expected


@pytest.mark.parametrize(
    "text", ["", "$", "$A =", "$A == ", "== $A", "($A", "$A)", "$A $B", '"open', "$A =~ /(/", "/x/", "$A && ", "(" * 99]
)
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(BadExpression):
        Condition(text)


@given(st.text(alphabet="$AB\"'/=!~&|() nul", max_size=40))
def test_any_text_is_judged_without_surprise(text: str) -> None:
    with suppress(BadExpression):
        assert Condition(text).holds(SCOPE) in (True, False)
