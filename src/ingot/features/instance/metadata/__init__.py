"""The version of this instance, for clients that adapt to it."""

COMPATIBLE_VERSION = "17.9.0"
