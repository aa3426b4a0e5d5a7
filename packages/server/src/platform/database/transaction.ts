import { setTimeout as pause } from 'node:timers/promises';
import { type Dialect, Kysely, PostgresAdapter, sql } from 'kysely';
import { setDirectReads } from './direct-reads.ts';
import { createGroupCommit } from './group-commit.ts';
import { inTransaction } from './in-transaction.ts';
import { type Connections, openPostgres } from './postgres/postgres.ts';
import { isBusy, sqlFault } from './sql-errors.ts';
import { openFileOfRunningHub, openSqlite, type SqliteFile } from './sqlite/sqlite.ts';
import { cutOffWhenStalled } from './stall.ts';
import type { Tables } from './tables.ts';

/** The open transaction: the first parameter of store functions that write. */
export type Executor = Kysely<Tables>;

/**
 * The first parameter of store functions that only read: `database.read`, or the open transaction. Offers no inserts,
 * updates and deletes; raw SQL that writes fails on SQLite, where the connection is read-only.
 */
export type ReadExecutor = Pick<Executor, 'selectFrom' | 'selectNoFrom' | 'executeQuery' | 'getExecutor'>;

export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /**
   * For single reads: sees committed data, and waits for no transaction. Written data is visible once its transaction has
   * resolved; before that, only the transaction itself sees it.
   */
  readonly read: ReadExecutor;
  /** Runs `work` in one transaction; on PostgreSQL, again after a deadlock, so `work` must have no other effects. */
  transaction<T>(work: (tx: Executor) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Resolves once everything that reads showed before the call survives a crash. Called before something that was read
   * leaves the hub: a crash may undo what reads show too early, and the hub would do the work again under new ids.
   */
  durable(): Promise<void>;
  /** On PostgreSQL only: SQLite has one connection for transactions and one for reads. */
  readonly connections?: () => Connections;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TransactionOptions {
  /** Rolls back work that stalls and refuses its later statements, because others wait for it. */
  readonly cutOff?: boolean;
  /**
   * `false`: the transaction resolves before it is on the disk. A power cut may undo it, together with everything after
   * it, so this is for work that the hub then does again. On SQLite a transaction that shares its commit still waits:
   * smaller groups would cost more than the wait.
   */
  readonly durable?: boolean;
}

/**
 * A data folder, or the URL of a PostgreSQL server. The database in memory begins as a copy of the file `copyOf`. A query on
 * PostgreSQL fails after `queryTimeoutMs` without a response (0: never).
 */
export type DatabaseLocation =
  | { readonly folder: string; readonly copyOf?: string | undefined }
  | { readonly url: string; readonly queryTimeoutMs?: number };

/** The work that a transaction defers to its end, to its commit, and to the time after it has resolved. */
interface PutOff {
  readonly lastly: (() => Promise<void>)[];
  readonly shown: (() => void)[];
  readonly afterwards: (() => void)[];
}

const open = new WeakMap<Executor, PutOff>();

function putOffOf(tx: Executor): PutOff {
  const putOff = open.get(tx);
  if (!putOff) throw new Error('This needs an open transaction');
  return putOff;
}

/** Collects entries from many parts of a transaction, and writes them together at its end. */
export interface Collector<Item> {
  add(tx: Executor, items: readonly Item[]): void;
  /** Returns the entries collected in this transaction so far. */
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

/** Runs `effect` once the transaction resolves, and never if it is rolled back. */
export function afterCommit(tx: Executor, effect: () => void): void {
  putOffOf(tx).afterwards.push(effect);
}

/** Runs `effect` as soon as reads show the transaction, which a power cut may still undo; never if it is rolled back. */
export function onceShown(tx: Executor, effect: () => void): void {
  putOffOf(tx).shown.push(effect);
}

/** Opens a database. `onLost` is called for idle connections that broke; the hub continues. */
export function openDatabase(location: DatabaseLocation, onLost: (error: Error) => void = () => {}): Database {
  return 'folder' in location
    ? onSqlite(openSqlite(location.folder, { copyOf: location.copyOf }))
    : onPostgres(openPostgres(location.url, onLost, location.queryTimeoutMs));
}

/** Opens a database for a short change beside a running hub. Throws if there is no database. */
export const openDatabaseOfRunningHub = (location: DatabaseLocation): Database =>
  'folder' in location ? waitingForLock(onSqlite(openFileOfRunningHub(location.folder))) : openDatabase(location);

/** How long, and after which pauses, a transaction beside a running hub tries to get the write lock. */
const LOCK_TRIES = 250;
const LOCK_PAUSE_MS = 20;

/**
 * Lets each transaction wait for the write lock of SQLite without holding the event loop, on which the hub itself may run.
 * A transaction meets the lock when it begins, before its work.
 */
function waitingForLock(database: Database): Database {
  return {
    ...database,
    async transaction(work, options) {
      for (let tries = 1; ; tries++) {
        try {
          return await database.transaction(work, options);
        } catch (error) {
          if (!isBusy(error) || tries === LOCK_TRIES) throw error;
          await pause(LOCK_PAUSE_MS);
        }
      }
    },
  };
}

/** SQLite: transactions run one after the other on one connection and share commits; reads have their own connection. */
function onSqlite(file: SqliteFile): Database {
  const writer = new Kysely<Tables>({ dialect: file.writer });
  const read = new Kysely<Tables>({ dialect: file.reader });
  setDirectReads(read, file.reads);
  const group = createGroupCommit(writer, file.sync);
  return {
    engine: 'sqlite',
    read,
    transaction: transactionsOf(group.run, file.writer),
    durable: group.durable,
    async [Symbol.asyncDispose]() {
      await read.destroy();
      await writer.destroy();
      await file.release();
    },
  };
}

/** PostgreSQL: the server lets commits share a sync by itself. */
function onPostgres({ dialect, connections, reads }: ReturnType<typeof openPostgres>): Database {
  const pool = new Kysely<Tables>({ dialect });
  setDirectReads(pool, reads);
  const run: Run = async (work, { durable, onShown }) => {
    const value = await (durable ? pool.transaction().execute(work) : inTransaction(pool, BEGIN_LAZILY, work));
    onShown(value);
    return value;
  };
  return {
    engine: 'postgres',
    read: pool,
    transaction: transactionsOf(run, dialect),
    // A commit that has written to the log flushes it, with every earlier commit. Nobody reads the message.
    durable: async () => {
      await sql`select pg_logical_emit_message(true, 'moonbase', '')`.execute(pool);
    },
    connections,
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** Begins a transaction of PostgreSQL that does not wait for the disk, in one message. */
const BEGIN_LAZILY = 'begin; set local synchronous_commit = off';

interface RunOptions<T> {
  readonly durable: boolean;
  /** Called with the result once reads show it. */
  readonly onShown: (value: T) => void;
}

type Run = <T>(work: (tx: Executor) => Promise<T>, options: RunOptions<T>) => Promise<T>;

function transactionsOf(run: Run, dialect: Dialect): Database['transaction'] {
  async function once<T>(
    work: (tx: Executor) => Promise<T>,
    { cutOff = false, durable = true }: TransactionOptions,
  ): Promise<T> {
    const whole = async (tx: Executor) => {
      const putOff: PutOff = { lastly: [], shown: [], afterwards: [] };
      open.set(tx, putOff);
      const result = await work(tx);
      for (const last of putOff.lastly) await last();
      return { result, ...putOff };
    };
    const { result, afterwards } = await run(cutOff ? (tx) => cutOffWhenStalled(tx, dialect, whole) : whole, {
      durable,
      onShown: ({ shown }) => {
        for (const effect of shown) effect();
      },
    });
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

/** Returns whether the database responds to a query. */
export const isReachable = (executor: ReadExecutor): Promise<boolean> =>
  sql`select 1`.execute(executor).then(
    () => true,
    () => false,
  );

/**
 * Locks the rows of one table of a select until the transaction ends; SQLite needs no lock, because transactions run one at
 * a time. Rows that refer to them can be inserted meanwhile.
 */
export const forUpdateOf = (executor: ReadExecutor, table: keyof Tables) =>
  isPostgres(executor) ? sql`for no key update of ${sql.table(table)}` : sql``;

/** Locks rows in the same way, but skips rows that another worker has locked. */
export const forUpdateSkipLocked = (executor: ReadExecutor) =>
  isPostgres(executor) ? sql`for update skip locked` : sql``;

/** Serializes transactions with the same number across all processes; on SQLite transactions run one at a time anyway. */
export async function serialize(tx: Executor, what: number): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(${what})`.execute(tx);
}

/** Takes shared locks until the transaction ends, which exclude `advisoryLock` on the same texts. */
export async function advisoryLockShared(tx: Executor, what: readonly string[]): Promise<void> {
  if (isPostgres(tx))
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(what, 0)) from unnest(${what}::text[]) as what`.execute(
      tx,
    );
}

/** Takes an exclusive lock until the transaction ends: waits for shared locks, and makes later ones wait. */
export async function advisoryLock(tx: Executor, what: string): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtextextended(${what}, 0))`.execute(tx);
}
