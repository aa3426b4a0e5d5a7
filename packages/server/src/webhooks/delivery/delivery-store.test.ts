import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/open-test-database.ts';
import { readCatalog } from '../../platform/database/catalog.ts';
import { DELIVERY, DELIVERY_ATTEMPT } from '../../platform/database/webhook-tables.ts';

test.each([
  ['deliveries', DELIVERY],
  ['delivery_attempts', DELIVERY_ATTEMPT],
])('%s has the columns that are declared', async (table, declared) => {
  await using opened = await openTestDatabase();
  const columns = (await readCatalog(opened.database)).get(table) ?? new Map<string, string>();
  expect(Object.fromEntries(columns)).toEqual({ ...declared });
});
