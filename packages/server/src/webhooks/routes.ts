import * as replayContract from '@moonbase/contract/webhooks/replays';
import * as contract from '@moonbase/contract/webhooks/webhooks';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { WebhookFigures } from './figures/figures.ts';
import type { DeliveryLog } from './log/delivery-log.ts';
import type { Replays } from './replays/service.ts';
import { sampleEvents } from './samples/catalogue.ts';
import { webhookStreamRoutes } from './streams/routes.ts';
import type { WebhookStreams } from './streams/service.ts';
import type { Webhooks } from './subscriptions/service.ts';

const SUCCESS = { success: true } as const;

interface Services {
  readonly webhooks: Webhooks;
  readonly log: DeliveryLog;
  readonly replays: Replays;
  readonly streams: WebhookStreams;
  readonly figures: WebhookFigures;
  /** Whether the hub accepts the input of the `hf` command line, which leaves out fields (W§1.1). */
  readonly lenient: boolean;
}

export function webhookRoutes(routes: Routes, { webhooks, log, replays, streams, figures, lenient }: Services): void {
  const lenientBody = contract.LenientWebhookInput;
  const onCreate = lenient ? { body: lenientBody.extend({ watched: contract.WebhookInput.shape.watched }) } : {};
  const onUpdate = lenient ? { body: lenientBody } : {};

  routes.add(contract.listWebhooks, ({ caller }) => webhooks.list(caller));
  routes.add(contract.listWebhookFigures, ({ caller }) => figures.list(caller));
  routes.add(contract.listSampleEvents, ({ caller }) => sampleEvents(caller));
  routes.add(contract.createWebhook, ({ caller, body }) => webhooks.create(caller, body), onCreate);
  routes.add(contract.getWebhook, ({ caller, params }) => webhooks.get(caller, params.webhookId));
  routes.add(
    contract.updateWebhook,
    ({ caller, params, body }) => webhooks.update(caller, params.webhookId, body),
    onUpdate,
  );
  routes.add(contract.deleteWebhook, async ({ caller, params }) => {
    await webhooks.delete(caller, params.webhookId);
    return {};
  });
  routes.add(contract.replayDelivery, ({ caller, params }) => log.replay(caller, params.webhookId, params.logId));
  routes.add(contract.testWebhook, ({ caller, params, body }) => log.test(caller, params.webhookId, body));
  routes.add(contract.listDeliveries, async ({ caller, params, query }) =>
    answerPage(await log.list(caller, params.webhookId, query), caller.url),
  );
  routes.add(contract.countDeliveries, ({ caller, params }) => log.count(caller, params.webhookId));
  routes.add(contract.getDelivery, ({ caller, params }) => log.get(caller, params.webhookId, params.logId));
  routes.add(replayContract.replayDeliveries, ({ caller, params, body }) =>
    replays.start(caller, params.webhookId, body),
  );
  routes.add(replayContract.getReplay, ({ caller, params }) => replays.get(caller, params.webhookId, params.replayId));
  routes.add(replayContract.cancelReplay, ({ caller, params }) =>
    replays.cancel(caller, params.webhookId, params.replayId),
  );
  routes.add(contract.rotateWebhookSecret, async ({ caller, params, body }) => {
    await webhooks.rotateSecret(caller, params.webhookId, body.secret);
    return SUCCESS;
  });
  routes.add(contract.setWebhookState, ({ caller, params }) =>
    webhooks.setState(caller, params.webhookId, params.action),
  );
  webhookStreamRoutes(routes, streams);
}
