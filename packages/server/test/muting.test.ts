import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo, deleteRepo, getRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { listMuted, updateMuted } from '@moonbase/client/watching';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createIds } from '../src/platform/ids.ts';
import { ask } from './ask.ts';
import { createTestClock, SECOND } from './clock.ts';
import { collect, startHub, type TestHub } from './harness.ts';

const LETTERS = { type: 'model' as const, repo: 'alice/letters' };
const NOTHING = '0'.repeat(24);

type Item = { id: string; type: 'repo' | 'discussion' };
const repo = (id: string): Item => ({ id, type: 'repo' });
const thread = (id: string): Item => ({ id, type: 'discussion' });

let hub: TestHub;
let made: string[];
beforeEach(async () => {
  const clock = createTestClock();
  const ids = createIds(clock);
  made = [];
  const remembered = () => {
    const id = ids();
    made.push(id);
    return id;
  };
  hub = await startHub({}, { clock, ids: remembered });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.people('alice', 'bob');
  await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
  await createRepo({ ...hub.as('alice'), repo: 'alice/secret', private: true });
});

const mute = (user: string, ...add: Item[]) => updateMuted({ ...hub.as(user), add });
const listed = (user: string) => collect(listMuted(hub.as(user)));
const names = async (user: string) => (await listed(user)).map(({ name }) => name);
async function repoId(name: string): Promise<string> {
  const info = await getRepo({ ...hub.as('alice'), type: 'model', repo: name });
  return '_id' in info ? info._id : '';
}

/** Returns the id of the thread that a change creates: of all new ids the one that can be muted. */
async function threadMadeBy(change: Promise<unknown>): Promise<string> {
  const before = made.length;
  await change;
  for (const id of made.slice(before)) {
    const answer = await ask(hub.as('alice'), 'PATCH /api/settings/mute', { add: [thread(id)] });
    if (answer.status === 404) continue;
    await updateMuted({ ...hub.as('alice'), delete: [thread(id)] });
    return id;
  }
  throw new Error('No thread was made');
}

const discussionIn = (name: string, title: string) =>
  threadMadeBy(createDiscussion({ ...hub.as('alice'), type: 'model', repo: name, title, description: '' }));

describe('muting', () => {
  test('takes repositories by name and id, and lists them newest first', async () => {
    expect(await mute('bob', repo('alice/letters'))).toEqual({ success: true });
    hub.clock.advance(SECOND);
    await createRepo({ ...hub.as('alice'), type: 'space', repo: 'alice/letters' });
    await mute('bob', repo('spaces/ALICE/letters'));
    expect(await listed('bob')).toEqual([
      { id: expect.any(String), type: 'repo', name: 'alice/letters', repo: { type: 'space', name: 'alice/letters' } },
      {
        id: await repoId('alice/letters'),
        type: 'repo',
        name: 'alice/letters',
        repo: { type: 'model', name: 'alice/letters' },
      },
    ]);
  });

  test('takes threads of every kind by id', async () => {
    const discussion = await discussionIn('alice/letters', 'A typo');
    const paper = await threadMadeBy(hub.apply({ papers: [{ id: '2401.01234', title: 'On letters' }] }));
    const post = await threadMadeBy(hub.apply({ posts: [{ slug: 'hello', author: 'alice', title: 'Hello' }] }));
    const article = await threadMadeBy(hub.apply({ articles: [{ slug: 'news', author: 'alice', title: 'News' }] }));
    for (const id of [discussion, paper, post, article]) {
      hub.clock.advance(SECOND);
      await mute('bob', thread(id.toUpperCase()));
    }
    const type = 'discussion';
    expect(await listed('bob')).toEqual([
      { id: article, type, name: 'News', thread: 'community_blog' },
      { id: post, type, name: 'Hello', thread: 'post' },
      { id: paper, type, name: 'On letters', thread: 'paper' },
      {
        id: discussion,
        type,
        name: 'A typo',
        thread: 'repo',
        repo: { type: 'model', name: 'alice/letters' },
        num: 1,
      },
    ]);
    await updateMuted({ ...hub.as('bob'), add: [thread(post)], delete: [thread(paper), thread(post), repo(article)] });
    expect(await names('bob')).toEqual(['News', 'Hello', 'A typo']);
  });

  test.each<[string, () => Promise<Item>]>([
    ['an id that does not exist', async () => thread(NOTHING)],
    ['a thread with another prefix', async () => thread('alice/letters')],
    ['a thread as a repository', async () => repo(await discussionIn('alice/letters', 'A typo'))],
    ['a repository as a thread', async () => thread(await repoId('alice/letters'))],
    ['a repository of an unknown owner', async () => repo('alice/nothing')],
    ['a private repository', async () => repo('alice/secret')],
    ['a private repository, by id', async () => repo(await repoId('alice/secret'))],
    ['a discussion of a private repository', async () => thread(await discussionIn('alice/secret', 'A plan'))],
  ])('refuses %s, and then nothing changes', async (_, item) => {
    const add = [repo('alice/letters'), await item()];
    await expect(updateMuted({ ...hub.as('bob'), add })).rejects.toMatchObject({
      status: 404,
      message: 'There is nothing that you may see behind body.add.1; nothing changed',
    });
    expect(await names('bob')).toEqual([]);
  });

  test.each<[unknown, string]>([
    [{ add: [{ id: 'alice', type: 'user' }] }, 'body.add.0.type'],
    [{ add: [{ type: 'repo' }] }, 'body.add.0.id'],
    [{ delete: 'alice/letters' }, 'body.delete'],
    [{ add: Array.from({ length: 1001 }, () => repo('alice/letters')) }, 'body.add'],
  ])('refuses %j', async (body, path) => {
    const answer = await ask(hub.as('bob'), 'PATCH /api/settings/mute', body);
    expect([answer.status, await answer.json()]).toMatchObject([400, { issues: [{ path }] }]);
  });
});

describe('what is muted and can no longer be seen', () => {
  test('is not listed by its title, and can be unmuted by its id', async () => {
    const discussion = await discussionIn('alice/letters', 'A plan');
    const items = [thread(discussion), repo(await repoId('alice/letters'))];
    await mute('bob', ...items);
    const setPrivate = (value: boolean) =>
      updateRepoSettings({ ...hub.as('alice'), ...LETTERS, settings: { private: value } });
    await setPrivate(true);
    expect(await names('bob')).toEqual([]);
    await updateMuted({ ...hub.as('bob'), delete: [thread(discussion)] });
    await setPrivate(false);
    expect(await names('bob')).toEqual(['alice/letters']);
  });

  test('may be a discussion where discussions are turned off', async () => {
    await mute('bob', thread(await discussionIn('alice/letters', 'A plan')), repo('alice/letters'));
    await updateRepoSettings({ ...hub.as('alice'), ...LETTERS, settings: { discussionsDisabled: true } });
    expect(await names('bob')).toEqual(['alice/letters']);
  });

  test('or was deleted', async () => {
    await mute('bob', thread(await discussionIn('alice/letters', 'A plan')), repo('alice/letters'));
    await deleteRepo({ ...hub.as('alice'), ...LETTERS });
    expect(await names('bob')).toEqual([]);
  });
});
