"""What is said about the lines of a commit's diff, and the form of a new comment."""

from collections import defaultdict
from collections.abc import Sequence

from ingot.web.answers import CommitComment
from ingot.web.call import PageCall
from ingot.web.diffs import anchor_of
from ingot.web.rendering import render_part
from ingot.web.sending import text
from ingot.web.shown_changes import shown_query


class ShownComment(CommitComment):
    """A comment with its text as HTML."""

    html: str


class CommitTalk:
    """Comments on a commit by line; each is shown once, below its line, and the others are left for the page's end."""

    def __init__(self, call: PageCall, sha: str, comments: Sequence[ShownComment], *, can_comment: bool) -> None:
        self.links = can_comment and call.session is not None
        self.query = shown_query(call)
        self._call = call
        self._here = f"/{call.project.full_path}/-/commit/{sha}"
        self._by_line: dict[tuple[str, int, str], list[ShownComment]] = defaultdict(list)
        self.has_any = bool(comments)
        self.left: list[ShownComment] = []
        for comment in comments:
            if comment["path"] and comment["line"]:
                self._by_line[comment["path"], comment["line"], comment["line_type"] or "new"].append(comment)
            else:
                self.left.append(comment)

    def below(self, path: str, old: int | None, new: int | None) -> str:
        """The row below a line; empty for most."""
        keys = [(path, new, "new")] if new is not None else []
        keys += [(path, old, "old")] if old is not None else []
        comments = [comment for key in keys for comment in self._by_line.pop(key, [])]
        is_asked = bool(keys) and self.links and self._is_asked(path, old, new)
        if not comments and not is_asked:
            return ""
        line = {"path": path, "number": keys[0][1], "type": keys[0][2]} if is_asked else None
        data: dict[str, object] = {"comments": comments, "line": line, "here": self._here, "query": self.query}
        return render_part(self._call, "commit_line_talk", data)

    def all_left(self) -> list[ShownComment]:
        """What stands at no line that was shown."""
        return [*self.left, *(comment for rows in self._by_line.values() for comment in rows)]

    def _is_asked(self, path: str, old: int | None, new: int | None) -> bool:
        anchor, _, numbers = text(self._call, "comment").partition("_")
        first, _, second = numbers.partition("_")
        return anchor == anchor_of(path) and (old is None or str(old) == first) and (new is None or str(new) == second)
