"""Updates single options, as the client allows; `lenient` tells whether the hub accepts this."""

from huggingface_hub import WebhookWatchedItem
from huggingface_hub.errors import BadRequestError
from story import alice, given, refused, same

BERT = WebhookWatchedItem(type="model", name="acme/bert")
ORG = WebhookWatchedItem(type="org", name="acme")

before = alice.create_webhook(url="http://127.0.0.1:9/", watched=[BERT], domains=["discussion"])


def update(**change):
    return alice.update_webhook(before.id, **change)


if given["lenient"]:
    same(update(url="http://127.0.0.1:9/new").url, "http://127.0.0.1:9/new")
    same(update(watched=[ORG]).watched, [ORG])
    same(update(secret="hush").domains, ["discussion"])
    after = update(domains=["repo"])
    same(
        (after.url, after.watched, after.domains, after.disabled),
        ("http://127.0.0.1:9/new", [ORG], ["repo"], False),
    )
else:
    refused(lambda: update(url="http://127.0.0.1:9/new"), BadRequestError, 400, "body.watched")
    refused(lambda: update(watched=[ORG]), BadRequestError, 400, "body.domains")
    refused(lambda: update(secret="hush", domains=["repo"]), BadRequestError, 400, "body.watched")
    same(alice.get_webhook(before.id), before)

alice.delete_webhook(before.id)
