"""Parameters of the push mirror endpoints."""

from typing import ClassVar

from ingot.kit.params import CursorPaging, Param, Params

METHODS = ("password", "ssh_public_key")
EXCLUSIVE = (("only_protected_branches", "mirror_branch_regex"),)


class ListMirrors(CursorPaging):
    """A page of push mirrors."""


class MirrorPath(Params):
    """One push mirror."""

    mirror_id: int = Param("The mirror's id.", required=True)


class MirrorOptions(Params):
    """What is pushed, and how."""

    enabled: bool | None = Param("Whether changes are pushed on.")
    only_protected_branches: bool | None = Param("Push protected branches only.")
    keep_divergent_refs: bool | None = Param("Overwrite nothing that the mirror has and this project lacks.")
    mirror_branch_regex: str | None = Param("Push branches only whose name matches.", max_length=255)
    auth_method: str | None = Param("How an SSH address is logged in to.", one_of=METHODS)
    host_keys: list[str] = Param("Public keys of an SSH host; without any, the key of the first connection is taken.")

    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = EXCLUSIVE


class CreateMirror(MirrorOptions):
    """A new push mirror."""

    url: str = Param("Where to push to (http, https, ssh, git), with username and password.", required=True)


class UpdateMirror(MirrorOptions, MirrorPath):
    """Changes of a push mirror."""

    url: str | None = Param("Where to push to, with username and password; another address forgets the last update.")
