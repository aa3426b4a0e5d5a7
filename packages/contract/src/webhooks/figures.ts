import * as z from 'zod';
import { ObjectId, Timestamp } from '../primitives.ts';

/** The last attempt of a webhook. */
const LastAttempt = z.object({
  at: Timestamp,
  outcome: z.enum(['delivered', 'retrying', 'failed']),
  responseStatus: z.int().optional(),
  error: z.string().optional(),
  durationMs: z.int(),
});

const Suspension = z.object({
  at: Timestamp,
  cause: z.enum(['gone', 'in-a-row', 'days']).meta({
    description:
      '`gone`: the receiver responded with 410; `in-a-row`: as many deliveries as `failures` used up their attempts; `days`: one did so after days without a success.',
  }),
  failures: z.int(),
  failingSince: Timestamp,
  responseStatus: z.int().optional().meta({ description: 'The status of the last response.' }),
  error: z.string().optional().meta({ description: 'Why there was no response to the last attempt.' }),
});

/** How a webhook fares: its last attempt, and the attempts of 24 hours. */
export const WebhookFigures = z
  .object({
    id: ObjectId,
    attempts: z.int().meta({ description: 'The attempts of the last 24 hours.' }),
    delivered: z.int().meta({ description: 'Those that succeeded.' }),
    medianMs: z.int().optional().meta({
      description: 'The median time until a response, within a tenth; absent if nothing responded.',
    }),
    lastAttempt: LastAttempt.optional(),
    failingSince: Timestamp.optional().meta({
      description: 'The first failure since the last success, where the last attempt of an enabled webhook failed.',
    }),
    suspension: Suspension.optional().meta({ description: 'Why the webhook is suspended.' }),
  })
  .meta({ id: 'WebhookFigures' });
export type WebhookFigures = z.infer<typeof WebhookFigures>;
