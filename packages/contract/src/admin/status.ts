import * as z from 'zod';
import { Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { AttemptCounts } from '../webhooks/webhooks.ts';

const QueueStatus = z
  .object({
    name: z.string().meta({ description: '`events`, `deliveries`, `jobs`, `mails` or `tasks`.' }),
    waiting: z
      .int()
      .meta({ description: 'Items in the queue, including those not yet due; 10,000 stands for 10,000 or more.' }),
    oldestDueAt: Timestamp.optional().meta({ description: 'When the first item became due, or will become due.' }),
    overdueSeconds: z.number().meta({ description: 'How long the first item has been due.' }),
  })
  .meta({ id: 'QueueStatus' });

const ReceiverFailures = z
  .object({
    host: z.string().meta({ description: 'Scheme, host name and port, without path and query, which may be secret.' }),
    attempts: z.int(),
    failures: z.int(),
    lastError: z.string(),
    lastFailureAt: Timestamp,
  })
  .meta({ id: 'ReceiverFailures' });

const BackupStatus = z
  .object({
    place: z.string().meta({ description: 'The folder, or the address of the bucket, of the last attempt.' }),
    last: z
      .object({
        name: z.string(),
        startedAt: Timestamp,
        bytes: z.int().meta({ description: 'Size of the file, without the files of repositories.' }),
        seconds: z.number().optional(),
        faultyFiles: z.int().meta({ description: 'Files of repositories that were missing or damaged.' }),
      })
      .optional()
      .meta({ description: 'The last complete backup; absent if there is none in this place.' }),
    failures: z.int().meta({ description: 'Failed attempts since the last complete backup.' }),
    lastError: z.string().optional().meta({ description: 'The reason of the last of these failures.' }),
  })
  .meta({ id: 'BackupStatus' });

/** The status of a hub: counts of the last day in `day`, and the current state. */
export const HubStatus = z
  .object({
    version: z.string(),
    schema: z.string(),
    engine: z.enum(['sqlite', 'postgres']),
    startedAt: Timestamp.meta({ description: 'Start of the responding process.' }),
    queues: z.array(QueueStatus),
    deadLetters: z.int().meta({ description: 'Number of dead letters, at most 10,000.' }),
    backup: BackupStatus.optional().meta({
      description: 'The backups that the hub makes of itself; absent if it never began one.',
    }),
    disk: z.object({ freeBytes: z.int(), totalBytes: z.int() }).optional().meta({
      description:
        'The file system of the data folder, as the responding process sees it; absent if the hub has no such folder.',
    }),
    day: z
      .object({
        countedAt: Timestamp.meta({
          description: 'When the counts were taken; each process caches them for 15 seconds.',
        }),
        hours: z
          .array(AttemptCounts)
          .meta({ description: '24 full hours, oldest first; the last one is the current one.' }),
        receivers: z.array(ReceiverFailures).meta({
          description: 'The 50 receivers with the most failed attempts for deliveries of these hours, worst first.',
        }),
        suspendedWebhooks: z.int().meta({
          description: 'Suspended webhooks, regardless of the hours; counted among at most 100,000 webhooks.',
        }),
        failingWebhooks: z.int().meta({
          description: 'Enabled webhooks whose last attempt failed, regardless of the hours; counted in the same way.',
        }),
        complete: z.boolean().meta({
          description: 'False if there are more than 50,000 attempts and `receivers` counts only the newest.',
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
  summary: 'Get the health of the hub: queues, deliveries of the last day, failing receivers',
  tags: ['admin'],
  authority: 'site-admin.read',
  answers: { 200: HubStatus },
});
