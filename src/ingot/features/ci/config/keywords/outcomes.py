"""`retry`, `allow_failure` and `coverage`: how a job's result is treated."""

from __future__ import annotations

from typing import TypeGuard

from ingot.features.ci.config.plan import Retry
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.regexps import is_regexp
from ingot.features.ci.config.shapes import Entry, as_list

MAX_RETRIES = 2
RETRY_WHEN = (
    "always", "unknown_failure", "script_failure", "api_failure", "stuck_or_timeout_failure", "runner_system_failure",
    "runner_unsupported", "stale_schedule", "job_execution_timeout", "archived_failure", "unmet_prerequisites",
    "scheduler_failure", "data_integrity_failure",
)  # fmt: skip


def parse_retry(where: str, value: object, problems: Problems) -> Retry:
    if value is None:
        return Retry()
    place = f"{where}:retry"
    if _is_integer(value):
        return Retry(max=_bounded(place, "config", value, problems))
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash or an integer")
        return Retry()
    entry = Entry(place, value, problems)
    entry.allow_keys(("max", "when", "exit_codes"))
    maximum = value.get("max")
    if maximum is not None and not _is_integer(maximum):
        entry.fail("max should be an integer")
        maximum = 0
    when = entry.strings_or_string("when") or ("always",)
    unknown = [reason for reason in when if reason not in RETRY_WHEN]
    if unknown:
        entry.fail(
            f"when unknown value: {unknown[0]}"
            if isinstance(value["when"], str)
            else f"when contains unknown values: {', '.join(unknown)}"
        )
    return Retry(
        # `retry: {when: ...}` alone asks for retries without saying how many.
        max=MAX_RETRIES if maximum is None else _bounded(place, "max", maximum, problems),
        when=when,
        exit_codes=_exit_codes(entry),
    )


def parse_allow_failure(where: str, value: object, problems: Problems) -> tuple[bool | None, tuple[int, ...]]:
    """Whether failure is allowed (None: not specified), and the exit codes for which it is."""
    if value is None or isinstance(value, bool):
        return value, ()
    if not isinstance(value, dict):
        problems.add(where, "allow failure should be a hash or a boolean value")
        return None, ()
    entry = Entry(f"{where}:allow_failure", value, problems)
    entry.allow_keys(("exit_codes",))
    if value.get("exit_codes") is None:
        entry.fail("exit codes should be an array of integers or an integer")
    return False, _exit_codes(entry)


def parse_coverage(where: str, value: object, problems: Problems) -> str | None:
    if value is None:
        return None
    if not is_regexp(value):
        problems.add(f"{where}:coverage", "config must be a regular expression with re2 syntax")
        return None
    return str(value)


def _exit_codes(entry: Entry) -> tuple[int, ...]:
    value = entry.get("exit_codes")
    if value is None:
        return ()
    codes = as_list(value)
    if not codes or not all(_is_integer(code) for code in codes):
        entry.fail("exit codes should be an array of integers or an integer")
        return ()
    return tuple(codes)


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _bounded(place: str, word: str, value: int, problems: Problems) -> int:
    if value > MAX_RETRIES:
        problems.add(place, f"{word} must be less than or equal to {MAX_RETRIES}")
    elif value < 0:
        problems.add(place, f"{word} must be greater than or equal to 0")
    else:
        return value
    return 0
