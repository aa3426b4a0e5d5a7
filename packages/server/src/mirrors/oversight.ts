import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { idFromCursor, pageFrom } from '../platform/http/pagination.ts';
import { findRepoById, lockRepo } from '../repositories/index.ts';
import type { RecordMirrorChange } from './audit.ts';
import { createEnding } from './ending.ts';
import { presentEntry } from './present.ts';
import { listMirrors } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly record: RecordMirrorChange;
}

interface Query {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly failing?: boolean | undefined;
}

/** The verbs of site administrators. */
export function createMirrorOversight({ database, clock, record }: Dependencies) {
  const end = createEnding(record);
  return {
    async list({ cursor, limit, failing }: Query) {
      const rows = await listMirrors(database.read, { before: idFromCursor(cursor), failing }, limit + 1);
      const { items, next } = pageFrom(rows, limit, ({ id }) => id);
      return { items: items.map((row) => presentEntry(row, clock.now())), next };
    },

    /** Ends any mirror. Throws 404 if no mirror has this id. */
    removeAny: (caller: Caller, id: string): Promise<void> =>
      database.transaction(async (tx) => {
        const found = await findRepoById(tx, id);
        const repo = found && (await lockRepo(tx, { type: found.type, namespace: found.ownerName, name: found.name }));
        if (repo?.id !== id) throw notFound('There is no mirror with this id');
        await end(tx, caller, repo);
      }),
  };
}
