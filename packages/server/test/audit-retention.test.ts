import { exportAuditLog, getAuditLogHead, listAuditLog } from '@moonbase/client/audit-log';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { directory } from '../src/accounts/index.ts';
import { linkHash, NO_HASH, sealedText } from '../src/audit-log/chain.ts';
import { createPruneAuditLog, pruneAuditLogTask } from '../src/audit-log/index.ts';
import { createTestClock, DAY, HOUR } from './clock.ts';
import { collect, person, startHub } from './harness.ts';
import { openTestDatabase } from './open-test-database.ts';

const ORG = { name: 'acme' };

async function startWithAcme(settings: Readonly<Record<string, string>>) {
  const hub = await startHub(settings);
  await hub.apply({
    users: [person('ada')],
    organizations: [{ ...ORG, plan: 'team', members: [{ user: 'ada', role: 'admin' }] }],
  });
  const ada = hub.as('ada');
  return {
    hub,
    ada,
    create: (repo: string) => createRepo({ ...ada, repo: `acme/${repo}` }),
    async pass(ms: number) {
      hub.clock.advance(ms);
      await hub.drain();
    },
    log: () => exportAuditLog({ ...ada, ...ORG }),
    head: () => getAuditLogHead({ ...ada, ...ORG }),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

test('old events are pruned from the beginning; the rest remains a chain, and its head is never pruned', async () => {
  await using fixture = await startWithAcme({ MOONBASE_AUDIT_LOG_DAYS: '10' });
  await fixture.create('a');
  const [a] = await fixture.log();
  await fixture.pass(5 * DAY);
  await fixture.create('b');
  await fixture.create('c');
  const whole = await fixture.log();
  expect(whole).toHaveLength(5);
  await fixture.pass(5 * DAY + 6 * HOUR);

  const log = await fixture.log();
  expect(log).toEqual(whole.slice(0, 2));
  expect(log[1]).toMatchObject({ seq: 4, prevHash: a?.hash });
  for (const event of log) expect(event.hash).toBe(linkHash(event.prevHash, sealedText(event)));
  expect(await fixture.head()).toEqual({
    first: { seq: 4, hash: log[1]?.hash },
    last: { seq: 5, hash: log[0]?.hash },
  });
  expect(await collect(listAuditLog({ ...fixture.ada, ...ORG }))).toEqual(log);

  await fixture.pass(100 * DAY);
  expect(await fixture.log()).toEqual([log[0]]);
  await fixture.create('d');
  expect((await fixture.log()).map(({ seq, prevHash }) => [seq, prevHash])).toEqual([
    [6, log[0]?.hash],
    [5, log[1]?.hash],
  ]);
});

test('nothing is pruned unless configured', async () => {
  await using fixture = await startWithAcme({});
  await fixture.create('a');
  await fixture.pass(4000 * DAY);
  const log = await fixture.log();
  expect(log.at(-1)).toMatchObject({ seq: 1, prevHash: NO_HASH });
  expect(log).toHaveLength(3);
});

test('pruning takes steps of at most 500, keeps events that are not copied yet, and prunes every event of a deleted organization', async () => {
  await using opened = await openTestDatabase();
  const db = opened.database.read;
  const clock = createTestClock();
  const old = clock.now() - 11 * DAY;
  async function chain(orgId: string, count: number, times: (seq: number) => number) {
    for (let from = 1; from <= count; from += 200)
      await opened.database.transaction((tx) =>
        tx
          .insertInto('audit_events')
          .values(
            Array.from({ length: Math.min(200, count - from + 1) }, (_, at) => ({
              ...{ org_id: orgId, seq: from + at, id: `${orgId}${from + at}`, created_at: times(from + at) },
              ...{ type: 'repo.create', author_id: null, author_key: null, ip: null, token_id: null },
              ...{ body: '{}', context: '{}', prev_hash: '', hash: '' },
            })),
          )
          .execute(),
      );
    await opened.database.transaction((tx) =>
      tx.insertInto('audit_chains').values({ org_id: orgId, seq: count, hash: '' }).execute(),
    );
  }
  const kept = async () => {
    const rows = await db
      .selectFrom('audit_events')
      .select(['org_id', 'seq'])
      .orderBy('org_id')
      .orderBy('seq')
      .execute();
    return rows.map(({ org_id, seq }) => `${org_id}${seq}`);
  };
  async function run(copied: boolean): Promise<number[]> {
    const step = createPruneAuditLog({ clock, days: 10, copied, findExistingAccounts: directory.findExistingAccounts });
    const steps: number[] = [];
    for (let data = pruneAuditLogTask.read('null'); ; ) {
      const before = (await kept()).length;
      const result = await opened.database.transaction((tx) => step(tx, { id: 't', data, createdAt: 0 }));
      steps.push(before - (await kept()).length);
      if (result === 'done') return steps;
      data = result.data;
    }
  }
  const account = { kind: 'org', fullname: '', created_at: 0, plan: 'free', pro: 0, site_admin: 0 } as const;
  for (const name of ['here', 'idle'])
    await opened.database.transaction((tx) =>
      tx
        .insertInto('accounts')
        .values({ ...account, id: name, name, name_key: name } as never)
        .execute(),
    );
  // A clock that was set back does not make younger events expire.
  await chain('here', 1204, (seq) => (seq === 1201 ? clock.now() : old));
  await chain('idle', 3, () => old);
  await chain('gone', 2, () => old);
  await chain('left', 2, (seq) => (seq === 2 ? clock.now() : old));
  await opened.database.transaction((tx) =>
    tx.insertInto('audit_copies').values({ org_id: 'here', seq: 700 }).execute(),
  );
  await opened.database.transaction((tx) => tx.insertInto('audit_copies').values({ org_id: 'gone', seq: 2 }).execute());

  expect(Math.max(...(await run(true)))).toBe(500);
  expect((await kept()).slice(0, 3)).toEqual(['here701', 'here702', 'here703']);
  expect(await kept()).toHaveLength(504 + 3 + 2);
  await run(false);
  expect(await kept()).toEqual(['here1201', 'here1202', 'here1203', 'here1204', 'idle3', 'left2']);
  const chains = await db.selectFrom('audit_chains').select('org_id').orderBy('org_id').execute();
  expect(chains.map(({ org_id }) => org_id)).toEqual(['here', 'idle', 'left']);
  expect(await db.selectFrom('audit_copies').select('org_id').execute()).toEqual([{ org_id: 'here' }]);
});
