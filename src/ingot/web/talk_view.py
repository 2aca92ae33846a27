"""How a discussion is shown: with or without what happened, by day, and with a comment that is quoted."""

from collections.abc import Sequence
from itertools import groupby

import msgspec

from ingot.web.call import PageCall
from ingot.web.sending import text
from ingot.web.threads import Thread

KINDS = ("comments", "history")
FEW = 2  # events of a day that are shown without folding


class Quote(msgspec.Struct, frozen=True):
    """A comment that an answer begins with."""

    thread_id: str  # of the thread that is answered; empty for a comment of its own
    text: str


def chosen_kind(call: PageCall) -> str:
    """What the address asks for (`notes`); empty for all."""
    asked = text(call, "notes")
    return asked if asked in KINDS else ""


def shown_threads(threads: Sequence[Thread], kind: str) -> list[Thread]:
    """The threads of this kind, with days of many events marked to be folded."""
    if kind:
        threads = [thread for thread in threads if thread["is_system"] == (kind == "history")]
    for day, run in groupby(threads, key=_day_of_event):
        events = list(run)
        if day and len(events) > FEW:
            events[0]["fold"] = (day, len(events))
            events[-1]["ends_fold"] = True
    return list(threads)


def quote_of(call: PageCall, threads: Sequence[Thread]) -> Quote | None:
    """The comment that the address names (`quote`), as Markdown quotes it."""
    asked = text(call, "quote")
    for thread in threads if asked else ():
        for note in thread["notes"]:
            # Only a comment of its own goes to the form of public ones.
            is_secret = note["internal"] and thread["individual_note"]
            if str(note["id"]) == asked and not note["system"] and not is_secret:
                lines = "\n".join(f"> {line}".rstrip() for line in note["body"].splitlines())
                return Quote("" if thread["individual_note"] else thread["id"], f"{lines}\n\n")
    return None


def _day_of_event(thread: Thread) -> str:
    return thread["notes"][0]["created_at"][:10] if thread["is_system"] else ""
