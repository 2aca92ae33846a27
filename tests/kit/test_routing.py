from typing import Any

import pytest

from ingot.kit.endpoint import Routes
from ingot.kit.routing import Router


class Open:
    ability = "anyone"
    needs_user = False

    def admit(self, call: Any) -> None:
        """Everybody."""


def router() -> Router:
    routes = Routes("test", guard=Open())
    created = Router()
    for method, path in (
        ("get", "/projects"),
        ("get", "/projects/{id}"),
        ("put", "/projects/{id}"),
        ("get", "/projects/{id}/repository/branches/{branch}"),
        ("get", "/projects/{id}/jobs/{job_id:int}"),
        ("get", "/projects/{id}/jobs/artifacts/{ref_name}/download"),
        ("get", "/projects/{id}/jobs/{job_id:int}/artifacts/{artifact_path*}"),
        ("get", "/users/{id:int}"),
        ("get", "/users/{user_id}/projects"),
        ("post", "/users/{id:int}/projects"),
    ):
        getattr(routes, method)(path)(lambda call: None)
    for endpoint in routes.endpoints:
        created.add(endpoint)
    return created


@pytest.mark.parametrize(
    ("segments", "template", "values"),
    [
        (["projects"], "/projects", {}),
        (["projects", ""], "/projects", {}),
        (["projects.json"], "/projects", {}),
        (["projects", "5"], "/projects/{id}", {"id": "5"}),
        (["projects", "5.json"], "/projects/{id}", {"id": "5.json"}),
        (["projects", "a/b.c"], "/projects/{id}", {"id": "a/b.c"}),
        (
            ["projects", "5", "repository", "branches", "feature/x.y%"],
            "/projects/{id}/repository/branches/{branch}",
            {"id": "5", "branch": "feature/x.y%"},
        ),
        (["projects", "5", "jobs", "7"], "/projects/{id}/jobs/{job_id:int}", {"id": "5", "job_id": "7"}),
        (["projects", "5", "jobs", "7.json"], "/projects/{id}/jobs/{job_id:int}", {"id": "5", "job_id": "7"}),
        (
            ["projects", "5", "jobs", "artifacts", "main", "download"],
            "/projects/{id}/jobs/artifacts/{ref_name}/download",
            {"id": "5", "ref_name": "main"},
        ),
        (
            ["projects", "5", "jobs", "7", "artifacts", "a", "b.txt"],
            "/projects/{id}/jobs/{job_id:int}/artifacts/{artifact_path*}",
            {"id": "5", "job_id": "7", "artifact_path": "a/b.txt"},
        ),
        (["users", "5.txt"], "/users/{id:int}", {"id": "5"}),
        (["users", "jo.hn", "projects"], "/users/{user_id}/projects", {"user_id": "jo.hn"}),
        (["users", "5", "projects", ""], "/users/{user_id}/projects", {"user_id": "5"}),
    ],
)
def test_paths_find_their_template(segments: list[str], template: str, values: dict[str, str]) -> None:
    match = router().match(segments)

    assert match is not None
    assert (match.methods["GET"].path, match.values["GET"]) == (template, values)


@pytest.mark.parametrize(
    "segments",
    [
        [], [""], ["nothing"], ["projects", "", "x"], ["", "projects"], ["projects", "a", "b"], ["users", "name"],
        ["users", "5.toolong"], ["projects", "5", "jobs", "x7"], ["projects", "5", "jobs", "7", "", "", ""],
    ],
)  # fmt: skip
def test_other_paths_find_nothing(segments: list[str]) -> None:
    assert router().match(segments) is None


def test_methods_of_all_fitting_templates_are_known() -> None:
    match = router().match(["users", "5", "projects"])

    assert match is not None
    assert set(match.methods) == {"GET", "POST"}
    assert (match.values["GET"], match.values["POST"]) == ({"user_id": "5"}, {"id": "5"})


def test_an_endpoint_is_declared_once() -> None:
    created = router()

    with pytest.raises(ValueError, match="declared twice"):
        created.add(created.endpoints[0])
