import { Kysely, PostgresAdapter, sql } from 'kysely';
import { createGroupCommit } from './group-commit.ts';
import { openPostgres } from './postgres.ts';
import { sqlFault } from './sql-errors.ts';
import { openSqlite } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** What every function of a store takes first: the pool, or the transaction that is open. */
export type Executor = Kysely<Tables>;

export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** For single reads. Inside a transaction use that transaction: on SQLite there is one connection. */
  readonly executor: Executor;
  /** Runs `work` in one transaction; on PostgreSQL again when it lost a deadlock, so it must have no other effects. */
  transaction<T>(work: (tx: Executor) => Promise<T>): Promise<T>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type DatabaseLocation = { readonly folder: string } | { readonly url: string };

const effects = new WeakMap<Executor, (() => void)[]>();

/** Runs `effect` once the transaction is durable; not at all when it is rolled back. */
export function afterCommit(tx: Executor, effect: () => void): void {
  const list = effects.get(tx);
  if (!list) throw new Error('afterCommit needs an open transaction');
  list.push(effect);
}

/** `onLost` is told of connections that broke while nobody used them; the hub goes on. */
export function openDatabase(location: DatabaseLocation, onLost: (error: Error) => void = () => {}): Database {
  const file = 'folder' in location ? openSqlite(location.folder) : undefined;
  const dialect = file ? file.dialect : openPostgres((location as { url: string }).url, onLost);
  const executor = new Kysely<Tables>({ dialect });

  // SQLite has one connection: what comes at the same time shares a commit. PostgreSQL does that by itself.
  const run = file ? createGroupCommit(executor) : onePerCommit(executor);

  async function once<T>(work: (tx: Executor) => Promise<T>): Promise<T> {
    const { result, afterwards } = await run(async (tx) => {
      const afterwards: (() => void)[] = [];
      effects.set(tx, afterwards);
      return { result: await work(tx), afterwards };
    });
    for (const effect of afterwards) effect();
    return result;
  }

  return {
    engine: file ? 'sqlite' : 'postgres',
    executor,
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await once(work);
        } catch (error) {
          if (tries === 5 || sqlFault(error) !== 'retry') throw error;
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await executor.destroy();
      file?.release();
    },
  };
}

const onePerCommit =
  (executor: Executor) =>
  <T>(work: (tx: Executor) => Promise<T>): Promise<T> =>
    executor.transaction().execute(work);

export const isPostgres = (executor: Executor) => executor.getExecutor().adapter instanceof PostgresAdapter;

/** Locks the rows of one table of a select until the transaction ends; on SQLite a transaction is alone anyhow. */
export const forUpdateOf = (executor: Executor, table: keyof Tables) =>
  isPostgres(executor) ? sql`for update of ${sql.table(table)}` : sql``;

/** The same, passing over rows that another worker holds. */
export const forUpdateSkipLocked = (executor: Executor) => (isPostgres(executor) ? sql`for update skip locked` : sql``);

/** One at a time across all processes, until the transaction ends; on SQLite a transaction is alone anyhow. */
export async function oneAtATime(tx: Executor, what: number): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${what})`.execute(tx);
}
