import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Lets the tests of a run on PostgreSQL use databases one after the other, under names that this run alone has. */
export function setup(): void {
  const url = process.env.MOONBASE_TEST_POSTGRES_URL;
  if (url) process.env.MOONBASE_TEST_DATABASES = `test_${randomBytes(4).toString('hex')}_`;
}

export async function teardown(): Promise<void> {
  const { MOONBASE_TEST_POSTGRES_URL: url, MOONBASE_TEST_DATABASES: prefix } = process.env;
  if (!url || !prefix) return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of found.rows) await client.query(`drop database if exists ${datname} with (force)`);
  } finally {
    await client.end();
  }
}
