"""What is said about the lines of a request's diff: threads, drafts, and the form of a new comment."""

import base64
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ingot.gitstore.repository import Repository
from ingot.web.answers import DraftNote
from ingot.web.call import PageCall
from ingot.web.diffs import anchor_of
from ingot.web.line_places import Place, places_of
from ingot.web.line_ranges import suggestion_for
from ingot.web.markdown import markdown
from ingot.web.read_positions import ReadPosition, read_position
from ingot.web.rendering import render_part
from ingot.web.sending import number_in, text
from ingot.web.shown_changes import shown_query
from ingot.web.threads import Thread

NOWHERE = Place("", None, None)  # where drafts are whose lines are not shown


class ShownDraft(DraftNote):
    """A draft with its text as HTML."""

    html: str


def drafts_of(call: PageCall, address: str) -> list[ShownDraft]:
    """The visitor's drafts on a request, rendered."""
    if call.actor.is_anonymous:
        return []
    drafts: list[ShownDraft] = call.ask_or_none(f"{address}/draft_notes", merge_request_iid=call.path["iid"]) or []
    for draft in drafts:
        draft["html"] = markdown(call, draft["note"])
    return drafts


def drafted_answers(drafts: Sequence[ShownDraft]) -> dict[str, list[ShownDraft]]:
    """Those that answer a thread, by the thread."""
    answers: dict[str, list[ShownDraft]] = defaultdict(list)
    for draft in drafts:
        if draft["discussion_id"]:
            answers[draft["discussion_id"]].append(draft)
    return answers


class LineTalk:
    """Threads and drafts by line; each is shown once, below the line that it stands at."""

    def __init__(
        self,
        call: PageCall,
        root: str,
        refs: Mapping[str, str | None],
        *,
        can_comment: bool,
        commit: str | None = None,
        is_split: bool = False,
        more: Mapping[str, object] | None = None,
    ) -> None:
        self.links = can_comment
        self._call = call
        self._refs = refs
        self._commit = commit
        self.query = shown_query(call)
        self._data: dict[str, object] = {
            "here": root, "refs": refs, "can_comment": can_comment, "back": f"diffs?{self.query}",
            "commit": commit, "columns": 4 if is_split else 3, **(more or {}),
        }  # fmt: skip
        self._asked = str(call.values.get("comment", ""))
        self._threads: dict[Place, list[Thread]] = defaultdict(list)
        self._drafts: dict[Place, list[ShownDraft]] = defaultdict(list)
        self._paths: set[str] = set()
        self.elsewhere = 0  # threads at lines that this diff does not show

    def add(self, repository: Repository, threads: Sequence[Thread], drafts: Sequence[ShownDraft]) -> None:
        """Threads and drafts, below the lines that they are about now.

        A thread that is resolved stands only in the version that it was about, one of a commit only there. Drafts that
        answer stand in their threads.
        """
        read = [(thread, _position_of(thread)) for thread in threads]
        own = [(draft, read_position(draft["position"])) for draft in drafts if not draft["discussion_id"]]
        positions = [position for _, position in (*read, *own) if position is not None]
        places = places_of(repository, positions, self._refs)
        for thread, position in read:
            if position is not None:
                self._add_thread(thread, position, places.get(position))
        for draft, position in own:
            place = places.get(position) if position and draft["commit_id"] == self._commit else None
            self._drafts[place or NOWHERE].append(draft)
        self._paths = {place.path for place in (*self._threads, *self._drafts)}

    @property
    def left_drafts(self) -> list[ShownDraft]:
        """Those at lines that were not shown, or at none."""
        return [draft for drafts in self._drafts.values() for draft in drafts]

    def lines(self) -> dict[str, set[int]]:
        """The lines of the new files that something stands at."""
        result: dict[str, set[int]] = defaultdict(set)
        for place in (*self._threads, *self._drafts):
            if place.new is not None:
                result[place.path].add(place.new)
        return result

    def open_threads(self, path: str) -> int:
        """How many threads of a file are not resolved."""
        here = (thread for place, threads in self._threads.items() if place.path == path for thread in threads)
        return sum(thread["resolvable"] and not thread["resolved"] for thread in here)

    def _add_thread(self, thread: Thread, position: ReadPosition, place: Place | None) -> None:
        is_resolved = thread["resolved"]
        if thread["notes"][0].get("commit_id") != self._commit:
            self.elsewhere += self._commit is None and not is_resolved
        elif position.head_sha == self._refs.get("head_sha") or not is_resolved:
            self.elsewhere += 1
            if place is not None:
                _renumber(thread, position, place)
                self._threads[place].append(thread)

    def below(self, path: str, old: int | None, new: int | None) -> str:
        """The row below a line, or with no line for the whole file; empty for most."""
        is_asked = bool(self._asked) and self._asked.startswith(anchor_of(path)) and self._is_asked(old, new)
        if path not in self._paths and not is_asked:
            return ""
        # What is said about an unchanged line is said about it in the new file.
        places = [Place(path, old, None)] if old is not None else []
        if new is not None or old is None:
            places.append(Place(path, None, new))
        threads = [thread for place in places for thread in self._threads.get(place, ())]
        drafts = [draft for place in places for draft in self._drafts.pop(place, ())]
        if not threads and not drafts and not is_asked:
            return ""
        self.elsewhere -= len(threads)
        where = self._form(path, old, new) if is_asked else None
        return render_part(
            self._call,
            "line_talk",
            {**self._data, "threads": threads, "drafts": drafts, "line": where},
        )

    def _form(self, path: str, old: int | None, new: int | None) -> dict[str, object]:
        """The form of a comment, as it was sent or with what the address says."""
        last, body = (old or 0) if new is None else new, str(self._call.values.get("body", ""))
        first = number_in(text(self._call, "from_line"))
        begin = last if first is None else first
        head = self._refs.get("head_sha")
        if "suggest" in self._call.values and new is not None and 0 < begin <= last and head:
            file = self._call.ask_or_none("/projects/:id/repository/files/:file_path", file_path=path, ref=head)
            if file is not None:
                content = base64.b64decode(file["content"]).decode("utf-8", "replace")
                body = f"{body}\n\n{suggestion_for(content, begin, last)}".lstrip("\n")
        return {
            "path": path, "old": old, "new": new, "last": last, "first": begin, "body": body, "asked": self._asked,
        }  # fmt: skip

    def _is_asked(self, old: int | None, new: int | None) -> bool:
        """The address names both counters; the one that a changed line lacks may have any value, a file has none."""
        if old is None and new is None:
            return "_" not in self._asked
        _, asked_old, asked_new = self._asked.rsplit("_", 2) if self._asked.count("_") == 2 else ("", "", "")
        return (old is None or str(old) == asked_old) and (new is None or str(new) == asked_new)


def _position_of(thread: Thread) -> ReadPosition | None:
    return read_position(thread["notes"][0].get("position"))


def _renumber(thread: Thread, position: ReadPosition, place: Place) -> None:
    """Name the lines of a range by their numbers of today."""
    start = position.line_range.start if position.line_range is not None else None
    if start is None:
        return
    shift = (place.new or place.old or 0) - (position.new_line or position.old_line or 0)
    first = {name: None if line is None else line + shift
             for name, line in (("old_line", start.old_line), ("new_line", start.new_line))}  # fmt: skip
    thread["notes"][0]["position"] = {"old_line": place.old, "new_line": place.new, "line_range": {"start": first}}
