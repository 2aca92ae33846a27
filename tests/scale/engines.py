"""Which engines the tests of scale find on this machine, beside PostgreSQL, which comes with them.

`INGOT_TEST_STORE` names another store, or `moto` for none; `INGOT_TEST_GLUSTER=0` leaves repositories on the disk.
"""

import os

from tests import s3_server
from tests.scale.gluster import why_not


def store() -> str:
    """The program of a real store that keeps its objects when it is killed; else the test server."""
    return os.environ.get("INGOT_TEST_STORE") or s3_server.find_real_store() or s3_server.TEST_SERVER


def has_gluster() -> bool:
    """Whether repositories are put on GlusterFS. Demanded by `INGOT_TEST_GLUSTER=1`, it fails where there is none."""
    wanted = os.environ.get("INGOT_TEST_GLUSTER", "")
    return why_not() == "" if wanted == "" else wanted == "1"


def about_store() -> str:
    """Where objects are, and what is missing."""
    chosen = store()
    if s3_server.is_test_server(chosen):
        reason = (
            "INGOT_TEST_STORE" if os.environ.get("INGOT_TEST_STORE") else "neither minio nor versitygw is installed"
        )
        return f"Objects are in the test server, which is not killed ({reason})."
    return f"Objects are in {chosen}."


def about_repositories() -> str:
    """Where repositories are, and what is missing."""
    if has_gluster():
        return "Repositories are on GlusterFS."
    return f"Repositories are on the disk, so that no brick is killed ({why_not() or 'INGOT_TEST_GLUSTER'})."
