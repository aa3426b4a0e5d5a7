import * as z from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** The suspension of a webhook: the hub sends nothing more to it until its owner enables it. */
const WebhookEvent = z.object({
  action: z.enum(['suspend']),
  webhookId: z.string(),
  ownerId: z.string(),
  origin: z.string().nullable(),
  reason: z.string(),
});
export const webhookTopic = defineTopic({ name: 'webhook', version: 1, data: WebhookEvent });
