"""Creates a collection in a resource group, and moves one into the group and out of it."""

from huggingface_hub.errors import HfHubHTTPError

from story import alice, bob, carol, given, refused, same

group = given["group"]


def shown(api) -> list[str]:
    return sorted(found.title for found in api.list_collections(owner="guild"))


within = alice.create_collection("Within", namespace="guild", private=True, resource_group_id=group)
without = alice.create_collection("Without", namespace="guild", private=True)
same((shown(alice), shown(bob), shown(carol)), (["Within", "Without"], ["Without"], ["Within", "Without"]))
refused(lambda: bob.get_collection(within.slug), HfHubHTTPError, 404)
same(alice.create_collection("Within", namespace="guild", exists_ok=True).slug, within.slug)
refused(lambda: bob.create_collection("Mine", namespace="guild", resource_group_id=group), HfHubHTTPError, 404)
carol.update_collection_metadata(within.slug, theme="pink")
refused(lambda: carol.update_collection_metadata(within.slug, private=False), HfHubHTTPError, 403)

alice.update_collection_resource_group(without.slug, group)
same(shown(bob), [])
refused(lambda: carol.update_collection_resource_group(without.slug, None), HfHubHTTPError, 403)
alice.update_collection_resource_group(within.slug, resource_group_id=None)
same(shown(bob), ["Within"])
for collection in (within, without):
    alice.delete_collection(collection.slug)
