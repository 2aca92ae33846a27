"""How group settings are declared: who reads and writes them, and how they are checked."""

from dataclasses import dataclass
from enum import Enum, auto

from ingot.access.addresses import parse_ranges
from ingot.gitstore.names import is_valid_branch
from ingot.kit.catalogue import Apart, Archived, LeftOut, Setting

NO_ARCHIVES = LeftOut("groups have no archives")


class Reader(Enum):
    """Who sees a setting, and where."""

    IN_LISTS = auto()  # everyone who sees the group, also in lists
    ON_THE_GROUP = auto()  # everyone, on the single group
    ON_ROOT_GROUPS = auto()  # everyone, on a single group without a parent
    OWNERS = auto()
    OWNERS_OF_ROOT_GROUPS = auto()


class Writer(Enum):
    """Who may change a setting."""

    OWNERS = auto()
    OWNERS_LATER = auto()  # not while the group is created
    ADMINISTRATORS = auto()  # ignored when others send it


@dataclass(frozen=True, slots=True)
class GroupSetting(Setting):
    """A setting that lists show and owners change, unless it says otherwise."""

    archive: Archived | LeftOut = NO_ARCHIVES
    read_by: Reader | Apart = Reader.IN_LISTS
    written_by: Writer | Apart = Writer.OWNERS


def branch_problem(name: str) -> str | None:
    """What is wrong with the name of a branch; an empty one stands for none."""
    return "is invalid" if name and not is_valid_branch(name) else None


def address_problem(ranges: str) -> str | None:
    """Addresses and networks, with commas."""
    try:
        parse_ranges(ranges)
    except ValueError:
        return "is an invalid IP address range"
    return None
