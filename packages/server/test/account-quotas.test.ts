import { createAccessToken } from '@moonbase/client/access-tokens';
import { applyHub } from '@moonbase/client/admin';
import { exportAuditLog, exportSiteAuditLog } from '@moonbase/client/audit-log';
import { preupload } from '@moonbase/client/content';
import { lfsBatch } from '@moonbase/client/large-files';
import { updateOrganization } from '@moonbase/client/organizations';
import { getOrganizationStorageUsage, getOwnQuotas, getQuota, updateQuota } from '@moonbase/client/quotas';
import { createRepo, moveRepo } from '@moonbase/client/repositories';
import { deleteUser } from '@moonbase/client/users';
import { describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { contentHub } from './content-hub.ts';
import { type Connection, person } from './harness.ts';

const MILLI_GIB = 1024 ** 3 / 1000;
const unlimited = (used: number) => ({ used, limit: null, isDefault: true, default: null });
const ADA = {
  ...{ name: 'ada', type: 'user', tokens: unlimited(1), discussions: unlimited(0) },
  webhooks: { used: 0, limit: 100, isDefault: true, default: 100 },
} as const;

/** Starts a hub with ada, bob and the organization acme, in which ada is an admin and rita reads. */
async function start(settings: Readonly<Record<string, string>> = {}) {
  const at = await contentHub({}, settings);
  const { hub } = at;
  await hub.apply({
    users: ['rita', 'zoe'].map(person),
    organizations: [
      {
        name: 'acme',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'rita', role: 'read' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('ada'), repo: 'acme/m' });
  const set = (storageGib: number | null | 'default', name = 'ada') => updateQuota({ ...hub.admin, name, storageGib });
  /** Returns the status of the request that precedes an upload. */
  const asks = async (size: number, repo = 'ada/m'): Promise<unknown> =>
    lfsBatch({ ...hub.as('ada'), repo, operation: 'upload', objects: [{ oid: '1'.repeat(64), size }] }).then(
      () => 200,
      ({ status, message }) => [status, message],
    );
  return { ...at, set, asks };
}

const refused = (quota: number, used: string, more: string, name = 'ada') => [
  413,
  `${name} may have ${quota} GiB of large files: ${used} are used, and this upload would add ${more} more`,
];

/** Returns what a call is refused with. */
const fault = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    ({ status }) => status,
  );

describe('the quota of one account', () => {
  test('takes the place of that of the settings from the next upload on, until it is taken back', async () => {
    await using at = await start({ MOONBASE_QUOTA_USER_GIB: '1', MOONBASE_QUOTA_ORGANIZATION_GIB: '0.5' });
    const { hub, set, asks } = at;
    const settings = { usedBytes: 0, storageGib: 1, isDefault: true, defaultStorageGib: 1 };
    expect(await getQuota({ ...hub.admin, name: 'ADA' })).toEqual({ ...ADA, ...settings });
    expect(await asks(2 * 1024 ** 3)).toEqual(refused(1, '0 bytes', '2.00 GiB'));
    expect(await set(2.5)).toEqual({ ...ADA, ...settings, storageGib: 2.5, isDefault: false });
    expect(await asks(2 * 1024 ** 3)).toBe(200);
    expect(await asks(3 * 1024 ** 3)).toEqual(refused(2.5, '0 bytes', '3.00 GiB'));
    expect(await set(null)).toEqual({ ...ADA, ...settings, storageGib: null, isDefault: false });
    expect(await asks(100 * 1024 ** 3)).toBe(200);
    expect(await set('default')).toEqual({ ...ADA, ...settings });
    expect(await asks(2 * 1024 ** 3)).toEqual(refused(1, '0 bytes', '2.00 GiB'));
    expect(await asks(1024 ** 3, 'acme/m')).toEqual(refused(0.5, '0 bytes', '1.00 GiB', 'acme'));
    expect(await set(1, 'acme')).toMatchObject({ name: 'acme', type: 'org', storageGib: 1, defaultStorageGib: 0.5 });
    expect(await asks(1024 ** 3, 'acme/m')).toBe(200);
  });

  test('holds where the settings have none, for that account alone, and may be zero', async () => {
    await using at = await start();
    const { hub, set, asks, upload } = at;
    expect(await getQuota({ ...hub.admin, name: 'ada' })).toMatchObject({ storageGib: null, isDefault: true });
    await upload(bytesOf(2000));
    expect(await set(0)).toEqual({ ...ADA, usedBytes: 2000, storageGib: 0, isDefault: false, defaultStorageGib: null });
    expect(await asks(9)).toEqual(refused(0, '2000 bytes', '9 bytes'));
    expect(await asks(1, 'acme/m')).toBe(200);
    const files = [{ path: 'x.bin', size: 20 * 1024 ** 2, sample: Buffer.from('x').toString('base64') }];
    const place = { type: 'model', repo: 'ada/m', revision: 'main' } as const;
    expect(await fault(preupload({ ...hub.as('ada'), ...place, files }))).toBe(413);
    await set('default');
    expect(await asks(1)).toBe(200);
  });

  test('is not exceeded by uploads at once', async () => {
    await using at = await start();
    const { hub, set, upload } = at;
    await set(0.001);
    const files = ['a', 'b', 'c'].map((seed) => bytesOf(Math.floor(0.4 * MILLI_GIB), seed));
    await Promise.all(files.map((bytes) => upload(bytes)));
    expect((await getOwnQuotas(hub.as('ada'))).usedBytes).toBe(2 * Math.floor(0.4 * MILLI_GIB));
    await set(0.002);
    await Promise.all(files.map((bytes) => upload(bytes)));
    expect((await getOwnQuotas(hub.as('ada'))).usedBytes).toBe(3 * Math.floor(0.4 * MILLI_GIB));
  });

  test('that is lowered between the batch and the bytes refuses the bytes', async () => {
    await using at = await start();
    const { hub, set } = at;
    const bytes = bytesOf(5000);
    const objects = [{ oid: nameOf(bytes).sha256, size: bytes.length }];
    const answer = await lfsBatch({ ...hub.as('ada'), repo: 'ada/m', operation: 'upload', objects });
    const href = answer.objects[0]?.actions?.upload?.href ?? '';
    const put = async () => (await fetch(href, { method: 'PUT', body: new Uint8Array(bytes) })).status;
    await set(0);
    expect(await put()).toBe(413);
    await set(0.001);
    expect(await put()).toBe(200);
  });

  test('refuses a repository that would move into the account with more files than there is room for', async () => {
    await using at = await start();
    const { hub, set, upload } = at;
    await upload(bytesOf(20_000));
    await set(0.001, 'acme');
    await upload(bytesOf(Math.floor(0.99 * MILLI_GIB), 'b'), { repo: 'acme/m' });
    const move = (from: string, to: string) =>
      moveRepo({ ...hub.as('ada'), from, to }).then(
        () => 200,
        ({ status, message }) => [status, message],
      );
    expect(await move('ada/m', 'acme/n')).toEqual(refused(0.001, '1.01 MiB', '0.02 MiB', 'acme'));
    expect((await getOwnQuotas(hub.as('ada'))).usedBytes).toBe(20_000);
    // Within the account, a name costs nothing.
    await set(0);
    expect(await move('ada/m', 'ada/n')).toBe(200);
    await set(0.002, 'acme');
    expect(await move('ada/n', 'acme/n')).toBe(200);
    expect((await getOwnQuotas(hub.as('ada'))).usedBytes).toBe(0);
  });

  test('is a part of the document of the hub, with its change in the log', async () => {
    await using at = await start();
    const { hub, asks } = at;
    const document = {
      users: [{ name: 'ada', storageGib: 0.5 }],
      organizations: [{ name: 'acme', storageGib: null }],
    };
    const counts = async (given: Parameters<typeof hub.apply>[0]) => {
      const { users, organizations } = await applyHub({ ...hub.admin, document: given });
      return [users.updated, organizations.updated];
    };
    expect(await counts(document)).toEqual([1, 1]);
    expect(await counts(document)).toEqual([0, 0]);
    expect(await asks(1024 ** 3)).toEqual(refused(0.5, '0 bytes', '1.00 GiB'));
    expect(
      await counts({ users: [{ name: 'ada' }], organizations: [{ name: 'acme', storageGib: 'default' }] }),
    ).toEqual([0, 1]);
    await hub.apply({ users: [{ ...person('grace'), storageGib: 2 }] });
    expect(await getQuota({ ...hub.admin, name: 'grace' })).toMatchObject({ storageGib: 2, isDefault: false });
    const events = (await exportSiteAuditLog(hub.admin)).filter(({ type }) => type === 'quota.update').reverse();
    expect(events.map(({ message }) => message)).toEqual([
      'Set the storage quota of ada to 0.5 GiB',
      'Set the storage quota of acme to no limit',
      'Set the storage quota of acme to the default, no limit',
      'Set the storage quota of grace to 2 GiB',
    ]);
    expect((await ask(hub.admin, 'PUT /api/admin/hub', { users: [{ name: 'ada', storageGib: -1 }] })).status).toBe(400);
  });

  test('stays with an account that is renamed, and goes with one that is deleted', async () => {
    await using at = await start();
    const { hub, set, asks } = at;
    await set(1, 'acme');
    await updateOrganization({ ...hub.as('ada'), name: 'acme', change: { name: 'moon-lab' } });
    expect(await getQuota({ ...hub.admin, name: 'moon-lab' })).toMatchObject({ name: 'moon-lab', storageGib: 1 });
    expect(await asks(2 * 1024 ** 3, 'moon-lab/m')).toEqual(refused(1, '0 bytes', '2.00 GiB', 'moon-lab'));
    await set(2, 'bob');
    await deleteUser({ ...hub.admin, username: 'bob' });
    expect(await fault(getQuota({ ...hub.admin, name: 'bob' }))).toBe(404);
    expect(await fault(set(1, 'bob'))).toBe(404);
    await hub.drain();
    await hub.people('bob');
    expect(await getQuota({ ...hub.admin, name: 'bob' })).toMatchObject({ storageGib: null, isDefault: true });
  });

  test('is in the log of the hub, each change once, and in no log of an organization', async () => {
    await using at = await start({ MOONBASE_QUOTA_USER_GIB: '1' });
    const { hub, set } = at;
    await hub.apply({ organizations: [{ name: 'acme', plan: 'enterprise' }] });
    for (const quota of [50, 50, null, 'default'] as const) await set(quota);
    await set(0.001, 'acme');
    const events = (await exportSiteAuditLog(hub.admin)).filter(({ type }) => type === 'quota.update').reverse();
    expect(events.map(({ author, message }) => `${author.user}: ${message}`)).toEqual([
      'admin: Set the storage quota of ada to 50 GiB',
      'admin: Set the storage quota of ada to no limit',
      'admin: Set the storage quota of ada to the default, 1 GiB',
      'admin: Set the storage quota of acme to 0.001 GiB',
    ]);
    expect(events[0]?.data).toEqual({
      user: { _id: expect.any(String), name: 'ada' },
      before: { storageGib: 1, isDefault: true },
      after: { storageGib: 50, isDefault: false },
    });
    expect(events[3]?.data).toMatchObject({ org: { name: 'acme' }, before: { storageGib: null, isDefault: true } });
    const ofAcme = await exportAuditLog({ ...hub.as('ada'), name: 'acme' });
    expect(ofAcme.filter(({ message }) => message.includes('quota'))).toEqual([]);
  });

  test('is a number of GiB with at most three decimals; anything else changes nothing', async () => {
    await using at = await start();
    const { hub, set } = at;
    await set(2);
    const put = (body: unknown, name = 'ada') => ask(hub.admin, `PUT /api/admin/quotas/${name}`, body);
    const refusalOf = async (body: unknown) => {
      const answer = await put(body);
      return [answer.status, JSON.parse(await answer.text()).error];
    };
    const form = 'must be GiB from 0 to 1000000000 with at most three decimals, null for no limit, or "default"';
    for (const storageGib of ['5', 'none', true, [], {}])
      expect(await refusalOf({ storageGib })).toEqual([400, `body.storageGib: ${form}`]);
    expect(await refusalOf({ storageGib: -1 })).toEqual([400, 'body.storageGib: must be at least 0']);
    expect(await refusalOf({ storageGib: 2e9 })).toEqual([400, 'body.storageGib: must be at most 1000000000']);
    expect(await refusalOf({ storageGib: 0.0001 })).toEqual([400, 'body.storageGib: must have at most three decimals']);
    expect((await put({ storageGib: 1 }, 'nobody')).status).toBe(404);
    expect(await getQuota({ ...hub.admin, name: 'ada' })).toMatchObject({ storageGib: 2 });
  });
});

describe('how much is used', () => {
  test('is what the owner and the members learn, and nobody else', async () => {
    await using at = await start({ MOONBASE_QUOTA_ORGANIZATION_GIB: '3' });
    const { hub, upload } = at;
    await upload(bytesOf(2000));
    await upload(bytesOf(3000, 'b'), { repo: 'acme/m' });
    await createRepo({ ...hub.as('ada'), repo: 'ada/other' });
    await upload(bytesOf(2000), { repo: 'ada/other' });
    expect(await getOwnQuotas(hub.as('ada'))).toMatchObject({ usedBytes: 4000, storageGib: null });
    expect(await getOwnQuotas(hub.as('zoe'))).toMatchObject({ usedBytes: 0, storageGib: null });
    const ofAcme = (caller: Connection) => getOrganizationStorageUsage({ ...caller, organization: 'acme' });
    for (const user of ['ada', 'rita']) expect(await ofAcme(hub.as(user))).toEqual({ usedBytes: 3000, storageGib: 3 });
    for (const caller of [hub.as('zoe'), hub.admin]) expect(await fault(ofAcme(caller))).toBe(403);
    expect(await fault(getOrganizationStorageUsage({ ...hub.as('ada'), organization: 'bob' }))).toBe(404);
  });

  test('is read with a token that reads settings; a quota is set with the whole token of a site administrator', async () => {
    await using at = await start();
    const { hub } = at;
    const tokenFor = async (caller: Connection, role: 'read' | 'fineGrained', global: readonly string[] = []) => {
      const scopes = { canReadGatedRepos: false, global: [...global], scoped: [] };
      const narrow = role === 'fineGrained' && { fineGrained: scopes as never };
      return hub.with((await createAccessToken({ ...caller, displayName: 'one', role, ...narrow })).token);
    };
    const read = await tokenFor(hub.as('ada'), 'read');
    expect(await getOwnQuotas(read)).toMatchObject({ usedBytes: 0 });
    expect(await getOrganizationStorageUsage({ ...read, organization: 'acme' })).toMatchObject({ usedBytes: 0 });
    const narrow = await tokenFor(hub.as('rita'), 'fineGrained');
    expect(await fault(getOwnQuotas(narrow))).toBe(403);
    expect(await fault(getOrganizationStorageUsage({ ...narrow, organization: 'acme' }))).toBe(403);
    const readOfAdmin = await tokenFor(hub.admin, 'read');
    expect(await getQuota({ ...readOfAdmin, name: 'ada' })).toMatchObject({ name: 'ada' });
    const set = (caller: Connection) => fault(updateQuota({ ...caller, name: 'ada', storageGib: 5 }));
    for (const caller of [readOfAdmin, hub.as('ada'), read, narrow]) expect(await set(caller)).toBe(403);
    expect(await fault(getQuota({ ...hub.as('ada'), name: 'ada' }))).toBe(403);
    expect(await getQuota({ ...hub.admin, name: 'ada' })).toMatchObject({ isDefault: true });
  });
});
