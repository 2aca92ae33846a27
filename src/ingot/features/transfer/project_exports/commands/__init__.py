"""Asking for exports and making them."""
