"""Checks of the files that new commits add or change."""

from ingot.features.code.push_rules.rows import PushRuleRow
from ingot.gitstore import Repository
from ingot.gitstore.new_commits import NewFile, Source, new_files, sizes_of
from ingot.kit.regexps import Expression, compile_regexp

MEGABYTE = 1024 * 1024
SECRETS = (
    r"aws\/credentials$",
    r"(ssh|config)\/(personal|server)_(rsa|dsa|ed\d+|ecdsa)",
    r"id_rsa$",
    r"id_dsa$",
    r"id_ed25519$",
    r"id_ecdsa$",
    r"\.(pem|key)$",
    r"[._]history$",
)


def refuse_files(repo: Repository, source: Source, rule: PushRuleRow) -> str | None:
    """Why a file may not come in, or None."""
    texts = [*([rule.file_name_regex] if rule.file_name_regex else []), *(SECRETS if rule.prevent_secrets else ())]
    if not texts and not rule.max_file_size:
        return None
    patterns = {text: compile_regexp(text) for text in texts}
    for files in new_files(repo, source):
        why = _refuse_names(files, patterns) or _refuse_sizes(repo, source, files, rule.max_file_size)
        if why is not None:
            return why
    return None


def _refuse_names(files: list[NewFile], patterns: dict[str, Expression]) -> str | None:
    for file in files:
        if file.is_added:
            for text, forbidden in patterns.items():
                if forbidden.search(file.path):
                    return f"File name {file.path} was prohibited by the pattern {text}."
    return None


def _refuse_sizes(repo: Repository, source: Source, files: list[NewFile], most: int) -> str | None:
    if not most:
        return None
    sizes = sizes_of(repo, source, [file.blob_id for file in files])
    for file in files:
        if sizes.get(file.blob_id, 0) > most * MEGABYTE:
            return f'File "{file.path}" is larger than the allowed size of {most} MB'
    return None
