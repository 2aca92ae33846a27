"""One folder per noun of the API."""
