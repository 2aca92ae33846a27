"""The filters of the project lists, one function each; all are conditions on `projects`.

They take options of `list_forms`: what a caller sent went through `CONVERSIONS` of the list, and values are parameters.
"""

from sqlalchemy import ColumnElement, and_, false, func, not_, or_, select, true

from ingot.access.levels import GUEST, OWNER, REPORTER, Feature, Visibility
from ingot.access.tables import project_authorizations, projects
from ingot.access.visibility import is_let_in, is_member, open_levels
from ingot.features.spaces.projects.params.listing import ProjectFilters
from ingot.features.spaces.projects.tables import (
    project_languages,
    project_stars,
    project_topics,
    topics,
)
from ingot.kit.actor import Actor

Condition = ColumnElement[bool]


def base_set(actor: Actor, options: ProjectFilters) -> Condition:
    """Which projects the list starts from: `owned` before `min_access_level` before `membership` before all visible."""
    if options.owned:
        return belongs(actor, OWNER)
    if options.min_access_level is not None:
        return belongs(actor, options.min_access_level)
    if options.membership:
        return belongs(actor)
    return visible_set(actor, options)


def visible_set(actor: Actor, options: ProjectFilters) -> Condition:
    """All that the actor may see."""
    if actor.is_admin:
        return true()
    if options.visibility == "private":
        # Only members see private projects: start from the memberships.
        return belongs(actor)
    opened = projects.c.visibility.in_(open_levels(actor))
    return opened if actor.is_anonymous else or_(opened, is_member(actor))


def visible_from_level(actor: Actor, options: ProjectFilters) -> Condition:
    """All that the actor may see, or what they have the role on; administrators have every role."""
    if options.min_access_level is None or actor.is_admin:
        return visible_set(actor, options)
    return belongs(actor, options.min_access_level)


def is_everything_visible(actor: Actor, options: ProjectFilters) -> bool:
    """The base set is all that a signed-in person may see."""
    narrowed = (
        options.owned or options.membership or options.min_access_level is not None or options.visibility == "private"
    )
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


def alive(actor: Actor, options: ProjectFilters) -> list[Condition]:
    """Leaves out projects pending deletion and hidden ones, unless an administrator asks, and restricted groups."""
    result: list[Condition] = is_let_in(actor, projects.c.namespace_id)
    if not (actor.is_admin and options.include_pending_delete):
        result.append(projects.c.pending_delete.is_(false()))
    if not (actor.is_admin and options.include_hidden):
        result.append(projects.c.hidden.is_(false()))
    return result


def plain(options: ProjectFilters) -> list[Condition]:
    """Filters on columns of the project itself."""
    result: list[Condition] = []
    if options.archived is not None:
        result.append(projects.c.archived.is_(options.archived))
    if options.active is not None:
        is_active = and_(projects.c.archived.is_(false()), projects.c.marked_for_deletion_on.is_(None))
        result.append(is_active if options.active else not_(is_active))
    if options.visibility is not None:
        result.append(projects.c.visibility == int(Visibility.of(options.visibility)))
    if options.id_after is not None:
        result.append(projects.c.id > options.id_after)
    if options.id_before is not None:
        result.append(projects.c.id < options.id_before)
    return result


def moments(options: ProjectFilters) -> list[Condition]:
    """Time bounds, both inclusive."""
    result: list[Condition] = []
    if options.last_activity_after is not None:
        result.append(projects.c.last_activity_at >= options.last_activity_after)
    if options.last_activity_before is not None:
        result.append(projects.c.last_activity_at <= options.last_activity_before)
    if options.updated_after is not None:
        result.append(projects.c.updated_at >= options.updated_after)
    if options.updated_before is not None:
        result.append(projects.c.updated_at <= options.updated_before)
    return result


def personal(actor: Actor, options: ProjectFilters) -> list[Condition]:
    """Filters that depend on the caller."""
    result: list[Condition] = []
    if options.starred and not actor.is_anonymous:
        starred = select(project_stars.c.project_id).where(project_stars.c.user_id == actor.user_id)
        result.append(projects.c.id.in_(starred))
    if options.imported:
        own_imports = and_(projects.c.creator_id == actor.user_id, projects.c.import_type.is_not(None))
        result.append(false() if actor.is_anonymous else own_imports)
    if options.with_issues_enabled:
        result.append(available(actor, "issues", GUEST))
    if options.with_merge_requests_enabled:
        result.append(available(actor, "merge_requests", REPORTER))
    return result


def available(actor: Actor, feature: str, level: int) -> Condition:
    """The feature is on for the actor: `enabled`, or `private` with enough role."""
    column = projects.c[f"{feature}_access_level"]
    if actor.is_admin:
        return column > int(Feature.DISABLED)
    return or_(column >= int(Feature.ENABLED), and_(column == int(Feature.PRIVATE), is_member(actor, level)))


def related(options: ProjectFilters) -> list[Condition]:
    """Filters by topics and languages."""
    result: list[Condition] = []
    if names := options.topic:
        tagged = (
            select(project_topics.c.project_id)
            .join(topics, topics.c.id == project_topics.c.topic_id)
            .where(topics.c.name.in_(names))
        )
        if len(names) > 1:  # all of them
            tagged = tagged.group_by(project_topics.c.project_id).having(func.count() == len(names))
        result.append(projects.c.id.in_(tagged))
    if options.topic_id is not None:
        result.append(
            projects.c.id.in_(select(project_topics.c.project_id).where(project_topics.c.topic_id == options.topic_id))
        )
    if options.with_programming_language:
        has_language = project_languages.c.name_lower == options.with_programming_language
        result.append(projects.c.id.in_(select(project_languages.c.project_id).where(has_language)))
    return result


def licensed(options: ProjectFilters) -> list[Condition]:
    """Filters of the paid tiers; ignored below them."""
    result: list[Condition] = []
    if options.marked_for_deletion_on is not None:
        result.append(projects.c.marked_for_deletion_on == options.marked_for_deletion_on)
    if options.repository_checksum_failed:
        result.append(projects.c.repository_checksum_failed.is_(True))
    if options.wiki_checksum_failed:
        result.append(projects.c.wiki_checksum_failed.is_(True))
    return result


def administrative(actor: Actor, options: ProjectFilters) -> list[Condition]:
    """Filters for administrators; ignored for others."""
    result: list[Condition] = []
    if not actor.is_admin:
        return result
    if options.repository_storage is not None:
        result.append(projects.c.repository_storage == options.repository_storage)
    return result
