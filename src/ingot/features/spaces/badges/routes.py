"""Endpoints of badges: the same six for projects and groups."""

from sqlalchemy import insert, update

from ingot.access.call import Call
from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP, READ_GROUP, READ_PROJECT
from ingot.features.spaces.badges import queries
from ingot.features.spaces.badges.addresses import badge_problems
from ingot.features.spaces.badges.entities import Badge, RenderedBadge, present, renderer
from ingot.features.spaces.badges.params import BadgePath, CreateBadge, ListBadges, RenderBadge, UpdateBadge
from ingot.features.spaces.badges.rows import BadgeRow
from ingot.features.spaces.badges.tables import next_badge_id
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Invalid, RecordNotFound

routes = Routes("Badges", waits=True)
PROJECT, GROUP = "/projects/{id}/badges", "/groups/{id}/badges"
ONE = "/{badge_id}"


def _find(call: Call, badge_id: int) -> BadgeRow:
    row = queries.find(call, badge_id)
    if row is None:
        raise RecordNotFound
    return row


def _get(call: Call[BadgePath]) -> Badge:
    return present(call, [_find(call, call.params.badge_id)])[0]


def _list(call: Call[ListBadges]) -> Answer:
    query, keyset = queries.listed(call, call.params.name)
    return call.page(query, present, keyset=keyset)


def _render(call: Call[RenderBadge]) -> RenderedBadge:
    options, render = call.params, renderer(call)
    _check(options.given())
    return RenderedBadge(
        name=None,
        link_url=options.link_url,
        image_url=options.image_url,
        rendered_link_url=render(options.link_url),
        rendered_image_url=render(options.image_url),
    )


def _check(values: dict[str, object]) -> None:
    problems = badge_problems(values)
    if problems:
        raise Invalid(problems)


def _create(call: Call[CreateBadge]) -> Badge:
    options, moment, table = call.params, now(), queries.own_table(call)
    values = {"name": options.name, "link_url": options.link_url, "image_url": options.image_url}
    _check({**values})
    created = insert(table).values(**values, **queries.owner(call), created_at=moment, updated_at=moment)
    with call.write() as tx:
        badge_id = next_badge_id(tx)
        tx.execute(created.values(id=badge_id))
    return present(call, [_find(call, badge_id)])[0]


def _update(call: Call[UpdateBadge]) -> Badge:
    row, table = _find(call, call.params.badge_id), queries.own_table(call)
    values = {name: value for name, value in call.params.given().items() if name != "badge_id" and value is not None}
    _check(values)
    with call.write() as tx:
        tx.execute(update(table).where(table.c.id == row.id).values(**values, updated_at=now()))
    return _get(call)


def _delete(call: Call[BadgePath]) -> None:
    row, table = _find(call, call.params.badge_id), queries.own_table(call)
    with call.write() as tx:
        call.delete_rows(tx, table, table.c.id == row.id)


@routes.get(PROJECT, guard=READ_PROJECT, params=ListBadges, returns=list[Badge])
def list_project_badges(call: Call[ListBadges]) -> Answer:
    """Badges of a project and of all groups above it."""
    return _list(call)


@routes.get(GROUP, guard=READ_GROUP, params=ListBadges, returns=list[Badge])
def list_group_badges(call: Call[ListBadges]) -> Answer:
    """Badges of a group."""
    return _list(call)


@routes.get(PROJECT + "/render", guard=ADMIN_PROJECT, params=RenderBadge, returns=RenderedBadge)
def render_project_badge(call: Call[RenderBadge]) -> Answer:
    """Preview a badge of a project."""
    return _render(call)


@routes.get(GROUP + "/render", guard=OWN_GROUP, params=RenderBadge, returns=RenderedBadge)
def render_group_badge(call: Call[RenderBadge]) -> Answer:
    """Preview a badge of a group."""
    return _render(call)


@routes.get(PROJECT + ONE, guard=READ_PROJECT, params=BadgePath, returns=Badge)
def get_project_badge(call: Call[BadgePath]) -> Answer:
    """One badge of a project."""
    return _get(call)


@routes.get(GROUP + ONE, guard=READ_GROUP, params=BadgePath, returns=Badge)
def get_group_badge(call: Call[BadgePath]) -> Answer:
    """One badge of a group."""
    return _get(call)


@routes.post(PROJECT, guard=ADMIN_PROJECT, params=CreateBadge, returns=Badge)
def create_project_badge(call: Call[CreateBadge]) -> Answer:
    """Add a badge to a project (Maintainers)."""
    return _create(call)


@routes.post(GROUP, guard=OWN_GROUP, params=CreateBadge, returns=Badge)
def create_group_badge(call: Call[CreateBadge]) -> Answer:
    """Add a badge to a group (Owners)."""
    return _create(call)


@routes.put(PROJECT + ONE, guard=ADMIN_PROJECT, params=UpdateBadge, returns=Badge)
def update_project_badge(call: Call[UpdateBadge]) -> Answer:
    """Change a badge of a project (Maintainers)."""
    return _update(call)


@routes.put(GROUP + ONE, guard=OWN_GROUP, params=UpdateBadge, returns=Badge)
def update_group_badge(call: Call[UpdateBadge]) -> Answer:
    """Change a badge of a group (Owners)."""
    return _update(call)


@routes.delete(PROJECT + ONE, guard=ADMIN_PROJECT, params=BadgePath)
def delete_project_badge(call: Call[BadgePath]) -> None:
    """Remove a badge from a project (Maintainers)."""
    _delete(call)


@routes.delete(GROUP + ONE, guard=OWN_GROUP, params=BadgePath)
def delete_group_badge(call: Call[BadgePath]) -> None:
    """Remove a badge from a group (Owners)."""
    _delete(call)
