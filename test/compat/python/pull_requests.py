"""Creates, changes, compares and merges pull requests; conflicts in a line are refused."""

import tempfile
from pathlib import Path

from huggingface_hub import CommitOperationAdd, CommitOperationDelete
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError
from story import alice, carol, given, nobody, refused, same

REPO = "acme/proposals"
alice.create_repo(REPO)
alice.upload_file(repo_id=REPO, path_or_fileobj=b"one\ntwo\nthree\n", path_in_repo="x.txt")

# Every reader of a repository may propose changes.
made = carol.create_commit(
    REPO,
    [CommitOperationAdd("y.txt", b"new\n"), CommitOperationAdd("x.txt", b"one\nTWO\nthree\n")],
    commit_message="Louder",
    commit_description="Because.",
    create_pr=True,
)
same((made.pr_num, made.pr_revision), (1, "refs/pr/1"))
same(made.pr_url, f"{given['hubUrl']}/{REPO}/discussions/1")
refused(
    lambda: nobody.create_commit(REPO, [CommitOperationAdd("z", b"z")], commit_message="Z", create_pr=True),
    RepositoryNotFoundError,
    401,
)
same(alice.file_exists(REPO, "y.txt"), False)
same(alice.file_exists(REPO, "y.txt", revision="refs/pr/1"), True)
cache = tempfile.mkdtemp()
same(
    Path(alice.hf_hub_download(REPO, "x.txt", revision="refs/pr/1", cache_dir=cache)).read_text(),
    "one\nTWO\nthree\n",
)

second = carol.upload_file(repo_id=REPO, path_or_fileobj=b"more\n", path_in_repo="y.txt", revision="refs/pr/1")
details = alice.get_discussion_details(REPO, 1)
same((details.title, details.status, details.is_pull_request), ("Louder", "open", True))
same((details.git_reference, details.target_branch, details.conflicting_files), ("refs/pr/1", "refs/heads/main", []))
commits = [event for event in details.events if event.type == "commit"]
same([event.oid for event in commits], [made.oid, second.oid])
assert "-two\n+TWO\n" in details.diff, details.diff
assert "+more\n" in details.diff, details.diff

# Changes that only the branch has stay.
alice.create_commit(REPO, [CommitOperationAdd("main.txt", b"main\n")], commit_message="Meanwhile")
alice.merge_pull_request(REPO, 1, comment="Thanks!")
merged = alice.get_discussion_details(REPO, 1)
same((merged.status, merged.merge_commit_oid), ("merged", alice.model_info(REPO).sha))
same(sorted(alice.list_repo_files(REPO)), [".gitattributes", "main.txt", "x.txt", "y.txt"])
refused(
    lambda: carol.upload_file(repo_id=REPO, path_or_fileobj=b"late", path_in_repo="y.txt", revision="refs/pr/1"),
    HfHubHTTPError,
    409,
)

# Both sides change the same line.
other = carol.create_commit(REPO, [CommitOperationAdd("x.txt", b"ONE\nTWO\nthree\n")], commit_message="A", create_pr=True)
alice.upload_file(repo_id=REPO, path_or_fileobj=b"1\nTWO\nthree\n", path_in_repo="x.txt")
same(alice.get_discussion_details(REPO, other.pr_num).conflicting_files, ["x.txt"])
refused(lambda: alice.merge_pull_request(REPO, other.pr_num), HfHubHTTPError, 409)
same(alice.get_discussion_details(REPO, other.pr_num).status, "open")
alice.change_discussion_status(REPO, other.pr_num, new_status="closed")

# A commit opens a draft, which clients open once more.
draft = carol.create_pull_request(REPO, title="From scratch")
same(draft.status, "draft")
carol.upload_file(repo_id=REPO, path_or_fileobj=b"z\n", path_in_repo="z.txt", revision=draft.git_reference)
same(carol.change_discussion_status(REPO, draft.num, new_status="open").new_status, "open")
same(alice.get_discussion_details(REPO, draft.num).status, "open")
alice.change_discussion_status(REPO, draft.num, new_status="closed")

# A proposal may start behind the branch, and may be for another branch.
alice.create_branch(REPO, branch="dev")
for_dev = carol.create_commit(
    REPO, [CommitOperationDelete("main.txt")], commit_message="Less", revision="dev", create_pr=True
)
alice.merge_pull_request(REPO, for_dev.pr_num)
same(alice.file_exists(REPO, "main.txt", revision="dev"), False)
same(alice.file_exists(REPO, "main.txt"), True)

folder = Path(tempfile.mkdtemp())
(folder / "a").mkdir()
(folder / "a" / "b.txt").write_text("deep")
proposed = carol.upload_folder(repo_id=REPO, folder_path=folder, create_pr=True)
same(sorted(alice.list_repo_files(REPO, revision=proposed.pr_revision))[1:2], ["a/b.txt"])

alice.delete_repo(REPO)
