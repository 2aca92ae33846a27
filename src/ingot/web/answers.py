"""Answers of the API as page handlers read them: the fields that Python code uses. Templates read the others.

`tests/web/test_answers.py` compares each record with what its endpoint declares.
"""

from typing import NotRequired, TypedDict


class Person(TypedDict):
    """A user."""

    id: int
    name: str


class Label(TypedDict):
    """A label with its colour."""

    name: str
    color: str


class Pipeline(TypedDict):
    """A pipeline."""

    id: int
    status: str


class PipelineOfProject(Pipeline):
    """A pipeline that may be of another project."""

    project_id: int


class TimedPipeline(PipelineOfProject):
    """A pipeline, with when it began."""

    ref: str
    web_url: str
    started_at: NotRequired[str | None]


class PipelineOfCommit(TimedPipeline):
    """A pipeline with the commit that it is for."""

    sha: str


class Job(TypedDict):
    """A job of a pipeline."""

    id: int
    status: str
    stage: str
    allow_failure: bool


class DatedJob(Job):
    """A job with the moment of its creation."""

    created_at: str


class NamedJob(Job):
    """A job of a pipeline with its name."""

    name: str


class Bridge(NamedJob):
    """A job that starts another pipeline."""

    downstream_pipeline: PipelineOfProject | None
    started_at: str | None
    finished_at: str | None
    failure_reason: NotRequired[str | None]


class JobFile(TypedDict):
    """A file that a job left."""

    file_type: str


class JobOfPipeline(NamedJob):
    """A job with the pipeline that it belongs to, and its files."""

    pipeline: Pipeline
    artifacts: list[JobFile]


class TestCase(TypedDict):
    """A test that a job has run."""

    status: str


class TestSuite(TypedDict):
    """The tests of a job."""

    test_cases: list[TestCase]


class TestReport(TypedDict):
    """The tests of a pipeline."""

    test_suites: list[TestSuite]


class RequestReader(TypedDict):
    """What the caller may do with a merge request."""

    can_merge: bool


class MergeRequest(TypedDict):
    """A merge request."""

    id: int
    iid: int
    author: Person
    state: str
    sha: str | None
    description: str | None
    labels: list[str] | list[Label]  # names; pages replace them by labels with colours
    source_branch: str
    target_branch: str
    reviewers: list[Person]
    source_project_id: int | None
    target_project_id: int
    updated_at: str
    detailed_merge_status: str
    merge_when_pipeline_succeeds: bool
    merge_after: NotRequired[str | None]
    merge_error: NotRequired[str | None]
    rebase_in_progress: NotRequired[bool]
    closed_by: NotRequired[Person | None]
    closed_at: NotRequired[str | None]
    merge_commit_sha: NotRequired[str | None]
    squash_commit_sha: NotRequired[str | None]
    squash_on_merge: NotRequired[bool]
    head_pipeline: NotRequired[TimedPipeline | None]
    user: NotRequired[RequestReader]
    diff_refs: NotRequired[dict[str, str | None] | None]
    user_notes_count: NotRequired[int]
    changes_count: NotRequired[str | None]


class ApprovalRule(TypedDict):
    """A rule that asks for approvals."""

    name: str | None


class RuleState(TypedDict):
    """A rule with those who may approve and who did."""

    name: str
    rule_type: str
    approvals_required: int
    approved_by: list[Person]
    eligible_approvers: list[Person]


class ApprovalState(TypedDict):
    """The approvals of a merge request by rule."""

    rules: list[RuleState]


class FailedJob(TypedDict):
    """A job that failed."""

    id: int
    name: str
    web_url: str
    allow_failure: bool
    failure_reason: str | None


class StartedPipeline(PipelineOfProject):
    """A pipeline that a job started."""

    web_url: str


class FailedBridge(FailedJob):
    """A job that was to start another pipeline, and failed with it."""

    downstream_pipeline: StartedPipeline | None


class Approver(TypedDict):
    """Somebody who approved."""

    user: Person
    approved_at: str


class Approvals(TypedDict):
    """The approvals of a merge request."""

    approvals_left: NotRequired[int]
    approval_rules_left: NotRequired[list[ApprovalRule]]
    suggested_approvers: NotRequired[list[Person]]
    user_can_approve: NotRequired[bool]
    approved_by: NotRequired[list[Approver]]


class Suggestion(TypedDict):
    """Lines that a comment proposes."""

    id: int
    appliable: bool
    to_content: str


class Position(TypedDict, total=False):
    """The line that a comment is about."""

    position_type: str
    base_sha: str | None
    head_sha: str | None
    old_path: str | None
    new_path: str | None
    old_line: int | None
    new_line: int | None
    line_range: dict[str, dict[str, int | None] | None] | None  # both ends, with their lines


