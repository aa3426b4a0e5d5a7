import { z } from 'zod';
import { Empty, ObjectId } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { Domain } from './payload.ts';
import { SampleEvent, WatchedInput, Webhook, WebhookInput } from './webhooks.ts';

/** A webhook whose target is a connection, for as long as somebody is connected. */
export const WebhookStream = Webhook.pick({ id: true, watched: true, hasSecret: true, domains: true }).meta({
  id: 'WebhookStream',
});
export type WebhookStream = z.infer<typeof WebhookStream>;

const WebhookStreamInput = z
  .object({
    watched: z.array(WatchedInput).min(1).optional().meta({ description: 'The own namespace by default.' }),
    domains: z.array(Domain).min(1).optional().meta({ description: 'Both by default.' }),
    secret: WebhookInput.shape.secret.meta({ description: 'Write-only. Without one nothing is signed.' }),
  })
  .meta({ id: 'WebhookStreamInput' });

/** What became of a delivery where it was forwarded to. */
const Acknowledgement = z
  .object({
    status: z.int().min(0).max(599).meta({ description: 'HTTP status of the answer, 0 where none came.' }),
    error: z
      .string()
      .max(500)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: \P{Cc} in the form that every language knows.
      .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must not have control characters') // oxlint-disable-line no-control-regex
      .optional()
      .meta({ description: 'Why none came.' }),
    durationMs: z.int().min(0).max(86_400_000),
  })
  .meta({ id: 'DeliveryAcknowledgement' });

/** The data of the events of `streamDeliveries`, by their names. */
export interface WebhookStreamEvents {
  /** The headers of the request, their names in lower case, and its body as it is to be sent. */
  readonly delivery: { readonly id: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** At the beginning, and every 15 seconds. */
  readonly alive: Readonly<Record<string, never>>;
}

const tags = ['webhooks'];
const authority = 'user.webhooks.write';
const path = '/api/settings/webhook-streams';
const StreamParams = z.object({ streamId: z.string() });

export const listWebhookStreams = defineRoute({
  id: 'listWebhookStreams',
  method: 'GET',
  path,
  summary: 'List open webhook streams',
  tags,
  authority: 'user.webhooks.read',
  answers: { 200: z.array(WebhookStream) },
});

export const openWebhookStream = defineRoute({
  id: 'openWebhookStream',
  client: { body: 'stream' },
  method: 'POST',
  path,
  summary: 'Open a webhook stream',
  description:
    'A webhook without a URL: its deliveries are read from a connection. It is gone, with what it has not delivered, one minute after the last connection ended, and is not among the webhooks.',
  tags,
  authority,
  body: WebhookStreamInput,
  answers: { 200: z.object({ stream: WebhookStream }) },
  otherAnswers: { 429: 'Too many streams of this user.' },
});

export const streamDeliveries = defineRoute({
  id: 'streamDeliveries',
  method: 'GET',
  path: `${path}/{streamId}`,
  summary: 'Read the deliveries of a stream',
  description:
    'Server-sent events: `delivery` (`{id, headers, body}`, as it would be posted), oldest first, and `alive`, `{}`, first and every 15 seconds. At most 32 are sent that are not acknowledged; those come again on the next connection. A new connection ends the one before.',
  tags,
  authority,
  params: StreamParams,
  answers: {},
  otherAnswers: { 200: 'Events as `text/event-stream`, until either side closes.' },
});

export const acknowledgeDelivery = defineRoute({
  id: 'acknowledgeDelivery',
  method: 'POST',
  path: `${path}/{streamId}/deliveries/{deliveryId}`,
  summary: 'Say what became of a delivery',
  description: 'It is done then, whatever the status: nothing is tried again. The first answer counts.',
  tags,
  authority,
  params: StreamParams.extend({ deliveryId: z.string() }),
  body: Acknowledgement,
  answers: { 200: Empty },
});

export const testWebhookStream = defineRoute({
  id: 'testWebhookStream',
  method: 'POST',
  path: `${path}/{streamId}/test`,
  summary: 'Send a sample event to a stream',
  description: 'A made-up event of the given kind, marked by the header `X-Webhook-Test`.',
  tags,
  authority,
  params: StreamParams,
  body: SampleEvent,
  answers: { 200: z.object({ id: ObjectId.meta({ description: 'The delivery.' }) }) },
});

export const closeWebhookStream = defineRoute({
  id: 'closeWebhookStream',
  method: 'DELETE',
  path: `${path}/{streamId}`,
  summary: 'Close a webhook stream',
  tags,
  authority,
  params: StreamParams,
  answers: { 200: Empty },
});

export const webhookStreamRoutes = [
  listWebhookStreams,
  openWebhookStream,
  streamDeliveries,
  acknowledgeDelivery,
  testWebhookStream,
  closeWebhookStream,
] as const;
