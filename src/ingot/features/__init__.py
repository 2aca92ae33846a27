"""One folder per noun of the API. A folder registers itself by holding `tables`, `routes`, `jobs` or `listeners`."""
