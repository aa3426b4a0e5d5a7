import { createAccessToken } from '@moonbase/client/access-tokens';
import { askAccess, cancelAccessRequest, handleAccessRequest } from '@moonbase/client/gating';
import { changeMemberRole } from '@moonbase/client/members';
import { listNotifications, markNotifications, type Notification } from '@moonbase/client/notifications';
import { deleteOrganization, restoreOrganization } from '@moonbase/client/organizations';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { updateNotificationSettings } from '@moonbase/client/settings';
import { updateMuted } from '@moonbase/client/watching';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collect, person, startHub, type TestHub } from './harness.ts';

const WEIGHTS = { type: 'model', repo: 'acme/weights' } as const;
const REQUESTS = {
  type: 'repo',
  repo: { type: 'model', name: 'acme/weights' },
  discussion: { num: 0, title: 'Requests for access', status: 'open', isPullRequest: false, participating: [] },
};

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'amy', 'will', 'zoe', 'bob'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'team',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'amy', role: 'admin' },
          { user: 'will', role: 'write' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('ada'), repo: 'acme/weights' });
  await updateRepoSettings({ ...hub.as('ada'), ...WEIGHTS, settings: { gated: 'manual' } });
});
afterEach(() => hub[Symbol.asyncDispose]());

const ask = async (user: string, repo = 'acme/weights') => {
  hub.clock.advance(1000);
  await askAccess({ ...hub.as(user), repo });
  await hub.drain();
};
const decide = async (user: string, status: 'accepted' | 'rejected' | 'pending') => {
  await handleAccessRequest({ ...hub.as('will'), ...WEIGHTS, user, status });
  await hub.drain();
};
const inbox = (user: string): Promise<Notification[]> => collect(listNotifications(hub.as(user)));
/** Returns the status of the requests in the inbox of a user, and whether they are read. */
const seenBy = async (user: string) =>
  (await inbox(user)).map((each) => (each.type === 'repo' ? `${each.discussion.status} ${each.read}` : each.type));

test('those who decide find the requests for a repository as one notification, which a new one moves up', async () => {
  await ask('zoe');
  for (const user of ['ada', 'amy']) expect(await inbox(user)).toMatchObject([{ ...REQUESTS, read: false }]);
  for (const user of ['will', 'zoe', 'bob']) expect(await inbox(user)).toEqual([]);
  const [first] = await inbox('ada');
  expect(JSON.stringify(first)).not.toContain('zoe');
  expect(await collect(listNotifications({ ...hub.as('ada'), repoName: 'acme/weights' }))).toEqual([first]);
  await markNotifications({ ...hub.as('ada'), applyToAll: true });
  expect(await seenBy('ada')).toEqual(['open true']);
  await ask('bob');
  expect(await seenBy('ada')).toEqual(['open false']);
  const [second] = await inbox('ada');
  expect(Date.parse(second?.updatedAt ?? '')).toBeGreaterThan(Date.parse(first?.updatedAt ?? ''));
});

test('the notification is open while a request waits', async () => {
  await ask('zoe');
  await ask('bob');
  await decide('zoe', 'accepted');
  expect(await seenBy('ada')).toEqual(['open false']);
  await cancelAccessRequest({ ...hub.as('bob'), ...WEIGHTS });
  expect(await seenBy('ada')).toEqual(['closed false']);
  await decide('zoe', 'pending');
  expect(await seenBy('ada')).toEqual(['open false']);
});

test('nobody is told of what is accepted at once, or decided before anybody could be told', async () => {
  await updateRepoSettings({ ...hub.as('ada'), ...WEIGHTS, settings: { gated: 'auto' } });
  await ask('zoe');
  await updateRepoSettings({ ...hub.as('ada'), ...WEIGHTS, settings: { gated: 'manual' } });
  await askAccess({ ...hub.as('bob'), repo: 'acme/weights' });
  await decide('bob', 'rejected');
  expect(await inbox('ada')).toEqual([]);
});

test('nobody is told who has turned the setting off or muted the repository', async () => {
  await updateNotificationSettings({ ...hub.as('ada'), notifications: { gated_user_access_request: false } });
  await updateMuted({ ...hub.as('amy'), add: [{ type: 'repo', id: 'acme/weights' }], delete: [] });
  await ask('zoe');
  expect([await inbox('ada'), await inbox('amy')]).toEqual([[], []]);
  await updateNotificationSettings({ ...hub.as('ada'), notifications: { gated_user_access_request: true } });
  await ask('bob');
  expect([await seenBy('ada'), await inbox('amy')]).toEqual([['open false'], []]);
});

test('a user is told of requests for a repository of her own', async () => {
  await createRepo({ ...hub.as('will'), repo: 'will/own' });
  await updateRepoSettings({ ...hub.as('will'), type: 'model', repo: 'will/own', settings: { gated: 'manual' } });
  await ask('zoe', 'will/own');
  expect(await inbox('will')).toMatchObject([{ repo: { name: 'will/own' }, discussion: { num: 0 } }]);
  await moveRepo({ ...hub.as('will'), type: 'model', from: 'will/own', to: 'will/renamed' });
  expect(await inbox('will')).toMatchObject([{ repo: { name: 'will/renamed' } }]);
  await moveRepo({ ...hub.as('will'), type: 'model', from: 'will/renamed', to: 'acme/given' });
  expect(await inbox('will')).toEqual([]);
  await hub.drain();
  const left = await hub.database.read.selectFrom('notifications').select('user_id').execute();
  expect(left).toEqual([]);
});

test('the notification goes when its reader no longer decides, and counters agree', async () => {
  await ask('zoe');
  await changeMemberRole({ ...hub.as('ada'), name: 'acme', username: 'amy', role: 'write' });
  expect(await inbox('amy')).toEqual([]);
  await hub.drain();
  const counters = (name: string) =>
    hub.database.read
      .selectFrom('inboxes')
      .innerJoin('accounts', 'accounts.id', 'inboxes.user_id')
      .select(['all_count', 'unread_count'])
      .where('accounts.name', '=', name)
      .execute();
  expect(await counters('amy')).toEqual([{ all_count: 0, unread_count: 0 }]);
  expect(await seenBy('ada')).toEqual(['open false']);
  await deleteRepo({ ...hub.as('ada'), repo: 'acme/weights' });
  await hub.drain();
  expect(await counters('ada')).toEqual([{ all_count: 0, unread_count: 0 }]);
});

test('the notification is away while the organization is deleted', async () => {
  await ask('zoe');
  await deleteOrganization({ ...hub.as('ada'), name: 'acme' });
  await hub.drain();
  expect(await inbox('ada')).toEqual([]);
  await restoreOrganization({ ...hub.as('ada'), name: 'acme' });
  await hub.drain();
  expect(await seenBy('ada')).toEqual(['open false']);
});

test('a token that does not reach the repository sees no requests for it', async () => {
  await updateRepoSettings({ ...hub.as('ada'), ...WEIGHTS, settings: { private: false } });
  await ask('zoe');
  await updateRepoSettings({ ...hub.as('ada'), ...WEIGHTS, settings: { private: true } });
  await hub.drain();
  const { id } = await whoAmI(hub.as('ada'));
  const { token } = await createAccessToken({
    ...hub.as('ada'),
    ...{ displayName: 'inbox', role: 'fineGrained' as const },
    fineGrained: { scoped: [{ entity: { type: 'user', _id: id }, permissions: ['user.notifications.read'] }] },
  });
  expect(await collect(listNotifications(hub.with(token)))).toEqual([]);
  expect(await seenBy('ada')).toEqual(['open false']);
});
