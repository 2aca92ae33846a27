"""GraphQL at `/api/graphql`: reading what today's clients ask there, through the endpoints of the REST API.

The library is loaded by the first query (`execution`), so that a start pays nothing for it.
"""
