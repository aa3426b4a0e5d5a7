import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listCommits } from '@moonbase/client/content';
import { createDiscussion, getDiscussion } from '@moonbase/client/discussions';
import { lfsBatch } from '@moonbase/client/large-files';
import { createBranch, createRepo, listRefs } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { idOf } from '../src/platform/git/objects/object.ts';
import { eavesdrop } from './eavesdrop.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { knownGitStore, stockGit } from './git-folder.ts';
import { commitOf, packOf, pktLineOf, treeOf } from './git-packs.ts';
import { type Connection, startHub, type TestHub } from './harness.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;
const MEBIBYTE = 1024 * 1024;

/** Starts a hub with the model `alice/letters`, which bob may read, and a clone of it by alice. */
async function fixture() {
  const gitStore = knownGitStore();
  const hub = await startHub({}, { gitStore });
  await hub.people('alice', 'bob', 'carol');
  const client = await gitClient();
  const [alice, bob] = [hub.as('alice'), hub.as('bob')];
  await createRepo({ ...alice, repo: REPO.repo });
  await client.run('.', 'clone', '--quiet', remoteOf(alice, REPO.repo), 'clone');
  const id = await repoIdIn(hub);
  const commit = async (path: string, content: string | Buffer, message = `Add ${path}`) => {
    await writeFile(join(client.folder, 'clone', path), content);
    await client.run('clone', 'add', '--all');
    await client.run('clone', 'commit', '--quiet', '--message', message);
    return client.run('clone', 'rev-parse', 'HEAD');
  };
  const refs = async (who: Connection = alice) => {
    const { branches, tags, pullRequests = [] } = await listRefs({ ...who, ...REPO, includePullRequests: true });
    return Object.fromEntries(
      [...branches, ...tags, ...pullRequests].map(({ ref, targetCommit }) => [ref, targetCommit]),
    );
  };
  const push = (...args: string[]) => client.attempt('clone', 'push', 'origin', ...args);
  /** Pushes as no client would. */
  const pushRaw = (command: string, pack: Buffer) =>
    fetch(`${hub.url}/${REPO.repo}/git-receive-pack`, {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.accessToken}` },
      body: new Uint8Array(Buffer.concat([pktLineOf(`${command}\0report-status`), Buffer.from('0000'), pack])),
    });
  /** Returns what is left of quarantines. */
  const leftovers = async () => {
    const names = await readdir(gitStore.folderOf(id), { recursive: true });
    return names.filter((name) => /tmp_/.test(name));
  };
  return {
    ...{ hub, client, alice, bob, id, gitStore, commit, refs, push, pushRaw, leftovers },
    fsck: () => stockGit(gitStore, id, 'fsck', '--full', '--strict', '--no-dangling'),
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

describe('a push', () => {
  test('of branches and tags moves all of them with one event, and the API shows them', async () => {
    await using at = await fixture();
    await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
    const before = await at.refs();
    const head = await at.commit('a.txt', 'a');
    await at.client.run('clone', 'tag', '--annotate', 'v1', '--message', 'The first');
    expect(await at.push('HEAD:main', 'HEAD:refs/heads/side', 'v1')).toMatchObject({ code: 0 });
    expect(await at.refs()).toEqual({ 'refs/heads/main': head, 'refs/heads/side': head, 'refs/tags/v1': head });
    const [payload, ...others] = await listener.payloads();
    expect(others).toEqual([]);
    expect(payload).toMatchObject({
      event: { scope: 'repo.content', action: 'update' },
      updatedRefs: [
        { ref: 'refs/heads/main', oldSha: before['refs/heads/main'], newSha: head },
        { ref: 'refs/heads/side', oldSha: null, newSha: head },
        { ref: 'refs/tags/v1', oldSha: null, newSha: head },
      ],
    });
    expect((await listCommits({ ...at.bob, ...REPO, revision: 'side' })).map(({ title }) => title)).toEqual([
      'Add a.txt',
      'initial commit',
    ]);
    await at.client.run('.', 'clone', '--quiet', remoteOf(at.bob, REPO.repo), 'again');
    expect(await at.client.run('again', 'cat-file', '-t', 'v1')).toBe('tag');
    expect(await at.leftovers()).toEqual([]);
    expect(at.fsck()).toBe('');
  });

  test('rewrites and deletes branches, but never main', async () => {
    await using at = await fixture();
    await at.commit('a.txt', 'a');
    await at.push('HEAD:main', 'HEAD:side');
    const other = await at.client
      .run('clone', 'commit', '--quiet', '--amend', '--message', 'Another')
      .then(() => at.client.run('clone', 'rev-parse', 'HEAD'));
    expect((await at.push('HEAD:main')).terminal).toMatch(/non-fast-forward|rejected/);
    expect(await at.push('--force', 'HEAD:main')).toMatchObject({ code: 0 });
    expect(await at.push('--delete', 'side')).toMatchObject({ code: 0 });
    expect((await at.push('--delete', 'main')).terminal).toMatch(/main \(the branch main cannot be deleted\)/);
    expect(await at.refs()).toEqual({ 'refs/heads/main': other });
    expect(await at.push('HEAD:main')).toMatchObject({ code: 0, terminal: 'Everything up-to-date\n' });
  });

  test('moves what it may and names the reason for the rest, or nothing if it is atomic', async () => {
    await using at = await fixture();
    const head = await at.commit('a.txt', 'a');
    const specs = ['HEAD:main', 'HEAD:refs/notes/x', 'HEAD:refs/pr/7', 'HEAD:refs/heads/main/below'];
    const atomic = await at.push('--atomic', ...specs);
    expect(atomic.terminal).toMatch(/main \(another ref of this atomic push is refused\)/);
    expect(Object.values(await at.refs())).not.toContain(head);
    const { code, terminal } = await at.push(...specs);
    expect(code).toBe(1);
    expect(terminal).toMatch(/refs\/notes\/x \(only refs\/heads\/, refs\/tags\/ and refs\/pr\/N can be pushed\)/);
    expect(terminal).toMatch(/refs\/pr\/7 \(.*7.*\)/);
    expect(terminal).toMatch(/main\/below \(it cannot be beside refs\/heads\/main\)/);
    expect(await at.refs()).toEqual({ 'refs/heads/main': head });
  });

  test('that somebody else was quicker than is refused with that reason', async () => {
    await using at = await fixture();
    await at.commit('a.txt', 'a');
    const { terminal } = await at.push('HEAD:refs/heads/other');
    expect(terminal).toMatch(/new branch/);
    await createBranch({ ...at.alice, ...REPO, branch: 'raced' });
    // As of a client that asked for the refs before the branch was made.
    const head = await at.client.run('clone', 'rev-parse', 'HEAD');
    const response = await at.pushRaw(`${'0'.repeat(40)} ${head} refs/heads/raced`, packOf());
    expect(await response.text()).toMatch(/ng refs\/heads\/raced somebody else has moved it: fetch first/);
  });

  test('of nothing but known commits needs no objects', async () => {
    await using at = await fixture();
    const main = (await at.refs())['refs/heads/main'];
    expect(await at.push('HEAD:refs/heads/same', 'HEAD:refs/tags/v0')).toMatchObject({ code: 0 });
    expect(await at.refs()).toMatchObject({ 'refs/heads/same': main, 'refs/tags/v0': main });
  });
});

const repoIdIn = async ({ database }: TestHub): Promise<string> => {
  const { id } = await database.read.selectFrom('repositories').select('id').executeTakeFirstOrThrow();
  return id;
};

/** Pushes a secret and deletes its branch; returns the ids of what no ref leads to any more. */
async function hideSecret(at: Awaited<ReturnType<typeof fixture>>) {
  const secret = await at.commit('secret.txt', 'secret\n');
  const tree = await at.client.run('clone', 'rev-parse', 'HEAD^{tree}');
  const blob = await at.client.run('clone', 'rev-parse', 'HEAD:secret.txt');
  expect(await at.push('HEAD:refs/heads/leak')).toMatchObject({ code: 0 });
  expect(await at.push('--delete', 'leak')).toMatchObject({ code: 0 });
  return { secret, tree, blob };
}

describe('a push to a pull request', () => {
  test('is for its author and writers, opens a draft and adds to the history', async () => {
    await using at = await fixture();
    const draft = { ...REPO, title: 'A change', description: '', pullRequest: true };
    await createDiscussion({ ...at.bob, ...draft });
    const head = await at.commit('b.txt', 'b', 'From bob');
    const pushAs = (who: Connection) => at.client.attempt('clone', 'push', remoteOf(who, REPO.repo), 'HEAD:refs/pr/1');
    const refused = await pushAs(at.hub.as('carol'));
    expect(refused.terminal).toMatch(/refs\/pr\/1 \(.*commit to a pull request of somebody else\)/);
    expect(await pushAs(at.bob)).toMatchObject({ code: 0 });
    expect((await at.refs())['refs/pr/1']).toBe(head);
    const shown = await getDiscussion({ ...at.bob, ...REPO, num: 1 });
    expect(shown.status).toBe('open');
    expect(shown.events).toContainEqual(
      expect.objectContaining({ type: 'commit', data: expect.objectContaining({ subject: 'From bob', oid: head }) }),
    );
    await at.client.run('clone', 'commit', '--quiet', '--amend', '--message', 'Again');
    const forced = await at.client.attempt('clone', 'push', '--force', remoteOf(at.alice, REPO.repo), 'HEAD:refs/pr/1');
    expect(forced).toMatchObject({ code: 0 });
    expect((await pushAs(at.bob)).terminal).toMatch(/up-to-date/);
    const deleted = await at.client.attempt('clone', 'push', remoteOf(at.alice, REPO.repo), ':refs/pr/1');
    expect(deleted.terminal).toMatch(/only the hub deletes the refs of pull requests/);
  });

  test('gives a reader no branch', async () => {
    await using at = await fixture();
    await at.commit('b.txt', 'b');
    const { terminal } = await at.client.attempt('clone', 'push', remoteOf(at.bob, REPO.repo), 'HEAD:main', 'HEAD:new');
    expect(terminal).toMatch(/main \(You don't have the rights to change this repository\)/);
    expect(terminal).toMatch(/new \(You don't have the rights to change this repository\)/);
    expect(Object.keys(await at.refs())).toEqual(['refs/heads/main']);
  });
});

describe('a push is refused, and changes nothing,', () => {
  test('of files above 10 MiB, which it names', async () => {
    await using at = await fixture();
    await at.commit('big.dat', Buffer.alloc(10 * MEBIBYTE + 1));
    await at.commit('fits.dat', Buffer.alloc(10 * MEBIBYTE));
    const { terminal } = await at.push('HEAD:main');
    expect(terminal).toMatch(/remote: Files above 10 MiB must be stored with git-lfs:/);
    expect(terminal).toMatch(/remote: {3}big\.dat \(10\.0 MiB\)/);
    expect(terminal).not.toMatch(/fits\.dat/);
    expect(Object.keys(await at.refs())).toEqual(['refs/heads/main']);
    expect(await at.leftovers()).toEqual([]);
  });

  test('of pointers to large files that the repository does not have', async () => {
    await using at = await fixture();
    const bytes = Buffer.alloc(2000, 'x');
    const oid = createHash('sha256').update(bytes).digest('hex');
    const head = await at.commit('w.bin', `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 2000\n`);
    const { terminal } = await at.push('HEAD:main');
    expect(terminal).toMatch(new RegExp(`remote: {3}w\\.bin \\(${oid}\\)`));
    const { objects } = await lfsBatch({ ...at.alice, ...REPO, operation: 'upload', objects: [{ oid, size: 2000 }] });
    const href = objects[0]?.actions?.upload?.href ?? '';
    expect((await fetch(href, { method: 'PUT', body: bytes })).status).toBe(200);
    expect(await at.push('HEAD:main')).toMatchObject({ code: 0 });
    expect(await at.refs()).toEqual({ 'refs/heads/main': head });
  });

  test('that brings back what no ref leads to any more', async () => {
    await using at = await fixture();
    const { secret, tree, blob } = await hideSecret(at);
    const zero = '0'.repeat(40);
    const onHiddenTree = commitOf(tree);
    const onHiddenBlob = treeOf('found.txt', blob);
    const attempts: [string, Buffer][] = [
      [`${zero} ${secret} refs/heads/found`, packOf()],
      [`${zero} ${tree} refs/tags/found`, packOf()],
      [`${zero} ${idOf(onHiddenTree)} refs/heads/found`, packOf(onHiddenTree)],
      // Git completes such a pack with the base of the delta, which is then among the objects of the push.
      [
        `${zero} ${idOf(commitOf(idOf(onHiddenBlob)))} refs/heads/found`,
        packOf(onHiddenBlob, commitOf(idOf(onHiddenBlob)), { base: blob, delta: Buffer.from([7, 1, 1, 0x61]) }),
      ],
    ];
    for (const [command, pack] of attempts) {
      const text = await (await at.pushRaw(command, pack)).text();
      expect(text).toMatch(/refers to objects that neither it nor the repository has/);
    }
    expect(Object.keys(await at.refs())).not.toContain('refs/heads/found');
    // Whoever has the objects may push them again.
    expect(await at.push(`${secret}:refs/heads/again`)).toMatchObject({ code: 0 });
  });

  test('not because it is thin, or goes back to what a file was long ago', async () => {
    await using at = await fixture();
    const lines = Array.from({ length: 500 }, (_, line) => `line ${line} ${Math.sin(line)}\n`).join('');
    await at.commit('a.txt', lines);
    expect(await at.push('HEAD:main')).toMatchObject({ code: 0 });
    await at.commit('a.txt', `${lines}more\n`);
    expect(await at.push('HEAD:main')).toMatchObject({ code: 0 });
    await at.commit('a.txt', 'something else');
    expect(await at.push('HEAD:main')).toMatchObject({ code: 0 });
    // A bitmap makes the client leave out what the hub has anywhere in its history.
    await at.client.run('.', 'clone', '--quiet', '--mirror', remoteOf(at.alice, REPO.repo), 'mirror');
    await at.client.run('clone', 'push', '--quiet', '../mirror', 'HEAD:main');
    const head = await at.commit('a.txt', lines);
    await at.client.run('clone', 'push', '--quiet', '../mirror', 'HEAD:main');
    await at.client.run('mirror', 'repack', '-adbq');
    const pushed = await at.client.attempt('mirror', 'push', remoteOf(at.alice, REPO.repo), 'main');
    expect(pushed).toMatchObject({ code: 0 });
    expect(await at.refs()).toEqual({ 'refs/heads/main': head });
    expect(at.fsck()).toBe('');
  });

  test('of trees and commits that git fsck finds faulty', async () => {
    await using at = await fixture();
    const blob = await at.client.run('clone', 'rev-parse', 'HEAD:.gitattributes');
    const hash = (type: string, body: Buffer) => {
      const object = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
      return createHash('sha1').update(object).digest('hex');
    };
    const entry = (name: string) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]);
    const trees = [
      entry('.git'),
      entry('..'),
      Buffer.concat([entry('b'), entry('a')]),
      Buffer.concat([entry('a'), entry('a')]),
    ];
    for (const body of trees) {
      await writeFile(join(at.client.folder, 'tree'), body);
      const tree = await at.client.run('clone', 'hash-object', '-t', 'tree', '--literally', '-w', '../tree');
      expect(tree).toBe(hash('tree', body));
      const commit = await at.client.run('clone', 'commit-tree', tree, '-m', 'Hostile');
      const { code, terminal } = await at.push(`${commit}:refs/heads/hostile`);
      expect(code).not.toBe(0);
      expect(terminal).toMatch(/\[remote rejected\]|unpack/);
      expect(terminal).not.toContain(at.gitStore.folderOf(at.id));
    }
    expect(Object.keys(await at.refs())).toEqual(['refs/heads/main']);
    expect(await at.leftovers()).toEqual([]);
  });

  test('of a damaged or absent pack', async () => {
    await using at = await fixture();
    for (const pack of [Buffer.from('PACK'), Buffer.alloc(0), Buffer.alloc(MEBIBYTE), packOf().fill(0, 20)]) {
      const response = await at.pushRaw(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/x`, pack);
      const text = await response.text();
      expect(text).toMatch(/ng refs\/heads\/x its objects are refused/);
      expect(text).not.toContain(at.gitStore.folderOf(at.id));
    }
    expect(await at.leftovers()).toEqual([]);
  });

  test('with a token that only reads', async () => {
    await using at = await fixture();
    const token = 'hf_readTokenOfAlice0123456789';
    await at.hub.apply({ users: [{ name: 'alice', tokens: [{ name: 'reads', role: 'read', token }] }] });
    await at.commit('a.txt', 'a');
    const reader = { ...at.alice, accessToken: token };
    const { terminal } = await at.client.attempt('clone', 'push', remoteOf(reader, REPO.repo), 'HEAD:main');
    expect(terminal).toMatch(/remote: .*token/i);
    expect(terminal).toMatch(/403/);
  });
});
