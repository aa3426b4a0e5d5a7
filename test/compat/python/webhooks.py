"""Creates, changes and deletes a webhook with every option."""

from huggingface_hub import WebhookWatchedItem
from huggingface_hub.errors import BadRequestError, HfHubHTTPError
from story import alice, bob, reader, refused, same

ORG = WebhookWatchedItem(type="org", name="acme")
MODEL = WebhookWatchedItem(type="model", name="acme/bert")

hook = alice.create_webhook(url="http://127.0.0.1:9/", watched=[{"type": "user", "name": "alice"}, ORG], secret="hush")
same(hook.url, "http://127.0.0.1:9/")
same(hook.watched, [WebhookWatchedItem(type="user", name="alice"), ORG])
same(hook.domains, ["repo", "discussion"])
same((hook.disabled, hook.job), (False, None))
# The secret can be written, but not read.
same(hook.secret, None)

same(alice.get_webhook(hook.id), hook)
same(alice.list_webhooks(), [hook])
same(reader.list_webhooks(), [hook])

changed = alice.update_webhook(hook.id, url="http://127.0.0.1:9/new", watched=[MODEL], domains=["repo"], secret="mum")
same((changed.id, changed.url, changed.watched, changed.domains), (hook.id, "http://127.0.0.1:9/new", [MODEL], ["repo"]))
same(alice.get_webhook(hook.id), changed)

same(alice.disable_webhook(hook.id).disabled, True)
same(alice.get_webhook(hook.id).disabled, True)
same(alice.enable_webhook(hook.id).disabled, False)

# Other users do not find the webhook.
same(bob.list_webhooks(), [])
refused(lambda: bob.get_webhook(hook.id), HfHubHTTPError, 404)
refused(lambda: bob.delete_webhook(hook.id), HfHubHTTPError, 404)
refused(lambda: reader.delete_webhook(hook.id), HfHubHTTPError, 403)
refused(
    lambda: alice.create_webhook(url="ftp://127.0.0.1/", watched=[ORG]), BadRequestError, 400, "body.url"
)
same(alice.list_webhooks(), [changed])

# Every repository type of the client can be watched, including buckets.
every = [WebhookWatchedItem(type=kind, name="acme/any") for kind in ("bucket", "dataset", "model", "space")]
source = alice.run_job(image="python:3.12", command=["true"], secrets={"KEY": "hush"})
job = alice.create_webhook(job_id=source.id, watched=every)
same((job.url, job.watched), (None, every))
same((job.job.docker_image, job.job.command, job.job.secrets), ("python:3.12", ["true"], ["KEY"]))

for webhook in alice.list_webhooks():
    alice.delete_webhook(webhook.id)
same(alice.list_webhooks(), [])
refused(lambda: alice.get_webhook(hook.id), HfHubHTTPError, 404)
