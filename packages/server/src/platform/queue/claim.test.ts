import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { engine } from '../../../test/test-database.ts';
import type { Executor } from '../database/transaction.ts';
import { claim, LEASE_MS, nextDueAt, release } from './claim.ts';

const NOW = 1_000_000;
let opened: OpenTestDatabase;
let db: Executor;
beforeEach(async () => {
  opened = await openTestDatabase();
  db = opened.database.executor;
});
afterEach(() => opened[Symbol.asyncDispose]());

/** Events that are due at the given times, called e1, e2 and so on. */
async function events(...dueAt: number[]): Promise<void> {
  const rows = dueAt.map((due_at, at) => ({
    id: `e${at + 1}`,
    topic: 'repo',
    created_at: 0,
    data: '{}',
    due_at,
    lease: null,
    attempts: 0,
    done_at: null,
  }));
  await db.insertInto('events').values(rows).execute();
}

const take = (lease: string, given: { now?: number; limit?: number; from?: Executor } = {}) =>
  claim(given.from ?? db, { table: 'events', lease, now: given.now ?? NOW, limit: given.limit ?? 100 });

/** What a worker writes when it is through: it counts only while the row still carries its lease. */
async function finish(id: string, lease: string, now = NOW): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('events')
    .set({ done_at: now, lease: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

describe('claiming', () => {
  test('takes what is due, oldest first, up to a limit', async () => {
    await events(NOW, NOW - 3, NOW + 1, NOW - 2, NOW - 1);
    expect(await take('a', { limit: 2 })).toEqual(['e2', 'e4']);
    expect(await take('b')).toEqual(['e1', 'e5']);
    expect(await take('c')).toEqual([]);
    expect(await take('c', { now: NOW + 1 })).toEqual(['e3']);
  });

  test('holds a row for as long as the lease, and no longer', async () => {
    await events(NOW);
    expect(await take('a')).toEqual(['e1']);
    expect(await take('b', { now: NOW + LEASE_MS - 1 })).toEqual([]);
    expect(await take('b', { now: NOW + LEASE_MS })).toEqual(['e1']);
  });

  test('again makes the record of the one before count for nothing', async () => {
    await events(NOW);
    await take('a');
    await take('b', { now: NOW + LEASE_MS });
    expect(await finish('e1', 'a')).toBe(false);
    expect(await nextDueAt(db, 'events')).toBe(NOW + 2 * LEASE_MS);
    expect(await finish('e1', 'b')).toBe(true);
    expect(await nextDueAt(db, 'events')).toBeUndefined();
  });

  test('never takes what is done', async () => {
    await events(NOW, NOW);
    await take('a');
    await finish('e1', 'a');
    expect(await take('b', { now: NOW + LEASE_MS })).toEqual(['e2']);
  });

  test('gives each row to one of many who ask at once', async () => {
    await events(...Array.from({ length: 60 }, () => NOW));
    const pools = [db, opened.again().executor, opened.again().executor];
    const claims = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((lease, at) => take(lease, { limit: 10, from: pools[at % pools.length]! })),
    );
    const taken = claims.flat();
    expect(new Set(taken).size).toBe(taken.length);
    const left = await take('g');
    expect(new Set([...taken, ...left]).size).toBe(60);
  });

  test.runIf(engine === 'postgres')('passes over rows that another transaction holds', async () => {
    await events(NOW, NOW);
    await opened.database.transaction(async (tx) => {
      expect(await take('a', { from: tx, limit: 1 })).toEqual(['e1']);
      expect(await take('b')).toEqual(['e2']);
    });
    expect(await take('c')).toEqual([]);
  });
});

describe('releasing', () => {
  test('hands back what one lease holds, at once', async () => {
    await events(NOW, NOW);
    await take('a', { limit: 1 });
    await take('b', { limit: 1 });
    await release(db, 'events', NOW + 1, 'a');
    expect(await take('c', { now: NOW + 1 })).toEqual(['e1']);
    expect(await finish('e1', 'a')).toBe(false);
    expect(await finish('e2', 'b')).toBe(true);
  });

  test('without a lease hands back everything that is held, but moves nothing that waits for its time', async () => {
    await events(NOW, NOW, NOW + 500);
    await take('a', { limit: 1 });
    await take('b', { limit: 1 });
    await release(db, 'events', NOW + 1);
    expect(await take('c', { now: NOW + 1 })).toEqual(['e1', 'e2']);
    expect(await take('c', { now: NOW + 500 })).toEqual(['e3']);
  });

  test('leaves what is done', async () => {
    await events(NOW);
    await take('a');
    await finish('e1', 'a');
    await release(db, 'events', NOW + 1);
    expect(await take('b', { now: NOW + LEASE_MS })).toEqual([]);
  });
});

test('the next row is due when the earliest wait or lease ends', async () => {
  expect(await nextDueAt(db, 'events')).toBeUndefined();
  await events(NOW, NOW + 90_000);
  expect(await nextDueAt(db, 'events')).toBe(NOW);
  await take('a');
  expect(await nextDueAt(db, 'events')).toBe(NOW + LEASE_MS);
  await finish('e1', 'a');
  expect(await nextDueAt(db, 'events')).toBe(NOW + 90_000);
});
