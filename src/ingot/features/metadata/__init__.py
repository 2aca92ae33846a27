"""What this instance is: its version, for clients that adapt to it."""
