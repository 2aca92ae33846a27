"""What clients hear of refs without a process, beside what git itself says, byte for byte."""

import pytest

from ingot.gitstore import refs, smart_http
from ingot.gitstore.ls_refs import LARGEST, LsRefs, parse
from ingot.gitstore.names import ENVIRONMENTS, INTERNAL, KEEP_AROUND, TIDYING
from ingot.gitstore.pkt_line import FLUSH, pkt
from ingot.gitstore.ref_snapshot import MOST
from ingot.gitstore.repository import Repository
from ingot.gitstore.smart_http import RECEIVE_PACK, UPLOAD_PACK
from ingot.kit import tallies
from tests.gitstore.conftest import Builder

FETCH = [("uploadpack.allowFilter", "true"), ("uploadpack.allowAnySHA1InWant", "true")]
FETCH += [("uploadpack.hideRefs", name.rstrip("/")) for name in (KEEP_AROUND, ENVIRONMENTS, TIDYING)]
PUSH = [("receive.advertisePushOptions", "true")]
PUSH += [("receive.hideRefs", name.rstrip("/")) for name in (*INTERNAL, "refs/replace/")]
QUESTIONS = [
    [b"peel", b"symrefs", b"unborn", b"ref-prefix HEAD", b"ref-prefix refs/heads/", b"ref-prefix refs/tags/"],
    [b"peel", b"symrefs"],
    [b"unborn"],
    [b"symrefs", b"unborn", b"ref-prefix refs/heads/fea", b"ref-prefix refs/merge-requests/"],
    [],
]


def body_of(words: list[bytes], *, command: bytes = b"ls-refs", more: tuple[bytes, ...] = ()) -> bytes:
    heads = [b"command=" + command + b"\n", b"agent=git/2.39.5", b"object-format=sha1", *more]
    return b"".join(map(pkt, heads)) + b"0001" + b"".join(pkt(word + b"\n") for word in words) + FLUSH


def greeting_of_git(repo: Repository, service: str, protocol: str = "") -> bytes:
    words = (service.removeprefix("git-"), "--stateless-rpc", "--advertise-refs", str(repo.path))
    config = FETCH if service == UPLOAD_PACK else PUSH
    return repo.git(*words, env={"GIT_PROTOCOL": protocol}, config=config).stdout


def processes() -> int:
    """How many git services were started so far."""
    return sum(tally.number for key, tally in tallies.totals().items() if key[:2] == (tallies.GIT, "upload-pack"))


def require_agreement(repo: Repository) -> int:
    """Everything that is said here is what git says; returns how many questions needed no process."""
    for service in (UPLOAD_PACK, RECEIVE_PACK):
        for protocol in ("", "version=1", "version=2", "version=2:version=1", "nonsense"):
            assert smart_http.list_refs(repo, service, protocol) == greeting_of_git(repo, service, protocol)
    answered = 0
    for words in QUESTIONS:
        body = body_of(words)
        question = parse(body)
        assert question is not None
        before = processes()
        answer = smart_http.answer_ls_refs(repo, question)
        answered += processes() == before
        env = {"GIT_PROTOCOL": "version=2"}
        said = repo.git("upload-pack", "--stateless-rpc", str(repo.path), stdin=body, env=env, config=FETCH)
        assert answer == said.stdout
    return answered


@pytest.fixture
def filled(repo: Repository, build: Builder) -> Repository:
    for name in ("main", "features/a", "features-b", "feature", "grün"):
        build.commit(name, {"a": name})
    head = refs.find_branch(repo, "main") or ""
    tag = ("-c", "user.name=Anna", "-c", "user.email=anna@example.com", "tag", "-a", "-m", "A tag")
    build.git(*tag, "v1", head)
    build.git("tag", "light", head)
    build.git("pack-refs", "--all")
    build.git(*tag, "v2", head)
    build.git(*tag, "v3", "v2")
    build.git(*tag, "file", f"{head}:a")
    build.git("tag", "folder", f"{head}^{{tree}}")
    build.commit("main", {"a": "moved on"})
    for hidden in ("keep-around", "environments", "tidying", "replace", "pipelines", "merge-requests"):
        build.git("update-ref", f"refs/{hidden}/1/head", head)
    return repo


def test_loose_packed_and_peeled_refs_are_those_of_git(filled: Repository) -> None:
    require_agreement(filled)  # the first answers come from git, which says what it can

    assert require_agreement(filled) == len(QUESTIONS)


def test_a_branch_that_does_not_exist_yet_is_named(filled: Repository, build: Builder) -> None:
    build.git("symbolic-ref", "HEAD", "refs/heads/later")

    assert require_agreement(filled) == len(QUESTIONS)


def test_an_empty_repository_says_so(repo: Repository) -> None:
    assert require_agreement(repo) == len(QUESTIONS)


def test_moved_and_deleted_refs_are_seen_at_once(filled: Repository, build: Builder) -> None:
    require_agreement(filled)
    build.commit("feature", {"a": "again"})
    build.git("update-ref", "-d", "refs/heads/grün")
    build.git("tag", "-d", "v1")

    assert require_agreement(filled) == len(QUESTIONS)


@pytest.mark.parametrize("kind", ["detached", "missing object", "alias", "many"])
def test_what_only_git_can_explain_is_left_to_git(filled: Repository, build: Builder, kind: str) -> None:
    head = refs.find_branch(filled, "main") or ""
    if kind == "detached":
        build.git("update-ref", "--no-deref", "HEAD", head)
    elif kind == "missing object":
        (filled.path / "refs" / "heads" / "broken").write_text("a" * 40 + "\n")
    elif kind == "alias":
        build.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    else:
        folder = filled.path / "refs" / "heads" / "many"
        folder.mkdir()
        for number in range(MOST):
            (folder / str(number)).write_text(f"{head}\n")

    assert require_agreement(filled) == 0


def test_other_commands_and_odd_questions_are_left_to_git() -> None:
    plain = body_of([b"peel"])
    assert parse(plain) == LsRefs(peel=True, symrefs=False, unborn=False, prefixes=())
    for body in (
        body_of([b"want " + b"a" * 40], command=b"fetch"),
        body_of([b"strange"]),
        body_of([b"peel"], more=(b"object-format=sha256",)),
        body_of([b"peel"], more=(b"strange=1",)),
        body_of([b"ref-prefix " + b"x" * 1000] * (LARGEST // 1000 + 1)),
        plain[:-4],
        plain + plain,
        plain + b"0",
        b"00zz" + plain,
        b"",
    ):
        assert parse(body) is None
