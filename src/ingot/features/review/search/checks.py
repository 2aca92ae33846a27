"""What a search refuses before it begins."""

from ingot.access.call import Call
from ingot.features.review.search.params import Search
from ingot.instance import application_setting
from ingot.instance.throttling import limit_endpoint
from ingot.kit.errors import Body, Forbidden

# Parameters of search engines that are not offered, with what GitLab says of them.
NEEDS_ENGINE = {
    "regex": "regex supported only with exact code search",
    "exclude_forks": "exclude_forks supported only with exact code search",
    "num_context_lines": "num_context_lines supported only with advanced and exact code search",
}
PER_MINUTE = 30
SWITCHES = {
    "issues": "global_search_issues_enabled",
    "merge_requests": "global_search_merge_requests_enabled",
    "snippet_titles": "global_search_snippet_titles_enabled",
    "users": "global_search_users_enabled",
}


def refuse(text: str) -> Body:
    """The wrapped form of this family's errors."""
    return Body(400, {"message": {"error": text}})


def timed_out() -> Body:
    """The search took too long."""
    return Body(408, {"message": {"error": "Request timed out"}})


def limit_searches(call: Call) -> None:
    """Refuse the searches of a caller who searches without pause, and of too many in one project."""
    project = call.project_or_none
    limit_endpoint(call, "search_rate_limit", PER_MINUTE, project_id=None if project is None else project.id)


def check_engine(call: Call[Search]) -> None:
    """Refuse what needs another engine than the one that is offered."""
    options = call.params
    if options.search_type not in (None, "basic"):
        raise refuse(f"Search type {options.search_type} is not available")
    if "fields_" in options.sent:
        if options.scope not in ("issues", "merge_requests"):
            raise refuse("fields is supported only for issues, merge_requests")
        raise refuse("fields is supported only for advanced search")
    for name, text in NEEDS_ENGINE.items():
        if name in options.sent:
            raise refuse(text)


def check_switch(call: Call[Search]) -> None:
    """Refuse scopes that an administrator has switched off for searches of the whole instance."""
    switch = SWITCHES.get(call.params.scope)
    if switch is not None and not application_setting(call.conn, switch):
        raise Forbidden("Global Search is disabled for this scope")
