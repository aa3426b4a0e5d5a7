import { expect, test } from 'vitest';
import { linkHash, NO_HASH } from '../src/audit-log/chain.ts';
import { createAuditLog } from '../src/audit-log/index.ts';
import type { Caller } from '../src/platform/http/authenticate.ts';
import { createIds } from '../src/platform/ids.ts';
import { createTestClock } from './clock.ts';
import { openTestDatabase } from './open-test-database.ts';

const caller: Caller = {
  baseUrl: 'http://hub.test',
  hubUrl: 'http://hub.test',
  url: 'http://hub.test/',
  address: '::ffff:10.0.0.7',
  userAgent: undefined,
  requestId: 'r',
  principal: { userId: 'u', userName: 'ada', siteAdmin: false, token: { id: 't', role: 'write' } },
};

test('many writers to one organization create one chain without gaps, whichever of them fail', async () => {
  await using opened = await openTestDatabase();
  const clock = createTestClock();
  const audit = createAuditLog({ clock, ids: createIds(clock) });
  const databases = [opened.database, opened.again(), opened.again()];
  const write = (at: number) =>
    (databases[at % databases.length] ?? opened.database).transaction(async (tx) => {
      // The organizations come in either order, but no two writers wait for each other.
      const orgs = at % 2 === 0 ? ['acme', 'tools'] : ['tools', 'acme'];
      for (const orgId of orgs)
        await audit.record(tx, caller, { orgId, type: 'repo.create', message: `${at}`, data: { at } });
      if (at % 7 === 0) throw new Error('undone');
    });
  const results = await Promise.allSettled(Array.from({ length: 200 }, (_, at) => write(at)));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  expect(new Set(failures)).toEqual(new Set(['Error: undone']));
  const kept = results.length - failures.length;

  for (const orgId of ['acme', 'tools']) {
    const rows = await opened.database.read
      .selectFrom('audit_events')
      .selectAll()
      .where('org_id', '=', orgId)
      .orderBy('seq')
      .execute();
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: kept }, (_, at) => at + 1));
    let previous = NO_HASH;
    for (const row of rows) {
      expect([row.prev_hash, row.hash]).toEqual([previous, linkHash(previous, row.body)]);
      previous = row.hash;
    }
    expect(rows[0]).toMatchObject({ ip: '10.0.0.7', author_key: 'ada', token_id: 't' });
    const chain = await opened.database.read
      .selectFrom('audit_chains')
      .select(['seq', 'hash'])
      .where('org_id', '=', orgId)
      .executeTakeFirst();
    expect(chain).toEqual({ seq: kept, hash: previous });
  }
});
