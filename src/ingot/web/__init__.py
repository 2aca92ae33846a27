"""The web pages: declared like endpoints, filled by calling the API's own endpoints in process."""
