"""A receiver as the client's own guide writes it. Prints its address, then what it understood of each delivery."""

import json
import sys

import gradio
from huggingface_hub import WebhookPayload, WebhooksServer

with gradio.Blocks(analytics_enabled=False) as page:
    pass

app = WebhooksServer(ui=page, webhook_secret=sys.argv[1])


@app.add_webhook("/all")
async def receive(payload: WebhookPayload) -> dict[str, bool]:
    print(json.dumps(payload.model_dump(exclude_none=True)), flush=True)
    return {"processed": True}


app.launch(prevent_thread_lock=True, share=False, quiet=True, server_name="127.0.0.1")
print(json.dumps({"listening": page.local_url}), flush=True)
page.block_thread()
