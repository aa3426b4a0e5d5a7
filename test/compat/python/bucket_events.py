"""Follows the changes of a bucket, so that cached lists stay fresh."""

import time

from huggingface_hub import HfFileSystem
from huggingface_hub._bucket_live_follow import BUCKET_FOLLOWERS

from story import alice, carol, same

bucket = "alice/bucket-followed"
alice.create_bucket(bucket)
alice.batch_bucket_files(bucket, add=[(b"one", "folder/one.txt")])


def names(files: HfFileSystem) -> list[str]:
    return sorted(path.rsplit("/", 1)[1] for path in files.ls(f"buckets/{bucket}/folder", detail=False))


def until(is_so) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.05)


following = HfFileSystem(token=carol.token, live_follow=True)
stale = HfFileSystem(token=carol.token, live_follow=False)
same([names(following), names(stale)], [["one.txt"], ["one.txt"]])
[(follower, _)] = BUCKET_FOLLOWERS.values()
until(lambda: follower.subscribed)
same([names(following), names(stale)], [["one.txt"], ["one.txt"]])

alice.batch_bucket_files(bucket, add=[(b"two", "folder/two.txt")], delete=["folder/one.txt"])
until(lambda: names(following) == ["two.txt"])
same(names(stale), ["one.txt"])
alice.batch_bucket_files(bucket, add=[(b"three", "folder/two.txt")])
until(lambda: following.info(f"buckets/{bucket}/folder/two.txt")["size"] == 5)

# A reader who is let out is told nothing more, and the client stops.
alice.update_bucket_settings(bucket, private=True)
alice.batch_bucket_files(bucket, add=[(b"four", "folder/four.txt")])
until(lambda: not follower.is_alive())
