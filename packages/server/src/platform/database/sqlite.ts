import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import Libsql from 'libsql';
import { LRUCache } from 'lru-cache';
import { type CheckpointPace, type Checkpoints, createCheckpoints } from './checkpoints.ts';
import { isBusy } from './sql-errors.ts';

/** The data folder that keeps nothing: a database in memory, for demonstrations and tests. */
export const IN_MEMORY = ':memory:';

const MAX_STATEMENTS = 500;

/** How long a statement waits for another process to let go of the database. */
const BUSY_TIMEOUT_MS = 5000;

const PRAGMAS = [
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  `busy_timeout = ${BUSY_TIMEOUT_MS}`,
  // A thread of its own writes the log back.
  'wal_autocheckpoint = 0',
  // KiB, negative by SQLite's convention.
  'cache_size = -32768',
];

export interface SqliteFile {
  readonly dialect: SqliteDialect;
  /** Once the dialect is destroyed: ends what works beside it, and gives the lock on the folder back. */
  release(): Promise<void>;
}

/**
 * Opens the database of a data folder: write-ahead log, every commit synced, so that a power cut loses nothing.
 * Throws when another process holds the folder.
 */
export function openSqlite(folder: string, pace: CheckpointPace = {}): SqliteFile {
  const unlock = folder === IN_MEMORY ? () => {} : lockFolder(folder);
  const file = folder === IN_MEMORY ? IN_MEMORY : join(folder, 'moonbase.db');
  // The log and what is shared beside it take the mode of the database.
  if (file !== IN_MEMORY) makePrivate(file);
  const open = () => {
    const database = new Libsql(file);
    for (const pragma of PRAGMAS) database.exec(`pragma ${pragma}`);
    return database;
  };
  const checkpoints = folder === IN_MEMORY ? undefined : createCheckpoints(file, pace);
  return {
    dialect: new SqliteDialect({ database: connectionOf(open, checkpoints) }),
    async release() {
      await checkpoints?.close();
      unlock();
    },
  };
}

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
