import type { RepoStorage } from '@moonbase/contract/content/storage';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { afterCommit, type Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import { findRepoById, type RepoName, readRepo } from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import { findUpkeep, requestMaintenance } from './upkeep-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'totalOf'>;
  /** Wakes the upkeep. */
  readonly nudge: () => void;
}

type Success = { readonly success: true };

/** The verbs on the storage of a repository; all figures come from the database. */
export function createStorage({ database, clock, largeFiles, nudge }: Dependencies) {
  const { read } = database;

  async function request(repoId: string): Promise<Success> {
    await database.transaction(async (tx) => {
      await requestMaintenance(tx, repoId, clock.now());
      afterCommit(tx, nudge);
    });
    return { success: true };
  }

  return {
    async storage(caller: Caller, name: RepoName): Promise<RepoStorage> {
      const repo = await readRepo(read, caller, name, 'repo.write');
      const files = await largeFiles.totalOf(read, repo.id);
      const row = await findUpkeep(read, repo.id);
      const at = (time: number | null | undefined) => (typeof time === 'number' ? timestamp(time) : undefined);
      const [lastAt, nextAt, requestedAt] = [at(row?.maintained_at), at(row?.due_at), at(row?.requested_at)];
      return {
        usedStorage: files.bytes + (row?.packed_bytes ?? 0),
        largeFiles: files,
        git: {
          ...{ looseObjects: row?.loose_objects ?? 0, packs: row?.packs ?? 0, packedBytes: row?.packed_bytes ?? 0 },
        },
        maintenance: {
          ...(lastAt !== undefined && { lastAt }),
          ...(typeof row?.duration_ms === 'number' && { durationMs: row.duration_ms }),
          ...(nextAt !== undefined && { nextAt }),
          ...(requestedAt !== undefined && { requestedAt }),
          ...(typeof row?.fault === 'string' && { fault: row.fault }),
          failures: row?.failures ?? 0,
        },
      };
    },

    async requestMaintenance(caller: Caller, name: RepoName): Promise<Success> {
      return request((await readRepo(read, caller, name)).id);
    },

    /** Requests it for a repository of which a site administrator knows the id alone. Throws 404 if there is none. */
    async requestMaintenanceById(id: string): Promise<Success> {
      const repo = await findRepoById(read, id);
      if (!repo || repo.head_sha === null) throw notFound('There is no repository with this id');
      return request(repo.id);
    },
  };
}
