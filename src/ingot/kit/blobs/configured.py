"""The object store that the settings name."""

from ingot.kit.blobs.places import local_store, s3_store
from ingot.kit.blobs.s3_place import S3Place, Timeouts
from ingot.kit.blobs.store import BlobStore
from ingot.settings import Settings


def configured_store(settings: Settings) -> BlobStore:
    """A folder of the data folder, or a bucket."""
    if not settings.object_store:
        return local_store(settings.objects_folder)
    bucket, prefix = settings.bucket
    return s3_store(
        S3Place(
            bucket,
            region=settings.s3_region,
            endpoint=settings.s3_endpoint or None,
            access_key_id=settings.s3_access_key_id or None,
            secret_access_key=settings.s3_secret_access_key or None,
            prefix=prefix or None,
            checksums=settings.s3_checksums,
            timeouts=_patience(settings.object_store_timeout),
        )
    )


def _patience(seconds: float) -> Timeouts:
    return Timeouts(connect=min(3.0, seconds), read=seconds, whole=seconds * 8, retry_within=seconds * 2 / 3)
