import { z } from 'zod';
import { ObjectId, QueryTime, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { Scope } from './payload.ts';
import { DeliveryStatus } from './webhooks.ts';

/** Which entries of a delivery log are replayed: the filters of the log; without any, all that are not pending. */
const ReplayFilter = z.object({
  status: DeliveryStatus.exclude(['pending'])
    .optional()
    .meta({ description: 'What is pending is on its way already and is never replayed.' }),
  scope: Scope.optional(),
  repo: z.string().optional().meta({ description: 'namespace/name' }),
  from: QueryTime.optional(),
  to: QueryTime.optional(),
});

export const REPLAY_STATUSES = ['running', 'done', 'canceled'] as const;

/** Many log entries sent again. `matched` when it was asked for, `replayed` so far. */
export const WebhookReplay = z
  .object({
    id: ObjectId,
    createdAt: Timestamp,
    status: z.enum(REPLAY_STATUSES).meta({ description: '`done`: all of it is in the queue; the log has the rest.' }),
    matched: z.int(),
    replayed: z.int(),
  })
  .meta({ id: 'WebhookReplay' });
export type WebhookReplay = z.infer<typeof WebhookReplay>;

/** What a replay would send. */
const DryRun = z.object({ dryRun: z.literal(true), matched: z.int() });

const tags = ['webhooks'];
const ReplayParams = z.object({ webhookId: z.string(), replayId: z.string() });

export const replayDeliveries = defineRoute({
  id: 'replayDeliveries',
  method: 'POST',
  path: '/api/settings/webhooks/{webhookId}/logs/replay',
  tags,
  summary: 'Replay many logged deliveries',
  description:
    'Sends the entries that match and are there now once more, oldest first, to the current target with the current secret, as new entries that are tried again like any delivery. One at a time for each webhook, which must be enabled. With `dryRun` it only counts.',
  authority: 'user.webhooks.write',
  params: z.object({ webhookId: z.string() }),
  body: ReplayFilter.extend({ dryRun: z.boolean().default(false) }),
  answers: { 200: z.union([WebhookReplay, DryRun]) },
});

export const getReplay = defineRoute({
  id: 'getReplay',
  method: 'GET',
  path: '/api/settings/webhooks/{webhookId}/logs/replay/{replayId}',
  tags,
  summary: 'Get how far a replay is',
  authority: 'user.webhooks.read',
  params: ReplayParams,
  answers: { 200: WebhookReplay },
});

export const cancelReplay = defineRoute({
  id: 'cancelReplay',
  method: 'DELETE',
  path: '/api/settings/webhooks/{webhookId}/logs/replay/{replayId}',
  tags,
  summary: 'Cancel a replay',
  description: 'What it has in the queue is ended as failed and can be replayed. One that has ended stays as it is.',
  authority: 'user.webhooks.write',
  params: ReplayParams,
  answers: { 200: WebhookReplay },
});

export const webhookReplayRoutes = [replayDeliveries, getReplay, cancelReplay] as const;
