import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/open-test-database.ts';
import { readCatalog } from './catalog.ts';
import { RESOURCE_GROUP_USER } from './organization-tables.ts';
import { MAIL, MUTE, WATCH } from './tables.ts';
import { DELIVERY, DELIVERY_ATTEMPT } from './webhook-tables.ts';

test.each([
  ['deliveries', DELIVERY],
  ['delivery_attempts', DELIVERY_ATTEMPT],
  ['mails', MAIL],
  ['mutes', MUTE],
  ['resource_group_users', RESOURCE_GROUP_USER],
  ['watches', WATCH],
])('%s has the columns that are declared', async (table, declared) => {
  await using opened = await openTestDatabase();
  const columns = (await readCatalog(opened.database)).get(table) ?? new Map<string, string>();
  expect(Object.fromEntries(columns)).toEqual({ ...declared });
});
