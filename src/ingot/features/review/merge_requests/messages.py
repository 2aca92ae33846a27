"""Commit messages of merges: the defaults, and templates with their variables."""

from collections.abc import Sequence
from typing import Any

import msgspec

from ingot.kit.patterns import pattern

_VARIABLE = pattern(r"%\{(\w+)\}")
COMMITS_SHOWN = 100
DEFAULT_MERGE = (
    "Merge branch '%{source_branch}' into '%{target_branch}'\n\n%{title}\n\n%{issues}\n\nSee merge request %{reference}"
)
DEFAULT_SQUASH = "%{title}"


class MessageFacts(msgspec.Struct):
    """What the variables stand for."""

    row: Any
    url: str
    issues: list[str]
    commits: Sequence[Any]  # newest first
    author: str  # Name <mail>
    merged_by: str
    reviewers: list[str] = msgspec.field(default_factory=list)
    approvers: list[str] = msgspec.field(default_factory=list)
    squash_author_email: str = ""


def join_issues(references: Sequence[str]) -> str:
    """`Closes #1, #2, and #3`."""
    if not references:
        return ""
    if len(references) == 1:
        return f"Closes {references[0]}"
    if len(references) == 2:
        return f"Closes {references[0]} and {references[1]}"
    return f"Closes {', '.join(references[:-1])}, and {references[-1]}"


def _values(facts: MessageFacts) -> dict[str, str]:
    row = facts.row
    plain = [commit for commit in reversed(facts.commits) if not commit.is_merge]  # oldest first
    multiline = next((commit for commit in plain if commit.body), None)
    authors: dict[str, str] = {}
    for commit in plain[-COMMITS_SHOWN:]:
        if commit.author.email.lower() != facts.squash_author_email.lower():
            authors.setdefault(
                commit.author.email.lower(), f"Co-authored-by: {commit.author.name} <{commit.author.email}>"
            )
    return {
        "source_branch": row.source_branch,
        "target_branch": row.target_branch,
        "title": row.title,
        "description": row.description or "",
        "issues": join_issues(facts.issues),
        "reference": f"{row.project_path}!{row.iid}",
        "local_reference": f"!{row.iid}",
        "source_project_id": str(row.source_project_id or ""),
        "url": facts.url,
        "first_commit": plain[0].message.strip() if plain else "",
        "first_multiline_commit": multiline.message.strip() if multiline else row.title,
        "first_multiline_commit_description": multiline.body.strip() if multiline else "",
        "reviewed_by": "\n".join(f"Reviewed-by: {person}" for person in facts.reviewers),
        "approved_by": "\n".join(f"Approved-by: {person}" for person in facts.approvers),
        "merged_by": facts.merged_by,
        "merge_request_author": facts.author,
        "co_authored_by": "\n".join(authors.values()),
        "all_commits": "\n\n".join(f"* {commit.message.strip()}" for commit in plain[-COMMITS_SHOWN:]),
    }


def fill(template: str, facts: MessageFacts) -> str:
    """Replace variables; a line that held only an empty one disappears, unknown ones stay as text."""
    values = _values(facts)
    lines: list[str] = []
    source = template.replace("\r", "").split("\n")
    skip_blank = False
    for index, line in enumerate(source):
        alone = _VARIABLE.fullmatch(line.strip())
        if alone is not None and values.get(alone[1]) == "":
            followed = source[index + 1].strip() if index + 1 < len(source) else ""
            if lines and not lines[-1].strip() and not followed:
                lines.pop()
            skip_blank = not lines
            continue
        if skip_blank and not line.strip():
            continue
        skip_blank = False
        lines.append(_VARIABLE.sub(lambda result: values.get(result[1], result[0]), line))
    return "\n".join(lines).strip()


def merge_message(facts: MessageFacts, template: str | None) -> str:
    """The merge commit's message."""
    return fill(template or DEFAULT_MERGE, facts) or fill(DEFAULT_MERGE, facts)


def squash_message(facts: MessageFacts, template: str | None) -> str:
    """The squash commit's message."""
    return fill(template or DEFAULT_SQUASH, facts) or facts.row.title
