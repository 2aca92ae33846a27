"""What becomes of a text that is sent as a comment: a comment, or only what its quick actions do."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from ingot.web.call import PageCall, View
from ingot.web.refusals import about_field
from ingot.web.sending import texts, told
from ingot.web.side_facts import RefusedForm, page_with
from ingot.web.talk_view import Quote

APPLIED = "Quick actions applied."


class Written(msgspec.Struct, frozen=True):
    """What became of a text: a comment, or only what its quick actions did, which `sending.done` says."""

    fragment: str = ""  # of the comment's address
    done: str = ""
    problem: str = ""  # none of them could be applied
    is_comment: bool = True

    def words(self, otherwise: str, then: str = "") -> str:
        """What the page says afterwards; `then` is what the form did besides."""
        return " ".join(filter(None, (self.done, then))) or (otherwise if self.is_comment else "")


# Any: a comment of the API, a thread, or the outcome of quick actions.
def written(answer: Mapping[str, Any]) -> Written:
    """What the API made of a text that was sent as a comment, as an answer, or to start a thread."""
    if "summary" in answer:
        said = " ".join(answer["summary"])
        if said and not answer["commands_changes"]:
            return Written(problem=said)
        return Written(done="" if said else APPLIED, is_comment=False)
    note = answer["notes"][0] if "notes" in answer else answer
    return Written(f"#note_{note['id']}")


def comment(call: PageCall, base: str, body: str, **numbers: str) -> Written:
    """Write a comment, or start a thread if that box is ticked."""
    given = {**numbers, "body": body, "internal": "internal" in call.values or None}
    part = "discussions" if "thread" in call.values else "notes"
    return written(call.ask(f"{base}/{part}", "POST", **given))


def talk_again(call: PageCall, show: Callable[[PageCall], View], problem: str, thread_id: str = "") -> View:
    """The page with the text still in its form, and why nothing came of it."""
    body = texts(call, ("body",)).get("body", "")
    typed: dict[str, str] = {name: "on" for name in ("thread", "internal") if name in call.values}
    refused = RefusedForm(
        f"reply_{thread_id}" if thread_id else "comment", typed, about_field("body", told(call, problem))
    )
    view = page_with(call, show, refused, HTTPStatus.UNPROCESSABLE_ENTITY)
    view.data["quote"] = Quote(thread_id, body)
    return view
