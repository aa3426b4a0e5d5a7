import { expect, test } from 'vitest';
import { MEMBERSHIP, RESOURCE_GROUP_USER } from '../src/access/tables.ts';
import { ACCOUNT } from '../src/accounts/tables.ts';
import { AUDIT_EVENT } from '../src/audit-log/tables.ts';
import { LIKE } from '../src/likes/tables.ts';
import { MAIL } from '../src/mail/tables.ts';
import { readCatalog } from '../src/platform/database/catalog.ts';
import { REF } from '../src/repositories/tables.ts';
import { SCIM_ROLE } from '../src/scim/tables.ts';
import { ENVIRONMENT, SPACE_VOLUME } from '../src/spaces/tables.ts';
import { MUTE, WATCH } from '../src/watching/tables.ts';
import { DELIVERY, DELIVERY_ATTEMPT } from '../src/webhooks/tables.ts';
import { openTestDatabase } from './open-test-database.ts';

test.each([
  ['audit_events', AUDIT_EVENT],
  ['scim_roles', SCIM_ROLE],
  ['accounts', ACCOUNT],
  ['deliveries', DELIVERY],
  ['delivery_attempts', DELIVERY_ATTEMPT],
  ['likes', LIKE],
  ['mails', MAIL],
  ['memberships', MEMBERSHIP],
  ['mutes', MUTE],
  ['refs', REF],
  ['resource_group_users', RESOURCE_GROUP_USER],
  ['space_environment', ENVIRONMENT],
  ['space_volumes', SPACE_VOLUME],
  ['watches', WATCH],
])('%s has the columns that are declared', async (table, declared) => {
  await using opened = await openTestDatabase();
  const columns = (await readCatalog(opened.database)).get(table) ?? new Map<string, string>();
  expect(Object.fromEntries(columns)).toEqual({ ...declared });
});
