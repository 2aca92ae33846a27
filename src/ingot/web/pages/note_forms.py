"""Forms of issues, merge requests and snippets: comments are changed and deleted, reactions given, time is tracked."""

from starlette.responses import Response

from ingot.access.policy import READ_ISSUES, READ_MERGE_REQUESTS
from ingot.kit.errors import ApiError, NotFound
from ingot.web.call import PageCall, View
from ingot.web.commenting import may_attach
from ingot.web.frames import project_view
from ingot.web.guards import InProject
from ingot.web.pages.side_facts import page_again
from ingot.web.refusals import refusal_of
from ingot.web.registry import Pages
from ingot.web.sending import REFUSALS, done, refused, text
from ingot.web.shown_changes import query_back
from ingot.web.side_facts import RefusedForm, check_times
from ingot.web.task_lists import ticked
from ingot.web.threads import threads_query

pages = Pages("project")
SIDES = {
    "subscribe": "You are subscribed to notifications.",
    "unsubscribe": "You are no longer subscribed to notifications.",
    "todo": "To-do added.",
}  # fmt: skip
TIMES = ("estimate", "spent", "summary")


class _Forms:
    """The forms of one kind."""

    def __init__(self, kind: str, number: str) -> None:
        self._kind, self._number = kind, number
        self._thing = f"/projects/:id/{kind}/:{number}"
        self._note = f"{self._thing}/notes/:note_id"

    def _numbers(self, call: PageCall) -> dict[str, str]:
        return {self._number: call.path["iid"], **({"note_id": call.path["note"]} if "note" in call.path else {})}

    def show(self, call: PageCall) -> View:
        """A comment in a form."""
        note = call.ask(self._note, **self._numbers(call))
        if note["system"]:
            raise NotFound
        return self._form(call, note["body"])

    def edit(self, call: PageCall) -> View | Response:
        """Change a comment; a refused form comes back filled."""
        body = str(call.values.get("body", "")).replace("\r\n", "\n")
        try:
            call.ask(self._note, "PUT", **self._numbers(call), body=body)
        except ApiError as error:
            if error.status not in REFUSALS:
                raise
            return self._form(call, body, refusal_of(error), error.status)
        return self._back(call, "Comment saved.", f"#note_{call.path['note']}")

    def tick(self, call: PageCall) -> Response:
        """Tick a box of a comment, or take the tick away."""
        note = call.ask(self._note, **self._numbers(call))
        if note["system"]:
            raise NotFound
        call.ask(self._note, "PUT", **self._numbers(call), body=ticked(call, note["body"]))
        return self._back(call, "Task saved.", f"#note_{call.path['note']}")

    def remove(self, call: PageCall) -> Response:
        """Delete a comment."""
        call.ask(self._note, "DELETE", **self._numbers(call))
        return self._back(call, "Comment deleted.", "#comments" if self._kind == "snippets" else "#discussion")

    def react(self, call: PageCall) -> Response:
        """Give a reaction, or withdraw the visitor's own (`award`)."""
        address = f"{self._note if 'note' in call.path else self._thing}/award_emoji"
        if text(call, "award"):
            call.ask(f"{address}/:award_id", "DELETE", **self._numbers(call), award_id=text(call, "award"))
        else:
            call.ask(address, "POST", **self._numbers(call), name=text(call, "name"))
        words = "Reaction removed." if text(call, "award") else "Reaction added."
        return self._back(call, words, f"#note_{call.path['note']}" if "note" in call.path else "")

    def follow(self, call: PageCall) -> Response:
        """Subscribe, unsubscribe, or make a to-do of it; what is so already stays so."""
        if call.path["step"] not in SIDES:
            raise NotFound
        call.ask(f"{self._thing}/{call.path['step']}", "POST", **self._numbers(call))
        return self._back(call, SIDES[call.path["step"]])

    def track(self, call: PageCall) -> View | Response:
        """Set the estimate, add time spent, or both; a refused form comes back filled, and saves nothing."""
        typed = {name: text(call, name) for name in TIMES}
        view = refused(
            lambda: self._save_times(call, **typed),
            lambda problem, status: page_again(call, self._kind, RefusedForm("time", typed, problem), status),
        )
        return view or self._back(call, "Time saved.")

    def _save_times(self, call: PageCall, estimate: str, spent: str, summary: str) -> None:
        check_times(estimate, spent)
        thing, numbers = self._thing, self._numbers(call)
        # An estimate that can be read is never refused to somebody who could add time: it goes last.
        if spent:
            call.ask(f"{thing}/add_spent_time", "POST", **numbers, duration=spent, summary=summary or None)
        if estimate:
            call.ask(f"{thing}/time_estimate", "POST", **numbers, duration=estimate)

    def _form(self, call: PageCall, body: str, problem: str = "", status: int = 200) -> View:
        here = f"/{call.project.full_path}/-/{self._kind}/{call.path['iid']}"
        return project_view(
            call, "note_form", self._kind, status, here=here, action=f"{here}/notes/{call.path['note']}", body=body,
            anchor=f"note_{call.path['note']}", problem=problem, back=text(call, "back"), can_attach=may_attach(call),
        )  # fmt: skip

    def _back(self, call: PageCall, words: str, fragment: str = "") -> Response:
        part = "/diffs" if text(call, "back").startswith("diffs") else ""
        query = query_back(call) if part else threads_query(call)
        path = f"/{call.project.full_path}/-/{self._kind}/{call.path['iid']}{part}"
        return done(call, f"{path}{query}{fragment}", words)


def _declare(kind: str, number: str, guard: InProject) -> _Forms:
    """Register the forms that all kinds have."""
    forms, path = _Forms(kind, number), f"{kind}/{{iid:int}}"
    pages.get(f"{path}/notes/{{note:int}}/edit", guard=guard)(forms.show)
    pages.post(f"{path}/notes/{{note:int}}/edit", guard=guard)(forms.edit)
    pages.post(f"{path}/notes/{{note:int}}/task", guard=guard)(forms.tick)
    pages.post(f"{path}/notes/{{note:int}}/remove", guard=guard)(forms.remove)
    pages.post(f"{path}/notes/{{note:int}}/react", guard=guard)(forms.react)
    pages.post(f"{path}/react", guard=guard)(forms.react)
    return forms


for _kind, _number, _ability in (
    ("issues", "issue_iid", READ_ISSUES), ("merge_requests", "merge_request_iid", READ_MERGE_REQUESTS)
):  # fmt: skip
    _forms = _declare(_kind, _number, InProject(_ability))
    pages.post(f"{_kind}/{{iid:int}}/follow/{{step}}", guard=InProject(_ability))(_forms.follow)
    pages.post(f"{_kind}/{{iid:int}}/time", guard=InProject(_ability))(_forms.track)
_declare("snippets", "snippet_id", InProject(needs_user=True))
