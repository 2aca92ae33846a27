"""Dotenv reports: variables that a job passes to later jobs."""

from __future__ import annotations

from ingot.kit.patterns import ALPHANUMERIC, consists_of

_MAX_KEY = 255


class DotenvRefused(ValueError):
    """The report is not accepted; the message is the answer's text."""


def check_dotenv_size(stored_bytes: int, limit: int) -> None:
    """Refuse a report whose stored form is not smaller than the limit. Zero forbids everything."""
    if stored_bytes >= limit:
        raise DotenvRefused(f"Dotenv Artifact Too Big. Maximum Allowable Size: {limit}")


def parse_dotenv(content: bytes, max_variables: int) -> dict[str, str]:
    """The variables of a report, the last of equal names winning; empty lines are skipped."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DotenvRefused("Invalid Format") from error
    variables: dict[str, str] = {}
    for line in text.splitlines():
        if not line.strip():
            continue
        key, equals, value = line.partition("=")
        key, value = key.strip(), value.strip()
        if not equals or not key or "\0" in value:
            raise DotenvRefused("Invalid Format")
        if not consists_of(key, f"{ALPHANUMERIC}_"):
            raise DotenvRefused("Validation failed: Key can contain only letters, digits and '_'.")
        if len(key) > _MAX_KEY:
            raise DotenvRefused(f"Validation failed: Key is too long (maximum is {_MAX_KEY} characters)")
        variables[key] = value
        if len(variables) > max_variables:
            raise DotenvRefused(f"Dotenv files cannot have more than {max_variables} variables")
    return variables
