import { closeSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CompiledQuery, type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import Libsql from 'libsql';
import { LRUCache } from 'lru-cache';
import type { DirectReads } from '../direct-reads.ts';
import { BEGIN } from '../group-commit.ts';
import { isBusy } from '../sql-errors.ts';
import { type CheckpointPace, type Checkpoints, createCheckpoints } from './checkpoints.ts';
import { createLogSync } from './log-sync.ts';
import { namedRows } from './named-rows.ts';
import { YieldingDialect } from './yielding.ts';

/** The data folder that stores nothing, for demonstrations and tests. */
export const IN_MEMORY = ':memory:';

const MAX_STATEMENTS = 500;

const SCHEMA_CHANGE = /^\s*(?:alter|create|drop)\s/i;

/** How long a statement waits for the lock of another process on the database. */
const BUSY_TIMEOUT_MS = 5000;

/** The same for a change beside a running hub, which then leaves the event loop to others before its next try. */
const BESIDE_BUSY_TIMEOUT_MS = 20;

/** For both connections. The size of the cache is in KiB, negative by SQLite's convention. */
const PRAGMAS = [`busy_timeout = ${BUSY_TIMEOUT_MS}`, 'cache_size = -32768'];
const WRITER_PRAGMAS = ['journal_mode = wal', 'foreign_keys = on', ...PRAGMAS];
const READER_PRAGMAS = ['query_only = on', ...PRAGMAS];
/** `createLogSync` syncs commits off the event loop, and a thread runs the checkpoints. */
const DURABLE_PRAGMAS = ['synchronous = normal', 'wal_autocheckpoint = 0'];

interface SqliteOptions extends CheckpointPace {
  /** The file from which the database in memory is copied initially. */
  readonly copyOf?: string | undefined;
}

export interface SqliteFile {
  /** The connection of all transactions. */
  readonly writer: Dialect;
  /** A read-only connection, which sees committed data and waits for no transaction. */
  readonly reader: Dialect;
  /** Runs queries on the same connection: statements are synchronous, so that none has to wait for another. */
  readonly reads: DirectReads;
  /** Makes commits durable; nobody may be told of a commit before. */
  readonly sync: () => Promise<void>;
  /** Called after both connections are destroyed: ends the background work and releases the lock on the folder. */
  release(): Promise<void>;
}

/**
 * Opens the database of a data folder, with a write-ahead log. Callers await `sync` before they report a commit, so that a
 * power cut loses nothing that was reported. Throws if another process holds the folder.
 */
export function openSqlite(folder: string, { copyOf, ...pace }: SqliteOptions = {}): SqliteFile {
  if (folder === IN_MEMORY) return openForgotten(copyOf);
  const unlock = lockFolder(folder);
  const file = join(folder, 'moonbase.db');
  // The log and the shared-memory file take the mode of the database.
  makePrivate(file);
  const checkpoints = createCheckpoints(file, pace);
  const log = createLogSync(file, endProcess);
  const writer = connectionOf(() => connect(file, [...WRITER_PRAGMAS, ...DURABLE_PRAGMAS]), checkpoints);
  const reader = connectionOf(() => connect(file, READER_PRAGMAS));
  return {
    ...dialectsOf(writer, reader),
    sync: () => log.sync(),
    async release() {
      await log.close();
      await checkpoints.close();
      unlock();
    },
  };
}

/**
 * Opens the database of a data folder beside a running hub, for a short change. Takes no lock on the folder, which the hub
 * holds. Throws if there is no database.
 */
export function openFileOfRunningHub(folder: string): SqliteFile {
  const file = join(folder, 'moonbase.db');
  if (!existsSync(file)) throw new Error(`There is no database in the data folder ${folder}: set MOONBASE_DATA_DIR.`);
  const writer = connectionOf(() =>
    connect(file, [...WRITER_PRAGMAS, 'synchronous = full', `busy_timeout = ${BESIDE_BUSY_TIMEOUT_MS}`]),
  );
  return {
    ...dialectsOf(
      writer,
      connectionOf(() => connect(file, READER_PRAGMAS)),
    ),
    // Commits of this connection sync by themselves.
    sync: async () => {},
    async release() {},
  };
}

/** A normal database whose files are already unlinked: they disappear with the process, however it ends. */
function openForgotten(copyOf: string | undefined): SqliteFile {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-'));
  const file = join(folder, 'moonbase.db');
  if (copyOf !== undefined) copyFileSync(copyOf, file);
  const writer = connect(file, ['synchronous = off', ...WRITER_PRAGMAS]);
  const reader = connect(file, READER_PRAGMAS);
  // A reader opens the log and the shared-memory file.
  for (const each of [writer, reader]) each.prepare('select count(*) from sqlite_master').all();
  rmSync(folder, { recursive: true });
  return {
    ...dialectsOf(
      connectionOf(() => writer),
      connectionOf(() => reader),
    ),
    sync: async () => {},
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
  reads: readsOf(reader),
});

const readsOf = (database: SqliteDatabase): DirectReads => ({
  // The driver cannot know the type of the rows of a text.
  executeQuery: async <Row>({ sql, parameters }: CompiledQuery) => ({
    rows: database.prepare(sql).all(parameters) as Row[],
  }),
});

/**
 * An exclusive lock of the operating system, held through a second database file: the lock ends with the process, however
 * that ends, and leaves the real database free for further connections of this process.
 */
function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'moonbase.lock');
  makePrivate(path);
  const lock = new Libsql(path);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive;');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `The data folder ${folder} is in use by another Moonbase process. Stop that one, or choose another folder with MOONBASE_DATA_DIR.`,
    );
  }
  return () => lock.close();
}

/** Ends the process with an uncaught error, because changes that it can read may not have reached the disk. */
function endProcess(error: Error): void {
  process.nextTick(() => {
    throw error;
  });
}

/** Creates a file that only its owner may use, unless the file exists. */
const makePrivate = (path: string): void => closeSync(openSync(path, 'a', 0o600));

/**
 * Restarts the log, but not while another process reads, as a backup does: all requests would wait for it. The log keeps
 * growing meanwhile.
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
 * Caches the most recently used prepared statements: preparing costs as much as running a short statement. A statement that
 * met the lock of another process stays open in the driver and would block all commits, so the next statement outside a
 * transaction gets a new connection.
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
    const statement = database.prepare(text);
    const rows = statement.reader ? namedRows(statement) : statement;
    const kept: SqliteStatement = {
      reader: statement.reader,
      all: watched((parameters) => rows.all(parameters)),
      run: watched((parameters) => statement.run(parameters)),
      iterate: watched((parameters) => rows.iterate(parameters)),
    };
    // The names of the columns of older statements may have changed.
    if (SCHEMA_CHANGE.test(text)) statements.clear();
    else statements.set(text, kept);
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
      if (text === BEGIN && checkpoints?.isDue()) beginLogAnew(database);
      if (text === 'commit') checkpoints?.committed();
      if (text === BEGIN) inTransaction = true;
      if (text === 'commit' || text === 'rollback') inTransaction = false;
      return prepared(text);
    },
  };
}
