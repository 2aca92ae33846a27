"""Settings, and what cannot be undone: what is refused comes back with its page, the reason and what was typed."""

import pytest

from tests.support.server import RunningServer
from tests.web.browsing import Browser, form_values

pytestmark = pytest.mark.costly

PROJECT, GROUP = "/smithy/anvil/edit", "/groups/smithy/-/edit"


@pytest.mark.parametrize(
    ("page", "action", "field", "typed", "reason"),
    [
        (PROJECT, "/edit/remove", "confirm", "smithy/anvils", "The path you typed must be smithy/anvil"),
        (PROJECT, "/edit/transfer", "namespace", "nobody/here", ""),
        (PROJECT, "/edit/export", "upload[url]", "gopher://there", ""),
        (GROUP, "/-/remove", "confirm", "smith", "The path you typed must be smithy"),
        (GROUP, "/-/transfer", "parent", "nobody/here", ""),
    ],
)
def test_a_refused_form_is_shown_again(
    smithy: RunningServer, ada: Browser, page: str, action: str, field: str, typed: str, reason: str
) -> None:
    form = ada.open(page)
    refused = ada.send(form, action, **{field: typed})
    assert refused.status in (400, 403, 404, 422)
    [problem] = refused.tree.xpath("//p[@role='alert']")
    assert "".join(problem.itertext()).strip()
    assert reason in "".join(problem.itertext())
    assert refused.tree.xpath("//h2[@id='h_danger']")
    if field != "confirm":  # what confirms a loss is typed anew
        assert refused.tree.xpath(f"//input[@name='{field}']/@value") == [typed]
    assert ada.open(page).status == 200


def test_settings_that_are_refused_come_back_as_they_were_typed(smithy: RunningServer, ada: Browser) -> None:
    typed = {
        "name": "n" * 300,
        "description": "typed with care",
        "visibility": "private",
        "wiki_access_level": "disabled",
    }
    refused = ada.send(ada.open(PROJECT), "/-/edit", **typed)
    assert refused.status in (400, 422)
    form = next(form for form in refused.tree.iterfind(".//form") if (form.get("action") or "").endswith("/-/edit"))
    assert form_values(form).items() >= typed.items()
