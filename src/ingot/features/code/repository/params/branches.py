"""Parameters of branches and tags."""

from ingot.kit.params import Paging, Param, Params
from ingot.kit.regexps import regexp_error


def regexp_problem(text: str) -> str | None:
    """What is wrong with a regular expression."""
    error = regexp_error(text)
    return None if error is None else f"is an invalid regexp: {error}"


class ListBranches(Paging):
    """Which branches."""

    search: str | None = Param("Part of the name; `^x` for its start, `x$` for its end.")
    regex: str | None = Param("Regular expression that the name must match.", check=regexp_problem)
    sort: str = Param("Order.", default="name_asc", one_of=("name_asc", "updated_asc", "updated_desc"))
    page_token: str | None = Param("Name of the branch after which the page starts (keyset).")


class CreateBranch(Params):
    """A new branch."""

    branch: str = Param("Name of the new branch.", required=True, blank=False)
    ref: str = Param("Branch name or commit to start from.", required=True, blank=False)


class ListTags(Paging):
    """Which tags."""

    search: str | None = Param("Part of the name; `^x` for its start, `x$` for its end.")
    order_by: str = Param("Order.", default="updated", one_of=("name", "updated", "version"))
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))
    page_token: str | None = Param("Name of the tag after which the page starts (keyset).")


class CreateTag(Params):
    """A new tag."""

    tag_name: str = Param("Name of the new tag.", required=True)
    ref: str = Param("Commit, branch or other tag to point to.", required=True)
    message: str | None = Param("Create an annotated tag with this message.")
