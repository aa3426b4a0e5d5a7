import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCommit } from '@moonbase/client/content';
import { createBranch, createRepo, createTag, deleteBranch, moveRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { gitClient, remoteOf } from './git-client.ts';
import { type Connection, startHub, tokenOf } from './harness.ts';

const operationsOf = (files: Readonly<Record<string, string>>) =>
  new Blob(
    [
      JSON.stringify({
        summary: 'Files',
        files: Object.entries(files).map(([path, content]) => ({ path, content })),
      }),
    ],
    { type: 'application/json' },
  );

const commit = (
  who: Connection,
  repo: { type: 'model' | 'dataset' | 'space' | 'kernel'; repo: string },
  files: Readonly<Record<string, string>>,
  options: { branch?: string; createPullRequest?: true } = {},
) => createCommit({ ...who, ...repo, branch: 'main', ...options, operations: operationsOf(files) });

const REPO = { type: 'model', repo: 'alice/letters' } as const;

/** Starts a hub with the model `alice/letters` and a folder for stock git. */
async function fixture() {
  const hub = await startHub();
  await hub.people('alice', 'bob');
  const client = await gitClient();
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: REPO.repo });
  return {
    ...{ hub, client, alice },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

const text = (client: { folder: string }, ...path: string[]) => readFile(join(client.folder, ...path), 'utf8');

test('a repository of each type is cloned, with and without .git', async () => {
  await using at = await fixture();
  const { client, alice } = at;
  const prefixes = { model: 'models/', dataset: 'datasets/', space: 'spaces/', kernel: 'kernels/' } as const;
  for (const type of ['model', 'dataset', 'space', 'kernel'] as const) {
    const repo = `alice/${type}`;
    await createRepo({ ...alice, type, repo, ...(type === 'space' && { sdk: 'static' as const }) });
    await commit(alice, { type, repo }, { 'a/file.txt': type });
    const paths = [`${prefixes[type]}${repo}`, `${prefixes[type]}${repo}.git`, ...(type === 'model' ? [repo] : [])];
    for (const [number, path] of paths.entries()) {
      const folder = `${type}-${number}`;
      await client.run('.', 'clone', '--quiet', remoteOf(alice, path), folder);
      expect(await text(client, folder, 'a/file.txt')).toBe(type);
      expect(await client.run(folder, 'fsck', '--full', '--strict')).toBe('');
    }
  }
});

test.each(['0', '1', '2'])('protocol version %s clones, fetches what is new, and gets tags', async (version) => {
  await using at = await fixture();
  const { client, alice } = at;
  await commit(alice, REPO, { 'one.txt': '1' });
  const git = ['-c', `protocol.version=${version}`];
  await client.run('.', ...git, 'clone', '--quiet', remoteOf(alice, REPO.repo), 'clone');
  await commit(alice, REPO, { 'two.txt': '2' });
  await createBranch({ ...alice, ...REPO, branch: 'side' });
  await createTag({ ...alice, ...REPO, revision: 'main', tag: 'v1', message: 'The first' });
  await client.run('clone', ...git, 'pull', '--quiet');
  expect(await text(client, 'clone', 'two.txt')).toBe('2');
  expect(await client.run('clone', 'branch', '--remotes')).toMatch(/origin\/side/);
  expect(await client.run('clone', 'tag', '--list', '--format=%(objecttype) %(contents:subject)')).toBe(
    'tag The first',
  );
  expect(await client.run('clone', 'symbolic-ref', 'refs/remotes/origin/HEAD')).toBe('refs/remotes/origin/main');
  expect(await client.run('clone', 'fsck', '--full', '--strict')).toBe('');
});

test('a clone can be shallow or without files, and gets the rest when it needs them', async () => {
  await using at = await fixture();
  const { client, alice } = at;
  for (const number of [1, 2, 3]) await commit(alice, REPO, { 'a.txt': `${number}`, [`${number}.txt`]: '' });
  const url = remoteOf(alice, REPO.repo);
  await client.run('.', 'clone', '--quiet', '--depth=1', url, 'shallow');
  expect(await client.run('shallow', 'rev-list', '--count', 'HEAD')).toBe('1');
  await client.run('shallow', 'fetch', '--quiet', '--unshallow');
  expect(await client.run('shallow', 'rev-list', '--count', 'HEAD')).toBe('4');
  await client.run('.', 'clone', '--quiet', '--filter=blob:none', url, 'partial');
  expect(await client.run('partial', 'show', 'HEAD~1:a.txt')).toBe('2');
});

test('the ref of a pull request is fetched by name, and a commit by its id', async () => {
  await using at = await fixture();
  const { client, alice, hub } = at;
  const { commitOid } = await commit(hub.as('bob'), REPO, { 'b.txt': 'from bob' }, { createPullRequest: true });
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO.repo), 'clone');
  await client.run('clone', 'fetch', '--quiet', 'origin', 'refs/pr/1:pr/1');
  expect(await client.run('clone', 'show', 'pr/1:b.txt')).toBe('from bob');
  await client.run('.', 'init', '--quiet', 'other');
  await client.run('other', 'fetch', '--quiet', '--depth=1', remoteOf(alice, REPO.repo), commitOid);
  expect(await client.run('other', 'show', 'FETCH_HEAD:b.txt')).toBe('from bob');
});

