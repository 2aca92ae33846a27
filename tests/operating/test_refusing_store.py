"""A store that lets objects be read and takes none: reads go on, writes are refused, nothing is half-written."""

from collections.abc import Callable, Iterator

import pytest

from ingot import doctor
from tests.operating.test_silent_store import Story, timed
from tests.s3_server import KEY_ID, SECRET, running_s3
from tests.support.between import Between, honest, way_to
from tests.support.databases import Databases
from tests.support.server import RunningServer
from tests.support.world import World

pytestmark = pytest.mark.costly  # about the store; the database is hardly met


@pytest.fixture(scope="module")
def way() -> Iterator[type[Between]]:
    with running_s3() as server:
        server.bucket("ingot")
        with way_to(server.endpoint) as created:
            yield created


@pytest.fixture(scope="module")
def story(databases: Databases, way: type[Between], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    folder = tmp_path_factory.mktemp("data")
    settings = {
        "object_store": "s3://ingot/objects",
        "s3_endpoint": way.url,
        "s3_access_key_id": KEY_ID,
        "s3_secret_access_key": SECRET,
        "object_store_timeout": 60,
    }
    with RunningServer(databases.fresh(folder), folder, **settings) as server:
        yield Story(World(server))


FULL = "The object store is full. Enlarge it or delete data you no longer need."
PERHAPS_CHECKSUMS = "does not offer what a write asks for; if it refuses checksums, set s3_checksums to false"


def to_writes(status: int, code: str) -> Callable[[Between, bytes], None]:
    def answer(request: Between, body: bytes) -> None:
        if request.command in ("PUT", "POST"):
            request.answer(status, f"<Error><Code>{code}</Code><Message>No</Message></Error>".encode())
        else:
            honest(request, body)

    return answer


# As S3, MinIO and versitygw say it.
@pytest.mark.parametrize(
    ("status", "code", "expected", "sentence"),
    [
        (
            403,
            "AccessDenied",
            503,
            "The object store does not accept objects: it rejected the credentials, or they lack permissions.",
        ),
        (
            501,
            "NotImplemented",
            503,
            f"The object store does not accept objects: it {PERHAPS_CHECKSUMS}.",
        ),
        (507, "XMinioStorageFull", 507, FULL),
        (403, "QuotaExceeded", 507, FULL),
    ],
)
def test_reads_go_on_and_writes_are_refused(
    story: Story, way: type[Between], status: int, code: str, expected: int, sentence: str
) -> None:
    before = story.visible()
    way.rule = to_writes(status, code)
    try:
        writes = {name: timed(write)[0] for name, write in story.writes().items()}
        reads = {name: timed(read)[0] for name, read in story.reads().items()}
        services = story.world.server.services
        sentences = [finding.sentence for finding in doctor.EXAMINATIONS["objects"](services, False)]
    finally:
        way.rule = honest

    assert writes == dict.fromkeys(writes, expected)
    assert reads == dict.fromkeys(reads, 200)
    assert sentences == [sentence]
    assert story.visible() == before
    assert timed(story.writes()["upload"])[0] == 201
    assert [finding.sentence for finding in doctor.EXAMINATIONS["objects"](services, False)] == []
