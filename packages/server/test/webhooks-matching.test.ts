import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { createBranch, createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { createResourceGroup, deleteResourceGroup } from '@moonbase/client/resource-groups';
import { createWebhook, disableWebhook, listWebhooks, updateWebhook } from '@moonbase/client/webhooks';
import { REPO_TYPES } from '@moonbase/contract/primitives';
import type { WatchedInput } from '@moonbase/contract/webhooks/webhooks';
import { describe, expect, test } from 'vitest';
import { type Connection, person, startHub, type TestHub } from './harness.ts';
import { startReceiver } from './receiver.ts';
import { listen } from './webhooks-listen.ts';

const ALICE = { type: 'user', name: 'alice' } as const;
const ACME = { type: 'org', name: 'acme' } as const;
const LETTERS = { type: 'model', name: 'alice/letters' } as const;

/**
 * Starts a hub with alice, bob and carol, and the organization acme: alice is admin, bob only reads there, carol is no
 * member.
 */
async function startFixture() {
  const hub = await startHub();
  await hub.apply({
    users: ['alice', 'bob', 'carol'].map(person),
    organizations: [
      {
        name: 'acme',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'bob', role: 'read' },
        ],
      },
    ],
  });
  const [alice, bob, carol] = [hub.as('alice'), hub.as('bob'), hub.as('carol')];
  return { hub, alice, bob, carol, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const setRole = (hub: TestHub, user: string, role: 'read' | 'no_access') =>
  hub.apply({ organizations: [{ name: 'acme', members: [{ user, role }] }] });
const removeMember = (hub: TestHub, user: string) =>
  hub.apply({ organizations: [{ name: 'acme', members: [{ user, state: 'absent' }] }] });
const setPrivate = (owner: Connection, repo: string, isPrivate: boolean) =>
  updateRepoSettings({ ...owner, type: 'model', repo, settings: { private: isPrivate } });
const change = (owner: Connection, repo: string, branch: string) =>
  createBranch({ ...owner, type: 'model', repo, branch });
const watchedNames = async (listener: Awaited<ReturnType<typeof listen>>) =>
  (await listener.webhook()).watched.map(({ name }) => name);

describe('what is watched', () => {
  test.each(REPO_TYPES)(
    'a %s: its events are delivered, those of its neighbours and its namesakes of other types are not',
    async (type) => {
      await using fixture = await startFixture();
      await using listener = await listen(fixture.hub, fixture.alice, [{ type, name: 'alice/letters' }]);
      for (const each of REPO_TYPES) await createRepo({ ...fixture.alice, type: each, repo: 'alice/letters' });
      await createRepo({ ...fixture.alice, type, repo: 'alice/other' });
      await createRepo({ ...fixture.alice, type, repo: 'acme/letters' });
      expect((await listener.payloads()).map(({ repo }) => [repo.type, repo.name])).toEqual([[type, 'alice/letters']]);
    },
  );

  test('a user: everything that the user owns, of any type, and nothing else', async () => {
    await using fixture = await startFixture();
    await using listener = await listen(fixture.hub, fixture.carol, [ALICE]);
    for (const type of REPO_TYPES) await createRepo({ ...fixture.alice, type, repo: 'alice/letters' });
    await createRepo({ ...fixture.alice, repo: 'acme/letters' });
    await createRepo({ ...fixture.bob, repo: 'bob/letters' });
    expect((await listener.payloads()).map(({ repo }) => `${repo.type} ${repo.name}`)).toEqual(
      REPO_TYPES.map((type) => `${type} alice/letters`),
    );
  });

  test('an organization: everything that it owns', async () => {
    await using fixture = await startFixture();
    await using listener = await listen(fixture.hub, fixture.carol, [ACME]);
    await createRepo({ ...fixture.alice, type: 'space', repo: 'acme/letters' });
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    expect(await listener.events()).toEqual(['repo/create acme/letters']);
  });

  test('an organization named as a user, or a user as an organization, matches nothing', async () => {
    await using fixture = await startFixture();
    await using listener = await listen(fixture.hub, fixture.carol, [
      { type: 'user', name: 'acme' },
      { type: 'org', name: 'alice' },
    ]);
    await createRepo({ ...fixture.alice, repo: 'acme/letters' });
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    expect(await listener.events()).toEqual([]);
  });

  test('similar names do not match', async () => {
    await using fixture = await startFixture();
    const names = ['alice/letter', 'alice/letters2', 'alice/etters', 'alic/letters', 'alice2/letters', 'alice/lett_rs'];
    const watched = names.map((name): WatchedInput => ({ type: 'model', name }));
    await using listener = await listen(fixture.hub, fixture.carol, watched);
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    expect(await listener.events()).toEqual([]);
  });

  test('an event that matches several items creates one delivery', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await using listener = await listen(fixture.hub, fixture.alice, [
      LETTERS,
      ALICE,
      { type: 'model', name: 'ALICE/Letters' },
      { type: 'user', name: 'Alice' },
    ]);
    await fixture.hub.drain();
    listener.receiver.received.splice(0);
    await change(fixture.alice, 'alice/letters', 'draft');
    expect(await listener.events()).toEqual(['repo.content/update alice/letters']);
    const about = (await listener.log({ scope: 'repo.content' })).filter(({ repo }) => repo.name === 'alice/letters');
    expect(about).toHaveLength(1);
  });

  test('two webhooks on the same repository each get its events, whoever owns them', async () => {
    await using fixture = await startFixture();
    await using first = await listen(fixture.hub, fixture.alice, [ALICE]);
    await using second = await listen(fixture.hub, fixture.alice, [ALICE]);
    await using third = await listen(fixture.hub, fixture.carol, [LETTERS]);
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    const news = ['repo/create alice/letters'];
    expect([await first.events(), await second.events(), await third.events()]).toEqual([news, news, news]);
  });

  test('from the moment it is watched until it is no longer watched', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.alice, [LETTERS]);
    expect(await listener.events()).toEqual([]);
    await change(fixture.alice, 'alice/letters', 'heard');
    expect(await listener.events()).toEqual(['repo.content/update alice/letters']);
    await updateWebhook({
      ...fixture.alice,
      webhookId: listener.webhookId,
      webhook: { watched: [ACME], domains: ['repo'] },
    });
    await change(fixture.alice, 'alice/letters', 'unheard');
    expect(await listener.events()).toEqual([]);
  });

  test('nothing reaches a disabled webhook', async () => {
    await using fixture = await startFixture();
    await using listener = await listen(fixture.hub, fixture.alice, [ALICE]);
    await disableWebhook({ ...fixture.alice, webhookId: listener.webhookId });
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    expect(await listener.events()).toEqual([]);
    expect(await listener.log()).toEqual([]);
    expect(await listener.webhook()).not.toHaveProperty('lastTriggerAt');
  });
});

