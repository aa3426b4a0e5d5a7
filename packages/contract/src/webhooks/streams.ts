import * as z from 'zod';
import { Empty, ObjectId } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { Domain } from './payload.ts';
import { SampleEvent, WatchedInput, Webhook, WebhookInput } from './webhooks.ts';

/** A webhook whose target is a connection; it exists while somebody is connected. */
export const WebhookStream = Webhook.pick({ id: true, watched: true, hasSecret: true, domains: true }).meta({
  id: 'WebhookStream',
});
export type WebhookStream = z.infer<typeof WebhookStream>;

const WebhookStreamInput = z
  .object({
    watched: z.array(WatchedInput).min(1).optional().meta({ description: 'Default: the namespace of the caller.' }),
    domains: z.array(Domain).min(1).optional().meta({ description: 'Default: both.' }),
    secret: WebhookInput.shape.secret.meta({ description: 'Write-only. Without a secret, deliveries are not signed.' }),
  })
  .meta({ id: 'WebhookStreamInput' });

/** The outcome of a forwarded delivery. */
const Acknowledgement = z
  .object({
    status: z.int().min(0).max(599).meta({ description: 'HTTP status of the response, 0 without one.' }),
    error: z
      .string()
      .max(500)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: \P{Cc} in the form that every language knows.
      .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'must not have control characters') // oxlint-disable-line no-control-regex
      .optional()
      .meta({ description: 'Why there was no response.' }),
    durationMs: z.int().min(0).max(86_400_000),
  })
  .meta({ id: 'DeliveryAcknowledgement' });

/** The data of the events of `streamDeliveries`, by their names. */
export interface WebhookStreamEvents {
  /** The headers of the request, with lower-case names, and its exact body. */
  readonly delivery: { readonly id: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** Sent at the beginning and every 15 seconds. */
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
    'Creates a webhook without a URL, whose deliveries are read from a connection. One minute after its last connection ends, the stream and its pending deliveries are deleted. The list of webhooks omits streams.',
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
    'Server-sent events: `delivery` (`{id, headers, body}`, as it would be posted), oldest first, and `alive` (`{}`), at the beginning and every 15 seconds. At most 32 deliveries are unacknowledged at a time; they are sent again on the next connection. A new connection ends the previous one.',
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
  summary: 'Acknowledge a delivery with its outcome',
  description: 'The outcome is final, whatever the status: the hub does not retry. The first acknowledgement counts.',
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
  description: 'Sends a sample event of the given kind, marked by the header `X-Webhook-Test`.',
  tags,
  authority,
  params: StreamParams,
  body: SampleEvent,
  answers: { 200: z.object({ id: ObjectId.meta({ description: 'Id of the delivery.' }) }) },
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
