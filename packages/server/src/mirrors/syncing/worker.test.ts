import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestClock, DAY, HOUR, MINUTE, SECOND, type TestClock } from '../../../test/clock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { createIds, type Ids } from '../../platform/ids.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';
import { LEASE_MS } from '../../platform/queue/lease-store.ts';
import { createLeases } from '../../platform/queue/leases.ts';
import { updateMirror } from '../store.ts';
import type { MirrorRow } from '../tables.ts';
import type { Sync } from './sync.ts';
import { createMirrorWorker } from './worker.ts';

let opened: OpenTestDatabase;
let clock: TestClock;
let ids: Ids;
beforeEach(async () => {
  opened = await openTestDatabase();
  clock = createTestClock();
  ids = createIds(clock);
});
afterEach(() => opened[Symbol.asyncDispose]());

/** Stores due mirrors of a user; returns the ids of their repositories. */
async function mirrorsOf(user: string, count = 1): Promise<string[]> {
  const made: string[] = [];
  await opened.database.transaction(async (tx) => {
    const userId = ids();
    const account = { kind: 'user' as const, fullname: user, avatar_url: null, email: null, pro: 0, site_admin: 0 };
    await tx
      .insertInto('accounts')
      .values({
        ...{ ...account, id: userId, name: user, name_key: user, created_at: 0, plan: 'free', details: null },
        ...{ disabled_at: null, disabled_by: null },
      })
      .execute();
    for (let at = 0; at < count; at++) {
      const id = ids();
      made.push(id);
      await tx
        .insertInto('repositories')
        .values({
          ...{
            id,
            type: 'model',
            owner_id: userId,
            name: `r${at}`,
            name_key: `r${at}`,
            private: 0,
            created_by: userId,
          },
          ...{
            created_at: 0,
            last_modified: 0,
            resource_group_id: null,
            resource_group_added_by: null,
            head_sha: null,
          },
          ...{
            sdk: null,
            gated: null,
            gate_for_members: 0,
            gate_email: null,
            gate_mails: 'real-time',
            discussions_disabled: 0,
            discussion_count: 0,
            mirrored: 1,
          },
          ...{ downloads: 0, likes: 0, trending_score: 0, tag_signature: 0 },
        })
        .execute();
      const row: MirrorRow = {
        ...{ id, url: 'https://example.com/letters', username: 'git', token: null, interval_seconds: 3600 },
        ...{ user_id: userId, token_id: null, created_at: 0, version: 1, due_at: clock.now() },
        ...{ failures: 0, unfinished: 0, stopped: 0, error: null, refused: '[]', progress: null },
        ...{ synced_at: null, attempted_at: null, duration_ms: null },
      };
      await tx.insertInto('mirrors').values(row).execute();
    }
  });
  return made;
}

const rowOf = (id: string) =>
  opened.database.read.selectFrom('mirrors').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

interface Begun {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

/** Starts a worker whose syncs end when they are told to. */
function start({ maxSyncs = 4, database = opened.database } = {}) {
  const begun: Begun[] = [];
  const sync: Sync = ({ id }, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      onProgress('Received 1 of 2 large files');
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      begun.push({ id, signal, end: () => resolve([]), fail: reject });
    });
  const worker = createMirrorWorker({
    ...{ database, clock, sync, random: () => 0.5, nudge: () => {}, settings: { enabled: true, maxSyncs } },
    logger: { error: () => {}, debug: () => {} },
    leases: createLeases({ database, clock, owner: ids() }),
  });
  return { worker, begun };
}

