import * as z from 'zod';
import { ObjectId, QueryTime, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { Scope } from './payload.ts';
import { DeliveryStatus } from './webhooks.ts';

/** The entries of a delivery log to replay: the filters of the log; without any, all that are not on their way. */
const ReplayFilter = z.object({
  status: DeliveryStatus.exclude(['pending', 'retrying'])
    .optional()
    .meta({ description: 'Deliveries that are on their way are never replayed.' }),
  scope: Scope.optional(),
  repo: z.string().optional().meta({ description: 'namespace/name' }),
  from: QueryTime.optional(),
  to: QueryTime.optional(),
});

export const REPLAY_STATUSES = ['running', 'done', 'canceled'] as const;

/** A replay of many log entries. `matched` counts the entries at the time of the request, `replayed` those queued so far. */
export const WebhookReplay = z
  .object({
    id: ObjectId,
    createdAt: Timestamp,
    status: z
      .enum(REPLAY_STATUSES)
      .meta({ description: '`done`: all deliveries are queued; the log shows their outcome.' }),
    matched: z.int(),
    replayed: z.int(),
  })
  .meta({ id: 'WebhookReplay' });
export type WebhookReplay = z.infer<typeof WebhookReplay>;

/** The number of entries that a replay would send. */
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
    'Sends the currently matching entries again, oldest first, to the current target with the current secret, as new entries that are retried like any delivery. A webhook must be enabled and has at most one replay at a time. With `dryRun`, only counts the entries.',
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
  summary: 'Get the progress of a replay',
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
  description: 'Its queued deliveries fail and can be replayed. A finished replay is unchanged.',
  authority: 'user.webhooks.write',
  params: ReplayParams,
  answers: { 200: WebhookReplay },
});

export const webhookReplayRoutes = [replayDeliveries, getReplay, cancelReplay] as const;
