"""Which values a push rule may have."""

from collections.abc import Mapping

from ingot.features.code.push_rules.tables import LONGEST_PATTERN, PATTERNS
from ingot.kit.regexps import regexp_error

LARGEST = 2**31 - 1


def rule_problems(values: Mapping[str, object]) -> dict[str, list[str]]:
    """What is wrong with the values of a rule, by field."""
    problems: dict[str, list[str]] = {}
    for name in PATTERNS:
        text = str(values.get(name) or "")
        if len(text) > LONGEST_PATTERN:
            problems[name] = [f"is too long (maximum is {LONGEST_PATTERN} characters)"]
        elif (complaint := regexp_error(text)) is not None:
            problems[name] = [f"not valid RE2 syntax: {complaint}"]
    size = values.get("max_file_size")
    if isinstance(size, int) and size < 0:
        problems["max_file_size"] = ["must be greater than or equal to 0"]
    elif isinstance(size, int) and size > LARGEST:
        problems["max_file_size"] = [f"must be less than or equal to {LARGEST}"]
    return problems