describe('domains', () => {
  test('repo is for repositories, discussion for discussions and comments, and both may be given', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    await using ofRepo = await listen(fixture.hub, fixture.alice, [ALICE], { domains: ['repo'] });
    await using ofDiscussion = await listen(fixture.hub, fixture.alice, [ALICE], { domains: ['discussion'] });
    await using ofBoth = await listen(fixture.hub, fixture.alice, [ALICE], { domains: ['discussion', 'repo'] });
    const thread = { ...fixture.bob, type: 'model', repo: 'alice/letters', num: 1 } as const;
    await createDiscussion({ ...thread, title: 'A question', description: 'Why?' });
    await commentDiscussion({ ...thread, comment: 'Because.' });
    await change(fixture.alice, 'alice/letters', 'draft');
    await setPrivate(fixture.alice, 'alice/letters', true);
    const events = async (listener: typeof ofRepo) =>
      (await listener.payloads()).map(({ event }) => `${event.scope}/${event.action}`);
    const repo = ['repo.content/update', 'repo.config/update'];
    const discussion = ['discussion/create', 'discussion.comment/create'];
    expect(await events(ofRepo)).toEqual(repo);
    expect(await events(ofDiscussion)).toEqual(discussion);
    expect(await events(ofBoth)).toEqual([...discussion, ...repo]);
  });
});

