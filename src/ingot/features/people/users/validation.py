"""Validation of user names, addresses and profile texts, with GitLab's messages."""

from collections.abc import Mapping

from ingot.access.names import group_path_problems
from ingot.identity import passwords
from ingot.kit.patterns import pattern
from ingot.kit.running_addresses import runs_in_browser

EMAIL = pattern(r"[^@\s<>]+@[^@\s<>]+")
LENGTHS = {
    "name": 255, "bio": 255, "location": 255, "organization": 255, "job_title": 255, "pronouns": 50, "skype": 500,
    "linkedin": 500, "twitter": 500, "discord": 500, "website_url": 2048,
}  # fmt: skip


def problems_of(values: Mapping[str, object], rules: passwords.PasswordRules | None = None) -> dict[str, list[str]]:
    """Everything wrong with these values of a user, by attribute."""
    result: dict[str, list[str]] = {}
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    if "email" in values:
        result["email"] = _email(texts.get("email"))
    if "username" in values:
        result["username"] = username_problems(texts.get("username", ""))
    if "name" in values and not texts.get("name", "").strip():
        result["name"] = ["can't be blank"]
    for name, longest in LENGTHS.items():
        if len(texts.get(name, "")) > longest:
            result.setdefault(name, []).append(f"is too long (maximum is {longest} characters)")
    if runs_in_browser(texts.get("website_url", "")):
        result["website_url"] = ["is blocked: Only allowed schemes are http, https"]
    for name in ("public_email", "commit_email"):
        if texts.get(name):
            result[name] = _email(texts[name])
    limit = values.get("projects_limit")
    if isinstance(limit, int) and not 0 <= limit <= 2_147_483_647:
        result["projects_limit"] = [
            "must be greater than or equal to 0" if limit < 0 else "must be less than or equal to 2147483647"
        ]
    if "password" in texts:
        personal = [texts.get(name, "") for name in ("username", "name", "email")]
        result["password"] = passwords.problems(texts["password"], *personal, rules=rules)
    return {name: problems for name, problems in result.items() if problems}


def username_problems(username: str) -> list[str]:
    """What is wrong with a user name; it shares its rules with the paths of top-level groups."""
    return group_path_problems(username, top_level=True) if username.strip() else ["can't be blank"]


def _email(address: str | None) -> list[str]:
    if not (address or "").strip():
        return ["can't be blank"]
    if len(address or "") > 255:
        return ["is too long (maximum is 255 characters)"]
    return [] if EMAIL.fullmatch(address or "") else ["is invalid"]
