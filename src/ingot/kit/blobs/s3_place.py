"""Where a bucket is, how it is reached, and how long it may stay silent."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Timeouts:
    """How long a store may stay silent, or be slow, before it counts as unavailable.

    What fails quickly is tried again; silence is not waited for twice. `whole` is for a request with at most one part
    of an object, and for half a megabyte of a longer download.
    """

    connect: float = 3
    read: float = 15
    whole: float = 120
    retries: int = 2
    retry_within: float = 10


@dataclass(frozen=True)
class S3Place:
    """A bucket and how to reach it. Without keys, the credentials of the machine's role are used."""

    bucket: str
    region: str = "us-east-1"
    endpoint: str | None = None
    access_key_id: str | None = None
    secret_access_key: str | None = field(default=None, repr=False)
    session_token: str | None = field(default=None, repr=False)
    prefix: str | None = None
    virtual_hosted: bool = False
    checksums: bool = True
    timeouts: Timeouts = field(default_factory=Timeouts)
