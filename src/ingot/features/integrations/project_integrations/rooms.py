"""Chat services: the body that each of them takes."""

from collections.abc import Iterator, Mapping

from ingot.features.integrations.project_integrations.kinds import CHAT_EVENTS
from ingot.features.integrations.project_integrations.rows import IntegrationRow
from ingot.features.integrations.project_integrations.texts import ChatText, angle_link, chat_text, markdown_link
from ingot.features.integrations.project_integrations.told import Told

Body = Mapping[str, object]
USES_ANGLES = ("slack", "hangouts-chat")


def bodies(row: IntegrationRow, flag: str, told: Told) -> Iterator[Body]:
    """What is sent, one body for each channel; nothing where the room is not told."""
    text = chat_text(told, angle_link if row.slug in USES_ANGLES else markdown_link)
    if text is None:
        return
    if row.slug in ("slack", "mattermost"):
        names = row.properties.get(CHAT_EVENTS[flag]) or row.properties.get("channel") or ""
        for channel in [name.strip() for name in str(names).split(",") if name.strip()] or [""]:
            yield _attached(row, text, channel)
    elif row.slug == "discord":
        shown = {"content": _joined(text)[:LONGEST_DISCORD], "allowed_mentions": {"parse": []}}
        yield {**shown, **_named(row)}
    elif row.slug == "microsoft-teams":
        yield {
            "@type": "MessageCard",
            "@context": "https://schema.org/extensions",
            "summary": told.project.path_with_namespace,
            "title": told.project.path_with_namespace,
            "text": _joined(text).replace("\n", "\n\n"),
        }
    else:
        yield {"text": _joined(text)}


LONGEST_DISCORD = 2000


def _joined(text: ChatText) -> str:
    return f"{text.sentence}\n{text.details}".strip()


def _named(row: IntegrationRow) -> dict[str, object]:
    name = row.properties.get("username")
    return {"username": name} if name else {}


def _attached(row: IntegrationRow, text: ChatText, channel: str) -> Body:
    body: dict[str, object] = {"text": text.sentence, **_named(row)}
    if channel:
        body["channel"] = channel
    if text.details:
        body["attachments"] = [{"fallback": text.details, "text": text.details, "color": text.colour}]
    return body
