"""Refusals of the API that a reader of a form cannot use, in words that say what is wrong there and what to do.

The API's own texts stay as they are: clients know them. What is not named here is shown as the API says it.
"""

from collections.abc import Iterable, Mapping

from ingot.access.names import LOOSE_GROUP_PATH, LOOSE_PROJECT_PATH, STRICT_PATH
from ingot.kit.patterns import pattern

# How the API wraps the reason why something cannot move.
_WRAPPED = pattern(
    r'Transfer failed: (?P<group>.+)|Failed to transfer project \{:new_namespace=>\["(?P<project>.+)"\]\}', dot_all=True
)
_LATEST = pattern(r"[Ee]xpires_at must be before (\d{4}-\d\d-\d\d)\.?")
# Of a path that breaks both rules, the stricter one says all; a text that is no key has no fingerprint either.
_STRICTER = {LOOSE_GROUP_PATH: STRICT_PATH, LOOSE_PROJECT_PATH: STRICT_PATH, "cannot be generated": "is invalid"}
_NAMES = {"fingerprint_sha256": "key", "deploy_key.fingerprint_sha256": "key", "deploy_key.key": "key"}
_DATE = "must be a date, such as 2030-12-31"
_CRON = "must be a cron expression with five fields, such as 0 22 * * 5"
_ZONE = "is not a known time zone; use one such as Europe/Vienna or UTC"
_NO_KEY = "is not a valid SSH public key; paste the whole line, which starts with a key type such as ssh-ed25519"
_CRON_FIELDS = ("cron", "freeze_start", "freeze_end")
_DATE_FIELDS = ("due_date", "end_date", "expires_at", "start_date")
_OF_FIELDS: Mapping[tuple[str, str], str] = {
    **{(name, "is invalid"): _DATE for name in _DATE_FIELDS},
    **{(name, "is invalid syntax"): _CRON for name in _CRON_FIELDS},
    ("cron_timezone", "is invalid syntax"): _ZONE,
    ("expires_at", "cannot be a date in the past"): "is in the past; choose a later date",
    ("due_date", "must be greater than start date"): "must be after the start date",
    (
        "fingerprint_sha256",
        "has already been taken",
    ): "is already in use; a key can belong to only one account",
    **{(name, "is invalid"): _NO_KEY for name in ("key", "deploy_key.key")},
    # The name of a label; the API calls it a title, as that of a page of a wiki, which may have commas.
    ("name", "is invalid"): "cannot contain commas, because labels are listed with commas",
    ("email", "is invalid"): "must be a valid email address, such as ada@example.com",
    ("value", "is invalid"): (
        "cannot be masked; masked values need at least 8 characters on one line, with only letters, digits and"
        " _ + = / @ : . ~ -"
    ),
}
# Without a field of their own: by the text, the field of the form and the sentence.
_OF_FORMS: Mapping[str, tuple[str, str]] = {
    "Project is already in this namespace.": (
        "namespace", "The project is already there. Enter another group or user.",
    ),
    "You don't have permission to transfer projects into that namespace.": (
        "namespace",
        "You do not have permission to create projects there. Choose another group, or ask one of its owners.",
    ),
    "Project with same name or path in target namespace already exists": (
        "namespace", "A project with this name or path already exists there. Rename one of them first.",
    ),
    "Username has already been taken": (
        "username", "This username is already taken by a user or group. Choose another one.",
    ),
    "Email has already been taken": ("email", "This email address is already in use. Use another one."),
    "Label already exists": ("name", "A label with this name already exists. Choose another name."),
    "Expires at cannot be a date in the past": ("expires_at", "This date is in the past. Choose a later date."),
    "Invite email is invalid": ("who", "This is not a valid email address. Enter one such as ada@example.com."),
    "Invite email has already been taken": ("who", "This address has already been invited."),
    "Group is already a root group.": ("to_top", "This is already a top-level group. Enter a parent group."),
    "Group is already associated to the parent group.": (
        "parent", "The group is already in that parent group. Enter another group, or make it a top-level group.",
    ),
    "Cannot transfer group to one of its subgroup.": (
        "parent", "A group cannot be moved into itself or one of its subgroups. Enter another group.",
    ),
    "You don't have enough permissions.": (
        "parent", "You do not have permission to create groups there. Choose another group, or ask one of its owners.",
    ),
    "The parent group already has a subgroup or a project with the same path.": (
        "parent", "A group or project with this path already exists there. Rename one of them first.",
    ),
}  # fmt: skip


def said_of_field(name: str, text: str) -> str:
    """What is wrong with a field, for its reader; the text of the API where that says enough."""
    field = name.removeprefix("new_user[").removesuffix("]")
    return _OF_FIELDS.get((field, text.strip()), text.strip())


def said_of_form(text: str) -> tuple[str, str] | None:
    """The field of the form that a text of no field is about, and a sentence; None where the API's says enough."""
    latest = _LATEST.fullmatch(text)
    if latest is not None:
        return "expires_at", f"The date must be before {latest[1]}. Choose an earlier date."
    wrapped = _WRAPPED.fullmatch(text)
    if wrapped is None:
        return _OF_FORMS.get(text.removesuffix("."))
    reason: str = wrapped["group"] or wrapped["project"]
    return _OF_FORMS.get(reason, ("namespace" if wrapped["project"] else "parent", reason))


def of_fields(parts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """What is wrong with each field of a form, said once."""
    known = [(_NAMES.get(name, name), name, text) for name, text in parts]
    said = {(field, text) for field, _, text in known}
    return [
        (field, said_of_field(name, text)) for field, name, text in known if (field, _STRICTER.get(text)) not in said
    ]
