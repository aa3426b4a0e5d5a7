import { createAccessToken } from '@moonbase/client/access-tokens';
import { getRetention, type Retention } from '@moonbase/client/admin';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import { RETENTION_KINDS } from '@moonbase/contract/admin/retention';
import { expect, test } from 'vitest';
import { Settings } from '../src/config/groups.ts';
import { listSettings } from '../src/config/setting.ts';
import { ADMIN, createBackupFixture, startAt } from './backup-fixture.ts';
import { openBrowser } from './browser.ts';
import { DAY, HOUR } from './clock.ts';
import { startHub, tokenOf } from './harness.ts';
import { engine } from './test-database.ts';
import { listen } from './webhooks-listen.ts';

const byKind = async (hub: Parameters<typeof getRetention>[0]): Promise<ReadonlyMap<string, Retention>> =>
  new Map((await getRetention(hub)).map((each) => [each.kind, each]));

test('the report has the values in force, what there is, and what was deleted because of its age', async () => {
  await using hub = await startHub({
    MOONBASE_WEBHOOK_LOG_DAYS: '2',
    MOONBASE_NOTIFICATION_DAYS: '5',
    MOONBASE_SESSION_MAX_DAYS: '1',
  });
  await hub.people('alice', 'bob');
  await using _ = await listen(hub, hub.as('alice'), [{ type: 'user', name: 'alice' }]);
  await createRepo({ ...hub.as('alice'), repo: 'alice/a' });
  const where = { type: 'model', repo: 'alice/a' } as const;
  await createDiscussion({ ...hub.as('bob'), ...where, title: 'Hello', description: 'Look, @alice' });
  await openBrowser(hub).ask('POST /api/sign-in/token', { token: tokenOf('bob') });
  await hub.drain();

  const before = await byKind(hub.admin);
  expect([...before.keys()]).toEqual([...RETENTION_KINDS]);
  expect(before.get('deliveries')).toEqual({
    ...{ kind: 'deliveries', title: 'Delivery log', about: expect.stringContaining('after 2 days') },
    settings: [{ name: 'MOONBASE_WEBHOOK_LOG_DAYS', value: 2 }],
    ...{ held: 2, oldestAt: new Date(hub.clock.now()).toISOString(), deleted: 0 },
  });
  expect(before.get('notifications')).toMatchObject({ held: 1, deleted: 0 });
  expect(before.get('sessions')).toMatchObject({ held: 1, deleted: 0 });
  expect(before.get('audit-events')?.settings).toEqual([{ name: 'MOONBASE_AUDIT_LOG_DAYS', value: null }]);
  expect(before.get('backups')).toMatchObject({ about: expect.stringContaining('MOONBASE_BACKUP_TO'), settings: [] });

  hub.clock.advance(2 * DAY + HOUR);
  await hub.drain();
  hub.clock.advance(2 * HOUR);
  await hub.drain();
  const later = await byKind(hub.admin);
  const lastDeletedAt = new Date(hub.clock.now() - 2 * HOUR).toISOString();
  expect(later.get('deliveries')).toMatchObject({ held: 0, deleted: 2, lastDeletedAt });
  expect(later.get('deliveries')?.oldestAt).toBeUndefined();
  expect(later.get('events')?.deleted).toBeGreaterThan(0);
  expect(later.get('sessions')).toMatchObject({ held: 0, deleted: 1, lastDeletedAt });
  expect(later.get('notifications')).toMatchObject({ held: 1, deleted: 0 });
  hub.clock.advance(5 * DAY);
  await hub.drain();
  expect((await byKind(hub.admin)).get('notifications')).toMatchObject({ held: 0, deleted: 1 });
});

test('the report names every setting that says how long or how many of something is kept', async () => {
  await using fixture = await createBackupFixture(engine, { MOONBASE_BACKUP_TO: '/nowhere' });
  await using hub = await startAt(fixture);
  const named = (await getRetention(hub.as(ADMIN))).flatMap(({ settings }) => settings.map(({ name }) => name));
  const declared = listSettings(Settings).flatMap(({ name }) => (/_(DAYS|KEEP)$/.test(name) ? [name] : []));
  // Files are read again after these days, and stay.
  expect(declared.filter((name) => !named.includes(name))).toEqual(['MOONBASE_LARGE_FILE_CHECK_DAYS']);
});

test('the report is for site administrators, also with a token that only reads', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  await expect(getRetention(hub.as('ada'))).rejects.toMatchObject({ status: 403 });
  await expect(getRetention({ hubUrl: hub.url })).rejects.toMatchObject({ status: 401 });
  const { token } = await createAccessToken({ ...hub.admin, displayName: 'reads', role: 'read' });
  expect(await getRetention(hub.with(token))).toHaveLength(RETENTION_KINDS.length);
});
