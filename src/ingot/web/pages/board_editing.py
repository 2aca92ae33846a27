"""The form of a board: its name, what it is limited to, and its columns in their order."""

from starlette.responses import Response

from ingot.access.policy import READ_GROUP, READ_ISSUES
from ingot.web.answers import Board
from ingot.web.board_columns import titled_lists
from ingot.web.call import PageCall, View
from ingot.web.frames import group_view, project_view
from ingot.web.guards import InGroup, InProject
from ingot.web.issuable_fields import ids_of, planning_choices
from ingot.web.registry import Pages
from ingot.web.sending import done, number_in, refused, text

project = Pages("project")
group = Pages("group")
TIER = "premium"  # limits of boards, and columns of people and milestones
NOBODY = "0"
SWITCHES = ("hide_backlog_list", "hide_closed_list")
KINDS = ("label", "milestone", "assignee")


def declare(pages: Pages, place: str) -> None:
    """Register the forms of one kind of place."""
    base, view = f"/{place}s/:id", project_view if place == "project" else group_view
    one = f"{base}/boards/:board_id"
    guard = InProject(READ_ISSUES, needs_user=True) if place == "project" else InGroup(READ_GROUP, needs_user=True)

    def form(call: PageCall, problem: str = "", status: int = 200) -> View:
        board: Board = call.ask(one, board_id=call.path["number"])
        call.require("PUT", one, board_id=call.path["number"])
        labels = call.ask_or_none(f"{base}/labels", per_page="100") or []
        members = call.ask_or_none(f"{base}/members/all", per_page="100") or []
        return view(
            call, "board_form", "issues", status, board=board, problem=problem, lists=titled_lists(board),
            labels=labels, members=members, milestones=planning_choices(call)["milestones"],
            can_limit=call.services.settings.has_tier(TIER),
        )  # fmt: skip

    def show_form(call: PageCall) -> View:
        """What the board is now."""
        return form(call)

    def save(call: PageCall) -> View | Response:
        """Rename it, limit it to some issues, hide what is open or closed."""
        given: dict[str, object] = {"name": text(call, "name"), **{name: name in call.values for name in SWITCHES}}

        def work() -> None:
            if "assignee" in call.values:
                given["assignee_id"] = (ids_of(call, text(call, "assignee")) or [NOBODY])[0]
                given["milestone_id"] = text(call, "milestone_id") or NOBODY
                given.update({name: text(call, name) for name in ("labels", "weight")})
            call.ask(one, "PUT", board_id=call.path["number"], **given)

        view = refused(work, lambda problem, status: form(call, problem, status))
        return view or _back(call, "Board saved.")

    def add_list(call: PageCall) -> View | Response:
        """Add the column of a label, a milestone or a person: `label-7`."""
        kind, _, number = text(call, "of").partition("-")
        given = {f"{kind}_id": number} if kind in KINDS else {}
        view = refused(
            lambda: call.ask(f"{one}/lists", "POST", board_id=call.path["number"], **given),
            lambda problem, status: form(call, problem, status),
        )
        return view or _back(call, "Column added.")

    def move_list(call: PageCall) -> Response:
        """Put a column elsewhere."""
        where = {"board_id": call.path["number"], "list_id": call.path["column"]}
        call.ask(f"{one}/lists/:list_id", "PUT", **where, position=number_in(text(call, "position")) or 0)
        return _back(call, "Column moved.")

    def remove_list(call: PageCall) -> Response:
        """Remove a column; its issues stay as they are."""
        call.ask(f"{one}/lists/:list_id", "DELETE", board_id=call.path["number"], list_id=call.path["column"])
        return _back(call, "Column removed.")

    path = "boards/{number:int}/edit"
    pages.get(path, guard=guard)(show_form)
    pages.post(path, guard=guard)(save)
    pages.post(f"{path}/lists", guard=guard)(add_list)
    pages.post(f"{path}/lists/{{column:int}}/move", guard=guard)(move_list)
    pages.post(f"{path}/lists/{{column:int}}/remove", guard=guard)(remove_list)


def _back(call: PageCall, words: str) -> Response:
    return done(call, f"{call.own_root}/boards/{call.path['number']}/edit", words)


declare(project, "project")
declare(group, "group")
