import * as z from 'zod';
import { Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/** How far rows are counted. */
export const MAX_HELD = 10_000;

export const RETENTION_KINDS = [
  ...['deliveries', 'replays', 'events', 'notifications', 'audit-events', 'sessions', 'sign-ins', 'links'],
  ...['job-logs', 'jobs', 'mails', 'large-files', 'organizations', 'upstream-files', 'backups', 'dead-letters'],
  'exports',
] as const;

export type RetentionKind = (typeof RETENTION_KINDS)[number];

const RetentionSetting = z
  .object({
    name: z.string().meta({ description: 'The environment variable.' }),
    value: z.number().nullable().meta({ description: 'The value in force; null: not set, nothing is deleted.' }),
  })
  .meta({ id: 'RetentionSetting' });

/** How long the hub keeps one kind of thing, and what that has come to. */
export const Retention = z
  .object({
    kind: z.enum(RETENTION_KINDS),
    title: z.string(),
    about: z.string().meta({ description: 'What is kept for how long, with the values in force.' }),
    settings: z.array(RetentionSetting).meta({ description: 'The settings that change it; none: it is fixed.' }),
    held: z.int().meta({ description: `What there is now; ${MAX_HELD} stands for ${MAX_HELD} or more.` }),
    oldestAt: Timestamp.optional().meta({ description: 'When the oldest of it began, where that is cheap to find.' }),
    deleted: z.int().meta({ description: 'What was deleted because of its age, since the hub counts it.' }),
    lastDeletedAt: Timestamp.optional().meta({ description: 'When something was last deleted because of its age.' }),
  })
  .meta({ id: 'Retention' });
export type Retention = z.infer<typeof Retention>;

export const getRetention = defineRoute({
  id: 'getRetention',
  method: 'GET',
  path: '/api/admin/retention',
  summary: 'Get how long the hub keeps what, which settings change that, what there is and what was deleted',
  tags: ['admin'],
  authority: 'site-admin.read',
  answers: { 200: z.array(Retention) },
});