describe('syncs', () => {
  test('are as many as there are places, of which one user has at most half', async () => {
    const [first = ''] = await mirrorsOf('ada', 5);
    const { worker, begun } = start({ maxSyncs: 4 });
    await worker.round();
    expect(begun.map(({ id }) => id)).toHaveLength(2);
    await mirrorsOf('bob', 3);
    await worker.round();
    expect(begun).toHaveLength(4);
    await mirrorsOf('carol');
    await worker.round();
    expect(begun).toHaveLength(4);
    expect(begun[0]?.id).toBe(first);
    begun[0]?.end();
    const roundsUntil = async () => {
      await worker.round();
      return begun.length;
    };
    await expect.poll(roundsUntil).toBe(5);
    // The second user is as full as the first, so the third is next.
    for (const { end } of begun) end();
    await worker.settled();
  });

  test('of one mirror run in one process at a time', async () => {
    const [id = ''] = await mirrorsOf('ada');
    const [one, other] = [start(), start({ database: opened.again() })];
    await Promise.all([one.worker.round(), other.worker.round()]);
    expect([...one.begun, ...other.begun]).toHaveLength(1);
    await one.worker.round();
    await other.worker.round();
    expect([...one.begun, ...other.begun]).toHaveLength(1);
    for (const { end } of [...one.begun, ...other.begun]) end();
    await Promise.all([one.worker.settled(), other.worker.settled()]);
    expect(await rowOf(id)).toMatchObject({ unfinished: 0, due_at: clock.now() + HOUR, error: null });
  });

  test('of a process that died are taken over, later after each death', async () => {
    const [id = ''] = await mirrorsOf('ada');
    const dead = start();
    await dead.worker.round();
    expect(await rowOf(id)).toMatchObject({ unfinished: 1, due_at: clock.now() + MINUTE });
    const alive = start({ database: opened.again() });
    clock.advance(MINUTE);
    await alive.worker.round();
    expect(alive.begun).toHaveLength(1);
    expect(await rowOf(id)).toMatchObject({ unfinished: 2, due_at: clock.now() + 2 * MINUTE });
    // The one that was believed dead ends its sync, and stores nothing.
    await dead.worker.round();
    expect(dead.begun[0]?.signal.aborted).toBe(true);
    await dead.worker.settled();
    expect(await rowOf(id)).toMatchObject({ unfinished: 2 });
    alive.begun[0]?.end();
    await alive.worker.settled();
    expect(await rowOf(id)).toMatchObject({ unfinished: 0, synced_at: clock.now() });
  });

  test('keep their lease for as long as they run', async () => {
    await mirrorsOf('ada');
    const [one, other] = [start(), start({ database: opened.again() })];
    await one.worker.round();
    for (let passed = 0; passed < 10 * LEASE_MS; passed += 4 * SECOND) {
      clock.advance(4 * SECOND);
      await one.worker.round();
      await other.worker.round();
    }
    expect(other.begun).toEqual([]);
    one.begun[0]?.end();
    await one.worker.settled();
  });

  test('that are asked for while one is running follow it', async () => {
    const [id = ''] = await mirrorsOf('ada');
    const { worker, begun } = start();
    await worker.round();
    clock.advance(SECOND);
    await opened.database.transaction((tx) => updateMirror(tx, { id, version: 1 }, { due_at: clock.now() }));
    await worker.round();
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    await worker.settled();
    expect(await rowOf(id)).toMatchObject({ due_at: clock.now(), synced_at: clock.now() });
    await worker.round();
    expect(begun).toHaveLength(2);
    begun[1]?.end();
    await worker.settled();
    expect(await rowOf(id)).toMatchObject({ due_at: clock.now() + HOUR });
  });

  test('end when the settings change, and begin again with the new ones', async () => {
    const [id = ''] = await mirrorsOf('ada');
    const { worker, begun } = start();
    await worker.round();
    const change = { version: 2, due_at: clock.now() };
    await opened.database.transaction((tx) => updateMirror(tx, { id, version: 1 }, change));
    await worker.round();
    expect(begun[0]?.signal.aborted).toBe(true);
    await worker.settled();
    await worker.round();
    expect(begun).toHaveLength(2);
    begun[1]?.end();
    await worker.settled();
    expect(await rowOf(id)).toMatchObject({ version: 2, synced_at: clock.now(), failures: 0 });
  });

  test('end with the hub, and are due at once for the next process', async () => {
    const [id = ''] = await mirrorsOf('ada');
    const { worker, begun } = start();
    await worker.round();
    worker.stop();
    await worker.settled();
    expect(begun[0]?.signal.aborted).toBe(true);
    expect(await rowOf(id)).toMatchObject({ unfinished: 0, failures: 0, due_at: clock.now(), error: null });
    await worker.round();
    expect(begun).toHaveLength(1);
    const next = start({ database: opened.again() });
    await next.worker.round();
    expect(next.begun).toHaveLength(1);
    next.begun[0]?.end();
    await next.worker.settled();
  });

  test('that fail are tried again later each time, at most a day later, and never given up', async () => {
    const [id = ''] = await mirrorsOf('ada');
    const { worker, begun } = start();
    const waits: number[] = [];
    for (let failures = 1; failures <= 14; failures++) {
      await worker.round();
      begun.at(-1)?.fail(new RemoteFault('The remote is asleep'));
      await worker.settled();
      const row = await rowOf(id);
      expect(row).toMatchObject({ failures, error: 'The remote is asleep', stopped: 0, synced_at: null });
      waits.push(row.due_at - clock.now());
      clock.advance(row.due_at - clock.now());
    }
    expect(waits.slice(0, 4)).toEqual([MINUTE, 2 * MINUTE, 4 * MINUTE, 8 * MINUTE]);
    expect(waits.slice(-2)).toEqual([DAY, DAY]);
    await worker.round();
    begun.at(-1)?.end();
    await worker.settled();
    expect(await rowOf(id)).toMatchObject({ failures: 0, error: null, due_at: clock.now() + HOUR });
  });

  test('that fail because of the hub say so without details', async () => {
    const [id = ''] = await mirrorsOf('ada');
    const { worker, begun } = start();
    await worker.round();
    begun[0]?.fail(new Error('secret path /var/lib'));
    await worker.settled();
    expect(await rowOf(id)).toMatchObject({ error: 'Something went wrong on this hub; its log says what' });
  });
});
