"""Creates, fills, changes, lists and deletes collections."""

from huggingface_hub.errors import HfHubHTTPError

from story import alice, bob, carol, given, reader, refused, same


def items(collection) -> list[tuple[str, str, int, str | None]]:
    return [(item.item_type, item.item_id, item.position, item.note) for item in collection.items]


created = alice.create_collection("My cool stuff", description="About letters")
assert created.slug.startswith("alice/my-cool-stuff-"), created.slug
same((created.title, created.description, created.owner["name"]), ("My cool stuff", "About letters", "alice"))
same((created.private, created.items, created.position, created.upvotes), (False, [], 0, 0))
same(created.url, f"{given['hubUrl']}/collections/{created.slug}")
refused(lambda: alice.create_collection("My cool stuff"), HfHubHTTPError, 409)
same(alice.create_collection("My cool stuff", exists_ok=True).slug, created.slug)
refused(lambda: reader.create_collection("Mine"), HfHubHTTPError, 403)

alice.create_repo("alice/shelf-bert")
alice.create_repo("alice/shelf-letters", repo_type="dataset")
alice.create_repo("alice/shelf-show", repo_type="space", space_sdk="static")
alice.create_repo("alice/shelf-secret", private=True)
inside = alice.create_collection("Inside")
alice.add_collection_item(created.slug, "alice/shelf-bert", "model", note="First")
alice.add_collection_item(created.slug, "alice/shelf-letters", "dataset")
alice.add_collection_item(created.slug, "alice/shelf-show", "space")
alice.add_collection_item(created.slug, "alice/shelf-secret", "model")
full = alice.add_collection_item(created.slug, inside.slug, "collection")
same(
    items(full),
    [
        ("model", "alice/shelf-bert", 0, "First"),
        ("dataset", "alice/shelf-letters", 1, None),
        ("space", "alice/shelf-show", 2, None),
        ("model", "alice/shelf-secret", 3, None),
        ("collection", inside.slug, 4, None),
    ],
)
refused(lambda: alice.add_collection_item(created.slug, "alice/shelf-bert", "model"), HfHubHTTPError, 409)
same(items(alice.add_collection_item(created.slug, "alice/shelf-bert", "model", exists_ok=True)), items(full))
refused(lambda: alice.add_collection_item(created.slug, "alice/shelf-bert", "dataset"), HfHubHTTPError, 404)
refused(lambda: bob.add_collection_item(created.slug, "alice/shelf-bert", "model"), HfHubHTTPError, 403)
same([item.item_id for item in carol.get_collection(created.slug).items][2:], ["alice/shelf-show", inside.slug])

alice.update_collection_item(created.slug, full.items[4].item_object_id, note="Read me", position=0)
alice.delete_collection_item(created.slug, full.items[1].item_object_id)
refused(
    lambda: alice.delete_collection_item(created.slug, full.items[1].item_object_id),
    HfHubHTTPError,
    404,
)
alice.delete_collection_item(created.slug, full.items[1].item_object_id, missing_ok=True)
same(
    items(alice.get_collection(created.slug)),
    [
        ("collection", inside.slug, 0, "Read me"),
        ("model", "alice/shelf-bert", 1, "First"),
        ("space", "alice/shelf-show", 3, None),
        ("model", "alice/shelf-secret", 4, None),
    ],
)

updated = alice.update_collection_metadata(
    created.slug, title="New title", description="New", position=1, private=True, theme="pink"
)
same(updated.slug, f"alice/new-title-{created.slug[-24:]}")
same((updated.title, updated.description, updated.private, updated.theme), ("New title", "New", True, "pink"))
same(alice.get_collection(created.slug).slug, updated.slug)
refused(lambda: carol.get_collection(updated.slug), HfHubHTTPError, 404)

same([found.slug for found in alice.list_collections(owner="alice", sort="lastModified")], [updated.slug, inside.slug])
same([found.slug for found in alice.list_collections(item="models/alice/shelf-bert")], [updated.slug])
same([found.slug for found in carol.list_collections(owner=["alice", "acme"])], [inside.slug])
same([len(found.items) for found in alice.list_collections(owner="alice", limit=1)], [0])
for number in range(12):
    alice.create_collection(f"Number {number}", namespace="acme")
same(len(list(carol.list_collections(owner="acme", limit=11))), 11)

for found in list(alice.list_collections(owner=["acme", "alice"])):
    alice.delete_collection(found.slug)
refused(lambda: alice.delete_collection(created.slug), HfHubHTTPError, 404)
alice.delete_collection(created.slug, missing_ok=True)
same(list(alice.list_collections(owner=["acme", "alice"])), [])
for kind, name in (("model", "bert"), ("dataset", "letters"), ("space", "show"), ("model", "secret")):
    alice.delete_repo(f"alice/shelf-{name}", repo_type=kind)
