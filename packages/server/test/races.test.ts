import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, listWebhooks } from '@moonbase/client/webhooks';
import pg from 'pg';
import { expect, test } from 'vitest';
import { person, startHub } from './harness.ts';
import { createTestDatabase, engine } from './test-database.ts';

const fulfilled = (results: PromiseSettledResult<unknown>[]) =>
  results.filter(({ status }) => status === 'fulfilled').length;
const statuses = (results: PromiseSettledResult<unknown>[]) => [
  ...new Set(
    results.flatMap((result) => (result.status === 'rejected' ? (result.reason as { status: number }).status : [])),
  ),
];

test('a user has at most a hundred webhooks, however many are created at once', async () => {
  await using hub = await startHub();
  await hub.people('alice');
  const webhook = {
    url: 'https://example.com/hook',
    watched: [{ type: 'user' as const, name: 'alice' }],
    domains: ['repo' as const],
  };
  for (let made = 0; made < 95; made++) await createWebhook({ ...hub.as('alice'), webhook });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => createWebhook({ ...hub.as('alice'), webhook })),
  );
  expect(fulfilled(results)).toBe(5);
  expect(statuses(results)).toEqual([409]);
  expect(await listWebhooks(hub.as('alice'))).toHaveLength(100);
});

test('the same document applied by many at once creates everything once', async () => {
  await using hub = await startHub();
  const document = {
    users: ['alice', 'bob'].map(person),
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' as const }] }],
    repos: [{ name: 'acme/bert' }],
  };
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => hub.apply(document)));
  expect(statuses(results)).toEqual([]);
});

test('a repository created while its owner is deleted is created or refused, never in between', async () => {
  await using hub = await startHub();
  for (let round = 0; round < 5; round++) {
    await hub.people('alice');
    const alice = hub.as('alice');
    const results = await Promise.allSettled([
      ...Array.from({ length: 6 }, (_, at) => createRepo({ ...alice, repo: `alice/r${at}` })),
      hub.apply({ users: [{ name: 'alice', state: 'absent' }] }),
    ]);
    expect(statuses(results).every((status) => status < 500)).toBe(true);
  }
});

test.runIf(engine === 'postgres')('connections that the database ends are replaced', async () => {
  const database = await createTestDatabase();
  const name = `moonbase ${Date.now()}`;
  const url = new URL(database.environment.MOONBASE_DATABASE_URL ?? '');
  url.searchParams.set('application_name', name);
  await using hub = await startHub({ ...database.environment, MOONBASE_DATABASE_URL: url.href });
  await hub.people('alice');
  const client = new pg.Client({ connectionString: database.environment.MOONBASE_DATABASE_URL });
  await client.connect();
  const { rowCount } = await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [name],
  );
  await client.end();
  expect(rowCount).toBeGreaterThan(0);
  await expect
    .poll(() =>
      createRepo({ ...hub.as('alice'), repo: 'alice/after' }).then(
        ({ name: repo }) => repo,
        () => 'not yet',
      ),
    )
    .toBe('alice/after');
});
