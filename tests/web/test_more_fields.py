"""Fields that forms were without: what they change is what the API then says."""

from typing import Any

import pytest

from tests.support.server import ROOT_TOKEN, RunningServer
from tests.web.browsing import Browser, Visit, form_values

pytestmark = pytest.mark.costly

PLACE, ANVIL = "/smithy/anvil/-", "/projects/smithy%2Fanvil"


def asked(server: RunningServer, path: str) -> Any:
    return server.client(ROOT_TOKEN).ok("GET", path)


@pytest.mark.parametrize("place", [PLACE, "/groups/smithy/-"])
def test_a_file_is_attached_to_a_wiki_page(smithy: RunningServer, ada: Browser, place: str) -> None:
    page = ada.open(f"{place}/wikis/new")
    button = page.tree.xpath("//details[@class='attach']//button")[0]
    form = page.tree.xpath("//form[.//textarea[@name='content']]")[0]
    fields = {**form_values(form), "title": "With a file", "content": "Look:"}
    fields.pop("attachment", None)
    files = {"attachment": ("die.txt", b"cold", "text/plain")}

    preview = Visit(ada.http.post(button.get("formaction"), data=fields, files=files))

    written = preview.tree.xpath("string(//textarea[@id='written'])")
    assert (written.strip()[:5], "](uploads/" in written) == ("Look:", True)
    assert preview.tree.xpath("//details[@class='attach']")
    saved = ada.send(preview, "/wikis")
    assert saved.path == f"{place}/wikis/With-a-file"
    link = next(link for link in saved.links() if "/wikis/uploads/" in link)
    assert ada.http.get(link).content == b"cold"
    again = ada.open(f"{saved.path}/edit").tree.xpath("//details[@class='attach']//button")[0].get("formaction")
    plain = Visit(ada.http.post(again, data={**fields, "format": "org", "content": "*not bold*"}))
    assert plain.tree.xpath("string(//*[@id='preview'])") == "*not bold*"


def test_a_file_for_a_wiki_that_is_too_large_leaves_the_text(smithy: RunningServer, ada: Browser) -> None:
    smithy.client(ROOT_TOKEN).ok("PUT", "/application/settings", json={"max_attachment_size": 1})
    page = ada.open(f"{PLACE}/wikis/new")
    button = page.tree.xpath("//details[@class='attach']//button")[0]
    form = page.tree.xpath("//form[.//textarea[@name='content']]")[0]
    fields = {**form_values(form), "content": "Look:"}
    fields.pop("attachment", None)

    large = {"attachment": ("large.bin", b"0" * 2_000_000, "application/octet-stream")}
    refused = Visit(ada.http.post(button.get("formaction"), data=fields, files=large))

    assert refused.status == 413
    assert (refused.tree.find(".//*[@role='alert']") is not None, "Look:" in refused.text) == (True, True)
