"""Who is mailed: people who take part, watch or chose it, who may read the thing, and who did not do it themselves."""

from collections.abc import Callable, Iterable, Mapping

import msgspec
from sqlalchemy import Connection, or_, select

from ingot.access.levels import PLANNER
from ingot.access.policy import READ_PROJECT
from ingot.access.subjects import Project
from ingot.access.tables import project_authorizations
from ingot.features.ci.engine import may_read_builds, pipelines, project_as
from ingot.features.integrations.notifications.happenings import Happening
from ingot.features.planning.issuable_changes import Snapshot, snapshot
from ingot.features.planning.issuables import Target, get_kind
from ingot.features.planning.labels import label_subscriptions
from ingot.features.planning.notes import NAMES_PEOPLE, notes
from ingot.features.planning.releases import READ_RELEASES
from ingot.features.planning.todos import mentioned_people, readers_of
from ingot.features.spaces.notification_settings import Level, Preferences, load_preferences, people_who_want
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.actor import Actor

# Why somebody is mailed, as the header `X-GitLab-NotificationReason` says it.
MENTIONED, ASSIGNED, REVIEWING, OWN = "mentioned", "assigned", "review_requested", "own_activity"
SUBSCRIBED, TAKING_PART, WATCHING = "subscribed", "participating", "watching"
DIRECT = (MENTIONED, ASSIGNED, REVIEWING)
# Told to those who take part, or who chose it, but not to all who watch.
NOT_WATCHED = ("push_to_merge_request",)
CHOSEN_AS = {"new_review": "new_note"}  # what has no setting of its own
MOST_NAMING = 200
# Who may read what is no issue and no merge request.
READERS: Mapping[str, Callable[[Actor, Project], bool]] = {
    "Pipeline": may_read_builds,
    "Release": READ_RELEASES.allows,
    "Project": READ_PROJECT.allows,
}
BATCH = 500


class Recipient(msgspec.Struct, frozen=True):
    """Somebody who is mailed."""

    user: UserRow
    address: str
    reason: str


def recipients(conn: Connection, happening: Happening) -> list[Recipient]:
    """The people to mail, by id."""
    if happening.type == "Pipeline":
        reasons, unsubscribed = _pipeline_people(conn, happening), set[int]()
    elif happening.type in ("Release", "Project"):
        reasons, unsubscribed = dict.fromkeys(people_who_want(conn, happening.project_id), WATCHING), set[int]()
    else:
        reasons, unsubscribed = _issuable_people(conn, happening)
    preferences = load_preferences(conn, happening.project_id, reasons)
    wanted = {
        user_id: OWN if user_id == happening.user_id else reason
        for user_id, reason in reasons.items()
        if (user_id not in unsubscribed or reason in DIRECT)
        and _is_wanted(happening, user_id, reason, preferences[user_id])
    }
    people = _people(conn, _readers(conn, happening, wanted))
    return [Recipient(user, preferences[user.id].address or user.email, wanted[user.id]) for user in people]


def _is_wanted(happening: Happening, user_id: int, reason: str, preferences: Preferences) -> bool:
    if user_id == happening.user_id and not preferences.own_activity:
        return False
    if preferences.level is Level.DISABLED:
        return False
    if preferences.level is Level.MENTION:
        return reason == MENTIONED
    if happening.type == "Pipeline":
        is_custom = preferences.level is Level.CUSTOM
        return preferences.chooses(happening.event) if is_custom else happening.event != "success_pipeline"
    if reason != WATCHING or preferences.chooses(CHOSEN_AS.get(happening.event, happening.event)):
        return True
    return preferences.level is Level.WATCH and happening.event not in NOT_WATCHED


def _pipeline_people(conn: Connection, happening: Happening) -> dict[int, str]:
    query = select(pipelines.c.user_id).where(pipelines.c.id == happening.record_id)
    return {user_id: TAKING_PART for user_id in conn.execute(query).scalars() if user_id is not None}


