import { createAccessToken } from '@moonbase/client/access-tokens';
import { listFollowedUsers, listOrganizationFollowers, listUserFollowers } from '@moonbase/client/followers';
import { likeRepo } from '@moonbase/client/likes';
import { addMember, removeMember } from '@moonbase/client/members';
import { updateOrganization } from '@moonbase/client/organizations';
import {
  getOrganizationOverview,
  getOrganizationSocials,
  getUserOverview,
  getUserSocials,
  whoAmI,
} from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { deleteUser } from '@moonbase/client/users';
import { updateWatched } from '@moonbase/client/watching';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { HOUR } from './clock.ts';
import { jsonOf } from './content-hub.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'bob', 'cleo', 'dan', 'zoe'].map(person),
    organizations: ['acme', 'open'].map((name) => ({
      name,
      members: [
        { user: 'ada', role: 'admin' as const },
        { user: 'bob', role: 'read' as const },
      ],
    })),
  });
  await updateOrganization({ ...hub.as('ada'), name: 'acme', change: { membersPrivate: true } });
});
afterAll(() => hub[Symbol.asyncDispose]());

const follow = (who: string, type: 'user' | 'org', id: string) =>
  updateWatched({ ...hub.as(who), add: [{ type, id }], delete: [] });
const unfollow = (who: string, type: 'user' | 'org', id: string) =>
  updateWatched({ ...hub.as(who), add: [], delete: [{ type, id }] });
interface Named {
  readonly user: string;
}
const names = (entries: readonly Named[]) => entries.map(({ user }) => user).toSorted();
const followers = async (username: string, viewer = 'zoe') =>
  names(await collect(listUserFollowers({ ...hub.as(viewer), username })));
const following = async (username: string, viewer = 'zoe') =>
  names(await collect(listFollowedUsers({ ...hub.as(viewer), username })));
/** Returns what a caller learns of the followers of an organization. */
const ofOrganization = async (name: string, caller: Connection = hub.as('zoe')) => {
  const listed = names(await collect(listOrganizationFollowers({ ...caller, name })));
  const { numFollowers, isFollowing } = await getOrganizationOverview({ ...caller, name });
  expect(numFollowers).toBe(listed.length);
  return { listed, isFollowing };
};

describe('following a user', () => {
  test('is watching, and shows on both sides', async () => {
    await follow('bob', 'user', 'dan');
    await follow('cleo', 'user', 'dan');
    await follow('dan', 'user', 'cleo');
    expect(await followers('dan')).toEqual(['bob', 'cleo']);
    expect([await following('bob'), await following('dan')]).toEqual([['dan'], ['cleo']]);
    expect(await getUserOverview({ ...hub.as('bob'), username: 'dan' })).toMatchObject({
      ...{ numFollowers: 2, numFollowing: 1, isFollowing: true },
    });
    expect(await getUserOverview({ ...hub.as('zoe'), username: 'bob' })).toMatchObject({
      ...{ numFollowers: 0, numFollowing: 1, isFollowing: false },
    });
    const seen = await collect(listUserFollowers({ ...hub.as('dan'), username: 'dan' }));
    expect(seen.map(({ user, isFollowing }) => [user, isFollowing])).toEqual([
      ['cleo', true],
      ['bob', false],
    ]);
    expect(seen[0]).toEqual({
      ...{ _id: expect.any(String), user: 'cleo', fullname: expect.any(String), isPro: false, type: 'user' },
      ...{ avatarUrl: expect.stringContaining('/avatars/'), isFollowing: true },
    });
    await unfollow('cleo', 'user', 'dan');
    expect(await followers('dan')).toEqual(['bob']);
  });

  test('comes in pages', async () => {
    const fans = Array.from({ length: 11 }, (_, at) => `fan-${at}`);
    await hub.apply({ users: fans.map(person) });
    for (const fan of fans) {
      await follow(fan, 'user', 'ada');
      await follow('ada', 'user', fan);
    }
    for (const path of ['followers', 'following']) {
      const first = await ask(hub.as('zoe'), `GET /api/users/ada/${path}?limit=10`);
      const next = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      const second = await ask(hub.as('zoe'), `GET ${next.slice(hub.url.length)}`);
      const pages = [await jsonOf<Named[]>(first), await jsonOf<Named[]>(second)];
      expect(pages.map((page) => page.length)).toEqual([10, 1]);
      expect(names(pages.flat())).toEqual(fans.toSorted());
      expect((await ask(hub.as('zoe'), `GET /api/users/ada/${path}?cursor=x`)).status).toBe(400);
    }
  });

  test('ends with either user', async () => {
    await hub.apply({ users: [person('erin')] });
    await follow('erin', 'user', 'zoe');
    await follow('zoe', 'user', 'erin');
    await deleteUser({ ...hub.as('erin'), username: 'erin' });
    expect([await followers('zoe'), await following('zoe')]).toEqual([[], []]);
    expect((await getUserOverview({ ...hub.as('zoe'), username: 'zoe' })).numFollowing).toBe(0);
  });
});

