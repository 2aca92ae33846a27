"""Outgoing HTTP to addresses that users name: https only, and never into our own network.

The address that is really dialled is checked, so no odd spelling, redirect or changed name server answer leads inside.
Proxies of the environment are ignored for the same reason.
"""

from ingot.kit.outbound.blocking import (
    Answer,
    addresses_blocking,
    check_literally,
    download_blocking,
    get_blocking,
    head_blocking,
    upload_blocking,
)
from ingot.kit.outbound.client import CONNECTION_HEADERS, Limits, Outbound
from ingot.kit.outbound.errors import SILENT, BodyTooLarge, OutboundFailed, OutboundTimeout, UrlRefused
from ingot.kit.outbound.s3 import S3Failed, S3Missing, S3Object, S3Source, find_s3_object
from ingot.kit.outbound.urls import Rules, check_syntax, without_secrets

__all__ = [
    "CONNECTION_HEADERS",
    "SILENT",
    "Answer",
    "BodyTooLarge",
    "Limits",
    "Outbound",
    "OutboundFailed",
    "OutboundTimeout",
    "Rules",
    "S3Failed",
    "S3Missing",
    "S3Object",
    "S3Source",
    "UrlRefused",
    "addresses_blocking",
    "check_literally",
    "check_syntax",
    "download_blocking",
    "find_s3_object",
    "get_blocking",
    "head_blocking",
    "upload_blocking",
    "without_secrets",
]
