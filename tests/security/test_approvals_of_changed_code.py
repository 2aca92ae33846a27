"""Approved code is what is merged: whatever changes it afterwards takes the approval away."""

import base64
from collections.abc import Callable

import pygit2
import pytest

from ingot.gitstore import refs
from ingot.gitstore.refs import RefUpdate
from tests.support.world import Person, World

pytestmark = pytest.mark.costly

IMAGE = b"\x89PNG\r\n\x1a\n\x00\x00good"
OWNED = "CODEOWNERS"


class Request:
    """A project whose rule asks for the reviewer, and an approved request of its developer."""

    def __init__(self, world: World, people: dict[str, Person], content: bytes = b"one\ntwo\n") -> None:
        self.world, self.people = world, people
        self.project = world.project(people["maintainer"], initialize_with_readme=True)
        for name in ("developer", "reviewer", "outsider"):
            world.member(self.project, people[name], "developer")
        self.base = f"/projects/{self.project['id']}"
        self.client = people["developer"].client
        self.maintainer = people["maintainer"].client
        rule = {"name": "Security", "approvals_required": 1, "user_ids": [people["reviewer"].id]}
        self.maintainer.ok("POST", f"{self.base}/approval_rules", json=rule)
        self.write({"a.txt": content}, start="main")
        request = {"title": "t", "source_branch": "f", "target_branch": "main"}
        self.path = (
            f"{self.base}/merge_requests/{self.client.ok('POST', f'{self.base}/merge_requests', json=request)['iid']}"
        )

    def write(
        self, files: dict[str, bytes], start: str | None = None, branch: str = "f", action: str = "create"
    ) -> str:
        """Commit files through the interface."""
        actions = [
            {"action": action, "file_path": path, "encoding": "base64", "content": base64.b64encode(content).decode()}
            for path, content in files.items()
        ]
        body = {"branch": branch, "commit_message": "Change", "actions": actions}
        body |= {"start_branch": start} if start else {}
        return str(self.client.ok("POST", f"{self.base}/repository/commits", json=body)["id"])

    def approve(self, name: str = "reviewer") -> None:
        self.people[name].client.ok("POST", f"{self.path}/approve")
        assert self.people[name].id in self.approvers()

    def approvers(self) -> list[int]:
        return [one["user"]["id"] for one in self.client.ok("GET", f"{self.path}/approvals")["approved_by"]]

    def change_state(self, event: str) -> None:
        self.client.ok("PUT", self.path, json={"state_event": event})

    def assert_not_mergeable(self) -> None:
        refused = self.maintainer.put(f"{self.path}/merge")
        assert (refused.status_code, refused.json().get("reason")) == (405, "not_approved"), refused.text
        assert self.approvers() == []

    def move_silently(self, sha: str, branch: str = "f") -> None:
        """Move a branch as a push does whose announcement has not been heard yet."""
        repository = self.world.repository(self.project)
        old = refs.find_branch(repository, branch)
        assert old is not None
        refs.update(repository, [RefUpdate(f"refs/heads/{branch}", sha, old)])

    def select_owners(self) -> None:
        setting = f"{self.base}/merge_request_approval_setting"
        self.maintainer.ok("PUT", setting, json={"selective_code_owner_removals": True})


@pytest.fixture(scope="module")
def people(world: World) -> dict[str, Person]:
    return {name: world.user() for name in ("maintainer", "developer", "reviewer", "outsider")}


@pytest.fixture
def request_(world: World, people: dict[str, Person]) -> Request:
    return Request(world, people)


def push(request: Request) -> None:
    request.write({"evil.txt": b"evil\n"})


def push_while_closed(request: Request) -> None:
    request.change_state("close")
    push(request)
    request.change_state("reopen")


def recreate_the_branch(request: Request) -> None:
    request.client.ok("DELETE", f"{request.base}/repository/branches/f")
    request.write({"evil.txt": b"evil\n"}, start="main")
    request.change_state("reopen")