describe('following an organization', () => {
  test('is what its members do, and everybody sees it where the list of members is public', async () => {
    await follow('cleo', 'org', 'open');
    for (const viewer of ['ada', 'zoe'])
      expect((await ofOrganization('open', hub.as(viewer))).listed).toEqual(['ada', 'bob', 'cleo']);
    expect((await ofOrganization('open', hub.as('cleo'))).isFollowing).toBe(true);
  });

  test('does not tell strangers who belongs to it where the list of members is private', async () => {
    await follow('cleo', 'org', 'acme');
    const members = { listed: ['ada', 'bob', 'cleo'], isFollowing: true };
    expect(await ofOrganization('acme', hub.as('bob'))).toEqual(members);
    const strangers = { listed: ['cleo'], isFollowing: false };
    expect(await ofOrganization('acme')).toEqual(strangers);
    expect(await ofOrganization('acme', hub.admin)).toEqual(strangers);
    // Neither joining nor leaving changes what strangers see.
    hub.clock.advance(HOUR);
    for (const user of ['cleo', 'dan'])
      await addMember({ ...hub.as('ada'), name: 'acme', username: user, role: 'read' });
    await hub.drain();
    expect(await ofOrganization('acme')).toEqual(strangers);
    expect((await ofOrganization('acme', hub.as('dan'))).listed).toEqual(['ada', 'bob', 'cleo', 'dan']);
    await removeMember({ ...hub.as('ada'), name: 'acme', username: 'dan' });
    await hub.drain();
    expect(await ofOrganization('acme')).toEqual(strangers);
    // Somebody who follows it anew while being a member has become one of the others.
    await unfollow('bob', 'org', 'acme');
    await follow('bob', 'org', 'acme');
    expect(await ofOrganization('acme')).toEqual(strangers);
  });

  test('tells a token that does not reach the organization as little as a stranger', async () => {
    const { id } = await whoAmI(hub.as('bob'));
    const { token } = await createAccessToken({
      ...hub.as('bob'),
      displayName: 'narrow',
      role: 'fineGrained',
      fineGrained: { scoped: [{ entity: { _id: id, type: 'user' }, permissions: ['repo.content.read'] }] },
    });
    expect(await ofOrganization('acme', hub.with(token))).toEqual({ listed: ['cleo'], isFollowing: false });
  });

  test('shows in no list of what a user follows', async () => {
    for (const viewer of ['bob', 'zoe', 'ada']) expect(await following('bob', viewer)).toEqual(['dan']);
  });
});

test('profiles count the public repositories that a user likes, and the papers', async () => {
  await createRepo({ ...hub.as('ada'), repo: 'ada/seen' });
  await createRepo({ ...hub.as('ada'), repo: 'ada/unseen', private: true });
  for (const repo of ['ada/seen', 'ada/unseen']) await likeRepo({ ...hub.as('ada'), type: 'model', repo });
  await hub.apply({ papers: [{ id: '2401.00001', title: 'On letters', authors: [{ name: 'Ada', user: 'ada' }] }] });
  for (const viewer of ['ada', 'zoe'])
    expect(await getUserOverview({ ...hub.as(viewer), username: 'ada' })).toMatchObject({
      ...{ numLikes: 1, numPapers: 1, numUpvotes: 0 },
    });
  expect(await getOrganizationOverview({ ...hub.as('zoe'), name: 'acme' })).toMatchObject({ numPapers: 0 });
});

test('social handles are empty, and unknown names are not found', async () => {
  expect(await getUserSocials({ ...hub.as('zoe'), username: 'ADA' })).toEqual({
    ...{ _id: (await whoAmI(hub.as('ada'))).id, user: 'ada', socialHandles: {} },
  });
  expect(await getOrganizationSocials({ ...hub.as('zoe'), name: 'acme' })).toEqual({
    ...{ _id: expect.any(String), org: 'acme', socialHandles: {} },
  });
  const statusOf = async (path: string) => (await ask(hub.as('zoe'), `GET /api/${path}`)).status;
  for (const list of ['followers', 'following', 'socials'])
    for (const name of ['nobody', 'acme']) expect(await statusOf(`users/${name}/${list}`)).toBe(404);
  for (const list of ['followers', 'socials'])
    for (const name of ['nobody', 'ada']) expect(await statusOf(`organizations/${name}/${list}`)).toBe(404);
  expect((await ask({ hubUrl: hub.url }, 'GET /api/users/ada/followers')).status).toBe(401);
});
