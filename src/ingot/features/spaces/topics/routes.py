"""Endpoints of topics: everybody reads, administrators write."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import delete, insert, literal_column, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, ANYONE
from ingot.features.people.avatars import avatar_problems, replace_avatar
from ingot.features.spaces.projects import project_topics, recount_topics, topics
from ingot.features.spaces.topics.queries import visible_topics, without_projects
from ingot.features.spaces.topics.rows import VisibleTopicRow
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Invalid, NotFound
from ingot.kit.letter_case import contains
from ingot.kit.params import Paging, Param, Params, UploadedFile

routes = Routes("Topics")


class Topic(Entity, kw_only=True):
    """A topic with the number of its projects."""

    id: int
    name: str
    title: str
    description: str | None
    total_projects_count: int
    organization_id: int
    avatar_url: str | None


class ListTopics(Paging):
    """Filters of the topics."""

    search: str | None = Param("Part of the name or title.")
    without_projects: bool | None = Param("Only topics without projects (administrators).")


class TopicTexts(Params):
    """Attributes of a topic."""

    title: str | None = Param("Title.")
    description: str | None = Param("Description.")
    avatar: UploadedFile | None = Param("Image of up to 200 KB; empty removes the avatar.")


class CreateTopic(TopicTexts):
    """A new topic."""

    name: str = Param("Name.", required=True)
    title: str = Param("Title.", required=True)


class EditTopic(TopicTexts):
    """A changed topic."""

    name: str | None = Param("Name.")


class MergeTopics(Params):
    """Two topics to merge."""

    source_topic_id: int = Param("The topic that is deleted.", required=True)
    target_topic_id: int = Param("The topic that stays.", required=True)


@routes.get("/topics", guard=ANYONE, params=ListTopics, returns=list[Topic])
def list_topics(call: Call[ListTopics]) -> Answer:
    """Topics, the most used first."""
    query = visible_topics(call.actor)
    if call.params.search:
        words = call.params.search.strip().lower()
        query = query.where(topics.c.name_lower.contains(words, autoescape=True) | contains(topics.c.title, words))
    if call.params.without_projects:
        query = without_projects(query, call.actor)
    query = query.order_by(literal_column("visible_count").desc(), topics.c.id)
    return call.page(query, _present)


def _present(call: Call, rows: Sequence[VisibleTopicRow]) -> list[Topic]:
    return [_shown(row, call.base_url) for row in rows]


@routes.get("/topics/{id:int}", guard=ANYONE, returns=Topic)
def get_topic(call: Call) -> Answer:
    """One topic."""
    return _shown(_get(call, int(call.path["id"])), call.base_url)


@routes.post("/topics", guard=ADMINISTRATOR, params=CreateTopic, returns=Topic)
def create_topic(call: Call[CreateTopic]) -> Answer:
    """Create a topic (administrators)."""
    options, moment = call.params, now()
    values = _values(options.given())
    _check_avatar(options.avatar)
    with call.write() as tx:
        created = insert(topics).values(**values, created_at=moment, updated_at=moment).returning(topics.c.id)
        try:
            topic_id = tx.execute(created).scalar_one()
        except IntegrityError:
            raise Invalid({"name": ["has already been taken"]}) from None
    if options.avatar is not None:
        replace_avatar(call.services, topics, "topic", topic_id, options.avatar)
    return _shown(_get(call, topic_id), call.base_url)


@routes.put("/topics/{id:int}", guard=ADMINISTRATOR, params=EditTopic, returns=Topic)
def edit_topic(call: Call[EditTopic]) -> Answer:
    """Change a topic (administrators)."""
    topic = _get(call, int(call.path["id"]))
    _check_avatar(call.params.avatar)
    with call.write() as tx:
        changed = update(topics).where(topics.c.id == topic.id)
        try:
            tx.execute(changed.values(**_values(call.params.given()), updated_at=now()))
        except IntegrityError:
            raise Invalid({"name": ["has already been taken"]}) from None
    if "avatar" in call.params.sent:
        replace_avatar(call.services, topics, "topic", topic.id, call.params.avatar)
    return _shown(_get(call, topic.id), call.base_url)


@routes.delete("/topics/{id:int}", guard=ADMINISTRATOR)
def delete_topic(call: Call) -> Answer:
    """Delete a topic (administrators)."""
    topic = _get(call, int(call.path["id"]))
    with call.write() as tx:
        call.delete_rows(tx, topics, topics.c.id == topic.id)


@routes.post("/topics/merge", guard=ADMINISTRATOR, params=MergeTopics, returns=Topic)
def merge_topics(call: Call[MergeTopics]) -> Answer:
    """Move the projects of one topic to another and delete the first (administrators)."""
    source, target = _get(call, call.params.source_topic_id), _get(call, call.params.target_topic_id)
    if source.id == target.id:
        raise Invalid({"base": ["The source topic and the target topic are identical."]})
    with call.write() as tx:
        both = select(project_topics.c.project_id).where(project_topics.c.topic_id == target.id)
        moved = update(project_topics).where(
            project_topics.c.topic_id == source.id, project_topics.c.project_id.not_in(both)
        )
        tx.execute(moved.values(topic_id=target.id))
        tx.execute(delete(topics).where(topics.c.id == source.id))
        recount_topics(tx, {target.id})
    return _shown(_get(call, target.id), call.base_url)


def _check_avatar(upload: UploadedFile | None) -> None:
    if problems := avatar_problems(upload):
        raise Invalid({"avatar": problems})


def _values(given: dict[str, object]) -> dict[str, Any]:
    texts = {name: value for name, value in given.items() if name != "avatar"}
    result = {name: value for name, value in texts.items() if value is not None or name == "description"}
    for name in ("name", "title"):
        if name in result and not str(result[name]).strip():
            raise Invalid({name: ["can't be blank"]})
        if len(str(result.get(name, ""))) > 255:
            raise Invalid({name: ["is too long (maximum is 255 characters)"]})
    if len(str(result.get("description") or "")) > 1024:
        raise Invalid({"description": ["is too long (maximum is 1024 characters)"]})
    if "name" in result:
        result["name_lower"] = str(result["name"]).lower()
    return result


def _get(call: Call, topic_id: int) -> VisibleTopicRow:
    row = call.conn.execute(visible_topics(call.actor).where(topics.c.id == topic_id)).one_or_none()
    if row is None:
        raise NotFound("Topic")
    return row


def _shown(row: VisibleTopicRow, base_url: str) -> Topic:
    picture = row.avatar.rsplit("/", 1)[-1] if row.avatar else None
    return Topic(
        id=row.id,
        name=row.name,
        title=row.title,
        description=row.description,
        total_projects_count=row.visible_count,
        organization_id=1,
        avatar_url=f"{base_url}/uploads/-/system/projects/topic/avatar/{row.id}/{picture}" if picture else None,
    )
