import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import Libsql from 'libsql';

/** The data folder that keeps nothing: a database in memory, for demonstrations and tests. */
export const IN_MEMORY = ':memory:';

const PRAGMAS = [
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  'busy_timeout = 5000',
  // Pages that are written often go from the log to the database once for many commits: every 40 MB.
  'wal_autocheckpoint = 10000',
  // KiB, negative by SQLite's convention.
  'cache_size = -32768',
];

export interface SqliteFile {
  readonly dialect: SqliteDialect;
  /** Gives the lock on the folder back. */
  release(): void;
}

/**
 * Opens the database of a data folder: write-ahead log, every commit synced, so that a power cut loses nothing.
 * Throws when another process holds the folder.
 */
export function openSqlite(folder: string): SqliteFile {
  const release = folder === IN_MEMORY ? () => {} : lockFolder(folder);
  const database = new Libsql(folder === IN_MEMORY ? IN_MEMORY : join(folder, 'moonbase.db'));
  for (const pragma of PRAGMAS) database.exec(`pragma ${pragma}`);
  return { dialect: new SqliteDialect({ database: cachingStatements(database) }), release };
}

/**
 * An exclusive lock of the operating system, held through a second database file: it ends with the process however
 * that ends, and leaves the real database free for further connections of this one.
 */
function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'moonbase.lock');
  closeSync(openSync(path, 'a', 0o600));
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

/** Preparing costs as much as running a short statement, so prepared ones are kept: at most 500, the newest. */
function cachingStatements(database: Libsql.Database): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(text) {
      const known = statements.get(text);
      if (known) return known;
      if (statements.size === 500) for (const oldest of [...statements.keys()].slice(0, 100)) statements.delete(oldest);
      const statement = database.prepare(text) as unknown as SqliteStatement;
      statements.set(text, statement);
      return statement;
    },
  };
}
