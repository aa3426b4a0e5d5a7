import { createOrganization, deleteOrganization, restoreOrganization } from '@moonbase/client/organizations';
import { expect, test } from 'vitest';
import { DAY } from './clock.ts';
import { startHub } from './harness.ts';

test('a deleted organization is purged on time, even if the clock advances during the deletion', async () => {
  let now = Date.parse('2026-01-05T12:00:00.000Z');
  const clock = {
    now: () => {
      now += 1;
      return now;
    },
    advance(ms: number) {
      now += ms;
    },
  };
  await using hub = await startHub({}, { clock });
  await hub.people('alice');
  const acme = { ...hub.as('alice'), name: 'acme' };
  await createOrganization(acme);
  await deleteOrganization(acme);
  clock.advance(31 * DAY);
  await hub.drain();
  const left = await hub.database.read.selectFrom('accounts').select('id').where('kind', '=', 'org').execute();
  expect(left).toEqual([]);
  await expect(restoreOrganization(acme)).rejects.toMatchObject({ status: 404 });
});
