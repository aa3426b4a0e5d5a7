import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenTestDatabase, openTestDatabase } from '../../test/open-test-database.ts';
import { storeDeliveries, storedDelivery, storeUserAndEvent, storeWebhook } from '../../test/stored-deliveries.ts';
import { type LogFilter, listLog } from './log-store.ts';

let opened: OpenTestDatabase;
beforeEach(async () => {
  opened = await openTestDatabase();
  await storeUserAndEvent(opened.database.executor);
  await storeWebhook(opened.database.executor, 'w');
});
afterEach(() => opened[Symbol.asyncDispose]());

const id = (at: number) => at.toString(16).padStart(24, '0');
const page = async (filter: LogFilter, before?: string) => {
  const log = { webhookId: 'w', ownerId: 'u' };
  const { rows, next } = await listLog(opened.database.executor, log, filter, { before, limit: 10 });
  return { ids: rows.map((row) => row.id), next };
};

test('a page looks at 5,000 entries at the most, of those statuses that are in the way of each other', async () => {
  const rows = Array.from({ length: 6000 }, (_, at) =>
    storedDelivery(id(10 + at), { webhook_id: 'w', status: 'delivered' }),
  );
  const pending = storedDelivery(id(1), { webhook_id: 'w' });
  const failed = storedDelivery(id(2), { webhook_id: 'w', status: 'failed' });
  await storeDeliveries(opened.database.executor, [pending, failed, ...rows]);
  expect(await page({ status: 'pending' })).toEqual({ ids: [], next: id(10 + 1000) });
  expect(await page({ status: 'pending' }, id(10 + 1000))).toEqual({ ids: [id(1)], next: undefined });
  expect(await page({ status: 'failed' })).toEqual({ ids: [id(2)], next: undefined });
});
