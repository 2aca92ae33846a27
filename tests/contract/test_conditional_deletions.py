"""A walk over every GET and DELETE in a furnished place: what is there is read; what changed after
`If-Unmodified-Since` stays, and what did not goes.
"""

from ingot.kit.endpoint import Endpoint
from tests.contract.parameters import add_missing
from tests.support.furnishing import furnish
from tests.support.walking import ENDPOINTS, arguments, named
from tests.support.world import World

LONG_AGO = {"If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"}
LATER = {"If-Unmodified-Since": "Fri, 01 Jan 2100 00:00:00 GMT"}


def innermost_first(endpoint: Endpoint) -> tuple[bool, int]:
    """The caller's own token goes last."""
    return endpoint.path.endswith("/self"), -len(endpoint.path)


def test_what_changed_since_it_was_read_is_not_deleted(world: World) -> None:
    furniture = furnish(world)
    add_missing(furniture)
    for place in (furniture.place, furniture.above):
        furniture.admin.ok("POST", f"{place}/push_rule", json={"max_file_size": 100})
    token, machine = furniture.values["runner", "token"], furniture.values["runner", "system_id"]
    named_things = {
        "DELETE /runners": {"token": token},
        "DELETE /runners/managers": {"token": token, "system_id": machine},
        "DELETE /projects/{id}/repository/files/{file_path}": {"branch": "main", "commit_message": "Go"},
        "DELETE /groups/{id}/labels": {"label_id": furniture.values["/groups/{id}/labels", "label_id"]},
        "DELETE /projects/{id}/merge_requests/{merge_request_iid}/context_commits": {"commits": [furniture.head]},
    }
    deletions = sorted((one for one in ENDPOINTS if one.method == "DELETE"), key=innermost_first)

    def delete(endpoint: Endpoint, headers: dict[str, str]) -> int:
        query = arguments(endpoint.params, skip=endpoint.path_params) | named_things.get(named(endpoint), {})
        url = furniture.url(endpoint)
        assert url is not None, f"{named(endpoint)}: create one in tests/support/furnishing.py"
        pairs = {f"{name}[]" if isinstance(value, list) else name: value for name, value in query.items()}
        return furniture.admin.delete(url, headers=headers, params=pairs).status_code

    def read(endpoint: Endpoint) -> int | None:
        url, query = furniture.url(endpoint), arguments(endpoint.params, skip=endpoint.path_params)
        query |= {name: "https://walk.invalid/" for name in query if name.endswith("_url")}
        return None if url is None else furniture.admin.get(url, params=query).status_code

    reads = {named(one): read(one) == one.status for one in ENDPOINTS if one.method == "GET"}
    remaining = {named(endpoint): delete(endpoint, LONG_AGO) for endpoint in deletions}
    gone = {named(endpoint): delete(endpoint, LATER) for endpoint in deletions}

    assert sum(reads.values()) > len(reads) * 0.85, [name for name, was_read in reads.items() if not was_read]
    assert {name: status for name, status in remaining.items() if status != 412} == {}
    assert {name: status for name, status in gone.items() if status >= 500 or status == 412} == {}
    assert sum(status < 300 for status in gone.values()) > len(deletions) * 0.8, gone
