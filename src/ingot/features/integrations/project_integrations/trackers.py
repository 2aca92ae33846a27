"""Issues of other trackers that texts name: `ABC-1`, where an integration says where they are."""

from urllib.parse import quote

import msgspec
from sqlalchemy import Connection

from ingot.features.integrations.project_integrations.queries import Place, active_ones
from ingot.kit.patterns import pattern

JIRA = "jira"
_KEYS = pattern(r"\b[A-Z][A-Z0-9_]{1,30}-[1-9][0-9]{0,8}\b")


class _Settings(msgspec.Struct):
    url: str = ""
    issues_url: str = ""
    project_keys: list[str] | None = None


def tracked_issues(conn: Connection, project_id: int, text: str, most: int) -> dict[str, str]:
    """Addresses of the issues that a text names, by their keys; nothing is asked where it names none."""
    keys = sorted(set(_KEYS.findall(text)))[:most]
    if not keys:
        return {}
    links: dict[str, str] = {}
    # Jira last, so that it wins.
    for row in sorted(conn.execute(active_ones(Place("project", project_id))), key=lambda row: row.slug == JIRA):
        settings = msgspec.convert(row.properties, _Settings)
        links |= {key: address for key in keys if (address := _address(row.slug == JIRA, settings, key))}
    return links


def _address(is_jira: bool, settings: _Settings, key: str) -> str:
    if not is_jira:
        return settings.issues_url.replace(":id", quote(key, safe="")) if ":id" in settings.issues_url else ""
    if settings.project_keys and key.rpartition("-")[0] not in settings.project_keys:
        return ""
    return f"{settings.url.rstrip('/')}/browse/{key}" if settings.url else ""
