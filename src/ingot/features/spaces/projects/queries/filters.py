"""The filters of the project lists, one function each; all are conditions on `projects`."""

from sqlalchemy import ColumnElement, and_, false, func, not_, or_, select, true

from ingot.access.levels import GUEST, OWNER, REPORTER, Feature, Visibility
from ingot.access.tables import project_authorizations, projects
from ingot.access.visibility import is_member, open_levels
from ingot.features.people.custom_attributes import has_attributes, project_custom_attributes
from ingot.features.spaces.projects.params.listing import ProjectFilters
from ingot.features.spaces.projects.tables import (
    project_languages,
    project_stars,
    project_topics,
    topics,
)
from ingot.kit.actor import Actor
from ingot.kit.clock import through
from ingot.settings import Settings

Condition = ColumnElement[bool]


def base_set(actor: Actor, wish: ProjectFilters) -> Condition:
    """Which projects the list starts from: `owned` before `min_access_level` before `membership` before all visible."""
    if wish.owned:
        return belongs(actor, OWNER)
    if wish.min_access_level is not None:
        return belongs(actor, wish.min_access_level)
    if wish.membership:
        return belongs(actor)
    return visible_set(actor, wish)


def visible_set(actor: Actor, wish: ProjectFilters) -> Condition:
    """All that the actor may see."""
    if actor.is_admin:
        return true()
    if wish.visibility == "private":
        # Nobody sees a private project without belonging to it: start from the memberships.
        return belongs(actor)
    opened = projects.c.visibility.in_(open_levels(actor))
    return opened if actor.is_anonymous else or_(opened, is_member(actor))


def is_everything_visible(actor: Actor, wish: ProjectFilters) -> bool:
    """The base set is all that a signed-in person may see."""
    narrowed = wish.owned or wish.membership or wish.min_access_level is not None or wish.visibility == "private"
    return not (narrowed or actor.is_admin or actor.is_anonymous)


def visible_parts(actor: Actor) -> tuple[Condition, Condition]:
    """The same set in two parts without a common project: open to the actor, and seen by membership alone."""
    opened = projects.c.visibility.in_(open_levels(actor))
    return opened, and_(not_(opened), belongs(actor))


def belongs(actor: Actor, level: int = 0) -> Condition:
    """The actor is authorised on the project, directly, by inheritance or by a share."""
    if actor.is_anonymous:
        return false()
    rights = project_authorizations
    own = select(rights.c.project_id).where(rights.c.user_id == actor.user_id)
    return projects.c.id.in_(own.where(rights.c.access_level >= level) if level else own)


def alive(actor: Actor, wish: ProjectFilters) -> list[Condition]:
    """Projects on their way out, and hidden ones, are for administrators who ask."""
    found: list[Condition] = []
    if not (actor.is_admin and wish.include_pending_delete):
        found.append(projects.c.pending_delete.is_(false()))
    if not (actor.is_admin and wish.include_hidden):
        found.append(projects.c.hidden.is_(false()))
    return found


def plain(wish: ProjectFilters) -> list[Condition]:
    """Filters on columns of the project itself."""
    found: list[Condition] = []
    if wish.archived is not None:
        found.append(projects.c.archived.is_(wish.archived))
    if wish.active is not None:
        is_active = and_(projects.c.archived.is_(false()), projects.c.marked_for_deletion_on.is_(None))
        found.append(is_active if wish.active else not_(is_active))
    if wish.visibility is not None:
        found.append(projects.c.visibility == int(Visibility.of(wish.visibility)))
    if wish.id_after is not None:
        found.append(projects.c.id > wish.id_after)
    if wish.id_before is not None:
        found.append(projects.c.id < wish.id_before)
    return found


def moments(wish: ProjectFilters) -> list[Condition]:
    """Bounds in time, both inclusive."""
    found: list[Condition] = []
    if wish.last_activity_after is not None:
        found.append(projects.c.last_activity_at >= wish.last_activity_after)
    if wish.last_activity_before is not None:
        found.append(projects.c.last_activity_at <= through(wish.last_activity_before))
    if wish.updated_after is not None:
        found.append(projects.c.updated_at >= wish.updated_after)
    if wish.updated_before is not None:
        found.append(projects.c.updated_at <= through(wish.updated_before))
    return found


def personal(actor: Actor, wish: ProjectFilters) -> list[Condition]:
    """Filters that speak of the caller."""
    found: list[Condition] = []
    if wish.starred and not actor.is_anonymous:
        starred = select(project_stars.c.project_id).where(project_stars.c.user_id == actor.user_id)
        found.append(projects.c.id.in_(starred))
    if wish.imported:
        mine = and_(projects.c.creator_id == actor.user_id, projects.c.import_type.is_not(None))
        found.append(false() if actor.is_anonymous else mine)
    if wish.with_issues_enabled:
        found.append(available(actor, "issues", GUEST))
    if wish.with_merge_requests_enabled:
        found.append(available(actor, "merge_requests", REPORTER))
    return found


def available(actor: Actor, feature: str, level: int) -> Condition:
    """The feature is on for the actor: `enabled`, or `private` with enough role."""
    column = projects.c[f"{feature}_access_level"]
    if actor.is_admin:
        return column > int(Feature.DISABLED)
    return or_(column >= int(Feature.ENABLED), and_(column == int(Feature.PRIVATE), is_member(actor, level)))


def related(wish: ProjectFilters) -> list[Condition]:
    """Filters by topics and languages."""
    found: list[Condition] = []
    if names := set(wish.topic):
        tagged = (
            select(project_topics.c.project_id)
            .join(topics, topics.c.id == project_topics.c.topic_id)
            .where(topics.c.name.in_(names))
        )
        if len(names) > 1:  # all of them
            tagged = tagged.group_by(project_topics.c.project_id).having(func.count() == len(names))
        found.append(projects.c.id.in_(tagged))
    if wish.topic_id is not None:
        found.append(
            projects.c.id.in_(select(project_topics.c.project_id).where(project_topics.c.topic_id == wish.topic_id))
        )
    if wish.with_programming_language:
        spoken = project_languages.c.name_lower == wish.with_programming_language.lower()
        found.append(projects.c.id.in_(select(project_languages.c.project_id).where(spoken)))
    return found


def licensed(wish: ProjectFilters, tiers: Settings) -> list[Condition]:
    """Filters of the paid tiers; ignored below them."""
    found: list[Condition] = []
    if not tiers.has_tier("premium"):
        return found
    if wish.marked_for_deletion_on is not None:
        found.append(projects.c.marked_for_deletion_on == wish.marked_for_deletion_on)
    if wish.repository_checksum_failed:
        found.append(projects.c.repository_checksum_failed.is_(True))
    if wish.wiki_checksum_failed:
        found.append(projects.c.wiki_checksum_failed.is_(True))
    return found


def administrative(actor: Actor, wish: ProjectFilters) -> list[Condition]:
    """Filters that only administrators have; others send them in vain."""
    found: list[Condition] = []
    if not actor.is_admin:
        return found
    if wish.repository_storage is not None:
        found.append(projects.c.repository_storage == wish.repository_storage)
    if wish.custom_attributes:
        found.append(has_attributes(project_custom_attributes, projects.c.id, wish.custom_attributes))
    return found
