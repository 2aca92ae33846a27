"""Pipelines of pushes: one for each branch or tag that was created or moved."""

from ingot.events import Pushed, RefChange
from ingot.features.ci.engine import PipelineOptions, PipelineRefused, Ref, config_text, create_pipeline, project_as
from ingot.features.ci.variables import GivenVariable
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import GitError, revisions
from ingot.gitstore.objects import get_commit
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

MAX_REFS = 4  # pipelines for one push
_SKIP = pattern(r"\[(ci[ _-]skip|skip[ _-]ci)\]", ignore_case=True)
_KEY = pattern(r"[a-zA-Z_][a-zA-Z0-9_]*")


def skips_ci(message: str) -> bool:
    """The commit message asks for no pipeline."""
    return _SKIP.search(message) is not None


def option_variables(options: tuple[str, ...]) -> list[GivenVariable]:
    """The variables given as `git push -o ci.variable="KEY=value"`."""
    result = []
    for option in options:
        name, _, rest = option.partition("=")
        key, equals, value = rest.partition("=")
        if name == "ci.variable" and equals and _KEY.fullmatch(key):
            result.append(GivenVariable(key=key, value=value))
    return result


def option_inputs(options: tuple[str, ...]) -> dict[str, str]:
    """The inputs given as `git push -o ci.input="name=value"`."""
    pairs = (option.partition("=")[2].partition("=") for option in options if option.startswith("ci.input="))
    return {name: value for name, equals, value in pairs if equals and name}


def create_for_push(services: Services, event: Pushed) -> list[int]:
    """Create the pipelines of a push; refusals create nothing, invalid files a failed pipeline. Returns their ids."""
    if "ci.no_pipeline" in event.options:
        return []
    created = []
    # A push that is announced late gets a pipeline for its own commit, not for the current head.
    own = {change.ref: change for change in (*event.changes, *event.overtaken)}
    moved = [change for change in own.values() if not change.is_deletion and (change.branch or change.tag)]
    for change in moved[:MAX_REFS]:
        try:
            result = _create_one(services, event, change)
        except (PipelineRefused, GitError):
            continue
        if result is not None:
            created.append(result)
    return created


def _create_one(services: Services, event: Pushed, change: RefChange) -> int | None:
    with services.db.read() as conn:
        actor, project = project_as(conn, event.user_id, event.project_id)
        if project is None:
            return None
        repository = repository_of(services, project)
        # The commit of this push: the branch may have moved since.
        sha = revisions.find(repository, change.new)
        if sha is None or config_text(services, conn, actor, project, sha) is None:
            return None
        message = get_commit(repository, sha).message
    options = PipelineOptions(
        source="push",
        ref=Ref(change.branch or change.tag or "", sha, is_tag=change.tag is not None),
        before_sha=change.old,
        variables=option_variables(event.options),
        inputs=option_inputs(event.options),
        saves_failures=True,
        skip="ci.skip" in event.options or skips_ci(message),
        is_overtaken=change in event.overtaken,
    )
    return create_pipeline(services, actor, project, options)
