"""What somebody who runs a pipeline is asked for: the variables and inputs that the file of its branch describes."""

import msgspec

from ingot.access.call import Call
from ingot.features.ci.config import OfferedInput, PlannedVariable, lint, offered_inputs
from ingot.features.ci.engine import (
    PipelineOptions,
    PipelineRefused,
    check_rights,
    config_text,
    event_for,
    find_ref,
    is_protected,
    may_give_variables,
)
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.spaces.projects import repository_of


class Offers(msgspec.Struct, frozen=True):
    """The variables that the file describes, and its inputs."""

    variables: tuple[PlannedVariable, ...] = ()
    inputs: tuple[OfferedInput, ...] = ()
    takes_variables: bool = True  # from the caller


def offers_of(call: Call, ref_name: str) -> Offers:
    """Nothing for a branch or tag for which the caller may not run pipelines, or whose file is missing or faulty."""
    takes_variables = may_give_variables(call.actor, call.project)
    nothing = Offers(takes_variables=takes_variables)
    repository = repository_of(call.services, call.project)
    ref = find_ref(repository, ref_name) if repository.exists() else None
    if ref is None:
        return nothing
    options, protection = PipelineOptions(source="web", ref=ref), load_protection(call.conn, call.actor, call.project)
    try:
        check_rights(call.actor, call.project, options, protection)
    except PipelineRefused:
        return nothing
    text = config_text(call.services, call.conn, call.actor, call.project, ref.sha)
    if text is None:
        return nothing
    inputs = offered_inputs(text)
    options = msgspec.structs.replace(options, inputs={one.name: one.example for one in inputs})
    protected = is_protected(protection, options)
    event = event_for(
        call.services,
        call.conn,
        call.actor,
        call.project,
        options,
        protected,
        sees_variables="api" in call.actor.scopes,
    )
    configuration = lint(text, event).configuration
    described = () if configuration is None else configuration.variables
    return Offers(tuple(one for one in described if one.description is not None), inputs, takes_variables)