describe('private repositories', () => {
  test('are delivered to members who may read them, and to nobody else', async () => {
    await using fixture = await startFixture();
    await fixture.hub.apply({
      users: [person('dave')],
      organizations: [{ name: 'acme', members: [{ user: 'dave', role: 'no_access' }] }],
    });
    await using owners = await listen(fixture.hub, fixture.alice, [ACME]);
    await using readers = await listen(fixture.hub, fixture.bob, [ACME]);
    await using strangers = await listen(fixture.hub, fixture.carol, [ACME, { type: 'model', name: 'acme/secret' }]);
    await using shutOut = await listen(fixture.hub, fixture.hub.as('dave'), [ACME]);
    await createRepo({ ...fixture.alice, repo: 'acme/secret', private: true });
    const news = ['repo/create acme/secret'];
    expect([await owners.events(), await readers.events()]).toEqual([news, news]);
    expect([await strangers.events(), await shutOut.events()]).toEqual([[], []]);
    expect([await strangers.log(), await shutOut.log()]).toEqual([[], []]);
    expect(await strangers.webhook()).not.toHaveProperty('lastTriggerAt');
  });

  test('of a user are delivered to that user alone, not even to a site administrator', async () => {
    await using fixture = await startFixture();
    await using own = await listen(fixture.hub, fixture.alice, [ALICE]);
    await using friends = await listen(fixture.hub, fixture.bob, [ALICE]);
    await using administrators = await listen(fixture.hub, fixture.hub.admin, [ALICE]);
    await createRepo({ ...fixture.alice, repo: 'alice/diary', private: true });
    expect(await own.events()).toEqual(['repo/create alice/diary']);
    expect([await friends.events(), await administrators.events()]).toEqual([[], []]);
  });

  test('are delivered to those who may read them now, not to former members', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'acme/secret', private: true });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.bob, [ACME]);
    await change(fixture.alice, 'acme/secret', 'first');
    expect(await listener.events()).toEqual(['repo.content/update acme/secret']);
    await setRole(fixture.hub, 'bob', 'no_access');
    await change(fixture.alice, 'acme/secret', 'second');
    expect(await listener.events()).toEqual([]);
    await setRole(fixture.hub, 'bob', 'read');
    await change(fixture.alice, 'acme/secret', 'third');
    expect(await listener.events()).toEqual(['repo.content/update acme/secret']);
    await removeMember(fixture.hub, 'bob');
    await change(fixture.alice, 'acme/secret', 'fourth');
    expect(await listener.events()).toEqual([]);
  });

  test('are delivered from the change on that makes them public, and no longer from the change on that makes them private', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters', private: true });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.carol, [ALICE]);
    await change(fixture.alice, 'alice/letters', 'while-private');
    await setPrivate(fixture.alice, 'alice/letters', false);
    const heard = await listener.payloads();
    expect(heard.map(({ event, updatedConfig }) => [event.scope, updatedConfig])).toEqual([
      ['repo.config', { private: false }],
    ]);
    await change(fixture.alice, 'alice/letters', 'while-public');
    expect(await listener.events()).toEqual(['repo.content/update alice/letters']);
    await setPrivate(fixture.alice, 'alice/letters', true);
    await change(fixture.alice, 'alice/letters', 'private-again');
    expect(await listener.events()).toEqual([]);
  });

  test('reveal neither their discussions nor their deletion', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'acme/secret', private: true });
    await fixture.hub.drain();
    await using strangers = await listen(fixture.hub, fixture.carol, [ACME]);
    await using readers = await listen(fixture.hub, fixture.bob, [ACME]);
    await createDiscussion({ ...fixture.bob, type: 'model', repo: 'acme/secret', title: 'Hush', description: 'Hush!' });
    await deleteRepo({ ...fixture.alice, repo: 'acme/secret' });
    expect(await readers.events()).toEqual(['discussion/create acme/secret', 'repo/delete acme/secret']);
    expect(await strangers.events()).toEqual([]);
  });
});

