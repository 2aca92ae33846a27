"""Creating the demo data in an empty instance, all through the API."""

from sqlalchemy import func, select

from ingot.identity.tables import users
from ingot.kit.services import Services
from ingot.seed.files import ANVIL, BELLOWS, HAMMER, NOTEBOOK, SHAPES
from ingot.seed.inside import Inside, path_id
from ingot.seed.people import Person, inside_as_root, make_people


def plant(services: Services) -> list[Person]:
    """Create the demo data and return its users; none if the instance is not empty."""
    with services.db.read() as conn:
        if conn.execute(select(func.count()).select_from(users)).scalar_one() > 1:
            return []
    with inside_as_root(services) as root:
        people = make_people(root)
        keys = {name: root.as_owner_of(person.token) for name, person in people.items()}
        World(keys, {name: person.id for name, person in people.items()}).build()
    return list(people.values())


class World:
    """A smithy: a group with a subgroup, three projects, issues, threads, a release, merge requests in every state."""

    def __init__(self, people: dict[str, Inside], ids: dict[str, int]) -> None:
        self.people = people
        self.ids = ids
        self.ada = people["ada"]
        self.anvil = f"/projects/{path_id('smithy/anvil')}"

    def build(self) -> None:
        """Everything, in the order in which it happened."""
        self._projects()
        self._labels_and_milestones()
        self._issues()
        self._merged_request()
        self._release()
        self._open_requests()
        self._wiki()
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
        # All pipelines are shown with their results, however soon the next commit comes.
        more["auto_cancel_pending_pipelines"] = "disabled"
        project = self.ada.post("/projects", name=name, path=name.lower(), **more)
        actions = [{"action": "create", "file_path": path, "content": text} for path, text in files.items()]
        self.ada.post(
            f"/projects/{project['id']}/repository/commits",
            branch="main",
            commit_message="Light the fire",
            actions=actions,
        )

    def _wiki(self) -> None:
        home = "Welcome to the smithy.\n\n- [First steps](guides/First-steps)\n"
        self.people["ben"].post(f"{self.anvil}/wikis", title="home", content=home)
        self.people["chloe"].post(f"{self.anvil}/wikis", title="guides/First steps", content="Light the fire first.\n")

    def _labels_and_milestones(self) -> None:
        for name, colour in (("bug", "#d9534f"), ("feature", "#5cb85c"), ("docs", "#428bca")):
            self.ada.post(f"{self.anvil}/labels", name=name, color=colour)
        self.ada.post(f"{self.anvil}/milestones", title="1.0", due_date="2030-01-01", description="Fit for use.")

    def _issues(self) -> None:
        milestone = self.ada.get(f"{self.anvil}/milestones")[0]["id"]
        cold = self.people["dai"].post(
            f"{self.anvil}/issues",
            title="Cold iron breaks",
            description="`flatten([])` ends with an error.\n\n- [x] Tried it twice\n- [ ] Write a test",
        )
        place = f"{self.anvil}/issues/{cold['iid']}"
        self.ada.put(place, labels="bug", milestone_id=milestone, assignee_ids=[self.ids["chloe"]], weight=2)
        thread = self.people["ben"].post(f"{place}/discussions", body="Which version?")
        self.people["dai"].post(f"{place}/discussions/{thread['id']}/notes", body="The one on `main`.")
        chloe = self.people["chloe"]
        chloe.post(f"{place}/notes", body="I will look at it, it may take a day.\n\n/estimate 1d")
        hammer = chloe.post(f"{self.anvil}/issues", title="A hammer", labels="feature", milestone_id=milestone)
        self.people["ben"].post(f"{self.anvil}/issues/{hammer['iid']}/award_emoji", name="thumbsup")
        chloe.post(f"{self.anvil}/issues", title="Nobody knows how to install", labels="docs")

    def _release(self) -> None:
        self.ada.post(
            f"{self.anvil}/releases",
            tag_name="v0.1",
            ref="main",
            name="First heat",
            description="Flat things, and a word on how to install.",
        )

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
            description="Closes #3",
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
            description="Strikes until the iron has its shape. Closes #2, see also #1.",
            labels="feature",
            reviewer_ids=[self.ids["ben"]],
            assignee_ids=[self.ids["chloe"]],
        )
        place = f"{self.anvil}/merge_requests/{request['iid']}"
        ends = self.people["ben"].get(place)["diff_refs"]
        line = {**ends, "position_type": "text", "new_path": "src/anvil/hammer.py", "new_line": 8}
        thread = self.people["ben"].post(
            f"{place}/discussions", body="What happens when `times` is zero?", position=line
        )
        self.people["chloe"].post(f"{place}/discussions/{thread['id']}/notes", body="Nothing: the iron stays as it is.")
        self.people["ben"].post(f"{place}/discussions", body="Shall we have tongs too?")
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
