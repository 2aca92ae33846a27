"""Forms of settings speak to people: in words instead of names of parameters, and of places by their paths."""

import re

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

PROJECT, GROUP = "/smithy/anvil/-", "/groups/smithy/-"
PAGES = (
    "/smithy/anvil/edit", f"{PROJECT}/settings/ci_cd", f"{PROJECT}/settings/repository",
    f"{PROJECT}/settings/merge_requests", f"{PROJECT}/settings/access_tokens", f"{PROJECT}/hooks",
    f"{PROJECT}/pipeline_schedules", f"{GROUP}/edit", f"{GROUP}/settings/repository", f"{GROUP}/settings/ci_cd",
    f"{GROUP}/runners", f"{GROUP}/hooks", f"{GROUP}/settings/access_tokens", f"{GROUP}/roles",
    f"{GROUP}/saml_group_links",
)  # fmt: skip
# A name of a parameter, or what is said of one to those who write programs.
FOR_PROGRAMS = re.compile(r"\b[a-z]+_[a-z_]+\b|\babsent\b|\bcaller|\bunless given\b")
SCOPE = "/projects/smithy%2Fanvil/job_token_scope"


def words_of(page: Visit) -> list[str]:
    found = page.tree.xpath("//main//label | //main//legend | //main//*[contains(@class, 'hint')] | //main//option")
    return [" ".join("".join(one.itertext()).split()) for one in found]


@pytest.mark.parametrize("path", PAGES)
def test_labels_and_explanations_name_no_parameters(ada: Browser, path: str) -> None:
    page = ada.open(path)

    assert page.status == 200
    assert len(words_of(page)) > 1
    assert [words for words in words_of(page) if FOR_PROGRAMS.search(words)] == []


@pytest.mark.parametrize(
    ("section", "field", "path", "listed"),
    [
        ("job_token_projects", "target_project_id", "ada/notebook", "allowlist"),
        ("job_token_groups", "target_group_id", "smithy/tools", "groups_allowlist"),
    ],
)
def test_jobs_of_other_places_are_let_in_by_the_path_of_the_place(
    smithy: RunningServer, ada: Browser, section: str, field: str, path: str, listed: str
) -> None:
    form = ada.open(f"{PROJECT}/settings/ci_cd")
    refused = ada.send(form, f"/settings/ci_cd/{section}", **{field: "nobody/nothing"})
    kind = "project" if "project" in section else "group"
    assert (refused.status, f"There is no {kind} “nobody/nothing”." in refused.text) == (422, True)
    assert refused.tree.xpath(f"//input[@name='{field}']/@value") == ["nobody/nothing"]

    ada.send(refused, f"/settings/ci_cd/{section}", **{field: path})

    rows = smithy.client(ROOT_TOKEN).ok("GET", f"{SCOPE}/{listed}")
    assert path in [row.get("path_with_namespace") or row["web_url"].partition("/groups/")[2] for row in rows]


def test_a_role_is_made_and_shown_in_words(ada: Browser) -> None:
    page = ada.send(
        ada.open(f"{GROUP}/roles"), "/roles/roles", name="Gatekeeper", base_access_level="20",
        manage_deploy_tokens="true", admin_cicd_variables="true",
    )  # fmt: skip

    row = page.tree.xpath("//li[.//*[.='Gatekeeper']]")[0]

    assert "manage CI/CD variables, manage deploy tokens" in " ".join("".join(row.itertext()).split())
