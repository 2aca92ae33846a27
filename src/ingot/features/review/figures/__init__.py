"""Counts of records, for users and for the instance."""
