"""Parameters of feature flags and their user lists."""

from collections.abc import Mapping
from typing import Self

from ingot.kit.errors import Failure, ParamError
from ingot.kit.params import CursorPaging, Param, Params


class Scope(Params):
    """An environment of a strategy."""

    id: int | None = Param("An existing one, to change or remove.")
    environment_scope: str | None = Param("Name of the environment; `*` stands for anything.")
    destroy: bool | None = Param("Remove it.", wire="_destroy")


class Strategy(Params):
    """For whom a flag is on."""

    id: int | None = Param("An existing one, to change or remove.")
    name: str | None = Param("`default`, `userWithId`, `gradualRolloutUserId`, `flexibleRollout` or `gitlabUserList`.")
    parameters: dict[str, str] | None = Param("What the strategy needs; all values are texts.")
    user_list_id: int | None = Param("Of `gitlabUserList`: the list's id.")
    scopes: list[Scope] = Param("The environments that it is for.")
    destroy: bool | None = Param("Remove it.", wire="_destroy")


class ListFlags(CursorPaging):
    """Filters of feature flags."""

    scope: str | None = Param("Only those that are on, or off.", one_of=("enabled", "disabled"))


class FlagPath(Params):
    """One feature flag."""

    feature_flag_name: str = Param("The flag's name.", required=True)


class CreateFlag(Params):
    """A new feature flag."""

    name: str = Param("Its name: lower-case letters, digits, `_` and `-`.", required=True)
    version: str | None = Param("Always `new_version_flag`.")
    description: str | None = Param("What it is for.")
    active: bool = Param("Whether it is on.", default=True)
    strategies: list[Strategy] = Param("For whom it is on.")


class UpdateFlag(FlagPath):
    """Changes of a feature flag; strategies without `id` are added."""

    name: str | None = Param("Another name.")
    description: str | None = Param("What it is for.")
    active: bool | None = Param("Whether it is on.")
    strategies: list[Strategy] = Param("Strategies to add, to change and to remove.")


class _UserListParams(Params):
    """What is wrong with parameters of user lists is told below `message`."""

    @classmethod
    def parse(cls, values: Mapping[str, object], prefix: str = "") -> Self:
        """Read raw wire values; raises one `Failure` naming every problem."""
        try:
            return super().parse(values, prefix)
        except ParamError as problem:
            raise Failure(400, problem.text) from None


class ListUserLists(_UserListParams, CursorPaging):
    """Filters of user lists."""

    search: str | None = Param("Part of the name.")


class UserListPath(_UserListParams):
    """One user list."""

    iid: int = Param("The list's number in the project.", required=True)


class CreateUserList(_UserListParams):
    """A new user list."""

    name: str = Param("Its name.", required=True)
    user_xids: str = Param("User IDs as used by the application, separated by commas.", required=True)


class UpdateUserList(UserListPath):
    """Changes of a user list."""

    name: str | None = Param("Its name.")
    user_xids: str | None = Param("User IDs as used by the application, separated by commas.")
