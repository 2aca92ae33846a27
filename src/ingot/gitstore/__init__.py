"""The only package that runs git. Functions take a `Repository` first; ids (`sha`) are always full 40-digit ids.

User text becomes an id through `revisions` and a name through `names`; nothing else accepts user text as a revision.
All errors are `errors.GitError` (`.message`); every call is synchronous and safe in threads.

storage     Storages({"default": root}).create(storage, project_id, kind="", default_branch="main") -> Repository
            .repository(storage, project_id, kind="") (kind: "", "wiki", "design")   .fork(source, storage, project_id)
            storages_of(services) -> those of the instance
            .relative_path(project_id)   .sweep(older_than)   storage.delete(repo)   errors: RepositoryExists, NoSpace
repository  Repository(path): .exists() .is_empty() .default_branch() .set_default_branch(name) .size()
            .lock(seconds=30) .tidying(seconds=30) context managers across processes; not re-entrant
            .writing() around whatever moves refs; `refs`, `copy_refs`, pushes and set_default_branch do it themselves
writers     closed(path) waits for those, and keeps others out   seal(path) refuses them, also if this process dies
moving      Move(source, target).copy() .arrive() .leave(): to another storage
revisions   resolve(repo, text) -> sha | RevisionNotFound     find(repo, text) -> sha | None
            find_range(repo, "a..b") -> (include, exclude) | None     has_object(repo, sha)
names       is_valid_branch(name) is_valid_tag(name) is_valid_ref(full) branch_ref(name) tag_ref(name) is_sha(text)
            BRANCHES TAGS MERGE_REQUESTS KEEP_AROUND prefixes
refs        find_branch(repo, name) -> sha | None     find_ref(repo, full_name) -> sha | None
            create_branch(repo, name, revision) -> sha   delete_branch(repo, name, expected=None)
            create_tag(repo, name, revision, message=None, tagger=None) -> target   delete_tag(repo, name)
            update(repo, [RefUpdate(ref, new|None, old|ZERO_ID|None)]) all or none; RefChanged when `old` is stale
            errors: InvalidRefName, RefExists, RefNotFound, RefConflict (a vs a/b)
listing     list_branches(repo, search=None, sort="name_asc"|"updated_asc"|"updated_desc") -> [Branch(name, commit_id)]
            branch_names(repo)   merged_branches(repo, into=sha) -> set   list_refs(repo, *prefixes) -> {ref: sha}
            list_tags(repo, search=None, order_by="name"|"updated"|"version", descending=False)
            -> [Tag(name, target, commit_id, is_annotated, tagger)]   find_tag(repo, name)   tag_message(repo, tag)
            matches_pattern(name, "rel-*")
            containing(repo, sha, "all"|"branch"|"tag") -> [(kind, name)]
objects     get_commit(repo, sha) -> Commit   merge_base(repo, a, b)   is_ancestor(repo, a, b)
            ahead_behind(repo, a, b) -> (ahead, behind)   merge_base_of(repo, [sha, ...])   merge_bases(repo, a, b)
            find_blob(repo, sha, path) -> Blob(id, path, mode, size, content) | None   find_entry (no content)
            list_tree(repo, sha, path="", recursive=False) -> [TreeEntry(id, name, type, path, mode)] | PathNotFound
            blob_size(repo, id)   read_blob(repo, id)   stream_blob(repo, id)
model       Person(name, email, when) Person.now(name, email)   ZERO_ID   EMPTY_TREE_ID
            Commit(id, tree_id, parent_ids, author, committer, message; .title .body .short_id .is_merge .trailers
            .extended_trailers)
log         commits(repo, LogQuery(include, exclude, all, since, until, path, author, first_parent, no_merges,
            topological, reverse, follow, skip, limit)) -> [Commit]   count(repo, query)   commit_ids(repo, query)
            between(repo, base, head) newest first  stats(repo, shas) -> {sha: CommitStats(additions, deletions, total)}
            last_commit_of_path(repo, sha, path)   authors.authors(repo, sha) -> (Author(name, email, times), ...)
diff        diff(repo, old, new, limits=DiffLimits(...)|None, paths=()) -> Diff(files, overflow)
            diff_of_commit(repo, sha)
            FileDiff(old_path, new_path, a_mode, b_mode, new_file, renamed_file, deleted_file, generated_file, diff,
            collapsed, too_large, additions, deletions, binary; .unidiff)   changed_paths(repo, old, new)
            changed_entries(repo, old, new) -> {path: modes and ids}   digest_of_entries(repo, old, new)
            raw_diff(repo, old, new) streams bytes
commit      create_commit(repo, CommitOptions(branch, message, [FileAction(action, file_path, content, encoding,
            previous_path, last_commit_id, execute_filemode)], author, committer, start_branch, start_sha,
            start_repository, force)) -> CreatedCommit(sha, ref, old); refusals are CommitRefused with the wire text
            prepare_commit: the same without moving the branch
pick        cherry_pick(repo, sha, onto, committer, message=None) -> sha   revert(repo, sha, onto, author, message=None)
            PickFailed(.code "conflict"|"empty"); the caller moves the branch with refs.update
merge       check_merge(repo, target, source) -> MergeCheck(.can_merge, .conflicts, .tree)
            merge_commit.merge_commit(repo, target, source, message, author, committer=None) -> sha
            squash.squash(repo, target, source, message, author, committer=None) -> sha
            rebase.rebase(repo, source, onto, committer) -> sha   fast_forward.fast_forward(repo, target, source) -> sha
            None of them moves a ref. errors: MergeConflict(.paths), NotFastForward, UnrelatedHistories (rebase)
smart_http  (with push, request_body; async)   advertise(repo, service, Git-Protocol header) -> bytes (sync)
            body = RequestBody(chunks, encoding=Content-Encoding);  upload_pack(repo, body, protocol) -> async chunks
            (BadFetch on nonsense)
            push = await read_push(body) -> Push(.commands [RefCommand(ref, old, new; .branch .tag .is_creation
            .is_deletion)], .options ["ci.skip"], ...)   BadPush on nonsense
            refuse(push, body, ["GitLab: ..."], reasons={ref: why}) -> async chunks (shown as [remote rejected])
            receive_pack(repo, push, body, protocol=, rules=PushRules(keep_history={refs that refuse force pushes},
            max_bytes), finished=async fn([RefResult(command, error)]) -> lines for the terminal) -> async chunks
            Answer with plain ASGI messages: a StreamingResponse that watches for disconnects eats the request body.
scratch     with view_of(repo, other) as both: reads the objects of both, changes neither
            with quarantine(repo) as arriving: fetch into it and check; release(arriving, repo) moves the objects on
object_checks  check_entries(repo, [NewEntry(path, mode, sha)]) | UnsafeObject   check_settings("receive"|"fetch")
version     problem_with_git() -> sentence | None
transfer    fetch_commit(source_repo, target_repo, sha, ref=None): objects from a fork, held by `ref`
archive     archive(repo, sha, kind in FORMATS, prefix, path="") -> chunks     CONTENT_TYPES[FORMATS[kind]]
grep        files_with(repo, sha, phrase) -> {path, ...} of text files; letter case does not count
shared_work  shared(key, work): once for all who ask at a time   briefly(caller): NotYet instead of a long wait
blame       blame(repo, sha, path, first=None, last=None) -> [BlameRange(commit, lines, start)]
bundle      bundle_chunks(repo) -> bytes | None    restore_bundle(repo, path, preferred="main") -> default branch | None
            bundle_refs(path) -> {ref: sha}   read_bundle(repo, path, accept=is_importable) -> {ref: sha}   BadBundle
fsck        check(repo, full=True) -> Health(.is_sound, .problem)   remove_stale_files(repo)
            tidy(repo, keep) packs and prunes, but for the commits that keep() names   is_untidy(repo) -> worth a `tidy`
commit_graph  extend(repo), rewrite(repo): git's index of commits; `packing` and `tidy` see to it
health      examine(repo) -> Health(.size, .references, .objects, .commit_graph, .bitmap, ...)
languages   languages(repo, sha) -> {"Python": 70.0, ...}
licences    find_licence(repo, entries) -> Licence(key, name, nickname, html_url, path) | None
"""

from ingot.gitstore.errors import GitError
from ingot.gitstore.model import Commit, Person
from ingot.gitstore.repository import Repository
from ingot.gitstore.storage import Storages, storages_of

__all__ = ["Commit", "GitError", "Person", "Repository", "Storages", "storages_of"]
