"""Finding quick actions in a text: a known word after a slash at the start of a line, outside code and quotes."""

import msgspec

from ingot.kit.patterns import pattern

ALIASES = {
    "labels": "label", "remove_label": "unlabel", "remove_labels": "unlabel", "wip": "draft",
    "reviewer": "assign_reviewer", "remove_reviewer": "unassign_reviewer",
    "estimate_time": "estimate", "remove_time_estimate": "remove_estimate", "spent": "spend", "spend_time": "spend",
    "react": "award", "due_date": "due",
}  # fmt: skip
BOTH = frozenset({
    "close", "reopen", "title", "label", "unlabel", "relabel", "assign", "unassign", "reassign", "milestone",
    "remove_milestone", "estimate", "remove_estimate", "spend", "remove_time_spent", "lock", "unlock", "todo", "done",
    "subscribe", "unsubscribe", "award", "cc",
})  # fmt: skip
OF_MERGE_REQUESTS = frozenset({
    "draft", "ready", "target_branch", "assign_reviewer", "unassign_reviewer", "reassign_reviewer", "request_review",
    "merge",
})  # fmt: skip
OF_ISSUES = frozenset({"due", "remove_due_date", "weight", "clear_weight", "confidential"})
KNOWN = {"MergeRequest": BOTH | OF_MERGE_REQUESTS, "Issue": BOTH | OF_ISSUES}
FACES = {"shrug": "¯\\\N{FULLWIDTH LOW LINE}(ツ)\N{FULLWIDTH LOW LINE}/¯", "tableflip": "(╯°□°)╯︵ ┻━┻"}

FENCES = ("```", "~~~")
_LINE = pattern(r"/([a-z_]+)(?:[ \t]+(.*))?", ignore_case=True)


class Command(msgspec.Struct, frozen=True):
    """One action with what follows it on its line."""

    name: str
    argument: str


def split(text: str | None, kind: str) -> tuple[str, list[Command]]:
    """The text without its quick actions, and these in order. `kind`: `MergeRequest` or `Issue`."""
    if not text or "/" not in text:
        return text or "", []
    remaining: list[str] = []
    result: list[Command] = []
    fence: str | None = None
    for line in text.split("\n"):
        start = line.lstrip()[:3]
        is_mark = start in FENCES
        if is_mark:
            fence = start if fence is None else None if start == fence else fence
        command = None if fence is not None or is_mark else _command(line.rstrip("\r"), kind)
        if command is None:
            remaining.append(line)
        elif command.name in FACES:
            remaining.append(f"{command.argument} {FACES[command.name]}".strip())
        else:
            result.append(command)
    return ("\n".join(remaining).strip() if result else "\n".join(remaining)), result


def _command(line: str, kind: str) -> Command | None:
    match = _LINE.fullmatch(line) if line.startswith("/") else None
    if match is None:
        return None
    name = ALIASES.get(match[1].lower(), match[1].lower())
    if name not in KNOWN.get(kind, ()) and name not in FACES:
        return None
    return Command(name, (match[2] or "").strip())