test('the token may be the user name, and an old name of the repository leads to the new one', async () => {
  await using at = await fixture();
  const { client, alice, hub } = at;
  await commit(alice, REPO, { 'a.txt': 'a' });
  const url = new URL(`${hub.url}/${REPO.repo}`);
  url.username = tokenOf('alice');
  url.password = 'x-oauth-basic';
  await client.run('.', 'clone', '--quiet', url.href, 'by-user-name');
  await moveRepo({ ...alice, type: 'model', from: REPO.repo, to: 'alice/poems' });
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO.repo), 'moved');
  expect(await text(client, 'moved', 'a.txt')).toBe('a');
});

test('who may not read gets nothing, and is told why at the terminal', async () => {
  await using at = await fixture();
  const { client, alice, hub } = at;
  await createRepo({ ...alice, repo: 'alice/secret', private: true });
  const paths = ['info/refs?service=git-upload-pack', 'info/refs?service=git-receive-pack'];
  for (const path of paths) {
    const response = await fetch(`${hub.url}/alice/secret/${path}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Basic realm="Moonbase"');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  }
  const hidden = await client.attempt('.', 'clone', remoteOf(hub.as('bob'), 'alice/secret'), 'secret');
  const missing = await client.attempt('.', 'clone', remoteOf(hub.as('bob'), 'alice/missing'), 'missing');
  expect(hidden.terminal).toMatch(/remote: Repository not found/);
  const withoutName = ({ terminal }: { terminal: string }) => terminal.replaceAll(/secret|missing/g, 'name');
  expect(withoutName(hidden)).toBe(withoutName(missing));
  const wrong = await client.attempt(
    '.',
    'clone',
    remoteOf({ ...alice, accessToken: 'hf_unknownToken' }, 'alice/secret'),
    'x',
  );
  expect(wrong.terminal).toMatch(/remote: Invalid credentials/);
});

test.each(['0', '1', '2'])('protocol version %s sends nothing that no ref leads to', async (version) => {
  await using at = await fixture();
  const { client, alice } = at;
  await createBranch({ ...alice, ...REPO, branch: 'leak' });
  const { commitOid } = await commit(alice, REPO, { 'secret.txt': 'secret' }, { branch: 'leak' });
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO.repo), 'clone');
  const ids = ['leak^{tree}', 'leak:secret.txt'].map((name) => client.run('clone', 'rev-parse', `origin/${name}`));
  await deleteBranch({ ...alice, ...REPO, branch: 'leak' });
  await client.run('.', 'init', '--quiet', 'other');
  for (const id of [commitOid, ...(await Promise.all(ids))]) {
    const git = ['-c', `protocol.version=${version}`, 'fetch', '--quiet', remoteOf(alice, REPO.repo), id];
    const { code, terminal } = await client.attempt('other', ...git);
    expect(code).not.toBe(0);
    expect(terminal).toMatch(/not our ref|unadvertised object/);
  }
  expect(await client.run('other', 'count-objects')).toMatch(/^0 objects/);
});

test('requests that are no protocol of git are refused', async () => {
  await using at = await fixture();
  const post = (service: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${at.hub.url}/${REPO.repo}/${service}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokenOf('alice')}`, ...headers },
      body,
    });
  const version2 = { 'git-protocol': 'version=2' };
  for (const [body, message] of [
    ['zzzz', 'The length of a pkt-line is malformed'],
    ['0003', 'The length of a pkt-line is malformed'],
    ['ffff', 'The length of a pkt-line is malformed'],
    ['0010short', 'The body ends within a pkt-line'],
  ] as const) {
    for (const response of [await post('git-upload-pack', body, version2), await post('git-receive-pack', body)]) {
      expect(response.status).toBe(400);
      expect(await response.text()).toBe(`${message}\n`);
    }
  }
  expect((await post('git-upload-pack', '0000', { 'content-encoding': 'br' })).status).toBe(415);
  expect((await post('git-upload-pack', '0000', { 'content-encoding': 'gzip' })).status).toBe(400);
  const response = await fetch(`${at.hub.url}/${REPO.repo}/info/refs?service=git-shell`, {
    headers: { authorization: `Bearer ${tokenOf('alice')}` },
  });
  expect(response.status).toBe(400);
});
