"""Audit events: who changed which right or setting, and from where."""
