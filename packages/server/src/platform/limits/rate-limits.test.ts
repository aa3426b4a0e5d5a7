import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuotas, type Quotas } from './quotas.ts';
import { createRateLimits } from './rate-limits.ts';
import type { Reserve } from './reservations.ts';

const START = 1_767_614_400_000;
const WINDOW_MS = 300_000;

/** Returns reservations in memory instead of a table; others get `turns` turns before each result. */
function sharedTable(turns = 1): Reserve & { asked: number } {
  const used = new Map<string, number>();
  const reserve = async ({ subject, windowStart, count }: Parameters<Reserve>[0]) => {
    reserve.asked += 1;
    const key = `${windowStart} ${subject}`;
    const now = (used.get(key) ?? 0) + count;
    used.set(key, now);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    return now;
  };
  reserve.asked = 0;
  return reserve;
}

function createFixture(quota: string, reserve?: Reserve, more: { maxAddresses?: number } = {}) {
  const failures: unknown[] = [];
  const clock = { at: START, now: () => clock.at };
  const limits = createRateLimits({
    ...{ clock, reserve, quotas: parseQuotas(quota) as Quotas, tierOf: async () => 'free' as const },
    onFailure: (error) => failures.push(error),
    ...more,
  });
  return { limits, clock, failures };
}

const alice = { userId: 'alice' };

describe('processes that share a quota', () => {
  test('admit exactly that many requests, whichever process is asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 200 }),
        async (quota, processes, turns, order) => {
          const table = sharedTable(turns);
          const all = Array.from({ length: processes }, () => createFixture(String(quota), table).limits);
          let admitted = 0;
          const take = async (at: number) => {
            const standing = await all[at % processes]?.take('api', alice);
            expect(standing?.left).toBeGreaterThanOrEqual(0);
            if (standing?.admitted) admitted += 1;
          };
          await Promise.all(order.map(take));
          expect(admitted).toBeLessThanOrEqual(quota);
          // Each process is asked until it refuses.
          for (let at = 0; at < processes; at++) for (let times = 0; times <= quota; times++) await take(at);
          expect(admitted).toBe(quota);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('rarely ask the table, and do not ask it once the quota is spent', async () => {
    const table = sharedTable();
    const { limits } = createFixture('1000', table);
    for (let times = 0; times < 500; times++) await limits.take('api', alice);
    expect(table.asked).toBeLessThan(30);
    for (let times = 0; times < 500; times++) await limits.take('api', alice);
    const { asked } = table;
    expect(asked).toBeLessThan(120);
    for (let times = 0; times < 100; times++)
      expect(await limits.take('api', alice)).toMatchObject({ admitted: false, left: 0 });
    expect(table.asked).toBe(asked);
  });

  test('reserve only a small part without using it', async () => {
    const table = sharedTable();
    const [idle, busy] = [createFixture('1000', table).limits, createFixture('1000', table).limits];
    await idle.take('api', alice);
    let admitted = 0;
    while ((await busy.take('api', alice)).admitted) admitted += 1;
    expect(admitted).toBeGreaterThanOrEqual(989);
  });
});

test('if the table does not answer, requests are admitted and the failure is reported', async () => {
  const broken = async () => {
    throw new Error('no connection');
  };
  const { limits, failures } = createFixture('2', broken);
  for (let times = 0; times < 5; times++) expect(await limits.take('api', alice)).toMatchObject({ admitted: true });
  expect(failures).toHaveLength(5);
});

test('addresses beyond the maximum that is counted share one quota; users do not', async () => {
  const { limits, clock } = createFixture('2', undefined, { maxAddresses: 3 });
  const from = async (address: string) => (await limits.take('api', { address })).admitted;
  for (const address of ['a', 'b', 'c', 'd', 'e']) expect([address, await from(address)]).toEqual([address, true]);
  expect([await from('f'), await from('d'), await from('a')]).toEqual([false, false, true]);
  expect((await limits.take('api', alice)).admitted).toBe(true);
  clock.at += WINDOW_MS;
  expect(await from('f')).toBe(true);
});

test.each([
  ['a little', -1000, false],
  ['far', -10 * WINDOW_MS, true],
])('a clock that is set back %s (%i ms) begins a new count: %s', async (_, by, anew) => {
  const { limits, clock } = createFixture('1');
  expect((await limits.take('api', alice)).admitted).toBe(true);
  clock.at += by;
  expect((await limits.take('api', alice)).admitted).toBe(anew);
});
