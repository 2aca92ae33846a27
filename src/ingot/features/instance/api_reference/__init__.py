"""The API description, served by the API itself."""
