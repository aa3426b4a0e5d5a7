import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { createInvitation, listOwnInvitations } from '@moonbase/client/invitations';
import { listMemberTokens, revokeMemberTokenById } from '@moonbase/client/member-tokens';
import { getNotificationPage, markNotifications } from '@moonbase/client/notifications';
import { deleteOrganization, restoreOrganization } from '@moonbase/client/organizations';
import { createRepo } from '@moonbase/client/repositories';
import { createResourceGroup, getResourceGroup } from '@moonbase/client/resource-groups';
import { listWatched } from '@moonbase/client/watching';
import { getWebhook } from '@moonbase/client/webhooks';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from './ask.ts';
import { DAY } from './clock.ts';
import { eavesdrop } from './eavesdrop.ts';
import { collect } from './harness.ts';
import { type InboxHub, startInboxHub, titleOf } from './inbox-hub.ts';

/**
 * alice is admin of acme, bob reads, and carol is in its group `lab` for `acme/secret` only. All three get events of a
 * public repository, of a private one in the group, and of one of alice's own.
 */
let hub: InboxHub;
let lab: string;
const acme = { name: 'acme' };

beforeEach(async () => {
  hub = await startInboxHub('alice', 'bob', 'carol');
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.apply({
    users: [{ name: 'dora', tokens: [{ name: 'test', role: 'write', token: 'hf_tokenOfdora00' }] }],
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [{ user: 'bob' }, { user: 'carol', role: 'no_access' }],
      },
    ],
  });
  const alice = hub.as('alice');
  const users = ['bob', 'carol'].map((user) => ({ user, role: 'read' }));
  ({ id: lab } = await createResourceGroup({ ...alice, organization: 'acme', name: 'lab', users }));
  await createRepo({ ...alice, repo: 'acme/open' });
  await createRepo({ ...alice, repo: 'acme/secret', private: true, resourceGroupId: lab });
  await createRepo({ ...alice, repo: 'alice/own' });
  for (const repo of ['acme/open', 'acme/secret', 'alice/own']) {
    hub.clock.advance(1000);
    await createDiscussion({ ...alice, type: 'model', repo, title: `In ${repo}`, description: '@bob @carol' });
  }
  await hub.drain();
  await markNotifications({ ...hub.as('bob'), repoName: 'acme/open', repoType: 'model', applyToAll: true } as never);
});

const remove = () => deleteOrganization({ ...hub.as('alice'), ...acme });
const restore = () => restoreOrganization({ ...hub.as('alice'), ...acme });
const ALL = ['In alice/own', 'In acme/secret', 'In acme/open'];

/** Returns the list of a user with its counters, which both must agree with the rows. */
async function inboxOf(user: string) {
  const { notifications, count } = await hub.inbox(user);
  await hub.verifyCounters();
  expect(count.view).toBe(notifications.length);
  expect(count.all).toBe(notifications.length);
  expect(count.unread).toBe(notifications.filter(({ read }) => !read).length);
  return notifications.map(titleOf);
}

const leftOver = async (table: 'hidden_notifications' | 'notifications' | 'thread_participants') =>
  (await hub.database.read.selectFrom(table).select('thread_id').execute()).length;

describe('inboxes with notifications about a deleted organization', () => {
  test('neither show nor count them, and show them again after it is restored', async () => {
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(ALL);
    const before = (await hub.inbox('bob')).notifications;
    await remove();
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(['In alice/own']);
    expect((await hub.inbox('bob', { readStatus: 'unread' })).count).toEqual({ view: 1, unread: 1, all: 1 });
    await restore();
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(ALL);
    expect((await hub.inbox('bob')).notifications).toEqual(before);
    expect((await hub.inbox('bob')).count).toEqual({ view: 3, unread: 2, all: 3 });
    expect(await leftOver('hidden_notifications')).toBe(0);
  });

  test('hide them from the moment it is deleted', async () => {
    await remove();
    const { notifications } = await getNotificationPage(hub.as('bob'));
    expect(notifications.map(titleOf)).toEqual(['In alice/own']);
  });

  test('match the final state, however often it is deleted and restored before reactions run', async () => {
    for (const last of [remove, restore]) {
      for (let times = 0; times < 3; times++) {
        await remove().catch(() => restore());
        await (times % 2 === 0 ? restore() : hub.drain().then(restore));
      }
      if (last === remove) await remove();
      expect(await inboxOf('bob')).toEqual(last === remove ? ['In alice/own'] : ALL);
      if (last === remove) await restore();
    }
  });

  test('keep notifications from after its restoration', async () => {
    await remove();
    await hub.drain();
    await restore();
    // The hub has not reacted to the deletion yet.
    hub.clock.advance(1000);
    await commentDiscussion({ ...hub.as('alice'), type: 'model', repo: 'acme/open', num: 1, comment: 'Back @bob' });
    expect(await inboxOf('bob')).toEqual(['In acme/open', 'In alice/own', 'In acme/secret']);
    expect((await hub.inbox('bob')).count).toEqual({ view: 3, unread: 3, all: 3 });
  });

  test('lose notifications that their users may no longer read, even if that is processed while it is deleted', async () => {
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', state: 'absent' }] }] });
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'carol', role: 'read' }] }] });
    await remove();
    expect(await inboxOf('bob')).toEqual(['In alice/own']);
    await restore();
    expect(await inboxOf('bob')).toEqual(['In alice/own', 'In acme/open']);
    // A change of role removes nothing.
    expect(await inboxOf('carol')).toEqual(ALL);
  });
});