def recreate_the_branch_while_closed(request: Request) -> None:
    request.change_state("close")
    recreate_the_branch(request)


def push_before_anybody_hears_of_it(request: Request) -> None:
    sha = request.write({"evil.txt": b"evil\n"}, start="f", branch="g")
    request.move_silently(sha)


def push_and_look(request: Request) -> None:
    push_before_anybody_hears_of_it(request)
    request.client.ok("GET", request.path)


def retarget_away_and_back_with_other_code(request: Request) -> None:
    request.client.ok("POST", f"{request.base}/repository/branches?branch=side&ref=f")
    push(request)
    request.client.ok("PUT", request.path, json={"target_branch": "side"})
    request.client.ok("PUT", request.path, json={"target_branch": "main"})


def retarget(request: Request) -> None:
    request.client.ok("POST", f"{request.base}/repository/branches?branch=other&ref=main")
    request.client.ok("PUT", request.path, json={"target_branch": "other"})


def retarget_while_closed(request: Request) -> None:
    request.change_state("close")
    retarget(request)
    request.change_state("reopen")


def retarget_and_reopen_at_once(request: Request) -> None:
    request.client.ok("POST", f"{request.base}/repository/branches?branch=other&ref=main")
    request.change_state("close")
    request.client.ok("PUT", request.path, json={"target_branch": "other", "state_event": "reopen"})


def retarget_by_a_comment(request: Request) -> None:
    request.client.ok("POST", f"{request.base}/repository/branches?branch=other&ref=main")
    request.client.post(f"{request.path}/notes", json={"body": "/target_branch other"})
    assert request.client.ok("GET", request.path)["target_branch"] == "other"


def rewind_the_target(request: Request) -> None:
    """The request then brings in what the target had before, too."""
    repository = request.world.repository(request.project)
    head = refs.find_branch(repository, "f")
    assert head is not None
    first = str(repository.odb[head].parents[0].id)
    root = repository.odb.create_commit(None, *_people(), "root", repository.odb[first].tree_id, [])
    request.move_silently(str(root), "main")


WAYS = [
    push, push_while_closed, recreate_the_branch, recreate_the_branch_while_closed, push_before_anybody_hears_of_it,
    push_and_look, retarget_away_and_back_with_other_code, retarget, retarget_while_closed, retarget_and_reopen_at_once,
    retarget_by_a_comment, rewind_the_target,
]  # fmt: skip


def _people() -> tuple[pygit2.Signature, pygit2.Signature]:
    person = pygit2.Signature("Eve", "eve@example.com")
    return person, person


@pytest.mark.parametrize("change", WAYS, ids=lambda change: change.__name__)
def test_an_approval_does_not_outlive_what_was_approved(request_: Request, change: Callable[[Request], None]) -> None:
    request_.approve()

    change(request_)

    request_.assert_not_mergeable()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (IMAGE, IMAGE[:-4] + b"evil"),
        (b"one\n", b"one\n\x0b@@ evil\n"),
        (b"a\x0b@@ good\n", b"a\x0b@@ evil\n"),
        ("a\u2028@@ good\n".encode(), "a\u2028@@ evil\n".encode()),
        ("a\u0085@@ good\n".encode(), "a\u0085@@ evil\n".encode()),
        (b"a\r@@ good\n", b"a\r@@ evil\n"),
        (b"one\ntwo\n", b"one\r\ntwo\r\n"),
        (b"one\ntwo\n", b"one\ntwo"),
        (b"caf\xe9\n", b"caf\xe8\n"),
        (b"x\n" * 10 + b"allow\n" + b"x\n" * 30, b"x\n" * 30 + b"allow\n" + b"x\n" * 10),
        (b"a\n@@ -1 +1 @@ good\n", b"a\n@@ -1 +1 @@ evil\n"),
    ],
    ids=[
        "binary", "vertical-tab-added", "vertical-tab", "line-separator", "next-line", "carriage-return", "crlf",
        "last-newline", "latin-1", "moved-line", "hunk-header",
    ],
)  # fmt: skip
def test_a_file_is_compared_as_git_stores_it(
    world: World, people: dict[str, Person], before: bytes, after: bytes
) -> None:
    request = Request(world, people, content=before)
    request.approve()

    request.write({"a.txt": after}, action="update")

    request.assert_not_mergeable()


