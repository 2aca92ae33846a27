"""The pages for people: declared like endpoints, filled by asking the API's own endpoints in process."""
