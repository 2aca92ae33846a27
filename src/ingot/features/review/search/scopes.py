"""Where each kind of record is looked for: in the database by a statement, in repositories by hand."""

from ingot.features.review.search import code, comments, commits, issuables, people, records

SCOPES = {
    "projects": records.find_projects,
    "issues": issuables.find_issues,
    "merge_requests": issuables.find_merge_requests,
    "milestones": records.find_milestones,
    "users": people.find_users,
    "snippet_titles": records.find_snippets,
    "notes": comments.find_notes,
}
IN_GIT = {"blobs": code.search_blobs, "wiki_blobs": code.search_wiki, "commits": commits.search_commits}
