import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import Libsql from 'libsql';
import { LRUCache } from 'lru-cache';
import { type CheckpointPace, type Checkpoints, createCheckpoints } from './checkpoints.ts';
import { isBusy } from './sql-errors.ts';
import { YieldingDialect } from './yielding.ts';

/** The data folder that keeps nothing, for demonstrations and tests. */
export const IN_MEMORY = ':memory:';

const MAX_STATEMENTS = 500;

/** How long a statement waits for another process to let go of the database. */
const BUSY_TIMEOUT_MS = 5000;

/** For both connections. The size of the cache is in KiB, negative by SQLite's convention. */
const PRAGMAS = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, 'cache_size = -32768'];
const WRITER_PRAGMAS = ['journal_mode = wal', 'foreign_keys = on', ...PRAGMAS];
const READER_PRAGMAS = ['query_only = on', ...PRAGMAS];
/** Every commit is synced, and a thread of its own writes the log back. */
const DURABLE_PRAGMAS = ['synchronous = full', 'wal_autocheckpoint = 0'];

export interface SqliteFile {
  /** The connection of all transactions. */
  readonly writer: Dialect;
  /** A connection that cannot write: sees what is committed, and waits for no transaction. */
  readonly reader: Dialect;
  /** Once both are destroyed: ends what works beside them, and gives the lock on the folder back. */
  release(): Promise<void>;
}

/**
 * Opens the database of a data folder: write-ahead log, every commit synced, so that a power cut loses nothing.
 * Throws when another process holds the folder.
 */
export function openSqlite(folder: string, pace: CheckpointPace = {}): SqliteFile {
  if (folder === IN_MEMORY) return openForgotten();
  const unlock = lockFolder(folder);
  const file = join(folder, 'moonbase.db');
  // The log and what is shared beside it take the mode of the database.
  makePrivate(file);
  const checkpoints = createCheckpoints(file, pace);
  const writer = connectionOf(() => connect(file, [...WRITER_PRAGMAS, ...DURABLE_PRAGMAS]), checkpoints);
  const reader = connectionOf(() => connect(file, READER_PRAGMAS));
  return {
    ...dialectsOf(writer, reader),
    async release() {
      await checkpoints.close();
      unlock();
    },
  };
}

/** A database like any other, whose files have no names any more: they go with the process, however that ends. */
function openForgotten(): SqliteFile {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-'));
  const file = join(folder, 'moonbase.db');
  const writer = connect(file, ['synchronous = off', ...WRITER_PRAGMAS]);
  const reader = connect(file, READER_PRAGMAS);
  // Whoever reads opens the log and what is shared beside it.
  for (const each of [writer, reader]) each.prepare('select count(*) from sqlite_master').all();
  rmSync(folder, { recursive: true });
  return {
    ...dialectsOf(
      connectionOf(() => writer),
      connectionOf(() => reader),
    ),
    async release() {},
  };
}

function connect(file: string, pragmas: readonly string[]): Libsql.Database {
  const database = new Libsql(file);
  for (const pragma of pragmas) database.exec(`pragma ${pragma}`);
  return database;
}

const dialectsOf = (writer: SqliteDatabase, reader: SqliteDatabase) => ({
  writer: new YieldingDialect({ database: writer }),
  reader: new SqliteDialect({ database: reader }),
});

/**
 * An exclusive lock of the operating system, held through a second database file: it ends with the process however
 * that ends, and leaves the real database free for further connections of this one.
 */
function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'moonbase.lock');
  makePrivate(path);
  const lock = new Libsql(path);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive;');
  } catch {
    lock.close();
    throw new Error(
      `The data folder ${folder} is in use by another Moonbase process. Stop that one, or choose another folder with MOONBASE_DATA_DIR.`,
    );
  }
  return () => lock.close();
}

/** Makes a file that its owner alone may use, unless it is there. */
const makePrivate = (path: string): void => closeSync(openSync(path, 'a', 0o600));

/**
 * Not while another process reads, as a backup does for as long as it takes: all requests would wait for it. The log
 * grows on meanwhile.
 */
function beginLogAnew(database: Libsql.Database): void {
  database.exec('pragma busy_timeout = 0');
  try {
    database.exec('pragma wal_checkpoint(restart)');
  } finally {
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Keeps the prepared statements that were used last: preparing costs as much as running a short one. A statement that
 * found the database locked by another process stays open in the driver, and nothing could be committed any more; so
 * the next one outside of a transaction gets a new connection.
 */
function connectionOf(open: () => Libsql.Database, checkpoints?: Checkpoints): SqliteDatabase {
  let database = open();
  let stuck = false;
  let inTransaction = false;
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });

  const watched =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      try {
        return call(...args);
      } catch (error) {
        if (isBusy(error)) stuck = true;
        throw error;
      }
    };

  function prepared(text: string): SqliteStatement {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare(text) as unknown as SqliteStatement;
    const kept: SqliteStatement = {
      reader: statement.reader,
      all: watched((parameters) => statement.all(parameters)),
      run: watched((parameters) => statement.run(parameters)),
      iterate: watched((parameters) => statement.iterate(parameters)),
    };
    statements.set(text, kept);
    return kept;
  }

  return {
    close() {
      database.close();
    },
    prepare(text) {
      if (stuck && !inTransaction) {
        statements.clear();
        database.close();
        database = open();
        stuck = false;
      }
      if (text === 'begin' && checkpoints?.isDue()) beginLogAnew(database);
      if (text === 'commit') checkpoints?.committed();
      if (text === 'begin') inTransaction = true;
      if (text === 'commit' || text === 'rollback') inTransaction = false;
      return prepared(text);
    },
  };
}
