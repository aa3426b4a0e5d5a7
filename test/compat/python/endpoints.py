"""Registers endpoints of every kind. Prints the address, and the error for a path that is registered twice."""

import json
import sys

import gradio
from huggingface_hub import WebhookPayload, WebhooksServer

with gradio.Blocks(analytics_enabled=False) as page:
    pass

app = WebhooksServer(ui=page, webhook_secret=sys.argv[1] if len(sys.argv) > 1 else None)


@app.add_webhook
async def named(payload: WebhookPayload) -> dict[str, str]:
    return {"repo": payload.repo.name, "action": payload.event.action}


@app.add_webhook("/in/slashes/")
def slashes(payload: WebhookPayload) -> list[str]:
    return [payload.event.scope]


@app.add_webhook("nothing")
async def nothing(payload: WebhookPayload) -> None:
    return None


try:
    app.add_webhook("/named/")(nothing)
    twice = ""
except ValueError as error:
    twice = str(error)

app.launch(prevent_thread_lock=True, share=False, quiet=True, server_name="127.0.0.1")
print(json.dumps({"listening": page.local_url, "twice": twice}), flush=True)
page.block_thread()
