import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { migrate } from '../src/platform/database/migrate.ts';
import { type DatabaseLocation, openDatabase } from '../src/platform/database/transaction.ts';
import { createReusedDatabases } from './reused-databases.ts';

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** The PostgreSQL of the tests; without it, every test runs on SQLite in memory. */
const postgres = process.env.MOONBASE_TEST_POSTGRES_URL;

export const engine: 'postgres' | 'sqlite' = postgres ? 'postgres' : 'sqlite';

export interface TestDatabase extends AsyncDisposable {
  /** The settings with which a hub opens the database; on SQLite, the hub begins with an empty one. */
  readonly environment: Readonly<Record<string, string>>;
  readonly location: DatabaseLocation;
}

/** Creates a database for one test, with the tables of the hub unless it should be empty. */
export async function createTestDatabase(content: 'tables' | 'empty' = 'tables'): Promise<TestDatabase> {
  if (!postgres) {
    const copyOf = content === 'empty' ? undefined : await fileWithTables();
    return {
      environment: { MOONBASE_DATA_DIR: ':memory:' },
      location: { folder: ':memory:', copyOf },
      async [Symbol.asyncDispose]() {},
    };
  }
  const kept = content === 'tables' && prefix !== undefined ? await reusedDatabases() : undefined;
  const name = kept?.take() ?? (await newDatabase(content));
  return {
    environment: {
      MOONBASE_DATA_DIR: ':memory:',
      MOONBASE_DATABASE_URL: urlOf(name),
      MOONBASE_SECRET_KEY: 'a key for tests, long enough to be taken',
    },
    location: { url: urlOf(name) },
    async [Symbol.asyncDispose]() {
      if (await kept?.giveBack(name)) return;
      await onPostgres((client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

/** The beginning of the names of this run's databases; without it no database is used twice. */
const prefix = process.env.MOONBASE_TEST_DATABASES;

async function newDatabase(content: 'tables' | 'empty'): Promise<string> {
  const name = `${prefix ?? 'test_'}${randomBytes(8).toString('hex')}`;
  const template = content === 'empty' ? 'template1' : await databaseWithTables();
  await onPostgres((client) => client.query(`create database ${name} template ${template} strategy file_copy`));
  return name;
}

function urlOf(database: string): string {
  const url = new URL(postgres ?? '');
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Migrations take longer than the rest of a hub's start, so each state of the migrations has one migrated database,
 * which stays between runs: a file in the folder for temporary files, or a database of the PostgreSQL. Tests get copies
 * of it.
 */

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

const fileWithTables = once(async (): Promise<string> => {
  // Others may not read the file of a user who ran the tests before.
  const file = join(tmpdir(), `${nameWithTables()}_${process.getuid?.()}.db`);
  if (existsSync(file)) return file;
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-tables-'));
  {
    await using database = openDatabase({ folder });
    await migrate(database, migrations, 0);
    // The checkpoint moves everything from the write-ahead log into the file.
    await sql`pragma wal_checkpoint(truncate)`.execute(database.read);
  }
  renameSync(join(folder, 'moonbase.db'), file);
  rmSync(folder, { recursive: true });
  return file;
});

const databaseWithTables = once(async (): Promise<string> => {
  const name = nameWithTables();
  await onPostgres(async (client) => {
    // The lock ends with the connection.
    await client.query('select pg_advisory_lock(7780)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 1) return;
    await client.query(`drop database if exists ${name}_new`);
    await client.query(`create database ${name}_new`);
    {
      await using database = openDatabase({ url: urlOf(`${name}_new`) });
      await migrate(database, migrations, 0);
    }
    await client.query(`alter database ${name}_new rename to ${name}`);
  });
  return name;
});

const reusedDatabases = once(async () =>
  createReusedDatabases((name, use) => onPostgres(use, urlOf(name)), await databaseWithTables()),
);

function nameWithTables(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(migrations).sort()) hash.update(file).update(readFileSync(`${migrations}/${file}`));
  return `moonbase_tables_${hash.digest('hex').slice(0, 16)}`;
}

async function onPostgres<T>(use: (client: pg.Client) => Promise<T>, url = postgres): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set client_min_messages = warning');
    return await use(client);
  } finally {
    await client.end();
  }
}
