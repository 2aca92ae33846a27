"""Storing the groups of an archive, each in one transaction."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Self, TypeVar

import msgspec
from sqlalchemy import Connection, insert, select

from ingot.access.authorizations import refresh_groups
from ingot.access.levels import MEMBER_LEVELS
from ingot.access.member_changes import report_member
from ingot.access.tables import members, namespaces
from ingot.access.turns import take_turn
from ingot.features.people.members import Source, lacks_saml_identity
from ingot.features.planning.boards import board_labels, board_lists, boards
from ingot.features.planning.labels import DEFAULT, labels, read_color
from ingot.features.planning.milestones import milestones
from ingot.features.spaces.badges import badge_problems, group_badges, next_badge_id
from ingot.features.spaces.groups import create_group, edit_group
from ingot.features.transfer.group_archives.forms import (
    BadgeForm,
    BoardForm,
    GroupForm,
    LabelForm,
    MemberForm,
    MilestoneForm,
    read,
    read_all,
)
from ingot.features.transfer.group_archives.reading import SourceGroup
from ingot.identity.tables import users
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.counters import next_value, raise_to
from ingot.kit.errors import Invalid, Unsaved
from ingot.kit.services import Services

Form = TypeVar("Form", bound=msgspec.Struct)
RELATIONS = ("groups", "labels", "milestones", "badges", "boards", "members")


class StoredGroup(msgspec.Struct, frozen=True):
    """What came of one group of the archive."""

    group_id: int  # 0 where it could not be made
    held: dict[str, int] = {}  # records in the archive, by relation
    stored: dict[str, int] = {}

    @classmethod
    def read(cls, result: object) -> Self:
        """The result of a step; earlier versions noted the id alone."""
        return cls(result) if isinstance(result, int) else msgspec.convert(result, cls)


class Records:
    """The records of one group of the archive, counted as they are read and stored."""

    def __init__(self, source: SourceGroup) -> None:
        self._source = source
        self.held, self.stored = Counter[str](groups=1), Counter[str]()

    def read(self, relation: str, form: type[Form]) -> Iterator[Form]:
        """Those that fit into the form."""
        return read_all(self._counted(relation), form)

    def _counted(self, relation: str) -> Iterator[Mapping[str, object]]:
        for record in self._source.records(relation):
            self.held[relation] += 1
            yield record

    def result(self, group_id: int) -> dict[str, object]:
        """For the step that stores the group."""
        return {"group_id": group_id, "held": dict(self.held), "stored": dict(self.stored)}


class Importer:
    """Who imports, and how people of the archive are recognised.

    Archives of this instance name people by id, those of others by mail address where an administrator imports; else
    nobody but the importer is taken along.
    """

    def __init__(self, services: Services, actor: Actor, *, own: bool) -> None:
        self.services, self.actor, self._own = services, actor, own

    def person(self, tx: Connection, form: MemberForm) -> int | None:
        """The user of this instance who is meant."""
        if form.user is None:
            return None
        if self._own:
            condition = users.c.id == form.user.id
        elif self.actor.is_admin:
            mail = (form.user.public_email or form.user.email or "").lower()
            # Only confirmed addresses identify a user.
            condition = (users.c.email_lower == mail) & users.c.confirmed_at.is_not(None)
        else:
            return None
        query = select(users.c.id).where(condition, users.c.kind == "human")
        return tx.execute(query).scalar_one_or_none()


def store_group(
    tx: Connection, importer: Importer, source: SourceGroup, known: Mapping[str, int], root: int
) -> dict[str, object]:
    """One group with all that is in it; returns a `StoredGroup` as a step records it."""
    take_turn(tx, exclusive=True)
    form = read(source.attributes, GroupForm) or GroupForm()
    records = Records(source)
    try:
        with tx.begin_nested():
            group_id = _place(tx, importer.actor, source, form, known, root)
    except (Invalid, Unsaved):
        if source.parent is not None:
            return records.result(0)
        group_id = root  # the root is there already; its attributes stay as they are
    records.stored["groups"] = 1
    named_labels = _labels(tx, records, group_id)
    named_milestones = _milestones(tx, records, group_id)
    _badges(tx, records, group_id)
    _boards(tx, records, group_id, named_labels, named_milestones)
    _members(tx, importer, records, group_id)
    return records.result(group_id)


def _place(
    tx: Connection, actor: Actor, source: SourceGroup, form: GroupForm, known: Mapping[str, int], root: int
) -> int:
    if source.parent is None:
        row = tx.execute(select(namespaces).where(namespaces.c.id == root)).one()
        edit_group(tx, actor, row, form.options())
        return root
    above = tx.execute(select(namespaces).where(namespaces.c.id == known.get(source.parent, 0))).one_or_none()
    if above is None:
        raise Invalid({"parent_id": ["is invalid"]})
    options = {**form.options(), "visibility": "private"}
    return create_group(tx, actor, name=form.name, path=form.path, parent=above, options=options)


def _labels(tx: Connection, records: Records, group_id: int) -> dict[str, int]:
    moment, result = now(), dict[str, int]()
    for form in records.read("labels", LabelForm):
        title = form.title.strip()
        if not title or title in result:
            continue
        values = {"name": title, "color": read_color(form.color) or DEFAULT, "description": form.description}
        created = insert(labels).values(group_id=group_id, created_at=moment, updated_at=moment, **values)
        result[title] = tx.execute(created.returning(labels.c.id)).scalar_one()
    records.stored["labels"] = len(result)
    return result


def _milestones(tx: Connection, records: Records, group_id: int) -> dict[str, int]:
    owner, moment = f"group:{group_id}", now()
    result, numbers = dict[str, int](), set[int]()
    forms = {form.title: form for form in records.read("milestones", MilestoneForm)}
    for form in sorted(forms.values(), key=lambda one: one.iid or 2**31):
        number = form.iid if form.iid is not None and form.iid not in numbers else None
        if number is None:
            number = next_value(tx, owner, "milestones")
        else:
            raise_to(tx, owner, "milestones", number)
        numbers.add(number)
        values = {
            "iid": number,
            "title": form.title,
            "description": form.description,
            "state": "closed" if form.state == "closed" else "active",
            "start_date": form.start_date,
            "due_date": form.due_date,
        }
        created = insert(milestones).values(group_id=group_id, created_at=moment, updated_at=moment, **values)
        result[form.title] = tx.execute(created.returning(milestones.c.id)).scalar_one()
    records.stored["milestones"] = len(result)
    return result


def _badges(tx: Connection, records: Records, group_id: int) -> None:
    moment = now()
    for form in records.read("badges", BadgeForm):
        values: dict[str, object] = {"name": form.name, "link_url": form.link_url, "image_url": form.image_url}
        if not badge_problems(values):
            values = {**values, "id": next_badge_id(tx), "group_id": group_id}
            tx.execute(insert(group_badges).values(created_at=moment, updated_at=moment, **values))
            records.stored["badges"] += 1


def _boards(
    tx: Connection, records: Records, group_id: int, titles: Mapping[str, int], named: Mapping[str, int]
) -> None:
    moment = now()
    for form in records.read("boards", BoardForm):
        values = {
            "name": form.name,
            "hide_backlog_list": form.hide_backlog_list,
            "hide_closed_list": form.hide_closed_list,
            "weight": form.weight,
            "milestone_id": named.get(form.milestone.title) if form.milestone else None,
        }
        created = insert(boards).values(group_id=group_id, created_at=moment, updated_at=moment, **values)
        board_id = tx.execute(created.returning(boards.c.id)).scalar_one()
        for label_id in {titles[one.title] for one in form.labels if one.title in titles}:
            tx.execute(insert(board_labels).values(board_id=board_id, label_id=label_id))
        _lists(tx, board_id, form, titles, named)
        records.stored["boards"] += 1


def _lists(tx: Connection, board_id: int, form: BoardForm, titles: Mapping[str, int], named: Mapping[str, int]) -> None:
    """Lists of labels and milestones of the group; those of people stay behind."""
    moment = now()
    order = [("label_id", titles.get(one.label.title)) for one in form.lists if one.label]
    order += [("milestone_id", named.get(one.milestone.title)) for one in form.lists if one.milestone]
    for position, (column, number) in enumerate(dict.fromkeys(order)):
        if number is not None:
            place = {"board_id": board_id, "position": position, column: number}
            tx.execute(insert(board_lists).values(**place, created_at=moment, updated_at=moment))


def _members(tx: Connection, importer: Importer, records: Records, group_id: int) -> None:
    """People whom we know, with their roles. Whom an identity provider must know first is left out."""
    moment, place = now(), Source("group", group_id, group_id)
    taken = set(tx.execute(select(members.c.user_id).where(members.c.group_id == group_id)).scalars())
    for form in records.read("members", MemberForm):
        user_id = importer.person(tx, form)
        if user_id in taken:
            records.stored["members"] += 1  # they are in the group already
            continue
        if user_id is None or form.access_level not in MEMBER_LEVELS:
            continue
        if lacks_saml_identity(tx, importer.services, place, user_id):
            continue
        taken.add(user_id)
        values = {"user_id": user_id, "group_id": group_id, "access_level": form.access_level}
        tx.execute(
            insert(members).values(
                **values,
                expires_at=form.expires_at,
                created_by_id=importer.actor.user_id,
                created_at=moment,
                updated_at=moment,
            )
        )
        report_member(tx, user_id, None, group_id=group_id)
        records.stored["members"] += 1
    refresh_groups(tx, [group_id])
