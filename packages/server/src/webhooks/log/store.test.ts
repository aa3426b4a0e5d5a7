import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { storeDeliveries, storedDelivery, storeUserAndEvent, storeWebhook } from '../../../test/stored-deliveries.ts';
import { type LogFilter, listLog } from './store.ts';

let opened: OpenTestDatabase;
beforeEach(async () => {
  opened = await openTestDatabase();
  await storeUserAndEvent(opened.database);
  await storeWebhook(opened.database, 'w');
});
afterEach(() => opened[Symbol.asyncDispose]());

const id = (at: number) => at.toString(16).padStart(24, '0');
const page = async (filter: LogFilter, before?: string) => {
  const log = { webhookId: 'w', reader: { userId: 'u', token: { role: 'write' } } } as const;
  const { rows, next } = await listLog(opened.database.read, log, filter, { before, limit: 10 });
  return { ids: rows.map((row) => row.id), next };
};

test('a page searches at most 5,000 entries for a status without an index', async () => {
  const rows = Array.from({ length: 6000 }, (_, at) =>
    storedDelivery(id(10 + at), { webhook_id: 'w', status: 'delivered' }),
  );
  const pending = storedDelivery(id(1), { webhook_id: 'w' });
  const failed = storedDelivery(id(2), { webhook_id: 'w', status: 'failed' });
  await storeDeliveries(opened.database, [pending, failed, ...rows]);
  expect(await page({ status: 'pending' })).toEqual({ ids: [], next: id(10 + 1000) });
  expect(await page({ status: 'pending' }, id(10 + 1000))).toEqual({ ids: [id(1)], next: undefined });
  expect(await page({ status: 'failed' })).toEqual({ ids: [id(2)], next: undefined });
});

const ENTRIES = 12_000;

/** One entry in 6,000 is of a rare scope, one in 100 failed. */
const longLog = () =>
  Array.from({ length: ENTRIES }, (_, at) =>
    storedDelivery(id(at), {
      webhook_id: 'w',
      status: at % 100 === 7 ? 'failed' : 'delivered',
      scope: at % 6000 === 5 ? 'repo.config' : 'repo.content',
    }),
  );

/** Returns the ids of each page. */
async function pages(filter: LogFilter, limit: number): Promise<string[][]> {
  const all: string[][] = [];
  let before: string | undefined;
  for (let page = 0; page < 100; page++) {
    const log = { webhookId: 'w', reader: { userId: 'u', token: { role: 'write' } } } as const;
    const { rows, next } = await listLog(opened.database.read, log, filter, { before, limit });
    all.push(rows.map((row) => row.id));
    if (next === undefined) return all;
    before = next;
  }
  throw new Error('The log does not end');
}

test('rare entries of a long log are found page by page, each searching a bounded number of entries', async () => {
  await storeDeliveries(opened.database, longLog());
  expect(await pages({ scope: 'repo.config' }, 10)).toEqual([[], [id(6005)], [id(5)]]);
});

test('pages with and without a filter reach every entry once, newest first', async () => {
  await storeDeliveries(opened.database, longLog());
  const all = Array.from({ length: ENTRIES }, (_, at) => id(ENTRIES - 1 - at));
  expect((await pages({}, 1000)).flat()).toEqual(all);
  expect((await pages({ status: 'failed' }, 50)).flat()).toEqual(
    all.filter((each) => Number.parseInt(each, 16) % 100 === 7),
  );
});

test('a filter that one entry in sixty matches fills its pages', async () => {
  const entries = Array.from({ length: 1_200 }, (_, at) =>
    storedDelivery(id(at), { webhook_id: 'w', scope: at % 60 === 5 ? 'repo.config' : 'repo.content' }),
  );
  await storeDeliveries(opened.database, entries);
  const rare = Array.from({ length: 20 }, (_, at) => id(60 * (19 - at) + 5));
  expect(await pages({ scope: 'repo.config' }, 10)).toEqual([rare.slice(0, 10), rare.slice(10)]);
});
