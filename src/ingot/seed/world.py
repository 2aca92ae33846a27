"""Planting the demo world into an instance that has nobody but its administrator, all through the API."""

from sqlalchemy import delete, func, select

from ingot import app as composition
from ingot.features.people.users import create_user
from ingot.identity import tokens
from ingot.identity.tables import personal_access_tokens, users
from ingot.kit.services import Services
from ingot.seed.files import ANVIL, BELLOWS, HAMMER, NOTEBOOK, SHAPES
from ingot.seed.inside import Inside, path_id

PEOPLE = {"ada": "Ada Lind", "ben": "Ben Okoro", "chloe": "Chloé Martin", "dai": "Dai Nakamura"}
TOKEN_NAME = "planting the demo world"


def plant(services: Services) -> bool:
    """Make the world; returns False where somebody lives already."""
    with services.db.write() as tx:
        if tx.execute(select(func.count()).select_from(users)).scalar_one() > 1:
            return False
        ids = {name: create_user(tx, username=name, name=PEOPLE[name], email=f"{name}@example.com") for name in PEOPLE}
        keys = {name: tokens.create(tx, ids[name], TOKEN_NAME, ["api"])[1] for name in ids}
    # An application of its own: what it starts has ended before the server begins.
    own = composition.build_services(services.settings)
    try:
        application = composition.build(own)
        World({name: Inside(application, key) for name, key in keys.items()}, ids).build()
    finally:
        own.pools.close()
        own.db.dispose()
    with services.db.write() as tx:
        tx.execute(delete(personal_access_tokens).where(personal_access_tokens.c.name == TOKEN_NAME))
    return True


class World:
    """A smithy: a group with a subgroup, three projects, and merge requests in every state."""

    def __init__(self, people: dict[str, Inside], ids: dict[str, int]) -> None:
        self.people = people
        self.ids = ids
        self.ada = people["ada"]
        self.anvil = f"/projects/{path_id('smithy/anvil')}"

    def build(self) -> None:
        """Everything, in the order in which it happened."""
        self._projects()
        self._labels_and_milestones()
        self._merged_request()
        self._open_requests()
        for name in ("ben", "chloe", "dai"):
            self.people[name].post(f"{self.anvil}/star")

    def _projects(self) -> None:
        smithy = self.ada.post("/groups", name="Smithy", path="smithy", visibility="public", description="Hot iron.")
        tools = self.ada.post("/groups", name="Tools", path="tools", parent_id=smithy["id"], visibility="internal")
        for name, level in (("ben", 40), ("chloe", 30), ("dai", 20)):
            self.ada.post(f"/groups/{smithy['id']}/members", user_id=self.ids[name], access_level=level)
        self._project("Anvil", ANVIL, namespace_id=smithy["id"], visibility="public", topics=["iron", "python"])
        self._project("Bellows", BELLOWS, namespace_id=tools["id"], visibility="internal")
        self._project("Notebook", NOTEBOOK, visibility="private")

    def _project(self, name: str, files: dict[str, str], **more: object) -> None:
        project = self.ada.post("/projects", name=name, path=name.lower(), **more)
        actions = [{"action": "create", "file_path": path, "content": text} for path, text in files.items()]
        self.ada.post(
            f"/projects/{project['id']}/repository/commits",
            branch="main",
            commit_message="Light the fire",
            actions=actions,
        )

    def _labels_and_milestones(self) -> None:
        for name, colour in (("bug", "#d9534f"), ("feature", "#5cb85c"), ("docs", "#428bca")):
            self.ada.post(f"{self.anvil}/labels", name=name, color=colour)
        self.ada.post(f"{self.anvil}/milestones", title="1.0", due_date="2030-01-01", description="Fit for use.")

    def _change(self, author: str, branch: str, message: str, actions: list[dict[str, str]]) -> None:
        self.people[author].post(
            f"{self.anvil}/repository/commits",
            branch=branch,
            start_branch="main",
            commit_message=message,
            actions=actions,
        )

    def _merged_request(self) -> None:
        readme = ANVIL["README.md"] + "\nInstall it with pip.\n"
        self._change("chloe", "say-how-to-install", "Say how to install", [_update("README.md", readme)])
        request = self.people["chloe"].post(
            f"{self.anvil}/merge_requests",
            source_branch="say-how-to-install",
            target_branch="main",
            title="Say how to install",
            labels="docs",
            remove_source_branch=True,
        )
        self.people["ben"].post(
            f"{self.anvil}/merge_requests/{request['iid']}/notes", body="Clear and short. Thank you!"
        )
        self.people["ben"].put(f"{self.anvil}/merge_requests/{request['iid']}/merge")

    def _open_requests(self) -> None:
        hammer = {"action": "create", "file_path": "src/anvil/hammer.py", "content": HAMMER}
        self._change("chloe", "add-the-hammer", "Add the hammer", [hammer])
        request = self.people["chloe"].post(
            f"{self.anvil}/merge_requests",
            source_branch="add-the-hammer",
            target_branch="main",
            title="Add the hammer",
            description="Strikes until the iron has its shape.",
            labels="feature",
            reviewer_ids=[self.ids["ben"]],
            assignee_ids=[self.ids["chloe"]],
        )
        self.people["ben"].post(
            f"{self.anvil}/merge_requests/{request['iid']}/discussions", body="What happens when `times` is zero?"
        )
        self._change(
            "ben", "round-things", "Round things", [_update("src/anvil/shapes.py", f"{SHAPES}\n\nROUND = 3\n")]
        )
        self.people["ben"].post(
            f"{self.anvil}/merge_requests",
            source_branch="round-things",
            target_branch="main",
            title="Draft: Round things",
        )


def _update(path: str, text: str) -> dict[str, str]:
    return {"action": "update", "file_path": path, "content": text}
