import {
  createOrganization,
  deleteOrganization,
  restoreOrganization,
  updateOrganization,
} from '@moonbase/client/organizations';
import { getOrganizationOverview, getUserOverview, whoAmI } from '@moonbase/client/profiles';
import { createRepo, getRepo, listOrganizationRepos } from '@moonbase/client/repositories';
import { listWatched } from '@moonbase/client/watching';
import { createWebhook, listWebhooks } from '@moonbase/client/webhooks';
import type { OrganizationChange } from '@moonbase/contract/organizations/organizations';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from './ask.ts';
import { type AuditRecorder, createAuditRecorder } from './audit-recorder.ts';
import { DAY } from './clock.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
let audit: AuditRecorder;
beforeEach(async () => {
  audit = createAuditRecorder();
  hub = await startHub({}, { audit });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.people('alice', 'bob', 'carol');
});

const create = (name = 'acme') => createOrganization({ ...hub.as('alice'), name });
const change = (wanted: OrganizationChange, name = 'acme', user = 'alice') =>
  updateOrganization({ ...hub.as(user), name, change: wanted });
const add = (user: string, role: string) =>
  ask(hub.as('alice'), `PUT /api/organizations/acme/members/${user}`, { role });

describe('an organization', () => {
  test('can be created by anybody, who becomes its admin', async () => {
    const made = await createOrganization({ ...hub.as('alice'), name: 'acme', fullname: 'Acme Labs' });
    expect(made).toMatchObject({
      name: 'acme',
      fullname: 'Acme Labs',
      plan: 'free',
      membersPrivate: false,
      groupCreators: 'admin',
      joinDomains: [],
      tokenPolicy: 'any',
    });
    expect((await whoAmI(hub.as('alice'))).orgs).toMatchObject([{ name: 'acme', roleInOrg: 'admin' }]);
    expect(audit.taken()).toEqual(['org.create by alice', 'org.add_user by alice']);
    await hub.drain();
    expect(await collect(listWatched(hub.as('alice')))).toMatchObject([{ type: 'org', name: 'acme' }]);
  });

  test('gets its plan from site administrators', async () => {
    await expect(createOrganization({ ...hub.as('alice'), name: 'acme', plan: 'plus' })).rejects.toMatchObject({
      status: 403,
    });
    expect(await createOrganization({ ...hub.admin, name: 'acme', plan: 'plus' })).toMatchObject({ plan: 'plus' });
  });

  test.each([
    ['a bad name', { name: 'a--b' }, 400],
    ['a reserved name', { name: 'api' }, 400],
    ['the name of a user, in capitals', { name: 'BOB' }, 409],
    ['no name', {}, 400],
  ])('is not created with %s', async (_, body, status) => {
    expect((await ask(hub.as('alice'), 'POST /api/organizations', body)).status).toBe(status);
    expect((await whoAmI(hub.as('alice'))).orgs).toEqual([]);
  });

  test('changes only the given fields, with an event for each kind of change', async () => {
    await create();
    audit.taken();
    expect(await change({ fullname: 'Acme', details: 'We make things', membersPrivate: true })).toMatchObject({
      fullname: 'Acme',
      details: 'We make things',
      membersPrivate: true,
    });
    expect(audit.taken()).toEqual(['org.update_settings by alice']);
    await change({ joinDomains: ['ACME.com', 'acme.com'], groupCreators: 'write' });
    expect(audit.taken()).toEqual(['org.update_settings by alice', 'org.update_join_settings by alice']);
    expect(await change({})).toMatchObject({ joinDomains: ['acme.com'], groupCreators: 'write', membersPrivate: true });
    await change({ fullname: 'Acme', joinDomains: ['acme.com'] });
    expect(audit.taken()).toEqual([]);
    expect(await change({ details: null, avatarUrl: 'https://acme.com/logo.png' })).toMatchObject({
      details: null,
      avatarUrl: 'https://acme.com/logo.png',
    });
  });

  test.each([
    { joinDomains: ['not a domain'] },
    { joinDomains: ['com'] },
    { groupCreators: 'no_access' },
    { avatarUrl: 'javascript:alert(1)' },
    { fullname: ' ' },
    { name: '12345' },
  ])('refuses the whole change %j', async (bad) => {
    await create();
    const answer = await ask(hub.as('alice'), 'PATCH /api/organizations/acme', { details: 'New', ...bad });
    expect(answer.status).toBe(400);
    expect(await change({})).toMatchObject({ details: null, name: 'acme' });
  });
});

