"""Writes, lists, copies, synchronizes, reads and deletes the files of buckets."""

import os
import tempfile
from pathlib import Path

from huggingface_hub import HfFileSystem
from huggingface_hub.errors import BucketBatchError, BucketNotFoundError, EntryNotFoundError, HfHubHTTPError

from story import alice, carol, nobody, reader, refused, same

data, other = "alice/bucket-data", "alice/bucket-other"
alice.create_bucket(data)
alice.create_bucket(other, private=True)
folder = Path(tempfile.mkdtemp())


def paths(bucket: str, *prefix: str, **options) -> list[str]:
    return [entry.path for entry in alice.list_bucket_tree(bucket, *prefix, **options)]


# Files from the disk and from memory, large, small, equal and empty ones.
large = os.urandom(5_000_000)
(folder / "large.bin").write_bytes(large)
alice.batch_bucket_files(
    data,
    add=[
        (folder / "large.bin", "models/large.bin"),
        (b"hello", "logs/a.txt"),
        (b"hello", "logs/b.txt"),
        (b"", "logs/empty"),
        ("ünï".encode(), "ünï cödé/#?%.txt"),
    ],
)
same(paths(data), ["logs/a.txt", "logs/b.txt", "logs/empty", "models/large.bin", "ünï cödé/#?%.txt"])
same(paths(data, recursive=False), ["logs", "models", "ünï cödé"])
same(paths(data, "logs", recursive=False), ["logs/a.txt", "logs/b.txt", "logs/empty"])
info = carol.bucket_info(data)
same([info.size, info.total_files], [5_000_015, 5])
same([file.size for file in nobody.get_bucket_paths_info(data, ["logs/b.txt", "none", "logs"])], [5])
same(alice.get_bucket_file_metadata(data, "models/large.bin").size, 5_000_000)

# Downloads, also by somebody else and without a token.
for number, api in enumerate([reader, carol, nobody]):
    to = folder / f"copy-{number}"
    api.download_bucket_files(
        data,
        [("models/large.bin", to / "large"), ("logs/empty", to / "empty"), ("ünï cödé/#?%.txt", to / "text")],
    )
    same((to / "large").read_bytes() == large, True)
    same([(to / "empty").read_bytes(), (to / "text").read_text()], [b"", "ünï"])

# Replacing and deleting.
alice.batch_bucket_files(data, add=[(b"other", "logs/a.txt")], delete=["logs/b.txt", "none"])
same(paths(data, "logs/"), ["logs/a.txt", "logs/empty"])
same(alice.bucket_info(data).size, 5_000_010)

# Copies by hash.
alice.copy_files(f"hf://buckets/{data}/models", f"hf://buckets/{other}/")
alice.copy_files(f"hf://buckets/{data}/logs/", f"hf://buckets/{other}/logs/")
alice.copy_files(f"hf://buckets/{other}/logs/a.txt", f"hf://buckets/{other}/b.txt")
same(paths(other), ["b.txt", "logs/a.txt", "logs/empty", "models/large.bin"])
refused(lambda: reader.copy_files(f"hf://buckets/{data}/logs/a.txt", f"hf://buckets/{other}/c.txt"), HfHubHTTPError, 403)

# The file system.
files = HfFileSystem(token=alice.token)
same(files.read_bytes(f"buckets/{other}/models/large.bin", start=10, end=20), large[10:20])
same(sorted(files.ls(f"buckets/{other}/logs", detail=False)), [f"buckets/{other}/logs/a.txt", f"buckets/{other}/logs/empty"])
with files.open(f"buckets/{other}/new/file.txt", "w") as opened:
    opened.write("written")
same(files.read_text(f"buckets/{other}/new/file.txt"), "written")
files.rm(f"buckets/{other}/logs", recursive=True)
files.rm(f"buckets/{other}/b.txt")
same(paths(other), ["models/large.bin", "new/file.txt"])
try:
    files.ls(f"buckets/{other}/logs", refresh=True)
    raise AssertionError("a folder that was deleted is there")
except (FileNotFoundError, EntryNotFoundError):
    pass

# What is refused.
for call in (
    lambda: list(carol.list_bucket_tree(other)),
    lambda: carol.batch_bucket_files(other, delete=["x"]),
    lambda: list(carol.get_bucket_paths_info(other, ["x"])),
):
    refused(call, BucketNotFoundError, 404)
refused(lambda: list(nobody.list_bucket_tree(other)), BucketNotFoundError, 401)
refused(lambda: carol.batch_bucket_files(data, delete=["logs/a.txt"]), HfHubHTTPError, 403)
refused(lambda: reader.batch_bucket_files(data, delete=["logs/a.txt"]), HfHubHTTPError, 403)
refused(lambda: alice.batch_bucket_files(data, add=[(b"x", "../x")]), BucketBatchError, 422, "named . or ..")
in_part = [(b"x", "../x"), (b"x", "x")]
failures = refused(lambda: alice.batch_bucket_files(data, add=in_part), BucketBatchError, 200, "1 out of 2").failures
same([failed["path"] for failed in failures], ["../x"])
alice.batch_bucket_files(data, delete=["x"])

# A bucket that is moved, and one that is deleted.
alice.move_bucket(data, "alice/bucket-moved")
same(paths(data, "logs"), ["logs/a.txt", "logs/empty"])
alice.delete_bucket("alice/bucket-moved")
refused(lambda: paths("alice/bucket-moved"), BucketNotFoundError, 404)
