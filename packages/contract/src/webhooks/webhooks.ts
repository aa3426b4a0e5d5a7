import * as z from 'zod';
import { JobInput, WebhookJob } from '../jobs/specification.ts';
import { Empty, ObjectId, Page, QueryTime, RepoType, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { WebhookFigures } from './figures.ts';
import { Action, Domain, Scope, WebhookPayload } from './payload.ts';

export const WATCHED_TYPES = ['dataset', 'model', 'space', 'bucket', 'kernel', 'user', 'org'] as const;
const WatchedType = z.enum(WATCHED_TYPES);

/** A watched item in requests: a repository, or a user or organization with all its repositories. */
export const WatchedInput = z.object({ type: WatchedType, name: z.string() });
export type WatchedInput = z.infer<typeof WatchedInput>;

const WatchedItem = z.strictObject({ name: z.string(), type: WatchedType, avatarUrl: z.string().optional() });

/**
 * A URL, trimmed and without line breaks; the server reports other errors in it. `z.url()` would call `URL.canParse`,
 * which rejects letters like ü on Node.js 20 once it has run hot.
 */
const TargetUrl = z
  .string()
  .overwrite((text) => text.trim().replace(/[\t\n\r]/g, ''))
  .meta({ format: 'uri', description: 'http or https, without credentials' });

/** A text for people, trimmed and without control characters other than line breaks. */
const Label = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: \P{Cc} in the form that every language knows.
    .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f]*$/, 'must not have control characters'); // oxlint-disable-line no-control-regex

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
      .meta({ description: 'Write-only. An empty string in an update removes the secret.' }),
    name: Label(100).optional().meta({ description: 'What people call the webhook; an empty string removes it.' }),
    description: Label(1000).optional().meta({ description: 'An empty string removes it.' }),
  })
  .meta({ id: 'WebhookInput' });
export type WebhookInput = z.infer<typeof WebhookInput>;

/**
 * The same body in the form that the `hf` command line sends (W§1.1), accepted with `MOONBASE_LENIENT_WEBHOOKS`:
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

/** A webhook in responses, never with its secret. */
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
    name: z.string().optional(),
    description: z.string().optional(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof Webhook>;

export const DELIVERY_STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'throttled'] as const;
export const DeliveryStatus = z.enum(DELIVERY_STATUSES).meta({
  description: '`pending`: not tried yet; `retrying`: tried, failed and due again; `throttled`: above the daily limit.',
});
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** An entry of the delivery log: one event for one webhook. All attempts to deliver the event share the entry. */
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
    test: z.literal(true).optional().meta({ description: 'True for a requested sample event.' }),
  })
  .meta({ id: 'Delivery' });
export type Delivery = z.infer<typeof Delivery>;

const DeliveryAttempt = z.object({
  at: Timestamp,
  url: z.string(),
  requestHeaders: z.record(z.string(), z.string()).optional().meta({
    description:
      'The headers of a request to a URL. `X-Webhook-Secret`, `webhook-signature` and `traceparent` are left out.',
  }),
  responseStatus: z.int().optional(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
  responseBody: z.string().optional().meta({ description: 'The first 4 KiB of the response body.' }),
  error: z.string().optional(),
  note: z.string().optional().meta({ description: 'How the request deviated from the settings, and why.' }),
  durationMs: z.int(),
});

/** A log entry with its payload and attempts. */
export const DeliveryDetails = Delivery.extend({
  payload: WebhookPayload,
  deliveryAttempts: z.array(DeliveryAttempt),
}).meta({ id: 'DeliveryDetails' });
export type DeliveryDetails = z.infer<typeof DeliveryDetails>;

/** The sample to send. */
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
    .meta({ description: 'The repository of the event, which need not exist. Default: the first watched one.' }),
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
  summary: 'Create a webhook',
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
  summary: 'Get a webhook',
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
  summary: 'Update a webhook',
  tags,
  description:
    'An absent target or `secret` keeps the old one; `"secret": ""` removes the secret. `disabled` is unchanged.',
  authority: 'user.webhooks.write',
  params: WebhookParams,
  body: WebhookInput,
  answers: { 200: WebhookAnswer },
});

export const deleteWebhook = defineRoute({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/settings/webhooks/{webhookId}',
  summary: 'Delete a webhook',
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
  summary: 'Enable or disable a webhook',
  description: '`enable` also ends a suspension. `disable` makes pending deliveries fail; they can be replayed.',
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
    'Sends the stored payload to the current target with the current secret and waits for the response. Without an HTTP response, returns status 0 with `error`.',
  authority: 'user.webhooks.write',
  params: LogParams,
  answers: {
    200: z.object({
      status: z.number().meta({ description: 'HTTP status of the replay' }),
      error: z.string().optional(),
      id: ObjectId.optional().meta({ description: 'Id of the new log entry.' }),
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
    'Sends a sample event of the given kind, marked by the header `X-Webhook-Test`, waits for the response and logs it like any delivery.',
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

/** The attempts of one hour by outcome, including replays and samples, and the events above the daily limit. */
export const AttemptCounts = z
  .object({
    from: Timestamp,
    delivered: z.int(),
    retrying: z.int().meta({ description: 'Attempts that failed and were to be repeated.' }),
    failed: z.int().meta({ description: 'Attempts that failed and were the last ones of their deliveries.' }),
    throttled: z.int(),
  })
  .meta({ id: 'AttemptCounts' });
export type AttemptCounts = z.infer<typeof AttemptCounts>;

export const countDeliveries = defineRoute({
  id: 'countDeliveries',
  method: 'GET',
  path: '/api/settings/webhooks/{webhookId}/logs/counts',
  tags,
  summary: 'Count the attempts of 24 hours by their time and outcome',
  description: 'All attempts of the webhook, whatever they were about. The counts follow within seconds.',
  authority: 'user.webhooks.read',
  params: WebhookParams,
  answers: {
    200: z.object({
      hours: z
        .array(AttemptCounts)
        .meta({ description: '24 full hours, oldest first; the last one is the current one.' }),
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
  description: 'For 24 hours, deliveries are also signed with the old secret; the header carries the new one.',
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

export const listWebhookFigures = defineRoute({
  id: 'listWebhookFigures',
  method: 'GET',
  path: '/api/settings/webhook-figures',
  summary: 'List how the webhooks fare',
  tags,
  description:
    'For each webhook of `GET /api/settings/webhooks` its last attempt, whether it fails, and figures of 24 hours, which follow within seconds.',
  authority: 'user.webhooks.read',
  answers: { 200: z.array(WebhookFigures) },
});

export const listSampleEvents = defineRoute({
  id: 'listSampleEvents',
  method: 'GET',
  path: '/api/settings/webhook-samples',
  summary: 'List the events that the hub sends, each with a sample',
  tags,
  description: 'The payloads are made up, and about a model of the caller that need not exist.',
  authority: 'user.webhooks.read',
  answers: { 200: z.array(z.object({ scope: Scope, action: Action, payload: WebhookPayload })) },
});

export const webhookRoutes = [
  listWebhooks,
  listSampleEvents,
  listWebhookFigures,
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