describe('renaming', () => {
  test('keeps references to it: repositories, members, watches, webhooks', async () => {
    await create();
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'read' }] }] });
    await createRepo({ ...hub.as('alice'), repo: 'acme/bert', private: true });
    const watched = [
      { type: 'org' as const, name: 'acme' },
      { type: 'model' as const, name: 'acme/bert' },
    ];
    await createWebhook({ ...hub.as('bob'), webhook: { url: 'https://example.com/', domains: ['repo'], watched } });
    await hub.drain();
    audit.taken();
    expect(await change({ name: 'Acme-Labs' })).toMatchObject({ name: 'Acme-Labs' });
    expect(audit.taken()).toEqual(['org.rename by alice']);
    await hub.drain();
    expect(await getRepo({ ...hub.as('bob'), type: 'model', repo: 'acme-labs/bert' })).toMatchObject({
      id: 'Acme-Labs/bert',
    });
    await expect(getRepo({ ...hub.as('bob'), type: 'model', repo: 'acme/bert' })).rejects.toMatchObject({
      status: 404,
    });
    expect((await listWebhooks(hub.as('bob')))[0]?.watched).toMatchObject([
      { type: 'org', name: 'Acme-Labs' },
      { type: 'model', name: 'Acme-Labs/bert' },
    ]);
    expect(await collect(listWatched(hub.as('bob')))).toMatchObject([{ name: 'Acme-Labs' }]);
    expect(await createOrganization({ ...hub.as('carol'), name: 'acme' })).toMatchObject({ name: 'acme' });
  });

  test('to another letter case keeps the name; to a taken name is refused', async () => {
    await create();
    expect(await change({ name: 'ACME' })).toMatchObject({ name: 'ACME' });
    await expect(change({ name: 'bob' })).rejects.toMatchObject({ status: 409 });
    expect(await getOrganizationOverview({ ...hub.as('bob'), name: 'acme' })).toMatchObject({ name: 'ACME' });
  });

  test('binds watched names that had no target yet', async () => {
    await create();
    const watched = [{ type: 'org' as const, name: 'later' }];
    await createWebhook({ ...hub.as('bob'), webhook: { url: 'https://example.com/', domains: ['repo'], watched } });
    await change({ name: 'later' });
    await hub.drain();
    await change({ name: 'latest' }, 'later');
    await hub.drain();
    expect((await listWebhooks(hub.as('bob')))[0]?.watched).toMatchObject([{ name: 'latest' }]);
  });
});

describe('a deleted organization', () => {
  const remove = (user = 'alice') => deleteOrganization({ ...hub.as(user), name: 'acme' });

  beforeEach(async () => {
    await create();
    await add('bob', 'write');
    await createRepo({ ...hub.as('alice'), repo: 'acme/public' });
    await createRepo({ ...hub.as('alice'), repo: 'acme/private', private: true });
    await hub.drain();
    audit.taken();
  });

  test('is invisible at once', async () => {
    await remove();
    expect(audit.taken()).toEqual(['org.delete by alice']);
    for (const user of ['alice', 'bob', 'carol']) {
      for (const path of [
        'organizations/acme/overview',
        'organizations/acme/members',
        'models/acme/public',
        'models/acme/private',
      ])
        expect((await ask(hub.as(user), `GET /api/${path}`)).status).toBe(404);
      expect((await whoAmI(hub.as(user))).orgs).toEqual([]);
      expect(await collect(listWatched(hub.as(user)))).toEqual([]);
    }
    expect((await getUserOverview({ ...hub.as('carol'), username: 'bob' })).orgs).toEqual([]);
    expect((await ask(hub.as('alice'), 'DELETE /api/organizations/acme')).status).toBe(404);
  });

  test('keeps its name', async () => {
    await remove();
    await expect(createOrganization({ ...hub.as('carol'), name: 'Acme' })).rejects.toMatchObject({ status: 409 });
    await createOrganization({ ...hub.as('carol'), name: 'other' });
    await expect(change({ name: 'acme' }, 'other', 'carol')).rejects.toMatchObject({ status: 409 });
    await expect(hub.apply({ users: [person('acme')] })).rejects.toMatchObject({ status: 409 });
  });

  test('can be restored with everything, by its admins only', async () => {
    await remove();
    const restore = (user: string) => restoreOrganization({ ...hub.as(user), name: 'acme' });
    for (const user of ['bob', 'carol']) await expect(restore(user)).rejects.toMatchObject({ status: 404 });
    expect(await restore('alice')).toMatchObject({ name: 'acme' });
    expect(audit.taken()).toEqual(['org.delete by alice', 'org.restore by alice']);
    expect(await collect(listOrganizationRepos({ ...hub.as('bob'), organization: 'acme' }))).toHaveLength(2);
    expect(await collect(listWatched(hub.as('bob')))).toMatchObject([{ name: 'acme' }]);
    await expect(restore('alice')).rejects.toMatchObject({ status: 404 });
    hub.clock.advance(31 * DAY);
    await hub.drain();
    expect(await getOrganizationOverview({ ...hub.as('bob'), name: 'acme' })).toMatchObject({
      numUsers: 2,
      numModels: 2,
    });
  });

  test('is purged after 30 days', async () => {
    await remove();
    hub.clock.advance(29 * DAY);
    await hub.drain();
    await restoreOrganization({ ...hub.as('alice'), name: 'acme' });
    await remove();
    hub.clock.advance(29 * DAY);
    await hub.drain();
    await expect(create()).rejects.toMatchObject({ status: 409 });
    hub.clock.advance(2 * DAY);
    await hub.drain();
    await expect(restoreOrganization({ ...hub.as('alice'), name: 'acme' })).rejects.toMatchObject({ status: 404 });
    await create();
    expect(await getOrganizationOverview({ ...hub.as('bob'), name: 'acme' })).toMatchObject({
      numUsers: 1,
      numModels: 0,
    });
  });

  test('can be deleted by its admins only', async () => {
    await expect(remove('bob')).rejects.toMatchObject({ status: 403 });
    await expect(remove('carol')).rejects.toMatchObject({ status: 403 });
  });
});
