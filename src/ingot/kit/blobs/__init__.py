"""The object store: one interface over a local folder or an S3 bucket.

An object appears whole or not at all. Plain methods are for worker threads; `_async` ones and streams are for the event
loop.
"""

from ingot.kit.blobs.errors import BlobMissing, BlobTooLarge, StoreFull, StoreUnavailable
from ingot.kit.blobs.places import local_store, s3_store
from ingot.kit.blobs.s3_place import S3Place, Timeouts
from ingot.kit.blobs.store import Blob, BlobStore

__all__ = [
    "Blob",
    "BlobMissing",
    "BlobStore",
    "BlobTooLarge",
    "S3Place",
    "StoreFull",
    "StoreUnavailable",
    "Timeouts",
    "local_store",
    "s3_store",
]
