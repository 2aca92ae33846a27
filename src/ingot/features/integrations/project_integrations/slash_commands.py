"""Commands that people type in a chat service, which sends them here with the token of the integration."""

import hmac

from sqlalchemy import ColumnElement, select

from ingot.access.call import Call
from ingot.access.policy import ANYONE_MAY_WRITE
from ingot.access.tables import projects
from ingot.features.integrations.project_integrations import queries
from ingot.features.integrations.project_integrations.commands import secrets_of
from ingot.features.integrations.project_integrations.params import TriggerCommand
from ingot.features.integrations.project_integrations.queries import Place
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import NotFound

NOBODY_IS_KNOWN = (
    "Chat users are not linked to accounts on this server, so commands cannot change anything. Open {web_url}"
)
LONGEST_NUMBER = 19  # digits that no id has
routes = Routes("Integrations", guard=ANYONE_MAY_WRITE)


class ChatAnswer(Entity):
    """What the chat service shows to who typed the command."""

    response_type: str
    text: str


@routes.post(
    "/projects/{id}/integrations/slack_slash_commands/trigger", params=TriggerCommand, returns=ChatAnswer, status=200
)
def trigger_slack_command(call: Call[TriggerCommand]) -> Answer:
    """Answer a command typed in Slack."""
    return _answer(call, "slack-slash-commands")


@routes.post(
    "/projects/{id}/integrations/mattermost_slash_commands/trigger",
    params=TriggerCommand,
    returns=ChatAnswer,
    status=200,
)
def trigger_mattermost_command(call: Call[TriggerCommand]) -> Answer:
    """Answer a command typed in Mattermost."""
    return _answer(call, "mattermost-slash-commands")


def _answer(call: Call[TriggerCommand], slug: str) -> ChatAnswer:
    """Only the token opens: who does not have it is not told whether there is such a project."""
    project = call.conn.execute(
        select(projects.c.id, projects.c.full_path).where(_named(call.path["id"]))
    ).one_or_none()
    row = None if project is None else queries.find(call.conn, Place("project", project.id), slug)
    if project is None or row is None or not row.active:
        raise NotFound("Integration")
    expected = secrets_of(call.services, row).get("token") or ""
    if not expected or not hmac.compare_digest(expected.encode(), call.params.token.encode("utf-8", "replace")):
        raise NotFound("Integration")
    text = NOBODY_IS_KNOWN.format(web_url=f"{call.base_url}/{project.full_path}")
    return ChatAnswer(response_type="ephemeral", text=text)


def _named(id_or_path: str) -> ColumnElement[bool]:
    if id_or_path.isascii() and id_or_path.isdigit():
        return projects.c.id == (int(id_or_path) if len(id_or_path) < LONGEST_NUMBER else 0)
    return projects.c.full_path_lower == id_or_path.lower()
