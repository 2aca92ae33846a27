"""What is said about the lines of a request's diff: threads, drafts, and the form of a new comment."""

import base64
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ingot.web.answers import DraftNote
from ingot.web.call import PageCall
from ingot.web.diffs import anchor_of
from ingot.web.line_ranges import suggestion_for
from ingot.web.markdown import markdown
from ingot.web.read_positions import ReadPosition, read_position
from ingot.web.rendering import render_part
from ingot.web.sending import number_in, text
from ingot.web.shown_changes import shown_query
from ingot.web.threads import Thread

Line = tuple[str, int | None, int | None]


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
        refs: Mapping[str, object],
        *,
        can_comment: bool,
        commit: str | None = None,
        is_split: bool = False,
        more: Mapping[str, object] | None = None,
    ) -> None:
        self.links = can_comment
        self._call = call
        self._head = refs.get("head_sha")
        self._commit = commit
        self.query = shown_query(call)
        self._data: dict[str, object] = {
            "here": root, "refs": refs, "can_comment": can_comment, "back": f"diffs?{self.query}",
            "commit": commit, "columns": 4 if is_split else 3, **(more or {}),
        }  # fmt: skip
        self._asked = str(call.values.get("comment", ""))
        self._threads: dict[Line, list[Thread]] = defaultdict(list)
        self._drafts: dict[Line, list[ShownDraft]] = defaultdict(list)
        self.elsewhere = 0  # threads at lines that this diff does not show

    def add_thread(self, thread: Thread) -> None:
        """A thread; one that is resolved stands only in the version that it was about, one of a commit only there."""
        first = thread["notes"][0]
        position, is_resolved = read_position(first.get("position")), thread["resolved"]
        if position is None:
            return
        if first.get("commit_id") != self._commit:
            self.elsewhere += self._commit is None and not is_resolved
        elif position.head_sha == self._head or not is_resolved:
            self._threads[_line(position)].append(thread)
            self.elsewhere += 1

    def add_draft(self, draft: ShownDraft) -> None:
        """A comment that only its author sees; answers stand in their threads."""
        position = read_position(draft["position"]) if not draft["discussion_id"] else None
        if position is not None and position.new_path and draft["commit_id"] == self._commit:
            self._drafts[_line(position)].append(draft)

    def below(self, path: str, old: int | None, new: int | None) -> str:
        """The row below a line, or with no line for the whole file; empty for most."""
        line = (path, old, new)
        threads, drafts = self._threads.get(line, []), self._drafts.get(line, [])
        is_asked = bool(self._asked) and self._asked.startswith(anchor_of(path)) and self._is_asked(line)
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
        if "suggest" in self._call.values and new is not None and 0 < begin <= last and self._head:
            file = self._call.ask_or_none(
                "/projects/:id/repository/files/:file_path", file_path=path, ref=str(self._head)
            )
            if file is not None:
                content = base64.b64decode(file["content"]).decode("utf-8", "replace")
                body = f"{body}\n\n{suggestion_for(content, begin, last)}".lstrip("\n")
        return {
            "path": path, "old": old, "new": new, "last": last, "first": begin, "body": body, "asked": self._asked,
        }  # fmt: skip

    def _is_asked(self, line: Line) -> bool:
        """The address names both counters; the one that a changed line lacks may have any value, a file has none."""
        if line[1] is None and line[2] is None:
            return "_" not in self._asked
        _, old, new = self._asked.rsplit("_", 2) if self._asked.count("_") == 2 else ("", "", "")
        return (line[1] is None or str(line[1]) == old) and (line[2] is None or str(line[2]) == new)


def _line(position: ReadPosition) -> Line:
    return position.path, position.old_line, position.new_line