describe('events that are handled together', () => {
  test('reach the webhooks of their own repositories, also where more than fifty webhooks watch one', async () => {
    await using fixture = await startFixture();
    for (const name of ['letters', 'novels', 'poems']) await createRepo({ ...fixture.alice, repo: `alice/${name}` });
    await fixture.hub.drain();
    await using all = await listen(fixture.hub, fixture.carol, [ALICE]);
    await using novels = await listen(fixture.hub, fixture.bob, [{ type: 'model', name: 'alice/novels' }]);
    for (let number = 0; number < 60; number++) {
      const url = `${all.receiver.url}?number=${number}`;
      await createWebhook({ ...fixture.alice, webhook: { url, watched: [LETTERS], domains: ['repo'] } });
    }
    for (const name of ['poems', 'letters', 'novels']) await change(fixture.alice, `alice/${name}`, 'draft');
    const heard = await all.events();
    const timesOf = (name: string) => heard.filter((event) => event === `repo.content/update alice/${name}`).length;
    expect([timesOf('poems'), timesOf('letters'), timesOf('novels'), heard.length]).toEqual([1, 61, 1, 63]);
    expect(await novels.events()).toEqual(['repo.content/update alice/novels']);
  });

  test('of resource groups reach those who may read them, also where a group was deleted meanwhile', async () => {
    await using fixture = await startFixture();
    const { alice, bob, hub } = fixture;
    await hub.apply({ organizations: [{ name: 'acme', plan: 'enterprise' }] });
    const group = async (name: string, ...users: { user: string; role: 'read' }[]) =>
      (await createResourceGroup({ ...alice, organization: 'acme', name, users })).id;
    const ids = [await group('mine', { user: 'bob', role: 'read' }), await group('theirs'), await group('gone')];
    for (const [at, resourceGroupId] of ids.entries())
      await createRepo({ ...alice, repo: `acme/${at}`, private: true, resourceGroupId });
    await createRepo({ ...alice, repo: 'acme/open' });
    await hub.drain();
    await using listener = await listen(hub, bob, [ACME]);
    for (const repo of ['acme/0', 'acme/1', 'acme/2', 'acme/open']) await change(alice, repo, 'draft');
    await deleteResourceGroup({ ...alice, organization: 'acme', resourceGroupId: ids[2] ?? '' });
    const content = (await listener.events()).filter((event) => event.startsWith('repo.content'));
    expect(content).toEqual(['acme/0', 'acme/2', 'acme/open'].map((repo) => `repo.content/update ${repo}`));
  });
});

