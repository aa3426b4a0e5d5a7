import { z } from 'zod';
import { Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { DeliveryCounts } from '../webhooks/webhooks.ts';

const QueueStatus = z
  .object({
    name: z.string().meta({ description: '`events`, `deliveries`, `jobs`, `mails` or `tasks`.' }),
    waiting: z.int().meta({ description: 'Also what waits for its time; 10,000 stands for more.' }),
    oldestDueAt: Timestamp.optional().meta({ description: 'When the first of it became due, or will be.' }),
    overdueSeconds: z.number().meta({ description: 'How long that one has been due.' }),
  })
  .meta({ id: 'QueueStatus' });

const ReceiverFailures = z
  .object({
    host: z.string().meta({ description: 'Scheme, name and port; never a path or a query, which may be secret.' }),
    attempts: z.int(),
    failures: z.int(),
    lastError: z.string(),
    lastFailureAt: Timestamp,
  })
  .meta({ id: 'ReceiverFailures' });

/** How a hub does. What is counted stands in `day`; the rest is of this moment. */
export const HubStatus = z
  .object({
    version: z.string(),
    schema: z.string(),
    engine: z.enum(['sqlite', 'postgres']),
    startedAt: Timestamp.meta({ description: 'Of the process that answers.' }),
    queues: z.array(QueueStatus),
    deadLetters: z.int().meta({ description: 'Items that the queues set aside, 10,000 at most.' }),
    day: z
      .object({
        countedAt: Timestamp.meta({ description: 'Each process counts anew after 15 seconds at the earliest.' }),
        hours: z.array(DeliveryCounts).meta({ description: '24, the oldest first; the last one ends at `countedAt`.' }),
        receivers: z.array(ReceiverFailures).meta({
          description: 'The 50 with the most failed attempts for deliveries of these hours, the worst first.',
        }),
        suspendedWebhooks: z.int().meta({ description: 'Of all times, among 100,000 webhooks.' }),
        complete: z.boolean().meta({
          description: 'False: there are more than 50,000 deliveries or attempts, and these are the newest.',
        }),
      })
      .meta({ description: 'The last 24 hours.' }),
  })
  .meta({ id: 'HubStatus' });
export type HubStatus = z.infer<typeof HubStatus>;

export const getHubStatus = defineRoute({
  id: 'getHubStatus',
  method: 'GET',
  path: '/api/admin/status',
  summary: 'How the hub does: queues, deliveries of the last day, receivers that fail',
  tags: ['admin'],
  authority: 'site-admin.read',
  answers: { 200: HubStatus },
});
