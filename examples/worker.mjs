// Receives webhooks on a Web runtime. Workers take this file as it is; with Deno:
// `deno serve examples/worker.mjs`. The secret is the variable WEBHOOK_SECRET of the worker.
import { createReceiver, isEvent } from '@moonbase/receiver';
import { createWebHandler } from '@moonbase/receiver/web';

function createHandler(secret) {
  const receiver = createReceiver({ secret });
  receiver.addWebhook(function summary(payload) {
    if (isEvent(payload, 'repo.content.update')) return { refs: payload.updatedRefs.map(({ ref }) => ref) };
    if (isEvent(payload, 'discussion')) return { discussion: payload.discussion.title };
    return { repo: payload.repo.name };
  });
  return createWebHandler(receiver);
}

let handle;

// biome-ignore lint/style/noDefaultExport: this is where runtimes look for it
export default {
  fetch(request, env, context) {
    handle ??= createHandler(env?.WEBHOOK_SECRET);
    return handle(request, context);
  },
};
