"""Opening stores: a folder of this machine, or a bucket of an S3-compatible server."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from obstore.store import LocalStore, S3Store

from ingot.kit.blobs.s3_place import S3Place
from ingot.kit.blobs.store import BlobStore
from ingot.kit.blobs.unfinished import UnfinishedUploads

if TYPE_CHECKING:
    from obstore.store import S3Config

# S3 takes at most ten thousand parts: with 8 MiB each, objects of up to 80 GB.
_S3_PART = 8 * 1024 * 1024
_LOCAL_PART = 1024 * 1024
# Clients may be slow; of the store itself only silence counts, and a slow piece.
_LONGEST_DOWNLOAD = 12 * 3600.0


def local_store(folder: Path) -> BlobStore:
    """Objects as files below `folder`, which is made when it is missing."""
    folder = folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return BlobStore(LocalStore(folder, automatic_cleanup=True), part_size=_LOCAL_PART, folder=folder)


def s3_store(place: S3Place) -> BlobStore:
    """Objects in a bucket. Opening it makes no connection."""
    return BlobStore(
        raw_s3_store(place, place.timeouts.whole),
        part_size=_S3_PART,
        downloads=lambda: raw_s3_store(place),
        slowest=place.timeouts.whole,
        uploads=UnfinishedUploads(place) if place.access_key_id and place.secret_access_key else None,
    )


def raw_s3_store(place: S3Place, longest: float = _LONGEST_DOWNLOAD) -> S3Store:
    """The library's own store; no request to it takes longer than so many seconds."""
    wait = place.timeouts
    config: S3Config = {"region": place.region, "virtual_hosted_style_request": place.virtual_hosted}
    if place.endpoint:
        config["endpoint"] = place.endpoint
    if place.access_key_id:
        config["access_key_id"] = place.access_key_id
    if place.secret_access_key:
        config["secret_access_key"] = place.secret_access_key
    if place.session_token:
        config["session_token"] = place.session_token
    if place.checksums:
        # The signature of a request contains this digest of its body already, but only here does the store keep it.
        config["checksum_algorithm"] = "SHA256"
    return S3Store(
        place.bucket,
        prefix=place.prefix,
        config=config,
        client_options={
            "allow_http": (place.endpoint or "").startswith("http://"),
            "connect_timeout": timedelta(seconds=wait.connect),
            "read_timeout": timedelta(seconds=wait.read),
            "timeout": timedelta(seconds=longest),
        },
        retry_config={"max_retries": wait.retries, "retry_timeout": timedelta(seconds=wait.retry_within)},
    )
