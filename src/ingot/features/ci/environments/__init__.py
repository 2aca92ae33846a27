"""Environments and deployments over the API; stopping and cleaning up."""