describe('a name that nothing has yet', () => {
  test('matches once a repository has it', async () => {
    await using fixture = await startFixture();
    await using listener = await listen(fixture.hub, fixture.carol, [LETTERS]);
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await change(fixture.alice, 'alice/letters', 'draft');
    expect(await listener.events()).toEqual(['repo/create alice/letters', 'repo.content/update alice/letters']);
  });

  test('matches once a user or an organization has it', async () => {
    await using fixture = await startFixture();
    await using listener = await listen(fixture.hub, fixture.carol, [
      { type: 'user', name: 'erin' },
      { type: 'org', name: 'Umbrella' },
    ]);
    await fixture.hub.people('erin');
    await fixture.hub.apply({ organizations: [{ name: 'umbrella', members: [{ user: 'erin', role: 'admin' }] }] });
    await createRepo({ ...fixture.hub.as('erin'), repo: 'erin/letters' });
    await createRepo({ ...fixture.hub.as('erin'), repo: 'umbrella/letters' });
    expect(await listener.events()).toEqual(['repo/create erin/letters', 'repo/create umbrella/letters']);
  });

  test('matches a repository that gets it by a move, and follows that repository from then on', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/draft' });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.carol, [LETTERS]);
    await moveRepo({ ...fixture.alice, from: 'alice/draft', to: 'alice/letters' });
    expect((await listener.payloads()).map(({ event, movedTo }) => [event.action, movedTo?.name])).toEqual([
      ['move', 'alice/letters'],
    ]);
    await moveRepo({ ...fixture.alice, from: 'alice/letters', to: 'alice/poems' });
    await fixture.hub.drain();
    expect(await watchedNames(listener)).toEqual(['alice/poems']);
    listener.receiver.received.splice(0);
    await change(fixture.alice, 'alice/poems', 'draft');
    expect(await listener.events()).toEqual(['repo.content/update alice/poems']);
  });

  test('matches again a repository that replaces a deleted one', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.carol, [LETTERS]);
    await deleteRepo({ ...fixture.alice, repo: 'alice/letters' });
    expect(await listener.events()).toEqual(['repo/delete alice/letters']);
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await change(fixture.alice, 'alice/letters', 'draft');
    expect(await listener.events()).toEqual(['repo/create alice/letters', 'repo.content/update alice/letters']);
  });

  test('matches again even where deletion and creation are handled together', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.carol, [LETTERS]);
    for (let times = 0; times < 2; times += 1) {
      await deleteRepo({ ...fixture.alice, repo: 'alice/letters' });
      await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    }
    await change(fixture.alice, 'alice/letters', 'draft');
    expect((await listener.payloads()).map(({ event }) => event.action)).toEqual([
      'delete',
      'create',
      'delete',
      'create',
      'update',
    ]);
  });

  test('matches again an account that replaces a removed one', async () => {
    await using fixture = await startFixture();
    await fixture.hub.apply({ users: [person('erin')], organizations: [{ name: 'umbrella' }] });
    await using listener = await listen(fixture.hub, fixture.carol, [
      { type: 'user', name: 'erin' },
      { type: 'org', name: 'umbrella' },
    ]);
    await fixture.hub.apply({
      users: [{ name: 'erin', state: 'absent' }],
      organizations: [{ name: 'umbrella', state: 'absent' }],
    });
    await fixture.hub.drain();
    await fixture.hub.apply({
      users: [person('erin')],
      organizations: [{ name: 'umbrella', members: [{ user: 'erin', role: 'admin' }] }],
    });
    await createRepo({ ...fixture.hub.as('erin'), repo: 'erin/letters' });
    await createRepo({ ...fixture.hub.as('erin'), repo: 'umbrella/letters' });
    expect(await listener.events()).toEqual(['repo/create erin/letters', 'repo/create umbrella/letters']);
  });
});

