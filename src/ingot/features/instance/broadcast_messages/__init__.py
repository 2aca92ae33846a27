"""Broadcast messages: what administrators tell everybody."""
