"""The form that runs a pipeline asks for what the file of the branch describes."""

from typing import Any

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser, Visit

pytestmark = pytest.mark.costly

PLACE = "/smithy/kiln/-"
CONFIG = """
spec:
  inputs:
    heat: {type: number, default: 900, description: Degrees}
    metal: {options: [iron, copper], description: What is cast}
    dry: {type: boolean, default: true}
    parts: {type: array, default: [a, 'b"']}
    note: {default: "007"}
    loud: {default: false}
---
variables:
  TARGET: {value: forge, description: Where it goes, options: [forge, yard]}
  GREETING: {value: "hello & <b>", description: What to say}
  LINES: {value: "a\\nb", description: Two lines}
  HIDDEN: {value: x}
cast:
  script: ["echo $[[ inputs.heat ]] $[[ inputs.metal ]] $[[ inputs.dry ]] $[[ inputs.note ]]"]
  parallel: {matrix: [{PART: "$[[ inputs.parts ]]"}]}
"""
PLAIN = "plain: {script: [x]}"
OTHER = """
variables:
  TARGET: {value: yard, description: Where it goes, options: [forge, yard]}
  GREETING: {value: servus, description: What to say}
plain:
  script: [x]
  rules: [{if: $CI_PIPELINE_SOURCE == "web"}]
"""
STRICT = """
spec: {inputs: {must: {regex: '^v[0-9]+$'}}}
---
variables:
  COLOUR: {value: red, description: Which}
plain: {script: ["$[[ inputs.must ]]"]}
"""


@pytest.fixture(scope="module")
def kiln(smithy: RunningServer) -> dict[str, Any]:
    """A project with a file that describes what it needs, on one of its branches."""
    client = smithy.client(ROOT_TOKEN)
    group = client.ok("GET", "/groups/smithy")["id"]
    project = client.ok("POST", "/projects", json={"path": "kiln", "namespace_id": group, "visibility": "public"})
    for branch, content in (("main", PLAIN), ("described", CONFIG), ("other", OTHER), ("strict", STRICT)):
        action = {
            "action": "create" if branch == "main" else "update",
            "file_path": ".gitlab-ci.yml",
            "content": content,
        }
        body = {"branch": branch, "commit_message": "[skip ci] Cast", "actions": [action]}
        body |= {} if branch == "main" else {"start_branch": "main"}
        client.ok("POST", f"/projects/{project['id']}/repository/commits", json=body)
    return dict(project)


def fields_of(page: Visit) -> dict[str, str]:
    """The fields of the form with their values."""
    form = page.tree.xpath("//main//form")[0]
    found = {field.get("name"): field.get("value") or field.text or "" for field in form.iter("input", "textarea")}
    found |= {field.get("name"): field.xpath("string(option[@selected])") for field in form.iter("select")}
    return {name: value.strip() for name, value in found.items() if ":" in name or name in ("ref", "variables")}


def test_variables_and_inputs_are_asked_for_and_given(
    smithy: RunningServer, ada: Browser, kiln: dict[str, Any]
) -> None:
    plain = ada.open(f"{PLACE}/pipelines/new")
    assert fields_of(plain) == {"ref": "main", "variables": ""}
    page = ada.send(plain, "/pipelines", ref="described", variables="MORE=1")
    assert (page.status, "`metal` input: required value has not been provided" in page.text) == (400, True)
    assert fields_of(page) == {
        "ref": "described", "variables": "MORE=1", "input:number:heat": "900", "input:string:metal": "",
        "input:boolean:dry": "true", "input:array:parts": '["a", "b\\""]', "input:string:note": "007",
        "input:string:loud": "false", "variable:TARGET": "forge", "variable:GREETING": "hello & <b>",
        "variable:LINES": "a\nb",
    }  # fmt: skip
    given = {"input:string:metal": "copper", "input:boolean:dry": "false", "variable:TARGET": "yard"}
    done = ada.send(page, "/pipelines", **given)
    assert "Pipeline started." in done.text
    assert [name.text for name in done.tree.xpath("//span[@class='name']")] == ["cast: [a]", 'cast: [b"]']

    client, number = smithy.client(ROOT_TOKEN), done.path.rpartition("/")[2]
    rows = client.ok("GET", f"/projects/{kiln['id']}/pipelines/{number}/variables")
    assert {row["key"]: row["value"] for row in rows} == {
        "TARGET": "yard", "GREETING": "hello & <b>", "LINES": "a\nb", "MORE": "1"
    }  # fmt: skip


