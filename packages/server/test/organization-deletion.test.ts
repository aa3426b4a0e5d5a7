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
import { type InboxTown, inboxTown, titleOf } from './inbox-town.ts';

/*
 * acme: alice runs it, bob reads, carol is in its group `lab` only for `acme/secret`. All three hear of a public
 * repository and of a private one in the group, and of one of alice's own.
 */
let town: InboxTown;
let lab: string;
const acme = { name: 'acme' };

beforeEach(async () => {
  town = await inboxTown('alice', 'bob', 'carol');
  onTestFinished(() => town[Symbol.asyncDispose]());
  await town.apply({
    users: [{ name: 'dora', tokens: [{ name: 'test', role: 'write', token: 'hf_tokenOfdora00' }] }],
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [{ user: 'bob' }, { user: 'carol', role: 'no_access' }],
      },
    ],
  });
  const alice = town.as('alice');
  const users = ['bob', 'carol'].map((user) => ({ user, role: 'read' }));
  ({ id: lab } = await createResourceGroup({ ...alice, organization: 'acme', name: 'lab', users }));
  await createRepo({ ...alice, repo: 'acme/open' });
  await createRepo({ ...alice, repo: 'acme/secret', private: true, resourceGroupId: lab });
  await createRepo({ ...alice, repo: 'alice/own' });
  for (const repo of ['acme/open', 'acme/secret', 'alice/own']) {
    town.clock.advance(1000);
    await createDiscussion({ ...alice, type: 'model', repo, title: `In ${repo}`, description: '@bob @carol' });
  }
  await town.drain();
  await markNotifications({ ...town.as('bob'), repoName: 'acme/open', repoType: 'model', applyToAll: true } as never);
});

const remove = () => deleteOrganization({ ...town.as('alice'), ...acme });
const restore = () => restoreOrganization({ ...town.as('alice'), ...acme });
const ALL = ['In alice/own', 'In acme/secret', 'In acme/open'];

/** What the list of a user shows, with its counters; both agree with the rows. */
async function inboxOf(user: string) {
  const { notifications, count } = await town.inbox(user);
  await town.verifyCounters();
  expect(count.view).toBe(notifications.length);
  expect(count.all).toBe(notifications.length);
  expect(count.unread).toBe(notifications.filter(({ read }) => !read).length);
  return notifications.map(titleOf);
}

const leftOver = async (table: 'hidden_notifications' | 'notifications' | 'thread_participants') =>
  (await town.database.read.selectFrom(table).select('thread_id').execute()).length;

describe('the inboxes of those who heard of a deleted organization', () => {
  test('have and count nothing of it, and have it back as it was when it is restored', async () => {
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(ALL);
    const before = (await town.inbox('bob')).notifications;
    await remove();
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(['In alice/own']);
    expect((await town.inbox('bob', { readStatus: 'unread' })).count).toEqual({ view: 1, unread: 1, all: 1 });
    await restore();
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(ALL);
    expect((await town.inbox('bob')).notifications).toEqual(before);
    expect((await town.inbox('bob')).count).toEqual({ view: 3, unread: 2, all: 3 });
    expect(await leftOver('hidden_notifications')).toBe(0);
  });

  test('show nothing of it from the moment it is deleted', async () => {
    await remove();
    const { notifications } = await getNotificationPage(town.as('bob'));
    expect(notifications.map(titleOf)).toEqual(['In alice/own']);
  });

  test('are what holds in the end, however often it goes and comes before anything is reacted to', async () => {
    for (const last of [remove, restore]) {
      for (let times = 0; times < 3; times++) {
        await remove().catch(() => restore());
        await (times % 2 === 0 ? restore() : town.drain().then(restore));
      }
      if (last === remove) await remove();
      expect(await inboxOf('bob')).toEqual(last === remove ? ['In alice/own'] : ALL);
      if (last === remove) await restore();
    }
  });

  test('keep what is news since it came back', async () => {
    await remove();
    await town.drain();
    await restore();
    // Before the hub reacts to it.
    town.clock.advance(1000);
    await commentDiscussion({ ...town.as('alice'), type: 'model', repo: 'acme/open', num: 1, comment: 'Back @bob' });
    expect(await inboxOf('bob')).toEqual(['In acme/open', 'In alice/own', 'In acme/secret']);
    expect((await town.inbox('bob')).count).toEqual({ view: 3, unread: 3, all: 3 });
  });

  test('lose what they may not read any more, also where that is reacted to while it is deleted', async () => {
    await town.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', state: 'absent' }] }] });
    await town.apply({ organizations: [{ name: 'acme', members: [{ user: 'carol', role: 'read' }] }] });
    await remove();
    expect(await inboxOf('bob')).toEqual(['In alice/own']);
    await restore();
    expect(await inboxOf('bob')).toEqual(['In alice/own', 'In acme/open']);
    // Another role was no reason to lose anything.
    expect(await inboxOf('carol')).toEqual(ALL);
  });
});

