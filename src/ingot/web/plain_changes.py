"""Changes that are no merge request's: of a commit, or between two revisions."""

from collections.abc import Sequence

from ingot.access.subjects import Project
from ingot.features.spaces.projects import repository_of
from ingot.web.answers import Diff
from ingot.web.call import PageCall
from ingot.web.chosen_changes import with_all_lines, with_context
from ingot.web.diff_lines import Talk
from ingot.web.file_facts import commits_between
from ingot.web.file_tree import Places, file_tree
from ingot.web.sending import text
from ingot.web.shown_changes import (
    CHOICES,
    OF_PAGE,
    Look,
    hides_white_space,
    is_in_two_columns,
    look_queries,
    shown_query,
)
from ingot.web.shown_files import Showing, add_pictures, chosen, present_diffs


def plain_changes(
    call: PageCall,
    diffs: Sequence[Diff],
    base: str | None,
    head: str | None,
    talk: Talk | None = None,
    base_project: Project | None = None,
    *,
    from_merge_base: bool = False,
) -> dict[str, object]:
    """What the template of changed files shows, as the visitor wishes to see them; the base may be elsewhere."""
    wishes = {} if call.actor.is_anonymous else call.ask_or_none("/user/preferences") or {}
    look = Look(hides_white_space(call, wishes), is_in_two_columns(call))
    alone = text(call, "file")
    shown = chosen(diffs, alone)
    repository = repository_of(call.services, call.project)
    is_here = base_project is None or base_project.id == call.project.id
    ends = commits_between(repository, base, head, from_merge_base=from_merge_base) if is_here else None
    if alone:
        shown = with_context(call, with_all_lines(call, shown, ends), head)
    how = Showing.of(call, look, repository, ends)
    files, cut = present_diffs(shown, how, talk, call.services.shared_cache)
    places = Places(shown_query(call, CHOICES), is_alone=bool(alone))
    old_raw = f"/{(base_project or call.project).full_path}/-/raw"
    add_pictures(files, shown, f"/{call.project.full_path}/-/raw", base, head, old_raw)
    return {
        "listed_files": file_tree(files, how.stats, places, text(call, "list")),
        "file_places": {"base": base if is_here else "", "head": head},
        "files": files, "cut": cut, "columns": look, "is_alone": bool(alone), "page_query": shown_query(call, OF_PAGE),
        **look_queries(call, look),
    }  # fmt: skip