def test_another_branch_is_looked_at_without_losing_what_was_typed(ada: Browser, kiln: dict[str, Any]) -> None:
    page = ada.open(f"{PLACE}/pipelines/new?ref=described&var[GREETING]=moin&var[EXTRA]=a%20b")
    assert (fields_of(page)["variable:GREETING"], fields_of(page)["variables"]) == ("moin", "EXTRA=a b")
    form = page.tree.xpath("//main//form")[0]
    form.set("action", page.tree.xpath("//button[@id='other-ref']/@formaction")[0])
    other = ada.send_form(page, form, ref="main")
    assert (other.status, fields_of(other)) == (200, {"ref": "main", "variables": "EXTRA=a b"})
    lost = ada.open(f"{PLACE}/pipelines/new?ref=no-such")
    assert (lost.status, fields_of(lost)) == (404, {"ref": "no-such", "variables": ""})
    assert "There is no branch or tag no-such." in lost.text


def test_what_one_branch_asks_for_is_not_given_to_another(
    smithy: RunningServer, ada: Browser, kiln: dict[str, Any]
) -> None:
    client, rows = smithy.client(ROOT_TOKEN), f"/projects/{kiln['id']}/pipelines"
    page = ada.open(f"{PLACE}/pipelines/new?ref=described")
    before = client.ok("GET", rows)
    again = ada.send(page, "/pipelines", ref="other", **{"variable:GREETING": "moin"})
    assert (
        again.status,
        "The pipeline has not run yet. Review the inputs and variables of other below" in again.text,
    ) == (422, True)
    # What was typed stays, and defaults are those of the branch.
    assert fields_of(again) == {
        "ref": "other", "variables": "", "variable:TARGET": "yard", "variable:GREETING": "moin"
    }  # fmt: skip
    assert client.ok("GET", rows) == before
    done = ada.send(again, "/pipelines")
    assert "Pipeline started." in done.text
    pipeline = f"{rows}/{done.path.rpartition('/')[2]}"
    assert client.ok("GET", pipeline)["source"] == "web"
    given = client.ok("GET", f"{pipeline}/variables")
    assert {row["key"]: row["value"] for row in given} == {"TARGET": "yard", "GREETING": "moin"}


def test_an_input_that_has_to_match_a_pattern_hides_no_variables(ada: Browser, kiln: dict[str, Any]) -> None:
    page = ada.open(f"{PLACE}/pipelines/new?ref=strict")
    assert fields_of(page) == {"ref": "strict", "variables": "", "input:string:must": "", "variable:COLOUR": "red"}
    refused = ada.send(page, "/pipelines", **{"input:string:must": "1"})
    assert (refused.status, "does not match required RegEx pattern" in refused.text) == (400, True)
    assert fields_of(refused)["variable:COLOUR"] == "red"


def test_variables_are_not_asked_of_those_who_may_not_give_them(smithy: RunningServer, kiln: dict[str, Any]) -> None:
    client = smithy.client(ROOT_TOKEN)
    client.ok("PUT", f"/projects/{kiln['id']}", json={"restrict_user_defined_variables": True})
    chloe = Browser(smithy)
    chloe.enter_by_link("chloe")
    page = chloe.open(f"{PLACE}/pipelines/new?ref=described")
    assert not any(name.startswith("variable") for name in fields_of(page))
    assert "You cannot set variables for new pipelines" in page.text
    started = chloe.send(page, "/pipelines", **{"input:string:metal": "iron"})
    assert "Pipeline started." in started.text
    # Nor are those of a branch that others may run: the file has what includes need of variables.
    refused = chloe.open(f"{PLACE}/pipelines/new?ref=main")
    assert fields_of(refused) == {"ref": "main"}


def test_a_value_of_any_depth_is_refused_in_words(ada: Browser, kiln: dict[str, Any]) -> None:
    page = ada.open(f"{PLACE}/pipelines/new?ref=described")

    answer = ada.send(page, "/pipelines", **{"input:string:metal": "iron", "input:array:parts": "[" * 100_000})

    assert (answer.status, "`parts` input: provided value is not an array" in answer.text) == (400, True)