describe('what belongs to a deleted organization', () => {
  test('is out of sight, and back with everything: groups, invitations, decisions about tokens, watches, webhooks', async () => {
    const alice = town.as('alice');
    await createInvitation({ ...alice, ...acme, user: 'dora', role: 'read' });
    const tokens = await collect(listMemberTokens({ ...alice, ...acme }));
    const ofCarol = tokens.find(({ user }) => user === 'carol');
    await revokeMemberTokenById({ ...alice, ...acme, tokenId: ofCarol?.id ?? '' });
    await using ears = await eavesdrop(town, town.as('bob'), { type: 'org', name: 'acme' });
    const group = await getResourceGroup({ ...alice, organization: 'acme', resourceGroupId: lab });
    const watched = async () => (await collect(listWatched(town.as('bob')))).map((item) => item.type);
    const invited = async () => (await collect(listOwnInvitations(town.as('dora')))).length;
    expect([await watched(), await invited()]).toEqual([['org'], 1]);
    const [{ id: hook } = { id: '' }] = await town.database.read.selectFrom('webhooks').select('id').execute();

    await remove();
    await town.drain();
    expect([await watched(), await invited()]).toEqual([[], 0]);
    for (const path of ['resource-groups', 'invitations', 'settings/tokens', `resource-groups/${lab}`])
      expect((await ask(alice, `GET /api/organizations/acme/${path}`)).status).toBe(404);
    expect(await ears.events()).toEqual([]);

    await restore();
    await town.drain();
    expect([await watched(), await invited()]).toEqual([['org'], 1]);
    expect(await getResourceGroup({ ...alice, organization: 'acme', resourceGroupId: lab })).toEqual(group);
    expect((await ask(town.as('carol'), 'GET /api/organizations/acme/overview')).status).toBe(403);
    expect((await getWebhook({ ...town.as('bob'), webhookId: hook })).webhook.watched).toMatchObject([
      { name: 'acme' },
    ]);
    await createDiscussion({ ...alice, type: 'model', repo: 'acme/secret', title: 'Again', description: '.' });
    expect(await ears.events()).toEqual(['discussion/create']);
  });

  test('is gone with it after 30 days, from every inbox and table', async () => {
    const alice = town.as('alice');
    await createInvitation({ ...alice, ...acme, user: 'dora', role: 'read' });
    const [token] = await collect(listMemberTokens({ ...alice, ...acme }));
    await ask(alice, `POST /api/organizations/acme/settings/tokens/${token?.id}/deny`);
    const orgId = await town.idOf('acme');
    await remove();
    await town.drain();
    expect(await leftOver('hidden_notifications')).toBe(4);
    town.clock.advance(31 * DAY);
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(['In alice/own']);
    await expectNothingOf(orgId);
    expect(await leftOver('notifications')).toBe(2);
  });

  test('is gone with it at once where a document removes it', async () => {
    const alice = town.as('alice');
    await createInvitation({ ...alice, ...acme, user: 'dora', role: 'read' });
    const [token] = await collect(listMemberTokens({ ...alice, ...acme }));
    await ask(alice, `POST /api/organizations/acme/settings/tokens/${token?.id}/deny`);
    const orgId = await town.idOf('acme');
    await town.apply({ organizations: [{ name: 'acme', state: 'absent' }] });
    for (const user of ['bob', 'carol']) expect(await inboxOf(user)).toEqual(['In alice/own']);
    await expectNothingOf(orgId);
  });
});

/** Only its log outlives an organization. */
async function expectNothingOf(orgId: string): Promise<void> {
  const { read } = town.database;
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
  // alice wrote in one thread and mentioned two others there.
  expect(await leftOver('thread_participants')).toBe(3);
  const log = await read.selectFrom('audit_events').select('type').where('org_id', '=', orgId).execute();
  expect(log.map(({ type }) => type)).toContain('org.delete');
}