def test_a_file_made_executable_is_another(request_: Request) -> None:
    request_.approve()
    actions = [{"action": "chmod", "file_path": "a.txt", "execute_filemode": True}]
    body = {"branch": "f", "commit_message": "Run it", "actions": actions}

    request_.client.ok("POST", f"{request_.base}/repository/commits", json=body)

    request_.assert_not_mergeable()


@pytest.mark.parametrize("mode", [pygit2.enums.FileMode.LINK, pygit2.enums.FileMode.COMMIT])
def test_a_file_made_a_link_or_submodule_is_another(request_: Request, mode: pygit2.enums.FileMode) -> None:
    request_.approve()
    odb = request_.world.repository(request_.project).odb
    head = odb.revparse_single("refs/heads/f")
    builder = odb.TreeBuilder(head.tree)
    builder.insert("a.txt", head.id if mode == pygit2.enums.FileMode.COMMIT else head.tree["a.txt"].id, mode)
    sha = str(odb.create_commit(None, *_people(), "Link", builder.write(), [head.id]))

    request_.world.fast_forward(request_.project, "f", sha)

    request_.assert_not_mergeable()


@pytest.mark.parametrize("is_first", [True, False])
def test_a_merge_of_the_target_hides_no_reverts(request_: Request, is_first: bool) -> None:
    """With two common ancestors the diff against one of them shows only approved code, but the merge removes a file."""
    world, project = request_.world, request_.project
    odb = world.repository(project).odb
    started = odb.revparse_single("refs/heads/f")  # part one of the work, which main gets first
    fixed = odb.revparse_single(world.commit(project, "main", {"fix.txt": "fix\n"}))
    builder = odb.TreeBuilder(fixed.tree)
    builder.insert("a.txt", started.tree["a.txt"].id, pygit2.enums.FileMode.BLOB)
    request_.write({"b.txt": b"part two\n"})
    second = odb.revparse_single("refs/heads/f")
    main = odb.create_commit(None, *_people(), "Bring in part one", builder.write(), [fixed.id, started.id])
    world.fast_forward(project, "main", str(main))
    request_.approve()
    parents = [fixed.id, second.id] if is_first else [second.id, fixed.id]
    evil = odb.create_commit(None, *_people(), "Merge main, without its fix", second.tree_id, parents)

    world.fast_forward(project, "f", str(evil))

    request_.assert_not_mergeable()


def test_approvals_outlive_a_rebase_and_a_merge_of_the_target(request_: Request) -> None:
    request_.approve()
    request_.world.commit(request_.project, "main", {"other.txt": "x\n"})
    request_.client.ok("PUT", f"{request_.path}/rebase")
    request_.world.run_jobs()
    assert request_.approvers() == [request_.people["reviewer"].id]
    request_.change_state("close")
    request_.change_state("reopen")

    assert request_.maintainer.ok("PUT", f"{request_.path}/merge")["state"] == "merged"


def test_a_reviewer_whose_approval_went_is_asked_again(request_: Request) -> None:
    reviewer = request_.people["reviewer"]
    request_.client.ok("PUT", request_.path, json={"reviewer_ids": [reviewer.id]})
    request_.approve()

    push_while_closed(request_)

    assert request_.client.ok("GET", f"{request_.path}/reviewers")[0]["state"] == "unapproved"


def test_retained_approvals_stay(request_: Request) -> None:
    setting = f"{request_.base}/merge_request_approval_setting"
    request_.maintainer.ok("PUT", setting, json={"retain_approvals_on_push": True})
    request_.approve()

    push_while_closed(request_)
    retarget(request_)

    assert request_.approvers() == [request_.people["reviewer"].id]


