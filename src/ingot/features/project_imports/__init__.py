"""Importing projects from archives: uploaded, fetched from a URL or from S3, or one relation at a time."""
