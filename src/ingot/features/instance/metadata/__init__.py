"""What this instance is: its version, for clients that adapt to it."""

COMPATIBLE_VERSION = "17.9.0"