OWNED_FILE_CHANGES = [push, push_while_closed, recreate_the_branch, push_before_anybody_hears_of_it, push_and_look]


@pytest.mark.parametrize("change", OWNED_FILE_CHANGES, ids=lambda change: change.__name__)
def test_selective_removal_takes_the_approvals_of_owners_of_changed_files(
    request_: Request, change: Callable[[Request], None]
) -> None:
    reviewer, outsider = request_.people["reviewer"], request_.people["outsider"]
    owners = f"evil.txt @{reviewer.username}\nnice.txt @{outsider.username}\n"
    request_.world.commit(request_.project, "main", {OWNED: owners})
    request_.select_owners()
    request_.approve()
    request_.approve("outsider")

    change(request_)
    if change is push_and_look:
        request_.write({"unowned.txt": b"x\n"})  # a later push does not hide the one before

    assert request_.approvers() == [outsider.id]
    refused = request_.maintainer.put(f"{request_.path}/merge")
    assert (refused.status_code, refused.json()["reason"]) == (405, "not_approved")


def test_selective_removal_sees_changes_that_a_diff_does_not_show(world: World, people: dict[str, Person]) -> None:
    request = Request(world, people, content=IMAGE)
    world.commit(request.project, "main", {OWNED: f"a.txt @{people['reviewer'].username}\n"})
    request.select_owners()
    request.approve()

    request.write({"a.txt": IMAGE + b"evil"}, action="update")

    request.assert_not_mergeable()


def test_selective_removal_spares_owners_of_what_the_target_brings(request_: Request) -> None:
    reviewer = request_.people["reviewer"]
    request_.world.commit(request_.project, "main", {OWNED: f"theirs.txt @{reviewer.username}\n", "theirs.txt": "1\n"})
    request_.select_owners()
    request_.approve()
    request_.world.commit(request_.project, "main", {"theirs.txt": "2\n"})
    request_.client.ok("PUT", f"{request_.path}/rebase")
    request_.world.run_jobs()

    request_.write({"mine.txt": b"x\n"})

    assert request_.approvers() == [reviewer.id]


def test_selective_removal_on_a_new_target_takes_all(request_: Request) -> None:
    request_.select_owners()
    request_.approve()

    retarget(request_)

    request_.assert_not_mergeable()


def test_owners_of_files_are_asked_before_anybody_hears_of_the_push(request_: Request) -> None:
    reviewer, outsider = request_.people["reviewer"], request_.people["outsider"]
    request_.world.commit(request_.project, "main", {OWNED: f"evil.txt @{outsider.username}\n"})
    protection = {"name": "main", "code_owner_approval_required": True}
    request_.maintainer.delete(f"{request_.base}/protected_branches/main")
    request_.maintainer.ok("POST", f"{request_.base}/protected_branches", json=protection)
    setting = f"{request_.base}/merge_request_approval_setting"
    request_.maintainer.ok("PUT", setting, json={"retain_approvals_on_push": True})
    request_.approve()

    push_before_anybody_hears_of_it(request_)

    refused = request_.maintainer.put(f"{request_.path}/merge")
    assert (refused.status_code, refused.json()["reason"]) == (405, "not_approved")
    assert request_.approvers() == [reviewer.id]


def test_a_new_owners_file_asks_its_owners(request_: Request) -> None:
    protection = {"name": "main", "code_owner_approval_required": True}
    request_.maintainer.delete(f"{request_.base}/protected_branches/main")
    request_.maintainer.ok("POST", f"{request_.base}/protected_branches", json=protection)
    request_.approve()

    request_.world.commit(request_.project, "main", {OWNED: f"a.txt @{request_.people['outsider'].username}\n"})

    refused = request_.maintainer.put(f"{request_.path}/merge")
    assert (refused.status_code, refused.json()["reason"]) == (405, "not_approved")
