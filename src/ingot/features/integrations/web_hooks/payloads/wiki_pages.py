"""Payloads of wiki pages."""

from urllib.parse import quote

from ingot.access import ssh_addresses
from ingot.features.code.wikis import WikiPageRow, wiki_pages
from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import Blocks, Payload
from ingot.kit.changes import Change

ACTIONS = {"create": "create", "update": "update", "delete": "delete", "test": "create"}


def messages(blocks: Blocks, change: Change) -> list[Message]:
    """The message of a page that is new, changed or gone. Its content and the commit's message are late parts.

    Hooks of a group hear of pages of the group's own wiki without any of its data.
    """
    subject = f"wiki_page:{change.record_id}"
    if change.project_id is None:
        return [Message("wiki_page_events", subject, {}, kinds=("group",))]
    row: WikiPageRow | None = blocks.row(wiki_pages, change.record_id)
    if row is None or change.action not in ACTIONS:
        return []
    sha, blob_id = str(change.details["sha"] or ""), str(change.details["blob_id"])
    url = f"{blocks.project_url(change.project_id)}/-/wikis"
    page_url = f"{url}/{quote(row.slug)}"
    attributes: Payload = {
        "slug": row.slug,
        "title": row.title,
        "format": row.format,
        "message": "",
        "content": "",
        "version_id": sha,
        "url": page_url,
        "diff_url": f"{page_url}/diff?version_id={sha}",
        "action": ACTIONS[change.action],
    }
    payload: Payload = {
        "object_kind": "wiki_page",
        "user": blocks.user(change.user_id),
        "project": blocks.project(change.project_id),
        "wiki": _wiki(blocks, change.project_id, url, str(change.details["branch"])),
        "object_attributes": attributes,
    }
    part = {"kind": "wiki_page", "project_id": change.project_id, "sha": sha, "blob_id": blob_id}
    return [Message("wiki_page_events", subject, payload, late_parts=[{**part, "at": ["object_attributes", ""]}])]


def _wiki(blocks: Blocks, project_id: int, url: str, branch: str) -> Payload:
    path = f"{blocks.project_row(project_id).full_path}.wiki"
    return {
        "web_url": url,
        "git_ssh_url": ssh_addresses.url_of(blocks.host, path),
        "git_http_url": f"{blocks.base_url}/{path}.git",
        "path_with_namespace": path,
        "default_branch": branch,
    }
