import { z } from 'zod';
import { JobInput, WebhookJob } from '../jobs/specification.ts';
import { Empty, ObjectId, Page, QueryTime, RepoType, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { Action, Domain, Scope, WebhookPayload } from './payload.ts';

export const WATCHED_TYPES = ['dataset', 'model', 'space', 'bucket', 'kernel', 'user', 'org'] as const;
const WatchedType = z.enum(WATCHED_TYPES);

/** What a webhook watches, as sent: a repository, or a user or organization with all its repositories. */
export const WatchedInput = z.object({ type: WatchedType, name: z.string() });
export type WatchedInput = z.infer<typeof WatchedInput>;

const WatchedItem = z.strictObject({ name: z.string(), type: WatchedType, avatarUrl: z.string().optional() });

/**
 * A URL without blanks around it and line breaks within; the server says what else is wrong with it. `z.url()` asks
 * `URL.canParse`, which refuses letters like ü on Node.js 20 once it has run hot.
 */
const TargetUrl = z
  .string()
  .overwrite((text) => text.trim().replace(/[\t\n\r]/g, ''))
  .meta({ format: 'uri', description: 'http or https, without credentials' });

/** Body of create (E8) and update (E10). Exactly one of `url`, `job`, `jobSourceId` is the target. */
export const WebhookInput = z
  .object({
    watched: z.array(WatchedInput).min(1),
    url: TargetUrl.optional(),
    job: JobInput.optional(),
    jobSourceId: z.string().optional().meta({ description: 'Id of a job whose specification is copied' }),
    domains: z.array(Domain).min(1),
    secret: z
      .string()
      .regex(/^[\x20-\x7F]*$/, 'must be printable ASCII')
      .optional()
      .meta({ description: 'Write-only. An empty text removes it on update.' }),
  })
  .meta({ id: 'WebhookInput' });
export type WebhookInput = z.infer<typeof WebhookInput>;

/**
 * The same body as the `hf` command line sends it (W§1.1), accepted with `MOONBASE_LENIENT_WEBHOOKS`:
 * `discussions` for `discussion`, no `domains` for both on create and unchanged on update, `watched: []` on update
 * for unchanged.
 */
export const LenientWebhookInput = WebhookInput.extend({
  watched: z.array(WatchedInput),
  domains: z
    .array(z.union([Domain, z.literal('discussions').transform((): Domain => 'discussion')]))
    .min(1)
    .optional(),
});
export type LenientWebhookInput = z.infer<typeof LenientWebhookInput>;

/** A webhook as answered; never its secret. */
export const Webhook = z
  .object({
    id: ObjectId,
    url: z.url().optional(),
    job: WebhookJob.optional(),
    jobSourceId: z.string().optional(),
    disabled: z.union([z.boolean(), z.literal('suspended-after-failure')]),
    watched: z.array(WatchedItem),
    hasSecret: z.boolean(),
    domains: z.array(Domain),
    lastTriggerAt: Timestamp.optional(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'throttled'] as const;
export const DeliveryStatus = z.enum(DELIVERY_STATUSES);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** One entry of the delivery log: one event, sent to one webhook, over all its attempts. */
export const Delivery = z
  .object({
    id: ObjectId,
    createdAt: Timestamp,
    event: z.object({ action: Action, scope: Scope }),
    repo: z.object({ type: RepoType, name: z.string() }),
    status: DeliveryStatus,
    attempts: z.int(),
    nextAttemptAt: Timestamp.optional(),
    responseStatus: z.int().optional(),
    error: z.string().optional(),
    durationMs: z.int().optional(),
    jobId: z.string().optional(),
    replayOf: ObjectId.optional(),
    test: z.literal(true).optional().meta({ description: 'A sample that was asked for.' }),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

const DeliveryAttempt = z.object({
  at: Timestamp,
  url: z.string(),
  responseStatus: z.int().optional(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
  responseBody: z.string().optional().meta({ description: 'The first 4 KiB.' }),
  error: z.string().optional(),
  note: z.string().optional().meta({ description: 'What was sent otherwise than set, and why.' }),
  durationMs: z.int(),
});

/** A log entry with what was sent and each attempt. */
export const DeliveryDetails = Delivery.extend({
  payload: WebhookPayload,
  deliveryAttempts: z.array(DeliveryAttempt),
}).meta({ id: 'DeliveryDetails' });
export type DeliveryDetails = z.infer<typeof DeliveryDetails>;

/** Which sample to send. */
export const SampleEvent = z.object({
  scope: Scope.default('repo.content'),
  action: Action.default('update'),
  repo: z
    .strictObject({
      type: RepoType,
      name: z
        .string()
        .max(200)
        .regex(/^[\w.-]+\/[\w.-]+$/, 'must be namespace/name')
        .meta({ description: 'namespace/name' }),
    })
    .optional()
    .meta({ description: 'What it is about; need not be there. By default the first that is watched.' }),
});
export type SampleEvent = z.infer<typeof SampleEvent>;

const WebhookParams = z.object({ webhookId: z.string() });
const LogParams = z.object({ webhookId: z.string(), logId: z.string() });
const WebhookAnswer = z.object({ webhook: Webhook });
const tags = ['webhooks'];

export const listWebhooks = defineRoute({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/settings/webhooks',
  summary: 'List webhooks',
  tags,
  authority: 'user.webhooks.read',
  answers: { 200: z.array(Webhook) },
});

export const createWebhook = defineRoute({
  id: 'createWebhook',
  client: { body: 'webhook' },
  method: 'POST',
  path: '/api/settings/webhooks',
  summary: 'Create webhook',
  tags,
  authority: 'user.webhooks.write',
  body: WebhookInput,
  answers: { 200: WebhookAnswer },
  otherAnswers: { 404: 'The job of `jobSourceId` is not there, or not visible to the caller.' },
});

export const getWebhook = defineRoute({
  id: 'getWebhook',
  method: 'GET',
  path: '/api/settings/webhooks/{webhookId}',
  summary: 'Get webhook',
  tags,
  authority: 'user.webhooks.read',
  params: WebhookParams,
  answers: { 200: WebhookAnswer },
});

export const updateWebhook = defineRoute({
  id: 'updateWebhook',
  client: { body: 'webhook' },
  method: 'POST',
  path: '/api/settings/webhooks/{webhookId}',
  summary: 'Update webhook',
  tags,
  description: 'An absent target or `secret` keeps the old one; `"secret": ""` removes it. `disabled` stays as it is.',
  authority: 'user.webhooks.write',
  params: WebhookParams,
  body: WebhookInput,
  answers: { 200: WebhookAnswer },
});

export const deleteWebhook = defineRoute({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/settings/webhooks/{webhookId}',
  summary: 'Delete webhook',
  tags,
  authority: 'user.webhooks.write',
  params: WebhookParams,
  answers: { 200: Empty },
});

export const setWebhookState = defineRoute({
  id: 'setWebhookState',
  method: 'POST',
  path: '/api/settings/webhooks/{webhookId}/{action}',
  tags,
  summary: 'Enable or disable webhook',
  description: '`enable` lifts a suspension, too. `disable` parks what is pending as failed; it can be replayed.',
  authority: 'user.webhooks.write',
  params: WebhookParams.extend({ action: z.enum(['enable', 'disable']) }),
  answers: { 200: WebhookAnswer },
});

export const replayDelivery = defineRoute({
  id: 'replayDelivery',
  method: 'POST',
  path: '/api/settings/webhooks/{webhookId}/replay/{logId}',
  tags,
  summary: 'Replay a logged delivery',
  description:
    'Sends the stored payload to the current target with the current secret and waits for the answer. Status 0, with `error`, where no HTTP answer came.',
  authority: 'user.webhooks.write',
  params: LogParams,
  answers: {
    200: z.object({
      status: z.number().meta({ description: 'HTTP status of the replay' }),
      error: z.string().optional(),
      id: ObjectId.optional().meta({ description: 'The new log entry.' }),
    }),
  },
});

export const testWebhook = defineRoute({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/settings/webhooks/{webhookId}/test',
  tags,
  summary: 'Send a sample event',
  description:
    'Sends a made-up event of the given kind, marked by the header `X-Webhook-Test`, waits for the answer and logs it as any delivery.',
  authority: 'user.webhooks.write',
  params: WebhookParams,
  body: SampleEvent,
  answers: { 200: z.object({ status: z.number(), error: z.string().optional(), id: ObjectId }) },
});

export const listDeliveries = defineRoute({
  id: 'listDeliveries',
  method: 'GET',
  path: '/api/settings/webhooks/{webhookId}/logs',
  tags,
  summary: 'List the delivery log, newest first',
  authority: 'user.webhooks.read',
  params: WebhookParams,
  query: Page.extend({
    status: DeliveryStatus.optional(),
    scope: Scope.optional(),
    repo: z.string().optional().meta({ description: 'namespace/name' }),
    from: QueryTime.optional(),
    to: QueryTime.optional(),
  }),
  answers: { 200: z.array(Delivery) },
});

/** How the deliveries of one hour went, or stand; those that are replays included. */
export const DeliveryCounts = z
  .object({ from: Timestamp, delivered: z.int(), failed: z.int(), pending: z.int(), throttled: z.int() })
  .meta({ id: 'DeliveryCounts' });

export const countDeliveries = defineRoute({
  id: 'countDeliveries',
  method: 'GET',
  path: '/api/settings/webhooks/{webhookId}/logs/counts',
  tags,
  summary: 'Count the deliveries of the last 24 hours by outcome',
  authority: 'user.webhooks.read',
  params: WebhookParams,
  answers: {
    200: z.object({
      hours: z.array(DeliveryCounts).meta({ description: '24, the oldest first; the last one ends now.' }),
      complete: z.boolean().meta({ description: 'False: there are more than 50,000, and these are the newest.' }),
    }),
  },
});

export const getDelivery = defineRoute({
  id: 'getDelivery',
  method: 'GET',
  path: '/api/settings/webhooks/{webhookId}/logs/{logId}',
  tags,
  summary: 'Get a log entry with its payload and attempts',
  authority: 'user.webhooks.read',
  params: LogParams,
  answers: { 200: DeliveryDetails },
});

export const rotateWebhookSecret = defineRoute({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/settings/webhooks/{webhookId}/secret/rotate',
  tags,
  summary: 'Replace the secret',
  description: 'For 24 hours deliveries are signed with the old secret, too; the header carries the new one.',
  authority: 'user.webhooks.write',
  params: WebhookParams,
  body: z.object({
    secret: z
      .string()
      .min(1)
      .regex(/^[\x20-\x7F]*$/, 'must be printable ASCII'),
  }),
  answers: { 200: Success },
});

export const webhookRoutes = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  replayDelivery,
  testWebhook,
  listDeliveries,
  countDeliveries,
  getDelivery,
  rotateWebhookSecret,
  setWebhookState,
] as const;
