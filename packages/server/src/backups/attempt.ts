import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import { errorText } from '../platform/error-text.ts';
import type { Ids } from '../platform/ids.ts';
import type { InformingLogger } from '../platform/logger.ts';
import { recordDeleted } from '../platform/retention/deletion-store.ts';
import type { BackupPlace } from './places/place.ts';
import {
  changeBackup,
  countFailures,
  deleteBackup,
  deleteFailuresBefore,
  insertBackup,
  listFailures,
  listInState,
} from './store.ts';
import type { BackupRow } from './tables.ts';
import type { PruneFiles, WriteBackup } from './write.ts';

/** How long failures are kept. */
const FAILURES_KEPT_MS = 30 * 24 * 60 * 60_000;
const MAX_ERROR_LENGTH = 500;
/** The failures whose remains are looked for. */
const MAX_RECLAIMED = 100;

/** The reason of a signal that ends a backup because the hub stops. */
export class HubStops extends Error {}
/** The reason of a signal that ends a backup because another process has taken over. */
export class TakenOver extends Error {}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: InformingLogger;
  readonly place: BackupPlace;
  readonly write: WriteBackup;
  readonly pruneFiles: PruneFiles;
  readonly keep: number;
  readonly onFailed: () => void;
}

/** Returns the name of a backup that begins at a time. */
const nameAt = (time: number): string =>
  `moonbase-${new Date(time).toISOString().replace(/\.\d+/, '').replaceAll(':', '')}.backup`;

/** Makes one backup, and records what processes that died have left. Whoever calls it has the lease on backups. */
export function createAttempt(dependencies: Dependencies) {
  const { database, clock, ids, logger, place, write, pruneFiles, keep, onFailed } = dependencies;
  const end = (id: string, change: Partial<BackupRow>): Promise<boolean> =>
    database.transaction((tx) => changeBackup(tx, { id, state: 'writing' }, { ...change, ended_at: clock.now() }));

  async function fail({ id, name }: Pick<BackupRow, 'id' | 'name'>, error: unknown): Promise<void> {
    await end(id, { state: 'failed', error: errorText(error).slice(0, MAX_ERROR_LENGTH) });
    await database.transaction((tx) => deleteFailuresBefore(tx, clock.now() - FAILURES_KEPT_MS));
    const failures = await countFailures(database.read, place.name);
    logger.error({ err: error, place: place.name, name, failures }, 'a backup failed');
    onFailed();
  }

  /** Deletes what failures have left; a file that is whole was written by a process that died before it could tell. */
  async function reclaim(): Promise<void> {
    for (const { id, name } of await listFailures(database.read, place.name, MAX_RECLAIMED)) {
      const bytes = await place.sizeOf(name);
      await place.clear(name);
      if (bytes === undefined) continue;
      const change = { state: 'whole', bytes, error: null } as const;
      await database.transaction((tx) => changeBackup(tx, { id, state: 'failed' }, change));
    }
  }

  /** Forgets a backup that the operator ended, so that the next start begins anew; what cannot be deleted is kept in mind. */
  async function giveUp({ id, name }: BackupRow): Promise<void> {
    const isCleared = await place.clear(name).then(
      () => true,
      () => false,
    );
    if (isCleared) await database.transaction((tx) => deleteBackup(tx, id));
    else await end(id, { state: 'failed', error: 'The hub stopped while it wrote this backup' });
  }

  /** Deletes the oldest backups beyond the number to keep; what cannot be deleted is tried again after the next backup. */
  async function rotate(): Promise<void> {
    for (const { id, name } of await listInState(database.read, place.name, 'whole', { skip: keep })) {
      try {
        await place.delete(name);
      } catch (error) {
        logger.warn({ err: error, place: place.name, name }, 'an old backup could not be deleted');
        return;
      }
      await database.transaction(async (tx) => {
        await deleteBackup(tx, id);
        await recordDeleted(tx, 'backups', 1, clock.now());
      });
    }
  }

  let told: string | undefined;

  /** Deletes what the remaining backups do not need; what is left is tried again after the next backup. */
  async function prune(signal: AbortSignal): Promise<void> {
    try {
      const { hindrance, ...deleted } = await pruneFiles(signal);
      if (hindrance !== undefined && hindrance !== told)
        logger.warn({ place: place.name, hindrance }, 'no files beside the backups may be deleted');
      told = hindrance;
      if (deleted.files > 0) logger.info({ place: place.name, ...deleted }, 'files that no backup needs were deleted');
    } catch (error) {
      if (signal.aborted) return;
      logger.warn({ err: error, place: place.name }, 'files that no backup needs could not be deleted');
    }
  }

  return {
    /** Records the backups that processes began and did not end as failures. */
    async settleLeft(): Promise<void> {
      for (const row of await listInState(database.read, place.name, 'writing'))
        await fail(row, new Error('The hub ended while it wrote this backup'));
    },

    async make(signal: AbortSignal): Promise<void> {
      const started_at = clock.now();
      const id = ids();
      const name = nameAt(started_at);
      const ended = { ended_at: null, bytes: null, duration_ms: null, faulty: null, error: null };
      const row: BackupRow = { id, place: place.name, name, state: 'writing', started_at, ...ended };
      await database.transaction((tx) => insertBackup(tx, row));
      const since = performance.now();
      let faulty = 0;
      try {
        await reclaim();
        const { result, bytes } = await place.write(name, (output, partial) => write({ output, partial, signal }));
        const duration_ms = Math.round(performance.now() - since);
        faulty = result.faulty.length;
        if (!(await end(id, { state: 'whole', bytes, duration_ms, faulty }))) return await place.delete(name);
        logger.info({ place: place.name, name, bytes, rows: result.rows, ms: duration_ms }, 'a backup was written');
        if (faulty > 0)
          logger.warn({ name, faulty, such: result.faulty.slice(0, 3) }, 'a backup lacks files: missing or damaged');
      } catch (error) {
        if (signal.reason instanceof TakenOver) return;
        if (signal.reason instanceof HubStops) return await giveUp(row);
        return await fail(row, error);
      }
      await rotate();
      // What the hub has lost may be beside older backups alone.
      if (faulty === 0) await prune(signal);
    },
  };
}
