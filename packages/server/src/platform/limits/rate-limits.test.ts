import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuotas, type Quotas } from './quotas.ts';
import { createRateLimits } from './rate-limits.ts';
import type { Reserve } from './reservations.ts';

const START = 1_767_614_400_000;
const WINDOW_MS = 300_000;

/** What the table does, in memory; `turns` lets others go on before it answers. */
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

function place(quota: string, reserve?: Reserve, more: { maxAddresses?: number } = {}) {
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
  test('admit it to the last request and none more, whoever is asked when', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 200 }),
        async (quota, processes, turns, order) => {
          const table = sharedTable(turns);
          const all = Array.from({ length: processes }, () => place(String(quota), table).limits);
          let admitted = 0;
          const take = async (at: number) => {
            const standing = await all[at % processes]?.take('api', alice);
            expect(standing?.left).toBeGreaterThanOrEqual(0);
            if (standing?.admitted) admitted += 1;
          };
          await Promise.all(order.map(take));
          expect(admitted).toBeLessThanOrEqual(quota);
          // Until each of them refuses.
          for (let at = 0; at < processes; at++) for (let times = 0; times <= quota; times++) await take(at);
          expect(admitted).toBe(quota);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('ask seldom for many requests, and not at all once it is spent', async () => {
    const table = sharedTable();
    const { limits } = place('1000', table);
    for (let times = 0; times < 500; times++) await limits.take('api', alice);
    expect(table.asked).toBeLessThan(30);
    for (let times = 0; times < 500; times++) await limits.take('api', alice);
    const { asked } = table;
    expect(asked).toBeLessThan(120);
    for (let times = 0; times < 100; times++)
      expect(await limits.take('api', alice)).toMatchObject({ admitted: false, left: 0 });
    expect(table.asked).toBe(asked);
  });

  test('keep no more than a little from each other', async () => {
    const table = sharedTable();
    const [idle, busy] = [place('1000', table).limits, place('1000', table).limits];
    await idle.take('api', alice);
    let admitted = 0;
    while ((await busy.take('api', alice)).admitted) admitted += 1;
    expect(admitted).toBeGreaterThanOrEqual(989);
  });
});

test('where the table does not answer requests are admitted, and it is told', async () => {
  const broken = async () => {
    throw new Error('no connection');
  };
  const { limits, failures } = place('2', broken);
  for (let times = 0; times < 5; times++) expect(await limits.take('api', alice)).toMatchObject({ admitted: true });
  expect(failures).toHaveLength(5);
});

test('strangers that are more than are counted share one quota, users do not', async () => {
  const { limits, clock } = place('2', undefined, { maxAddresses: 3 });
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
])('a clock that is set back %s begins a new count: %s %s', async (_, by, anew) => {
  const { limits, clock } = place('1');
  expect((await limits.take('api', alice)).admitted).toBe(true);
  clock.at += by;
  expect((await limits.take('api', alice)).admitted).toBe(anew);
});