describe('a move', () => {
  test('renames the watched item, within a namespace and into another', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.carol, [LETTERS]);
    await moveRepo({ ...fixture.alice, from: 'alice/letters', to: 'alice/poems' });
    await fixture.hub.drain();
    expect(await watchedNames(listener)).toEqual(['alice/poems']);
    await moveRepo({ ...fixture.alice, from: 'alice/poems', to: 'acme/poems' });
    await fixture.hub.drain();
    expect(await watchedNames(listener)).toEqual(['acme/poems']);
    listener.receiver.received.splice(0);
    await change(fixture.alice, 'acme/poems', 'draft');
    expect(await listener.events()).toEqual(['repo.content/update acme/poems']);
  });

  test('frees the old name: a later repository with that name is not watched', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.carol, [LETTERS]);
    await moveRepo({ ...fixture.alice, from: 'alice/letters', to: 'alice/poems' });
    await fixture.hub.drain();
    listener.receiver.received.splice(0);
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    expect(await listener.events()).toEqual([]);
  });

  test('is delivered once to webhooks on the repository, its old owner and its new owner', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    await using ofRepo = await listen(fixture.hub, fixture.carol, [LETTERS]);
    await using ofOld = await listen(fixture.hub, fixture.carol, [ALICE]);
    await using ofNew = await listen(fixture.hub, fixture.carol, [ACME]);
    await using ofNewName = await listen(fixture.hub, fixture.carol, [{ type: 'model', name: 'acme/letters' }]);
    await using ofAll = await listen(fixture.hub, fixture.carol, [LETTERS, ALICE, ACME]);
    await using ofOthers = await listen(fixture.hub, fixture.carol, [{ type: 'user', name: 'bob' }]);
    await moveRepo({ ...fixture.alice, from: 'alice/letters', to: 'acme/letters' });
    for (const listener of [ofRepo, ofOld, ofNew, ofNewName, ofAll])
      expect(
        (await listener.payloads()).map(({ event, repo, movedTo }) => [event.action, repo.name, movedTo?.name]),
      ).toEqual([['move', 'alice/letters', 'acme/letters']]);
    expect(await ofOthers.events()).toEqual([]);
    await change(fixture.alice, 'acme/letters', 'draft');
    expect(await ofOld.events()).toEqual([]);
    expect(await ofNew.events()).toEqual(['repo.content/update acme/letters']);
  });

  test('of a private repository shows the new name only to owners who may read it', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'acme/secret', private: true });
    await fixture.hub.drain();
    const secret = { type: 'model', name: 'acme/secret' } as const;
    await using strangers = await listen(fixture.hub, fixture.carol, [secret]);
    await using readers = await listen(fixture.hub, fixture.bob, [secret]);
    await moveRepo({ ...fixture.alice, from: 'acme/secret', to: 'acme/merger-with-umbrella' });
    expect(await readers.events()).toEqual(['repo/move acme/secret']);
    expect(await strangers.events()).toEqual([]);
    expect(await watchedNames(readers)).toEqual(['acme/merger-with-umbrella']);
    expect(await watchedNames(strangers)).toEqual(['acme/secret']);
  });

  test('out of the owner’s sight reveals nothing, neither by a payload nor by the watched name', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'acme/secret', private: true });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.bob, [ACME, { type: 'model', name: 'acme/secret' }]);
    await moveRepo({ ...fixture.alice, from: 'acme/secret', to: 'alice/my-own-secret' });
    expect(await listener.events()).toEqual([]);
    expect(await watchedNames(listener)).toEqual(['acme', 'acme/secret']);
    expect(await listener.log()).toEqual([]);
  });

  test('to the same name in other letters is a move as well', async () => {
    await using fixture = await startFixture();
    await createRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    await using listener = await listen(fixture.hub, fixture.carol, [LETTERS]);
    await moveRepo({ ...fixture.alice, from: 'alice/letters', to: 'alice/Letters' });
    expect(await listener.events()).toEqual(['repo/move alice/letters']);
    expect(await watchedNames(listener)).toEqual(['alice/Letters']);
  });
});

test('a watched name whose repository moved out of sight is bound to the next repository with that name', async () => {
  await using hub = await startHub();
  await using receiver = await startReceiver();
  await hub.apply({
    users: ['alice', 'bob'].map(person),
    organizations: ['acme', 'vault'].map((name) => ({ name, members: [{ user: 'bob', role: 'admin' as const }] })),
    repos: [{ name: 'acme/x' }],
  });
  const bob = hub.as('bob');
  const watched = [{ type: 'model' as const, name: 'acme/x' }];
  await createWebhook({ ...hub.as('alice'), webhook: { url: receiver.url, watched, domains: ['repo'] } });
  await updateRepoSettings({ ...bob, type: 'model', repo: 'acme/x', settings: { private: true } });
  await moveRepo({ ...bob, type: 'model', from: 'acme/x', to: 'vault/secret' });
  await hub.drain();
  await createRepo({ ...bob, type: 'model', repo: 'acme/x' });
  await hub.drain();
  expect(receiver.received.map(({ payload }) => `${payload.event.action} ${payload.repo.name}`)).toEqual([
    'create acme/x',
  ]);
  expect((await listWebhooks(hub.as('alice')))[0]?.watched.map(({ name }) => name)).toEqual(['acme/x']);
});
