import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCommit, listCommits } from '@moonbase/client/content';
import { createRepo, listRefs } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { eavesdrop } from './eavesdrop.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { startHub } from './harness.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;

/** Starts a hub with the model `alice/letters`, which has three commits more than a new one, and a clone of it. */
async function fixture() {
  const hub = await startHub();
  await hub.people('alice', 'bob');
  const client = await gitClient();
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: REPO.repo });
  const url = remoteOf(alice, REPO.repo);
  await client.run('.', 'clone', '--quiet', url, 'clone');
  const commit = async (where: string, path: string) => {
    await writeFile(join(client.folder, where, path), path);
    await client.run(where, 'add', '--all');
    await client.run(where, 'commit', '--quiet', '--message', `Add ${path}`);
  };
  for (const path of ['1.txt', '2.txt', '3.txt']) await commit('clone', path);
  await client.run('clone', 'push', '--quiet', 'origin', 'main');
  const refs = async () => {
    const { branches, tags } = await listRefs({ ...alice, ...REPO });
    return [...branches, ...tags].map(({ ref }) => ref).toSorted();
  };
  return {
    ...{ hub, client, alice, url, commit, refs },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

test('a lease is refused when somebody else has pushed, and holds after a fetch', async () => {
  await using at = await fixture();
  const { client, url } = at;
  await client.run('.', 'clone', '--quiet', url, 'other');
  await at.commit('other', 'theirs.txt');
  await client.run('other', 'push', '--quiet', 'origin', 'main');
  await client.run('clone', 'commit', '--quiet', '--amend', '--message', 'Rewritten');
  const stale = await client.attempt('clone', 'push', '--force-with-lease', 'origin', 'main');
  expect([stale.code, stale.terminal]).toEqual([1, expect.stringMatching(/stale info/)]);
  await client.run('clone', 'fetch', '--quiet');
  expect(await client.attempt('clone', 'push', '--force-with-lease', 'origin', 'main')).toMatchObject({ code: 0 });
  const [head] = await listCommits({ ...at.alice, ...REPO, revision: 'main' });
  expect(head?.title).toBe('Rewritten');
});

test('tags are pushed together, deleted, and moved by force only', async () => {
  await using at = await fixture();
  const { client } = at;
  for (const tag of ['v1', 'v2', 'v3']) await client.run('clone', 'tag', tag, `HEAD~${3 - Number(tag.slice(1))}`);
  await client.run('clone', 'tag', '--annotate', 'release', '--message', 'Released');
  await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
  await client.run('clone', 'push', '--quiet', '--tags', 'origin');
  expect(await at.refs()).toEqual(['main', 'release', 'v1', 'v2', 'v3'].map((name) => refOf(name)));
  expect(await listener.payloads()).toHaveLength(1);
  await client.run('clone', 'push', '--quiet', 'origin', ':refs/tags/v1', ':release');
  expect(await at.refs()).toEqual(['main', 'v2', 'v3'].map((name) => refOf(name)));
  const moved = await client.attempt('clone', 'push', 'origin', 'HEAD:refs/tags/v2');
  expect(moved.terminal).toMatch(/already exists/);
  expect(await client.attempt('clone', 'push', '--force', 'origin', 'HEAD:refs/tags/v2')).toMatchObject({ code: 0 });
});

const refOf = (name: string) => (name === 'main' ? 'refs/heads/main' : `refs/tags/${name}`);

test('signatures of tags and commits arrive byte for byte', async () => {
  await using at = await fixture();
  const { client, url } = at;
  const signature = '-----BEGIN PGP SIGNATURE-----\n\niQEzBAABCAAdFiEE\n=abcd\n-----END PGP SIGNATURE-----\n';
  const hash = async (type: string, content: string) => {
    await writeFile(join(client.folder, 'object'), content);
    return client.run('clone', 'hash-object', '-t', type, '-w', '../object');
  };
  const [tree, parent] = [
    await client.run('clone', 'rev-parse', 'HEAD^{tree}'),
    await client.run('clone', 'rev-parse', 'HEAD'),
  ];
  const person = 'Ada <ada@example.com> 1700000000 +0100';
  const indented = signature.trimEnd().replaceAll('\n', '\n ');
  const commit = await hash(
    'commit',
    `tree ${tree}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\ngpgsig ${indented}\n\nSigned\n`,
  );
  const tag = await hash(
    'tag',
    `object ${commit}\ntype commit\ntag signed\ntagger ${person}\n\nA signed tag\n${signature}`,
  );
  expect(await client.attempt('clone', 'push', 'origin', `${commit}:main`, `${tag}:refs/tags/signed`)).toMatchObject({
    code: 0,
  });
  await client.run('.', 'clone', '--quiet', url, 'again');
  for (const [type, id] of [
    ['commit', commit],
    ['tag', tag],
  ] as const)
    expect(await client.run('again', 'cat-file', type, id)).toBe(await client.run('clone', 'cat-file', type, id));
  expect(await client.run('again', 'rev-parse', 'signed', 'origin/main')).toBe(`${tag}\n${commit}`);
  const [head] = await listCommits({ ...at.alice, ...REPO, revision: 'signed' });
  expect(head).toMatchObject({ id: commit, title: 'Signed' });
});

test('a mirror has every ref, follows, and pushes what it may', async () => {
  await using at = await fixture();
  const { client, alice, hub, url } = at;
  const operations = new Blob([JSON.stringify({ summary: 'A change', files: [{ path: 'b.txt', content: 'b' }] })], {
    type: 'application/json',
  });
  await createCommit({ ...hub.as('bob'), ...REPO, branch: 'main', createPullRequest: true, operations });
  await client.run('clone', 'push', '--quiet', 'origin', 'HEAD~1:refs/heads/side', 'HEAD~2:refs/tags/v1');
  await client.run('.', 'clone', '--quiet', '--mirror', url, 'mirror');
  const refsIn = (where: string) => client.run(where, 'for-each-ref', '--format=%(objectname) %(refname)');
  expect((await refsIn('mirror')).split('\n').map((line) => line.split(' ')[1])).toEqual([
    ...['refs/heads/main', 'refs/heads/side', 'refs/pr/1', 'refs/tags/v1'],
  ]);
  await at.commit('clone', '4.txt');
  await client.run('clone', 'push', '--quiet', 'origin', 'main', ':side');
  await client.run('mirror', 'remote', 'update', '--prune');
  expect(await refsIn('mirror')).not.toMatch(/side/);
  expect(await client.run('mirror', 'rev-parse', 'main')).toBe(await client.run('clone', 'rev-parse', 'HEAD'));
  expect((await client.attempt('mirror', 'push', '--mirror', url)).terminal).toMatch(/Everything up-to-date/);

  await createRepo({ ...alice, repo: 'alice/copy' });
  const copied = await client.attempt('mirror', 'push', '--mirror', remoteOf(alice, 'alice/copy'));
  expect(copied.terminal).toMatch(/refs\/pr\/1 \(.*1.*\)/);
  const { branches, tags } = await listRefs({ ...alice, type: 'model', repo: 'alice/copy' });
  expect([...branches, ...tags].map(({ name }) => name)).toEqual(['main', 'v1']);
});

test('a clone of one branch has nothing of the others, and upkeep of a clone harms no later fetch', async () => {
  await using at = await fixture();
  const { client, url } = at;
  await at.commit('clone', 'side.txt');
  await client.run('clone', 'push', '--quiet', 'origin', 'HEAD:refs/heads/side');
  await client.run('.', 'clone', '--quiet', '--single-branch', '--branch', 'main', url, 'single');
  const side = await client.run('clone', 'rev-parse', 'HEAD');
  expect((await client.attempt('single', 'cat-file', '-e', side)).code).not.toBe(0);
  await client.run('.', 'clone', '--quiet', '--no-tags', '--depth=2', '--no-single-branch', url, 'shallow');
  for (const where of ['single', 'shallow', 'clone']) {
    await client.run(where, 'maintenance', 'run', '--task=gc', '--task=commit-graph', '--task=loose-objects');
    await client.run(where, 'maintenance', 'run', '--task=incremental-repack', '--task=prefetch');
  }
  await client.run('clone', 'push', '--quiet', 'origin', 'HEAD:main');
  for (const where of ['single', 'shallow']) {
    await client.run(where, 'pull', '--quiet', 'origin', 'main');
    expect(await client.run(where, 'rev-parse', 'HEAD')).toBe(side);
    expect(await client.run(where, 'fsck', '--full', '--strict')).toBe('');
  }
});

test('a new repository is cloned as it is, and takes the history of a folder that began elsewhere', async () => {
  await using at = await fixture();
  const { client, alice } = at;
  await createRepo({ ...alice, repo: 'alice/new' });
  const url = remoteOf(alice, 'alice/new');
  await client.run('.', 'clone', '--quiet', url, 'new');
  expect(await client.run('new', 'ls-files')).toBe('.gitattributes');
  await client.run('.', 'init', '--quiet', 'own');
  await at.commit('own', 'own.txt');
  await client.run('own', 'remote', 'add', 'origin', url);
  const refused = await client.attempt('own', 'push', '--set-upstream', 'origin', 'main');
  expect(refused.terminal).toMatch(/fetch first/);
  await client.run('own', 'pull', '--quiet', '--rebase', 'origin', 'main');
  expect(await client.attempt('own', 'push', '--set-upstream', 'origin', 'main')).toMatchObject({ code: 0 });
  await client.run('.', 'init', '--quiet', 'unrelated');
  await at.commit('unrelated', 'unrelated.txt');
  expect(await client.attempt('unrelated', 'push', '--force', url, 'main')).toMatchObject({ code: 0 });
  const commits = await listCommits({ ...alice, type: 'model', repo: 'alice/new', revision: 'main' });
  expect(commits.map(({ title }) => title)).toEqual(['Add unrelated.txt']);
});

test('many commits arrive in one push, with one event', async () => {
  const count = 300;
  await using at = await fixture();
  const { client } = at;
  await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
  const lines = Array.from({ length: count }, (_, number) => {
    const text = `commit ${number}`;
    return [
      'commit refs/heads/main',
      `committer Ada <ada@example.com> ${1_700_000_000 + number} +0000`,
      `data ${text.length}\n${text}`,
      ...(number === 0 ? ['from refs/heads/main^0'] : []),
      `M 100644 inline ${number % 50}/${number}.txt\ndata ${text.length}\n${text}`,
    ].join('\n');
  });
  await writeFile(join(client.folder, 'stream'), `${lines.join('\n')}\n`);
  await client.run('clone', 'config', 'alias.import', '!git fast-import --quiet <../stream');
  await client.run('clone', 'import');
  expect(await client.attempt('clone', 'push', 'origin', 'main')).toMatchObject({ code: 0 });
  expect(await listener.payloads()).toHaveLength(1);
  await client.run('.', 'clone', '--quiet', at.url, 'again');
  expect(await client.run('again', 'rev-list', '--count', 'HEAD')).toBe(String(count + 4));
});
