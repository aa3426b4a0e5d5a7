"""Uploads large files as the client does by itself; `given["xet"]`: through Xet, whose bytes the hub counts."""

import hashlib
import random
import re
import tempfile
import urllib.request
from array import array
from pathlib import Path

from huggingface_hub import CommitOperationAdd
from story import alice, carol, given, same

MIB = 1024 * 1024
PREFIX = given["prefix"]
# Each client has content of its own: what another one has sent to the owner is not sent again.
random.seed(PREFIX)


def sent() -> int:
    """Returns the bytes that clients have sent through Xet."""
    asked = urllib.request.Request(
        f"{given['hubUrl']}/metrics", headers={"Authorization": f"Bearer {given['tokens']['admin']}"}
    )
    text = urllib.request.urlopen(asked).read().decode()
    found = re.search(r'^moonbase_xet_bytes_total\{what="xorbs"\} (\d+)', text, re.M)
    return int(found.group(1)) if found else 0


def uploaded(count: int) -> None:
    """Checks whether the files came through Xet; `count` is the least number of bytes then."""
    global before
    now = sent()
    if given["xet"]:
        assert now - before >= count, f"only {now - before} bytes came through Xet"
    else:
        same(now, before)
    before = now


before = sent()
here = Path(tempfile.mkdtemp())
contents = {
    "random.bin": random.randbytes(20 * MIB),
    "numbers.safetensors": array("f", (random.gauss(0, 1) for _ in range(500_000))).tobytes(),
    "words.parquet": b"".join(b"row %d with the same words\n" % at for at in range(200_000)),
    "small.onnx": b"ten bytes.",
    "zeros.bin": bytes(3 * MIB),
}
for name, content in contents.items():
    (here / name).write_bytes(content)
(here / "empty.bin").write_bytes(b"")
(here / "README.md").write_text("# Large files\n")


def check(repo: str, kind: str = "model", revision: str = "main") -> None:
    local = Path(tempfile.mkdtemp())
    alice.snapshot_download(repo, repo_type=kind, revision=revision, local_dir=local)
    for name, content in contents.items():
        assert (local / name).read_bytes() == content, name
    for entry in alice.get_paths_info(repo, list(contents), repo_type=kind, revision=revision):
        same((entry.lfs.sha256, entry.size), (hashlib.sha256(contents[entry.path]).hexdigest(), len(contents[entry.path])))


REPO = f"acme/{PREFIX}-large"
for kind, private in (("model", False), ("dataset", True)):
    alice.create_repo(REPO, repo_type=kind, private=private)
    alice.upload_folder(repo_id=REPO, repo_type=kind, folder_path=here)
    check(REPO, kind)
    head = alice.repo_info(REPO, repo_type=kind).sha
    # Nothing is sent again.
    alice.upload_folder(repo_id=REPO, repo_type=kind, folder_path=here)
    same(alice.repo_info(REPO, repo_type=kind).sha, head)
uploaded(20 * MIB)

# 5 % of a file change, some bytes are inserted and some appended.
changed = bytearray(contents["random.bin"])
changed[4 * MIB : 5 * MIB] = random.randbytes(MIB)
changed[9 * MIB : 9 * MIB] = b"inserted"
changed += random.randbytes(1000)
contents["random.bin"] = bytes(changed)
(here / "random.bin").write_bytes(changed)
alice.upload_file(repo_id=REPO, path_or_fileobj=here / "random.bin", path_in_repo="random.bin")
check(REPO)
share = (sent() - before) / len(changed)
assert not given["xet"] or 0.04 < share <= 0.12, f"{share:.0%} of the bytes were sent again"
uploaded(MIB)

# Readers propose large files, too.
proposed = random.randbytes(MIB)
made = carol.create_commit(
    REPO, [CommitOperationAdd("proposed.bin", proposed)], commit_message="More", create_pr=True
)
contents["proposed.bin"] = proposed
check(REPO, revision=made.pr_revision)
uploaded(MIB)
more = random.randbytes(MIB)
carol.upload_file(repo_id=REPO, path_or_fileobj=more, path_in_repo="proposed.bin", revision=made.pr_revision)
contents["proposed.bin"] = more
check(REPO, revision=made.pr_revision)
uploaded(MIB)
