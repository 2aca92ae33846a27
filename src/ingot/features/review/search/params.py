"""Parameters of the three searches."""

from ingot.kit.params import Paging, Param

RECORDS = ("issues", "merge_requests", "milestones", "users")
CODE = ("notes", "commits", "blobs", "wiki_blobs")
INSTANCE_SCOPES = ("projects", *RECORDS, "snippet_titles", *CODE)
GROUP_SCOPES = ("projects", *RECORDS, *CODE)
PROJECT_SCOPES = (*RECORDS, *CODE)


class Search(Paging):
    """What is searched for, and where."""

    search: str = Param("What to search for.", required=True)
    scope: str = Param("Kind of records.", required=True, one_of=INSTANCE_SCOPES)
    state: str = Param(
        "State of issues and merge requests.", default="all", one_of=("all", "opened", "closed", "merged")
    )
    confidential: bool | None = Param("Only confidential issues, or only others.")
    order_by: str = Param("Order.", default="created_at", one_of=("created_at",))
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))
    search_type: str | None = Param("`basic` is offered.", one_of=("basic", "advanced", "zoekt"))
    fields_: list[str] = Param("Needs advanced search, which is not offered.", wire="fields", comma=True)
    regex: bool | None = Param("Needs exact code search, which is not offered.")
    exclude_forks: bool | None = Param("Needs exact code search, which is not offered.")
    num_context_lines: int | None = Param("Needs advanced search, which is not offered.")


class SearchEverywhere(Search):
    """A search of the instance."""

    include_archived: bool = Param("Search archived projects too.", default=False)


class SearchGroup(SearchEverywhere):
    """A search of a group and its subgroups."""

    scope: str = Param("Kind of records.", required=True, one_of=GROUP_SCOPES)


class SearchProject(Search):
    """A search of a project."""

    scope: str = Param("Kind of records.", required=True, one_of=PROJECT_SCOPES)
    ref: str | None = Param("Branch or tag of `blobs`, `commits` and `wiki_blobs`; else the default branch.")
