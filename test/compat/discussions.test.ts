import { applyHub } from '@moonbase/client/admin';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PYTHON_CLIENTS } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

/** More discussions than fit on a page. */
const MANY = 60;

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const REPO_TYPES = ['model', 'dataset', 'space'];

describe('huggingface_hub', () => {
  test.each(PYTHON_CLIENTS.flatMap((client) => REPO_TYPES.map((repoType) => [client, repoType] as const)))(
    '%s, discusses and merges a pull request on a %s',
    (client, repoType) => world.python('discussions', { repoType }, client),
  );

  test('shows the author of a deleted account as deleted', async () => {
    const token = 'hf_daveWhoIsLeaving0';
    const put = (user: { tokens?: { name: string; token: string }[]; state?: 'absent' }) =>
      applyHub({ ...world.as('admin'), document: { users: [{ name: 'dave', ...user }] } });
    const repo = { type: 'model', repo: 'acme/left' } as const;
    await createRepo({ ...world.as('alice'), ...repo });
    await put({ tokens: [{ name: 'laptop', token }] });
    await createDiscussion({
      hubUrl: world.hubUrl,
      accessToken: token,
      ...repo,
      title: 'Goodbye',
      description: 'So long',
    });
    await put({ state: 'absent' });
    await world.python('deleted_author', { repo: repo.repo });
  });

  test('follows the pages of a list of discussions', async () => {
    const repo = { ...world.as('alice'), type: 'model', repo: 'acme/busy' } as const;
    await createRepo(repo);
    for (let at = 1; at <= MANY; at++) await createDiscussion({ ...repo, title: `Question ${at}`, description: '' });
    await world.python('discussion_pages', { count: MANY });
  });
});

test('hf discussions opens, lists, shows, comments, edits, renames, closes, reopens, merges', async () => {
  const hf = (...args: string[]) => world.hfJson('bob', 'discussions', ...args);
  const nums = async (...args: string[]) =>
    ((await hf('list', 'acme/cli', ...args)) as { num: number }[]).map((d) => d.num);
  await createRepo({ ...world.as('alice'), type: 'model', repo: 'acme/cli' });

  expect(await hf('create', 'acme/cli', '--title', 'Licence?', '--body', 'Which one?')).toEqual({
    num: 1,
    url: `${world.hubUrl}/acme/cli/discussions/1`,
    ref: null,
  });
  expect(await hf('create', 'acme/cli', '--title', 'A card', '--pull-request')).toMatchObject({
    num: 2,
    ref: 'refs/pr/2',
  });
  await hf('comment', 'acme/cli', '1', '--body', 'Anybody?');
  const { events } = (await hf('info', 'acme/cli', '1')) as { events: { id: string; content: string }[] };
  expect(events.map(({ content }) => content)).toEqual(['Which one?', 'Anybody?']);
  await hf('edit', 'acme/cli', '1', events[1]!.id, '--body', 'Anybody at all?');
  await hf('rename', 'acme/cli', '1', 'Which licence?');
  await hf('close', 'acme/cli', '1', '--comment', 'Found it.', '--yes');
  expect(await hf('info', 'acme/cli', '1')).toMatchObject({
    title: 'Which licence?',
    status: 'closed',
    events: expect.arrayContaining([
      expect.objectContaining({ content: 'Anybody at all?', edited: true }),
      expect.objectContaining({ content: 'Found it.' }),
    ]),
  });
  expect(await nums('--status', 'draft')).toEqual([2]);
  expect(await nums('--status', 'closed')).toEqual([1]);
  await hf('reopen', 'acme/cli', '1', '--yes');
  await hf('reopen', 'acme/cli', '2', '--yes');
  await hf('merge', 'acme/cli', '2', '--comment', 'Thanks!', '--yes');
  expect(await nums()).toEqual([1]);
  expect(await nums('--status', 'merged', '--kind', 'pull_request', '--author', 'bob')).toEqual([2]);
  expect(await nums('--status', 'all', '--kind', 'discussion')).toEqual([1]);
  expect((await world.hf('bob', ['discussions', 'diff', 'acme/cli', '2'])).status).toBe(0);
});