describe('everything that belongs to a deleted organization', () => {
  test('is hidden, and restored with it: groups, invitations, decisions about tokens, watches, webhooks', async () => {
    const alice = hub.as('alice');
    await createInvitation({ ...alice, ...acme, user: 'dora', role: 'read' });
    const tokens = await collect(listMemberTokens({ ...alice, ...acme }));
    const ofCarol = tokens.find(({ user }) => user === 'carol');
    await revokeMemberTokenById({ ...alice, ...acme, tokenId: ofCarol?.id ?? '' });
    await using listener = await eavesdrop(hub, hub.as('bob'), { type: 'org', name: 'acme' });
    const group = await getResourceGroup({ ...alice, organization: 'acme', resourceGroupId: lab });
    const watched = async () => (await collect(listWatched(hub.as('bob')))).map((item) => item.type);
    const invited = async () => (await collect(listOwnInvitations(hub.as('dora')))).length;
    expect([await watched(), await invited()]).toEqual([['org'], 1]);
    const [{ id: hook } = { id: '' }] = await hub.database.read.selectFrom('webhooks').select('id').execute();

    await remove();
    await hub.drain();
    expect([await watched(), await invited()]).toEqual([[], 0]);
    for (const path of [
      'resource-groups',
      'invitations',
      'settings/tokens',
      'settings/tokens/policy',
      `resource-groups/${lab}`,
    ])
      expect((await ask(alice, `GET /api/organizations/acme/${path}`)).status).toBe(404);
    expect(await listener.events()).toEqual([]);

    await restore();
    await hub.drain();
    expect([await watched(), await invited()]).toEqual([['org'], 1]);
    expect(await getResourceGroup({ ...alice, organization: 'acme', resourceGroupId: lab })).toEqual(group);
    expect((await ask(hub.as('carol'), 'GET /api/organizations/acme/overview')).status).toBe(403);
    expect((await getWebhook({ ...hub.as('bob'), webhookId: hook })).webhook.watched).toMatchObject([{ name: 'acme' }]);
    await createDiscussion({ ...alice, type: 'model', repo: 'acme/secret', title: 'Again', description: '.' });
    expect(await listener.events()).toEqual(['discussion/create']);
  });

  test('is purged with it after 30 days, from every inbox and table', async () => {
    const alice = hub.as('alice');
    await createInvitation({ ...alice, ...acme, user: 'dora', role: 'read' });
    const [token] = await collect(listMemberTokens({ ...alice, ...acme }));
    await ask(alice, `POST /api/organizations/acme/settings/tokens/${token?.id}/deny`);
    const orgId = await hub.idOf('acme');
    await remove();
    await hub.drain();
    expect(await leftOver('hidden_notifications')).toBe(4);
    hub.clock.advance(31 * DAY);
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(['In alice/own']);
    await expectNothingOf(orgId);
    expect(await leftOver('notifications')).toBe(2);
  });

  test('is deleted with it at once if a document removes it', async () => {
    const alice = hub.as('alice');
    await createInvitation({ ...alice, ...acme, user: 'dora', role: 'read' });
    const [token] = await collect(listMemberTokens({ ...alice, ...acme }));
    await ask(alice, `POST /api/organizations/acme/settings/tokens/${token?.id}/deny`);
    const orgId = await hub.idOf('acme');
    await hub.apply({ organizations: [{ name: 'acme', state: 'absent' }] });
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(['In alice/own']);
    await expectNothingOf(orgId);
  });
});

/** Only the log of an organization outlives it. */
async function expectNothingOf(orgId: string): Promise<void> {
  const { read } = hub.database;
  for (const table of [
    'memberships',
    'invitations',
    'organization_tokens',
    'organization_settings',
    'resource_groups',
    'custom_roles',
  ] as const)
    expect([table, await read.selectFrom(table).select('org_id').where('org_id', '=', orgId).execute()]).toEqual([
      table,
      [],
    ]);
  expect(await read.selectFrom('resource_group_users').select('user_id').execute()).toEqual([]);
  expect((await read.selectFrom('repositories').select('name').execute()).map(({ name }) => name)).toEqual(['own']);
  expect(await leftOver('hidden_notifications')).toBe(0);
  // alice wrote in one thread and mentioned two other users there.
  expect(await leftOver('thread_participants')).toBe(3);
  const log = await read.selectFrom('audit_events').select('type').where('org_id', '=', orgId).execute();
  expect(log.map(({ type }) => type)).toContain('org.delete');
}
