import { commit, createRepo, deleteRepo, downloadFile, fileExists, listCommits, listFiles } from '@huggingface/hub';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect } from '../../packages/server/test/harness.ts';
import { FILE_CLIENTS } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** How clients send large files: as they do by themselves, or by git LFS. */
const AS_SHIPPED = {};
const WITHOUT_XET = { HF_HUB_DISABLE_XET: '1' };

describe.each([
  ...FILE_CLIENTS.map((client) => [client, 'as shipped', AS_SHIPPED] as const),
  ['newest', 'without Xet', WITHOUT_XET] as const,
])('huggingface_hub (%s, %s)', (client, _how, variables) => {
  test('commits, lists, downloads and deletes files', () => world.python('content', {}, client, variables));

  test('tags, squashes, rewrites and follows moves', () => world.python('history', {}, client, variables));

  test('proposes, compares and merges changes', () => world.python('pull_requests', {}, client, variables));
});

test('huggingface_hub uploads, validates and changes cards, and reads headers of weights', () => world.python('cards'));

test('@huggingface/hub commits, lists, downloads and deletes files', async () => {
  const repo = { type: 'dataset' as const, name: 'acme/js-files' };
  const as = { ...world.as('alice'), repo };
  await createRepo(as);
  const text = (content: string) => new Blob([content]);
  const made = await commit({
    ...as,
    title: 'Two files',
    operations: [
      { operation: 'addOrUpdate', path: 'a/b.txt', content: text('deep') },
      { operation: 'addOrUpdate', path: 'empty.txt', content: text('') },
    ],
  });
  const files = await collect(listFiles({ ...as, recursive: true }));
  expect(files.map(({ path }) => path)).toEqual(['.gitattributes', 'a', 'a/b.txt', 'empty.txt']);
  expect(await (await downloadFile({ ...as, path: 'a/b.txt' }))?.text()).toBe('deep');
  expect(await (await downloadFile({ ...as, path: 'empty.txt' }))?.text()).toBe('');
  expect(await downloadFile({ ...as, path: 'nothing.txt' })).toBeNull();
  await commit({ ...as, title: 'One less', operations: [{ operation: 'delete', path: 'empty.txt' }] });
  expect(await fileExists({ ...as, path: 'empty.txt' })).toBe(false);
  const commits = await collect(listCommits(as));
  expect(commits.map(({ title }) => title)).toEqual(['One less', 'Two files', 'initial commit']);
  expect(commits[1]?.oid).toBe(made?.commit.oid);
  await deleteRepo(as);
});

test('@huggingface/hub commits to a pull request', async () => {
  const repo = { type: 'model' as const, name: 'acme/js-proposals' };
  await createRepo({ ...world.as('alice'), repo });
  const made = await commit({
    ...world.as('carol'),
    ...{ repo, title: 'A proposal', isPullRequest: true },
    operations: [{ operation: 'addOrUpdate', path: 'new.txt', content: new Blob(['new']) }],
  });
  expect(made?.pullRequestUrl).toBe(`${world.as('alice').hubUrl}/acme/js-proposals/discussions/1`);
  const as = { ...world.as('alice'), repo };
  expect(await fileExists({ ...as, path: 'new.txt' })).toBe(false);
  expect(await fileExists({ ...as, path: 'new.txt', revision: 'refs/pr/1' })).toBe(true);
});
