import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCommit, listTree } from '@moonbase/client/content';
import { mergePullRequest } from '@moonbase/client/discussions';
import { createRepo, listRefs } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { type GitClient, gitClient, remoteOf } from './git-client.ts';
import { type Connection, collect, startHub } from './harness.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;

/** Starts a hub with the model `alice/letters` and a clone of it whose files stand in the index alone. */
async function fixture() {
  const hub = await startHub();
  await hub.people('alice', 'bob');
  const client = await gitClient();
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: REPO.repo });
  await client.run('.', 'clone', '--quiet', '--no-checkout', remoteOf(alice, REPO.repo), 'clone');
  await client.run('clone', 'read-tree', 'HEAD');
  /** Adds a file under any name, whatever the file system of this machine allows. */
  const stage = async (path: string, content: string, mode = '100644') => {
    await writeFile(join(client.folder, 'content'), content);
    const id = await client.run('clone', 'hash-object', '-w', '../content');
    await client.run('clone', 'update-index', '--add', '--cacheinfo', mode, id, path);
  };
  const commit = (message: string) => client.run('clone', 'commit', '--quiet', '--message', message);
  return {
    ...{ hub, client, alice, stage, commit },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

interface Entry {
  readonly type: string;
  readonly oid: string;
  readonly size: number;
  readonly path: string;
}

const TYPES: Readonly<Record<string, string>> = { blob: 'file', tree: 'directory', commit: 'directory' };

/** Returns what git lists at a ref of a mirror, in the form of the API. */
async function listedByGit(client: GitClient, ref: string): Promise<Entry[]> {
  const output = await client.run('mirror', 'ls-tree', '-r', '-t', '-l', '-z', ref);
  return output.split('\0').flatMap((line) => {
    const [, type = '', oid = '', size = '', path = ''] = /^\d+ (\w+) (\w+) +(\d+|-)\t(.+)$/s.exec(line) ?? [];
    return type === '' ? [] : [{ type: TYPES[type] ?? type, oid, size: size === '-' ? 0 : Number(size), path }];
  });
}

const listedByApi = async (who: Connection, ref: string): Promise<Entry[]> =>
  (await collect(listTree({ ...who, ...REPO, revision: ref, recursive: true }))).map(({ type, oid, size, path }) => ({
    ...{ type, oid, size, path },
  }));

/** Expects that a new mirror and the API agree at every ref; returns the names of the refs. */
async function expectSameTrees(client: GitClient, who: Connection): Promise<string[]> {
  await client.run('.', 'clone', '--quiet', '--mirror', remoteOf(who, REPO.repo), 'mirror');
  const refs = (await client.run('mirror', 'for-each-ref', '--format=%(refname)')).split('\n');
  for (const ref of refs) expect([ref, await listedByApi(who, ref)]).toEqual([ref, await listedByGit(client, ref)]);
  const { branches, tags, pullRequests = [] } = await listRefs({ ...who, ...REPO, includePullRequests: true });
  expect([...branches, ...tags, ...pullRequests].map(({ ref }) => ref).toSorted()).toEqual(refs.toSorted());
  expect(await client.run('mirror', 'fsck', '--full', '--strict')).toBe('');
  return refs;
}

const operationsOf = (files: Readonly<Record<string, string>>) => {
  const operations = { summary: 'Files', files: Object.entries(files).map(([path, content]) => ({ path, content })) };
  return new Blob([JSON.stringify(operations)], { type: 'application/json' });
};

const ODD_PATHS = [
  'with a space.txt',
  'hash#and 100%25.txt',
  'ünïcode/日本語/∂.txt',
  `quote"apostrophe'.txt`,
  '-dash', // An option of many commands.
  ':(glob)*', // Magic of pathspecs.
  'a?b&c=d+e.txt',
  'trailing.dots..',
  `${Array(9).fill('long'.repeat(50)).join('/')}/deep.txt`,
  `${'x'.repeat(255)}`,
];

test('a clone equals the tree of the API at every ref, whoever has made the commits', async () => {
  await using at = await fixture();
  const { client, alice, hub } = at;
  for (const path of ODD_PATHS) await at.stage(path, path);
  await at.stage('empty', '');
  await at.stage('run.sh', '#!/bin/sh\n', '100755');
  await at.commit('Odd paths');
  expect(await client.attempt('clone', 'push', 'origin', 'main')).toMatchObject({ code: 0 });
  const files = Object.fromEntries(ODD_PATHS.map((path) => [`api/${path.slice(0, 300)}`, path]));
  await createCommit({ ...alice, ...REPO, branch: 'main', operations: operationsOf(files) });
  await client.run('clone', 'fetch', '--quiet', 'origin', 'main:refs/heads/fetched');
  await client.run('clone', 'symbolic-ref', 'HEAD', 'refs/heads/fetched');
  await client.run('clone', 'read-tree', 'HEAD');
  await client.run('clone', 'rm', '--quiet', '-r', '--cached', 'api', 'empty');
  await at.commit('Fewer');
  await client.run('clone', 'tag', 'light', 'HEAD~1');
  await client.run('clone', 'tag', '--annotate', 'v1', '--message', 'The first', 'HEAD~2');
  await client.run('clone', 'tag', '--annotate', 'nested', '--message', 'A tag of a tag', 'v1');
  const pushed = await client.attempt('clone', 'push', 'origin', 'HEAD:refs/heads/feature/a', '--tags');
  expect(pushed).toMatchObject({ code: 0 });
  const proposed = { ...REPO, branch: 'main', createPullRequest: true } as const;
  await createCommit({ ...hub.as('bob'), ...proposed, operations: operationsOf({ 'from bob.txt': 'bob' }) });
  await createCommit({ ...hub.as('bob'), ...proposed, operations: operationsOf({ 'merged.txt': 'bob' }) });
  await mergePullRequest({ ...alice, ...REPO, num: 2 });
  expect((await expectSameTrees(client, alice)).toSorted()).toEqual([
    ...['refs/heads/feature/a', 'refs/heads/main', 'refs/pr/1', 'refs/pr/2'],
    ...['refs/tags/light', 'refs/tags/nested', 'refs/tags/v1'],
  ]);
});

test('links and submodules are data that is cloned, listed and never followed', async () => {
  await using at = await fixture();
  const { client, alice } = at;
  await at.stage('outside', '../../../etc/passwd', '120000');
  await at.stage('folder/file.txt', 'inside');
  await at.stage('inside', 'folder', '120000');
  await at.stage('.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = https://example.com/sub.git\n');
  await client.run('clone', 'update-index', '--add', '--cacheinfo', '160000', '1'.repeat(40), 'sub');
  await at.commit('Links');
  expect(await client.attempt('clone', 'push', 'origin', 'main')).toMatchObject({ code: 0 });
  await expectSameTrees(client, alice);
  expect(await client.run('mirror', 'show', 'main:outside')).toBe('../../../etc/passwd');
  const resolve = (path: string) => ask(alice, `GET /${REPO.repo}/resolve/main/${path}`);
  expect(await (await resolve('outside')).text()).toBe('../../../etc/passwd');
  for (const path of ['inside/file.txt', 'sub', 'sub/file.txt']) expect((await resolve(path)).status).toBe(404);
});

test('names that differ by their case only are two files, and a rename may change the case', async () => {
  await using at = await fixture();
  const { client, alice } = at;
  await at.stage('Readme.md', 'hello');
  await at.stage('a.txt', 'lower');
  await at.stage('A.txt', 'upper');
  await at.commit('Both');
  await client.run('clone', 'rm', '--quiet', '--cached', 'Readme.md');
  await at.stage('README.md', 'hello');
  await at.commit('Louder');
  expect(await client.attempt('clone', 'push', 'origin', 'main')).toMatchObject({ code: 0 });
  await expectSameTrees(client, alice);
  const paths = (await listedByApi(alice, 'main')).map(({ path }) => path);
  expect(paths).toEqual(['.gitattributes', 'A.txt', 'README.md', 'a.txt']);
});
