import type { HubStatus } from '@moonbase/contract/admin/status';
import { lastBackups } from '../backups/index.ts';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import { spaceOf } from '../platform/files/disk-space.ts';
import { countDeadLetters } from '../platform/queue/dead-letter-store.ts';
import { type Queues, readQueueStates } from '../platform/queue/state.ts';
import { ALL_WEBHOOKS, countUnwell, hoursOf, receiverFailures } from '../webhooks/index.ts';

/** How long the figures of the last day are cached: counting them reads up to 150,000 rows. */
const DAY_KEPT_MS = 15_000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly queues: Queues;
  /** The folder with the data of the hub; undefined if all of it is in memory. */
  readonly folder: string | undefined;
  readonly version: { readonly version: string; readonly schema: string };
}

export type ReadHubStatus = () => Promise<HubStatus>;

/** Creates the status report for site administrators: current queues, and cached figures of the last day. */
export function createHubStatus({ database, clock, queues, folder, version }: Dependencies): ReadHubStatus {
  const { read } = database;
  const startedAt = timestamp(clock.now());
  const day = cacheFor(DAY_KEPT_MS, clock, async (now) => {
    const { receivers, complete } = await receiverFailures(read, now);
    return {
      countedAt: timestamp(now),
      hours: await hoursOf(read, ALL_WEBHOOKS, now),
      receivers: receivers.map(({ lastFailureAt, ...rest }) => ({ ...rest, lastFailureAt: timestamp(lastFailureAt) })),
      ...(await countUnwell(read)),
      complete,
    };
  });

  return async () => ({
    ...version,
    engine: database.engine,
    startedAt,
    queues: (await readQueueStates(queues, read, clock.now())).map(({ oldestDueAt, ...queue }) => ({
      ...queue,
      ...(oldestDueAt !== null && { oldestDueAt: timestamp(oldestDueAt) }),
    })),
    deadLetters: [...(await countDeadLetters(read)).values()].reduce((sum, count) => sum + count, 0),
    ...(await backupStatus(read)),
    ...(folder !== undefined && (await diskStatus(folder))),
    day: await day(),
  });
}

/** Returns nothing where the folder cannot be examined: with a database elsewhere and files in a bucket it may be missing. */
const diskStatus = (folder: string): Promise<Pick<HubStatus, 'disk'>> =>
  spaceOf(folder).then(
    (disk) => ({ disk }),
    () => ({}),
  );

async function backupStatus(read: ReadExecutor): Promise<Pick<HubStatus, 'backup'>> {
  const found = await lastBackups(read);
  if (!found) return {};
  const { place, whole, failures, lastError } = found;
  const last = whole && {
    name: whole.name,
    startedAt: timestamp(whole.started_at),
    bytes: whole.bytes ?? 0,
    ...(whole.duration_ms !== null && { seconds: whole.duration_ms / 1000 }),
    faultyFiles: whole.faulty ?? 0,
  };
  return { backup: { place, ...(last && { last }), failures, ...(lastError !== undefined && { lastError }) } };
}

/** Caches a result for some milliseconds; concurrent callers share one computation. Failures are not cached. */
function cacheFor<T>(ms: number, clock: Clock, make: (now: number) => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly made: Promise<T> } | undefined;
  return () => {
    const now = clock.now();
    if (kept && now - kept.at < ms) return kept.made;
    const mine = { at: now, made: make(now) };
    kept = mine;
    mine.made.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return mine.made;
  };
}
