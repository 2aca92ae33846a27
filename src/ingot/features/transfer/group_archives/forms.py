"""Records of an archive that are stored; what does not fit into them is passed over."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Annotated, TypeVar

import msgspec

from ingot.features.transfer.group_archives.records import PROJECT_CREATION, SUBGROUP_CREATION
from ingot.kit.regexps import encodable

Title = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
Text = Annotated[str, msgspec.Meta(max_length=1_048_576)]


class LabelForm(msgspec.Struct):
    """A label."""

    title: Title
    color: str = "#6699cc"
    description: Text | None = None


class MilestoneForm(msgspec.Struct):
    """A milestone."""

    title: Title
    iid: Annotated[int, msgspec.Meta(ge=1, le=2**31 - 1)] | None = None
    description: Text | None = None
    state: str = "active"
    start_date: date | None = None
    due_date: date | None = None


class BadgeForm(msgspec.Struct):
    """A badge."""

    link_url: str
    image_url: str
    name: str | None = None


class ListForm(msgspec.Struct):
    """A list of a board."""

    label: LabelForm | None = None
    milestone: MilestoneForm | None = None


class BoardForm(msgspec.Struct):
    """A board."""

    name: Title
    hide_backlog_list: bool = False
    hide_closed_list: bool = False
    weight: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] | None = None
    milestone: MilestoneForm | None = None
    labels: list[LabelForm] = msgspec.field(default_factory=list)
    lists: list[ListForm] = msgspec.field(default_factory=list)


class PersonForm(msgspec.Struct):
    """A member as a person."""

    id: int | None = None
    public_email: str | None = None
    email: str | None = None


class MemberForm(msgspec.Struct):
    """A member."""

    access_level: int
    user: PersonForm | None = None
    expires_at: date | None = None


class GroupForm(msgspec.Struct):
    """The attributes of a group that are taken over."""

    name: str = ""
    path: str = ""
    description: str | None = None
    share_with_group_lock: bool | None = None
    require_two_factor_authentication: bool | None = None
    two_factor_grace_period: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] | None = None
    auto_devops_enabled: bool | None = None
    mentions_disabled: bool | None = None
    lfs_enabled: bool | None = None
    request_access_enabled: bool | None = None
    membership_lock: bool | None = None
    default_branch_protection: Annotated[int, msgspec.Meta(ge=0, le=4)] | None = None
    emails_disabled: bool | None = None
    project_creation_level: int | None = None
    subgroup_creation_level: int | None = None

    def options(self) -> dict[str, object]:
        """The attributes by the names of the API."""
        skipped = ("name", "path", "project_creation_level", "subgroup_creation_level")
        fields = {name: getattr(self, name) for name in self.__struct_fields__ if name not in skipped}
        for name, words in (
            ("project_creation_level", PROJECT_CREATION),
            ("subgroup_creation_level", SUBGROUP_CREATION),
        ):
            fields[name] = next((word for word, number in words.items() if number == getattr(self, name)), None)
        return {name: value for name, value in fields.items() if value is not None}


F = TypeVar("F", bound=msgspec.Struct)


def read(record: Mapping[str, object], form: type[F]) -> F | None:
    """The record, or None where it cannot be stored."""
    try:
        return msgspec.convert(_clean(record), form, strict=False)
    except (msgspec.ValidationError, RecursionError):
        return None


def read_all(records: Iterator[Mapping[str, object]], form: type[F]) -> Iterator[F]:
    """The records that can be stored."""
    for record in records:
        if (result := read(record, form)) is not None:
            yield result


def _clean(value: object) -> object:
    """Without bytes that databases refuse."""
    if isinstance(value, str):
        return encodable(value.replace("\0", ""))
    if isinstance(value, dict):
        return {str(name): _clean(one) for name, one in value.items()}
    return [_clean(one) for one in value] if isinstance(value, list) else value