def _issuable_people(conn: Connection, happening: Happening) -> tuple[dict[int, str], set[int]]:
    """People with the strongest reason, and those who unsubscribed."""
    kind, state = get_kind(happening.type), snapshot(conn, _target(happening))
    links = kind.subscriptions
    query = select(links.c.user_id, links.c.subscribed).where(links.c[kind.key] == happening.record_id)
    chosen = {row.user_id: row.subscribed for row in conn.execute(query)}
    reasons: dict[int, str] = {}
    if happening.event.startswith("mention_in_"):
        return dict.fromkeys(happening.added, MENTIONED), set()
    if not happening.event.startswith("relabel_"):
        reasons |= dict.fromkeys(people_who_want(conn, happening.project_id), WATCHING)
        reasons |= dict.fromkeys(_taking_part(conn, happening, state), TAKING_PART)
        reasons |= dict.fromkeys(happening.removed, TAKING_PART)
        reasons |= dict.fromkeys((user_id for user_id, subscribed in chosen.items() if subscribed), SUBSCRIBED)
    reasons |= dict.fromkeys(_label_subscribers(conn, happening, state), SUBSCRIBED)
    is_new = _is_new(happening)
    reviewing = happening.event.startswith("change_reviewer_")
    reasons |= dict.fromkeys(state.assignees if is_new else [] if reviewing else happening.added, ASSIGNED)
    reasons |= dict.fromkeys(state.reviewers if is_new else happening.added if reviewing else [], REVIEWING)
    texts = [state.row.description] if is_new else _bodies(conn, [happening.note_id or 0, *happening.note_ids])
    reasons |= dict.fromkeys(mentioned_people(conn, *texts).values(), MENTIONED)
    return reasons, {user_id for user_id, subscribed in chosen.items() if not subscribed}


def _is_new(happening: Happening) -> bool:
    return happening.event == f"new_{get_kind(happening.type).word}"


def _target(happening: Happening) -> Target:
    return Target(happening.type, happening.record_id, happening.project_id)


def _bodies(conn: Connection, note_ids: list[int]) -> list[str]:
    return list(conn.execute(select(notes.c.body).where(notes.c.id.in_(note_ids))).scalars())


def _taking_part(conn: Connection, happening: Happening, state: Snapshot) -> set[int]:
    """Author, assignees, reviewers, who commented, and who was named."""
    here = [notes.c.noteable_type == happening.type, notes.c.noteable_id == happening.record_id]
    authors = conn.execute(select(notes.c.author_id).where(*here, ~notes.c.system).distinct()).scalars()
    naming = select(notes.c.body).where(*here, NAMES_PEOPLE).order_by(notes.c.id.desc()).limit(MOST_NAMING)
    named = mentioned_people(conn, state.row.description, *conn.execute(naming).scalars())
    people = {state.row.author_id, *authors, *state.assignees, *state.reviewers, *named.values()}
    return {user_id for user_id in people if user_id is not None}


def _label_subscribers(conn: Connection, happening: Happening, state: Snapshot) -> list[int]:
    is_new = _is_new(happening)
    labels = list(state.labels) if is_new else happening.labels
    columns = label_subscriptions.c
    return list(conn.execute(select(columns.user_id).where(columns.label_id.in_(labels))).scalars()) if labels else []


def _readers(conn: Connection, happening: Happening, wanted: Mapping[int, str]) -> list[int]:
    """Those who can read what the mail shows."""
    if happening.type in READERS:
        may_read = READERS[happening.type]
        return [user_id for user_id in wanted if _reads_project(conn, user_id, happening.project_id, may_read)]
    is_internal = _is_internal(conn, happening.note_id)
    result, ids = [], list(wanted)
    for start in range(0, len(ids), BATCH):
        allowed = readers_of(conn, _target(happening), ids[start : start + BATCH])
        result += _insiders(conn, happening.project_id, allowed) if is_internal else allowed
    return result


def _is_internal(conn: Connection, note_id: int | None) -> bool:
    """The mail shows an internal note, or one that was deleted meanwhile."""
    if note_id is None:
        return False
    return conn.execute(select(notes.c.internal).where(notes.c.id == note_id)).scalar_one_or_none() is not False


def _insiders(conn: Connection, project_id: int, user_ids: Iterable[int]) -> list[int]:
    """Those who read internal notes."""
    rights = project_authorizations.c
    member = select(rights.user_id).where(rights.project_id == project_id, rights.access_level >= PLANNER)
    query = select(users.c.id).where(users.c.id.in_(list(user_ids)), or_(users.c.is_admin, users.c.id.in_(member)))
    return list(conn.execute(query).scalars())


def _reads_project(conn: Connection, user_id: int, project_id: int, may_read: Callable[[Actor, Project], bool]) -> bool:
    actor, project = project_as(conn, user_id, project_id)
    return project is not None and may_read(actor, project)


def _people(conn: Connection, user_ids: list[int]) -> list[UserRow]:
    """People with a confirmed address; bots and blocked accounts are not mailed."""
    result: list[UserRow] = []
    ids = sorted(user_ids)
    for start in range(0, len(ids), BATCH):
        query = select(users).where(
            users.c.id.in_(ids[start : start + BATCH]),
            users.c.state == "active",
            users.c.kind == "human",
            users.c.confirmed_at.is_not(None),
        )
        result += conn.execute(query.order_by(users.c.id)).all()
    return result
