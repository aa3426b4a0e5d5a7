import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../src/platform/database/migrate.ts';
import { openDatabase } from '../src/platform/database/transaction.ts';

export const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

/** Where a PostgreSQL for tests is; without it everything runs on SQLite in memory. */
const postgres = process.env.MOONBASE_TEST_POSTGRES_URL;

export const engine: 'postgres' | 'sqlite' = postgres ? 'postgres' : 'sqlite';

export interface TestDatabase extends AsyncDisposable {
  /** The settings that lead a hub to it. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A database of its own: on the PostgreSQL of the tests, where it has the tables of the hub unless it is to be empty,
 * or the memory of the process, where it is empty.
 */
export async function createTestDatabase(content: 'tables' | 'empty' = 'tables'): Promise<TestDatabase> {
  if (!postgres) return { environment: { MOONBASE_DATA_DIR: ':memory:' }, async [Symbol.asyncDispose]() {} };
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = content === 'empty' ? 'template1' : await databaseWithTables();
  await onPostgres((client) => client.query(`create database ${name} template ${template}`));
  return {
    environment: {
      MOONBASE_DATABASE_URL: urlOf(name),
      MOONBASE_SECRET_KEY: 'a key for tests, long enough to be taken',
    },
    [Symbol.asyncDispose]: () => onPostgres((client) => client.query(`drop database ${name} with (force)`)),
  };
}

function urlOf(database: string): string {
  const url = new URL(postgres ?? '');
  url.pathname = `/${database}`;
  return url.href;
}

let withTables: Promise<string> | undefined;

/** The database that is copied: migrating takes five times as long. One for each state of the migrations, made once. */
function databaseWithTables(): Promise<string> {
  withTables ??= makeDatabaseWithTables();
  return withTables;
}

async function makeDatabaseWithTables(): Promise<string> {
  const name = `moonbase_tables_${hashOfMigrations()}`;
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
}

function hashOfMigrations(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(migrations).sort()) hash.update(file).update(readFileSync(`${migrations}/${file}`));
  return hash.digest('hex').slice(0, 16);
}

async function onPostgres(use: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  try {
    await client.query('set client_min_messages = warning');
    await use(client);
  } finally {
    await client.end();
  }
}
