"""Broadcast messages of administrators to everybody."""
