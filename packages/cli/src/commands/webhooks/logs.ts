import type { Hub } from '@moonbase/client/request';
import { getReplay, replayDeliveries, type WebhookReplay } from '@moonbase/client/webhook-replays';
import { type Delivery, getDelivery, listDeliveries, replayDelivery } from '@moonbase/client/webhooks';
import { command, listing } from '../../program/command.ts';
import { argument, choice, flag, optionalArgument, text } from '../../program/parameter.ts';
import { withProgress } from '../../terminal/progress.ts';
import { styleOf } from '../../terminal/style.ts';
import { detailsText } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { when } from '../parameters.ts';
import { accepted, answerText, webhook } from './settings.ts';

const delivery = argument('id of a delivery in the log');
const filters = {
  scope: choice(
    ['repo', 'repo.content', 'repo.config', 'discussion', 'discussion.comment'],
    'only this scope of events',
  ),
  repo: text('name', 'only this repository: namespace/name'),
  from: text('time', 'earliest time, such as 2026-01-31T12:00:00Z'),
  to: text('time', 'latest time'),
};

const columns = {
  id: ({ id }: Delivery) => id,
  at: ({ createdAt }: Delivery) => when(createdAt),
  event: ({ event }: Delivery) => `${event.scope} ${event.action}`,
  repo: ({ repo }: Delivery) => repo.name,
  status: ({ status }: Delivery) => status,
  attempts: ({ attempts }: Delivery) => attempts,
  answer: ({ responseStatus, error, jobId }: Delivery) => responseStatus?.toString() ?? jobId ?? error,
};

export const logs = listing({
  name: 'logs',
  summary: 'list the deliveries of a webhook, newest first',
  args: { webhook },
  options: {
    status: choice(['pending', 'retrying', 'delivered', 'failed', 'throttled'], 'only this status'),
    ...filters,
  },
  run: ({ hub, args, options }) => listDeliveries({ ...hub, webhookId: args.webhook, ...options }),
  columns,
});

export const getLog = command({
  name: 'delivery',
  summary: 'show a delivery with its payload and attempts',
  args: { webhook, delivery },
  run: ({ hub, args }) => getDelivery({ ...hub, webhookId: args.webhook, logId: args.delivery }),
  say(answer, { terminal }) {
    const attempts = answer.deliveryAttempts.map(
      ({ at, responseStatus, error, durationMs }) => `  ${at}  ${responseStatus ?? error ?? ''}  ${durationMs} ms\n`,
    );
    const payload = JSON.stringify(answer.payload, null, 2);
    return `${detailsText(answer, columns, styleOf(terminal))}\nAttempts:\n${attempts.join('')}\nSent:\n${payload}\n`;
  },
});

const POLL_MS = 500;

/** Waits until a replay has queued all deliveries, and shows its progress. */
function awaitReplay(hub: Hub, webhookId: string, begun: WebhookReplay, terminal: Terminal): Promise<WebhookReplay> {
  const { sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) } = terminal;
  return withProgress(terminal, async (show) => {
    let replay = begun;
    while (replay.status === 'running') {
      show(`${replay.replayed} of ${replay.matched} deliveries`);
      await sleep(POLL_MS);
      replay = await getReplay({ ...hub, webhookId, replayId: replay.id });
    }
    return replay;
  });
}

export const replay = command({
  name: 'replay',
  summary: 'replay a delivery, or all that match the filters',
  args: { webhook, delivery: optionalArgument('id of a delivery in the log') },
  options: {
    status: choice(['delivered', 'failed', 'throttled'], 'only this status'),
    ...filters,
    dryRun: flag('only count the matching deliveries'),
    detach: flag('do not wait until all of them are queued'),
  },
  async run({ hub, args, options: { dryRun, detach, ...matching }, terminal, end }) {
    const webhookId = args.webhook;
    if (args.delivery !== undefined) {
      const answer = await replayDelivery({ ...hub, webhookId, logId: args.delivery });
      if (!accepted(answer.status)) end(1);
      return answer;
    }
    const begun = await replayDeliveries({ ...hub, webhookId, ...matching, dryRun });
    if ('dryRun' in begun || detach) return begun;
    const ended = await awaitReplay(hub, webhookId, begun, terminal);
    if (ended.status === 'canceled') end(1);
    return ended;
  },
  say(answer) {
    if ('dryRun' in answer) return `${answer.matched} deliveries would be sent again.\n`;
    if (!('replayed' in answer)) return answerText(answer);
    return `${answer.replayed} of ${answer.matched} deliveries are sent again (replay ${answer.id}, ${answer.status}).\n`;
  },
});
