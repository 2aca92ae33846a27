"""Asking for imports and carrying them out."""
