"""Uploads in parts that nobody will finish, because a process was killed: the store keeps their parts, and shows none.

A lifecycle rule of the bucket removes them too, where a store knows such rules. The library of the object store cannot
ask for uploads, so these two requests are made here.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import quote

from ingot.kit.blobs.errors import StoreUnavailable
from ingot.kit.blobs.s3_place import S3Place
from ingot.kit.clock import now
from ingot.kit.outbound.sigv4 import presign

if TYPE_CHECKING:
    from lxml.etree import _Element

_LIFETIME = timedelta(minutes=5)
# Answers of stores that list no uploads, or not to these keys.
_NOT_OFFERED = (400, 403, 405, 501)
# Where the next page begins: how it is asked for, and how the page before tells it.
_MARKERS = {"key-marker": "NextKeyMarker", "upload-id-marker": "NextUploadIdMarker"}


class UnfinishedUploads:
    """Those of one bucket, which other programs may use too."""

    def __init__(self, place: S3Place) -> None:
        self._place = place

    def abort(self, folders: Iterable[str], older_than: timedelta) -> int:
        """End those below these folders that began long ago, and return how many that were."""
        horizon = now() - older_than
        prefix = f"{self._place.prefix}/" if self._place.prefix else ""
        ours = tuple(f"{prefix}{folder}" for folder in folders)
        keys = [(key, upload) for key, upload, begun in self._listed() if begun < horizon and key.startswith(ours)]
        for key, upload in keys:
            self._ask("DELETE", f"/{quote(key, safe='/-_.~')}", {"uploadId": upload})
        return len(keys)

    def _listed(self) -> Iterator[tuple[str, str, datetime]]:
        # All of the bucket's: asked for a prefix, MinIO lists nothing.
        query = {"uploads": ""}
        while True:
            content = self._ask("GET", "", query)
            if content is None:
                return
            page = _parsed(content)
            for upload in page.iterfind("{*}Upload"):
                key, begun = _text(upload, "Key"), datetime.fromisoformat(_text(upload, "Initiated"))
                yield key, _text(upload, "UploadId"), begun
            following = {name: _text(page, element) for name, element in _MARKERS.items()}
            # Some stores say that there is more, and not from where on: the same page again would never end.
            is_repeated = not any(following.values()) or following.items() <= query.items()
            if _text(page, "IsTruncated") != "true" or is_repeated:
                return
            query |= following

    def _ask(self, method: str, path: str, query: dict[str, str]) -> bytes | None:
        """None where the store does not offer it, or no longer knows the upload."""
        import urllib.request
        from urllib.error import HTTPError

        place = self._place
        base = (place.endpoint or f"https://s3.{place.region}.amazonaws.com").rstrip("/")
        url = presign(
            method,
            f"{base}/{place.bucket}{path}",
            region=place.region,
            access_key_id=place.access_key_id or "",
            secret_access_key=place.secret_access_key or "",
            lifetime=_LIFETIME,
            query=query,
        )
        request = urllib.request.Request(url, method=method)  # noqa: S310 - the operator's own store
        try:
            with urllib.request.urlopen(request, timeout=place.timeouts.read) as answer:  # noqa: S310 - as above
                return bytes(answer.read())
        except HTTPError as error:
            if error.code in (*_NOT_OFFERED, 404):
                return None
            raise StoreUnavailable from error
        except OSError as error:
            raise StoreUnavailable from error


def _parsed(content: bytes) -> "_Element":
    from lxml import etree

    return etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))


def _text(element: "_Element", name: str) -> str:
    return str(element.findtext(f"{{*}}{name}") or "")
