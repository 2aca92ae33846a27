"""The API description, served by the API itself, and its operations with examples for the pages."""

from ingot.features.instance.api_reference.operations import Operation, find_operation, list_operations

__all__ = ["Operation", "find_operation", "list_operations"]
