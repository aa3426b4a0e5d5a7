import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Where a PostgreSQL for tests is; without it everything runs on SQLite in memory. */
const postgres = process.env.MOONBASE_TEST_POSTGRES_URL;

export const engine: 'postgres' | 'sqlite' = postgres ? 'postgres' : 'sqlite';

export interface TestDatabase extends AsyncDisposable {
  /** The settings that lead a hub to it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** An empty database of its own: a schema on the PostgreSQL of the tests, or the memory of the process. */
export async function createTestDatabase(): Promise<TestDatabase> {
  if (!postgres) return { environment: { MOONBASE_DATA_DIR: ':memory:' }, async [Symbol.asyncDispose]() {} };
  const schema = `test_${randomBytes(8).toString('hex')}`;
  await onPostgres(`create schema ${schema}`);
  const url = new URL(postgres);
  url.searchParams.set('options', `-c search_path=${schema}`);
  return {
    environment: {
      MOONBASE_DATABASE_URL: url.href,
      MOONBASE_SECRET_KEY: 'a key for tests, long enough to be taken',
    },
    [Symbol.asyncDispose]: () => onPostgres(`drop schema ${schema} cascade`),
  };
}

async function onPostgres(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  try {
    await client.query('set client_min_messages = warning');
    await client.query(statement);
  } finally {
    await client.end();
  }
}
