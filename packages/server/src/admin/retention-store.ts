import type { RetentionKind } from '@moonbase/contract/admin/retention';
import { type RawBuilder, sql } from 'kysely';
import { countUpTo } from '../platform/database/count-up-to.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';

/** The rows of each kind, each from its `from` on; none for what is not stored. */
const HELD: Readonly<Record<RetentionKind, readonly RawBuilder<unknown>[]>> = {
  deliveries: [sql`from deliveries`],
  replays: [sql`from webhook_replays`],
  events: [sql`from events`],
  notifications: [sql`from notifications`, sql`from done_notifications`, sql`from hidden_notifications`],
  'audit-events': [sql`from audit_events`],
  sessions: [sql`from sessions`],
  'sign-ins': [sql`from sign_in_events`],
  links: [sql`from one_time_links`],
  'job-logs': [sql`from jobs where finished_at is not null and stage <> 'DELETED'`],
  jobs: [sql`from jobs where finished_at is not null`],
  mails: [sql`from mails`],
  'large-files': [sql`from blobs where unused_since is not null`],
  organizations: [sql`from organization_settings where deleted_at is not null`],
  'upstream-files': [sql`from upstream_files`],
  backups: [sql`from backups where state = 'whole'`],
  'dead-letters': [sql`from dead_letters`],
  exports: [],
};

/** Where an index leads to the oldest row at once. */
const OLDEST: Partial<Readonly<Record<RetentionKind, RawBuilder<unknown>>>> = {
  deliveries: sql`select created_at as at from deliveries order by id limit 1`,
  replays: sql`select created_at as at from webhook_replays order by id limit 1`,
  events: sql`select created_at as at from events order by id limit 1`,
  'sign-ins': sql`select at from sign_in_events order by at limit 1`,
  mails: sql`select created_at as at from mails order by id limit 1`,
  'large-files': sql`select unused_since as at from blobs where unused_since is not null order by unused_since limit 1`,
};

/** Counts what there is of a kind, up to `max`. */
export async function countHeld(executor: ReadExecutor, kind: RetentionKind, max: number): Promise<number> {
  let count = 0;
  for (const rows of HELD[kind]) if (count < max) count += await countUpTo(executor, rows, max - count);
  return count;
}

/** Returns when the oldest row of a kind began; undefined if there is none, or no index finds it. */
export async function oldestAt(executor: ReadExecutor, kind: RetentionKind): Promise<number | undefined> {
  const query = OLDEST[kind];
  if (query === undefined) return undefined;
  const { rows } = await sql<{ at: number | string }>`${query}`.execute(executor);
  return rows[0] && Number(rows[0].at);
}