class Note(TypedDict):
    """A comment."""

    id: int
    author: Person
    body: str
    system: bool
    internal: bool
    resolvable: bool
    resolved: NotRequired[bool]
    position: NotRequired[Position | None]
    commit_id: NotRequired[str | None]
    created_at: str
    suggestions: NotRequired[list[Suggestion]]


class CommitComment(TypedDict):
    """A comment on a commit."""

    note: str
    path: str | None
    line: int | None
    line_type: str | None


class DraftNote(TypedDict):
    """A comment that only its author sees."""

    id: int
    note: str
    discussion_id: str | None
    commit_id: str | None
    position: Position | None


class Diff(TypedDict):
    """One changed file."""

    old_path: str
    new_path: str
    a_mode: str | None
    b_mode: str | None
    diff: str
    new_file: bool
    renamed_file: bool
    deleted_file: bool
    generated_file: NotRequired[bool | None]
    collapsed: NotRequired[bool | None]
    too_large: NotRequired[bool | None]


class ComparedCommit(TypedDict):
    """A commit of a comparison."""

    message: str


class Comparison(TypedDict):
    """What one revision has and another has not."""

    commits: list[ComparedCommit]
    diffs: list[Diff]


class DiffVersion(TypedDict):
    """A version of a merge request."""

    id: int
    base_commit_sha: str | None
    start_commit_sha: str | None
    head_commit_sha: str | None
    created_at: str
    diffs: NotRequired[list[Diff]]


class Milestone(TypedDict):
    """A milestone."""

    id: int
    title: str


class Assignee(Person):
    """Whom a column or a board is of."""

    username: str


class BoardList(TypedDict):
    """A column of a board."""

    id: int
    label: Label | None
    position: int
    assignee: NotRequired[Assignee | None]
    milestone: NotRequired[Milestone | None]


class Board(TypedDict):
    """An issue board."""

    id: int
    name: str
    lists: list[BoardList]
    hide_backlog_list: bool
    hide_closed_list: bool
    labels: NotRequired[list[Label]]
    milestone: NotRequired[Milestone | None]
    assignee: NotRequired[Assignee | None]
    weight: NotRequired[int | None]


class WikiPage(TypedDict):
    """A page of a wiki with its content."""

    format: str
    slug: str
    title: str
    content: str
    front_matter: dict[str, str]


class SnippetFile(TypedDict):
    """A file of a snippet."""

    path: str


class Snippet(TypedDict):
    """A snippet."""

    id: int
    title: str
    description: str | None
    visibility: str
    file_name: str
    author: Person | None
    files: list[SnippetFile]


class Commit(TypedDict):
    """A commit."""

    id: str
    committed_date: str
    committer_email: str


class BlamedLines(TypedDict):
    """Lines that a commit wrote; none while it is being looked for."""

    commit: Commit | None
    lines: list[str]


class RequestCommit(Commit):
    """A commit of a merge request."""

    parent_ids: list[str]


class BranchRow(TypedDict):
    """A branch of a list."""

    name: str
    default: bool
    commit: Commit


class TagRow(TypedDict):
    """A tag."""

    name: str
    target: str


class GroupRow(TypedDict):
    """A group of a list."""

    id: int
    full_path: str
    parent_id: int | None


class Event(TypedDict):
    """What somebody did."""

    project_id: int | None


class RepositoryFile(TypedDict):
    """A file of a repository with its content in base64."""

    content: str
    size: int
    last_commit_id: str
    execute_filemode: bool


class ShownFile(TypedDict):
    """What is shown of a file beside its content."""

    file_name: str
    size: int
    commit_id: str
    execute_filemode: bool


class PipelineRow(TypedDict):
    """A pipeline of a list."""

    id: int
    project_id: int
    sha: str
    status: str
    created_at: str
    updated_at: str


class Named(TypedDict):
    """A person."""

    username: str
    name: str


class Issuable(TypedDict):
    """An issue in its form; a merge request has the fields that every issue has, too."""

    iid: int
    title: str
    description: str | None
    labels: list[str]
    assignees: list[Named]
    milestone: Milestone | None
    due_date: NotRequired[str | None]
    confidential: NotRequired[bool]
    discussion_locked: NotRequired[bool | None]
    issue_type: NotRequired[str]
    weight: NotRequired[int | None]
    reviewers: NotRequired[list[Named]]


class EditedRequest(Issuable):
    """A merge request in its form."""

    source_project_id: int | None
    target_project_id: int
    target_branch: str
    squash: bool
    force_remove_source_branch: bool | None
    allow_collaboration: NotRequired[bool]
    merge_after: NotRequired[str | None]
