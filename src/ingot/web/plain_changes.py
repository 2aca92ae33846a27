"""Changes that are no merge request's: of a commit, or between two revisions."""

from collections.abc import Sequence

from ingot.access.subjects import Project
from ingot.web.answers import Diff
from ingot.web.call import PageCall
from ingot.web.chosen_changes import with_context
from ingot.web.diff_lines import Talk
from ingot.web.diffs import add_pictures, chosen, list_matching, present_diffs
from ingot.web.sending import text
from ingot.web.shown_changes import OF_PAGE, Look, hides_white_space, is_in_two_columns, look_queries, shown_query


def plain_changes(
    call: PageCall,
    diffs: Sequence[Diff],
    base: str | None,
    head: str | None,
    talk: Talk | None = None,
    base_project: Project | None = None,
) -> dict[str, object]:
    """What the template of changed files shows, as the visitor wishes to see them; the base may be elsewhere."""
    wishes = {} if call.actor.is_anonymous else call.ask_or_none("/user/preferences") or {}
    look = Look(hides_white_space(call, wishes), is_in_two_columns(call))
    alone = text(call, "file")
    shown = with_context(call, chosen(diffs, alone), head) if alone else diffs
    files, cut = present_diffs(
        shown, talk=talk, hides_space=look.hides_space, is_split=look.is_split, shared=call.services.shared_cache
    )
    old_raw = f"/{(base_project or call.project).full_path}/-/raw"
    add_pictures(files, shown, f"/{call.project.full_path}/-/raw", base, head, old_raw)
    list_matching(files, text(call, "list"))
    return {
        "files": files, "cut": cut, "columns": look, "is_alone": bool(alone), "page_query": shown_query(call, OF_PAGE),
        **look_queries(call, look),
    }  # fmt: skip
