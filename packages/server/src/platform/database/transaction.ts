import { type Dialect, Kysely, PostgresAdapter, sql } from 'kysely';
import { createGroupCommit } from './group-commit.ts';
import { type Connections, openPostgres } from './postgres.ts';
import { sqlFault } from './sql-errors.ts';
import { openSqlite, type SqliteFile } from './sqlite.ts';
import { cutOffWhenStalled } from './stall.ts';
import type { Tables } from './tables.ts';

/** The transaction that is open: what a function of a store takes first that writes. */
export type Executor = Kysely<Tables>;

/**
 * What a function of a store takes first that only reads: `database.read`, or the transaction that is open. It offers
 * no inserts, updates and deletes; raw SQL that writes fails on SQLite, where the connection is read-only.
 */
export type ReadExecutor = Pick<Executor, 'selectFrom' | 'selectNoFrom' | 'executeQuery' | 'getExecutor'>;

export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * For reads, each by itself: sees what is committed, and waits for no transaction. What was written is there once its
   * transaction has resolved; within the transaction only the transaction itself sees it.
   */
  readonly read: ReadExecutor;
  /** Runs `work` in one transaction; on PostgreSQL again when it lost a deadlock, so it must have no other effects. */
  transaction<T>(work: (tx: Executor) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** On PostgreSQL only: SQLite has one connection for transactions and one for reads. */
  readonly connections?: () => Connections;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TransactionOptions {
  /** The work is rolled back and refused where it does nothing for long and does not end: others wait for it. */
  readonly cutOff?: boolean;
}

/** A query of PostgreSQL ends after `queryTimeoutMs` without an answer, with 0 never. */
export type DatabaseLocation = { readonly folder: string } | { readonly url: string; readonly queryTimeoutMs?: number };

/** What is put off within a transaction: to its end, and to when it is durable. */
interface PutOff {
  readonly lastly: (() => Promise<void>)[];
  readonly afterwards: (() => void)[];
}

const open = new WeakMap<Executor, PutOff>();

function putOffOf(tx: Executor): PutOff {
  const putOff = open.get(tx);
  if (!putOff) throw new Error('This needs an open transaction');
  return putOff;
}

/** What many parts of a transaction collect, to be written as the last thing in it, together. */
export interface Collector<Item> {
  add(tx: Executor, items: readonly Item[]): void;
  /** What was collected in this transaction so far. */
  of(tx: Executor): readonly Item[];
}

export function createCollector<Item>(write: (tx: Executor, items: readonly Item[]) => Promise<void>): Collector<Item> {
  const collected = new WeakMap<PutOff, Item[]>();
  return {
    of: (tx) => collected.get(putOffOf(tx)) ?? [],
    add(tx, items) {
      const putOff = putOffOf(tx);
      const known = collected.get(putOff);
      if (known) {
        known.push(...items);
        return;
      }
      const all = [...items];
      collected.set(putOff, all);
      putOff.lastly.push(() => write(tx, all));
    },
  };
}

/** Runs `effect` once the transaction is durable; not at all when it is rolled back. */
export function afterCommit(tx: Executor, effect: () => void): void {
  putOffOf(tx).afterwards.push(effect);
}

/** `onLost` is told of connections that broke while nobody used them; the hub goes on. */
export function openDatabase(location: DatabaseLocation, onLost: (error: Error) => void = () => {}): Database {
  return 'folder' in location
    ? onSqlite(openSqlite(location.folder))
    : onPostgres(openPostgres(location.url, onLost, location.queryTimeoutMs));
}

/** Transactions follow each other on one connection, and share commits; reads have a connection of their own. */
function onSqlite(file: SqliteFile): Database {
  const writer = new Kysely<Tables>({ dialect: file.writer });
  const read = new Kysely<Tables>({ dialect: file.reader });
  return {
    engine: 'sqlite',
    read,
    transaction: transactionsOf(createGroupCommit(writer), file.writer),
    async [Symbol.asyncDispose]() {
      await read.destroy();
      await writer.destroy();
      await file.release();
    },
  };
}

/** PostgreSQL lets commits share a sync by itself. */
function onPostgres({ dialect, connections }: ReturnType<typeof openPostgres>): Database {
  const pool = new Kysely<Tables>({ dialect });
  const run = <T>(work: (tx: Executor) => Promise<T>): Promise<T> => pool.transaction().execute(work);
  return {
    engine: 'postgres',
    read: pool,
    transaction: transactionsOf(run, dialect),
    connections,
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

type Run = <T>(work: (tx: Executor) => Promise<T>) => Promise<T>;

function transactionsOf(run: Run, dialect: Dialect): Database['transaction'] {
  async function once<T>(work: (tx: Executor) => Promise<T>, { cutOff = false }: TransactionOptions): Promise<T> {
    const whole = async (tx: Executor) => {
      const putOff: PutOff = { lastly: [], afterwards: [] };
      open.set(tx, putOff);
      const result = await work(tx);
      for (const last of putOff.lastly) await last();
      return { result, afterwards: putOff.afterwards };
    };
    const { result, afterwards } = await run(cutOff ? (tx) => cutOffWhenStalled(tx, dialect, whole) : whole);
    for (const effect of afterwards) effect();
    return result;
  }

  return async (work, options = {}) => {
    for (let tries = 1; ; tries++) {
      try {
        return await once(work, options);
      } catch (error) {
        if (tries === 5 || sqlFault(error) !== 'retry') throw error;
      }
    }
  };
}

export const isPostgres = (executor: ReadExecutor) => executor.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Locks the rows of one table of a select until the transaction ends; on SQLite a transaction is alone anyhow. Rows that
 * refer to them can be made meanwhile.
 */
export const forUpdateOf = (executor: ReadExecutor, table: keyof Tables) =>
  isPostgres(executor) ? sql`for no key update of ${sql.table(table)}` : sql``;

/** The same, passing over rows that another worker holds. */
export const forUpdateSkipLocked = (executor: ReadExecutor) =>
  isPostgres(executor) ? sql`for update skip locked` : sql``;

/** One at a time across all processes, until the transaction ends; on SQLite a transaction is alone anyhow. */
export async function serialize(tx: Executor, what: number): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${what})`.execute(tx);
}

/** Beside others who share it, until the transaction ends, and never beside somebody who is `aloneWith` it. */
export async function advisoryLockShared(tx: Executor, what: readonly string[]): Promise<void> {
  if (isPostgres(tx))
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(what, 0)) from unnest(${what}::text[]) as what`.execute(
      tx,
    );
}

/** The other side: waits for all who share it now; whoever wants to share it waits until the transaction ends. */
export async function advisoryLock(tx: Executor, what: string): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`.execute(tx);
}
