"""Validation of user names, addresses and profile texts, with GitLab's messages."""

from collections.abc import Mapping
from typing import Any

from ingot.access.names import group_path_problems
from ingot.identity import passwords
from ingot.kit.patterns import pattern
from ingot.kit.running_addresses import runs_in_browser

EMAIL = pattern(r"[^@\s<>]+@[^@\s<>]+")
LENGTHS = {
    "name": 255, "bio": 255, "location": 255, "organization": 255, "job_title": 255, "pronouns": 50, "skype": 500,
    "linkedin": 500, "twitter": 500, "discord": 500, "website_url": 2048,
}  # fmt: skip


def problems_of(values: Mapping[str, Any], minimum_password: int = passwords.MINIMUM) -> dict[str, list[str]]:
    """Everything wrong with these values of a user, by attribute."""
    result: dict[str, list[str]] = {}
    if "email" in values:
        result["email"] = _email(values["email"])
    if "username" in values:
        result["username"] = username_problems(values["username"] or "")
    if "name" in values and not (values["name"] or "").strip():
        result["name"] = ["can't be blank"]
    for name, longest in LENGTHS.items():
        if len(values.get(name) or "") > longest:
            result.setdefault(name, []).append(f"is too long (maximum is {longest} characters)")
    if runs_in_browser(values.get("website_url") or ""):
        result["website_url"] = ["is blocked: Only allowed schemes are http, https"]
    for name in ("public_email", "commit_email"):
        if values.get(name):
            result[name] = _email(values[name])
    limit = values.get("projects_limit")
    if limit is not None and not 0 <= limit <= 2_147_483_647:
        result["projects_limit"] = [
            "must be greater than or equal to 0" if limit < 0 else "must be less than or equal to 2147483647"
        ]
    if values.get("password") is not None:
        personal = [values.get(name) or "" for name in ("username", "name", "email")]
        result["password"] = passwords.problems(values["password"], *personal, minimum=minimum_password)
    return {name: texts for name, texts in result.items() if texts}


def username_problems(username: str) -> list[str]:
    """What is wrong with a user name; it shares its rules with the paths of top-level groups."""
    return group_path_problems(username, top_level=True) if username.strip() else ["can't be blank"]


def _email(address: str | None) -> list[str]:
    if not (address or "").strip():
        return ["can't be blank"]
    if len(address or "") > 255:
        return ["is too long (maximum is 255 characters)"]
    return [] if EMAIL.fullmatch(address or "") else ["is invalid"]
