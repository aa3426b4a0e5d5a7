import * as contract from '@moonbase/contract/webhooks/streams';
import { authorize } from '../../access/index.ts';
import type { Routes } from '../../platform/http/route.ts';
import type { WebhookStreams } from './service.ts';

export function webhookStreamRoutes(routes: Routes, streams: WebhookStreams): void {
  routes.add(contract.listWebhookStreams, ({ caller }) => streams.list(caller));
  routes.add(contract.openWebhookStream, ({ caller, body }) => streams.open(caller, body));
  routes.add(contract.streamDeliveries, async (request) =>
    routes.stream(
      request,
      await streams.connect(request.caller, request.params.streamId, async () => {
        const caller = await routes.callerOf(request);
        authorize(caller.principal, contract.streamDeliveries.authority);
        return caller;
      }),
    ),
  );
  routes.add(contract.acknowledgeDelivery, async ({ caller, params, body }) => {
    await streams.acknowledge(caller, params, body);
    return {};
  });
  routes.add(contract.testWebhookStream, ({ caller, params, body }) => streams.test(caller, params.streamId, body));
  routes.add(contract.closeWebhookStream, async ({ caller, params }) => {
    await streams.close(caller, params.streamId);
    return {};
  });
}
